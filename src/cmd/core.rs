//! The arguments that say which core is meant, shared by the commands about hardware.

use std::io::Read;
use std::str::FromStr;

use anyhow::{Context, bail};
use utfhdl::codec::Slot;
use utfhdl::cosim::{Stimulus, pipe};
use utfhdl::engines::{EngineKind, UnknownEngine};
use utfhdl::system::System;
use utfhdl::units::UnitReader;
use utfhdl_hdl::core::{Core, CoreSpec, OnError, Role, System as CoreSystem};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::Engine;

/// Which core.
#[derive(clap::Args)]
pub struct CoreArgs {
    /// System, a name or an alias, with options behind commas; `utfhdl list` shows them all
    pub system: System,

    /// What the core does: decoder (units in, code points out)
    role: RoleName,

    #[command(flatten)]
    shape: Shape,

    /// How the reset is wired
    #[arg(long, value_name = "R", default_value = "sync-high", value_parser = ResetStyle::from_str)]
    reset: ResetStyle,

    /// What a decoder does with errors: flag them in slots of their own, or drop them
    #[arg(long, value_name = "E", default_value = "flag", value_parser = OnError::from_str)]
    on_error: OnError,
}

/// The part that `decode` has too.
#[derive(clap::Args)]
pub struct Shape {
    /// Units a cycle
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub lanes: u32,
}

/// A role as it is written on the command line.
#[derive(Clone)]
struct RoleName(String);

impl FromStr for RoleName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split(':').next() {
            Some("decoder" | "encoder" | "transcoder") => Ok(Self(text.to_owned())),
            _ => Err("expected decoder, encoder, or transcoder:SYSTEM".to_owned()),
        }
    }
}

impl CoreArgs {
    /// Builds the core.
    pub fn core(&self) -> anyhow::Result<Core> {
        let role = match self.role.0.as_str() {
            "decoder" => Role::Decoder,
            other => {
                bail!("{}: there are no cores in the role {other} yet; decoder is one", self.system.name())
            }
        };
        core(self.system, role, self.shape.lanes, self.reset, self.on_error)
    }
}

/// What decodes, where that is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The software reference.
    Reference,
    /// A core, in an engine.
    Engine(EngineKind),
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "reference" {
            return Ok(Self::Reference);
        }
        name.parse().map(Self::Engine).map_err(|error: UnknownEngine| format!("{error}, and reference"))
    }
}

/// Starts an engine for a core.
pub fn start(kind: EngineKind, core: &Core) -> anyhow::Result<Box<dyn Engine>> {
    kind.start(core).with_context(|| format!("--engine {kind}"))
}

/// A decoder core in an engine, as `decode` and `convert` run it.
pub struct CoreDecoder {
    core: Core,
    engine: Box<dyn Engine>,
}

impl CoreDecoder {
    /// Builds the core and starts the engine.
    pub fn start(system: System, lanes: u32, kind: EngineKind) -> anyhow::Result<Self> {
        let core = core(system, Role::Decoder, lanes, ResetStyle::default(), OnError::Flag)?;
        let engine = start(kind, &core)?;
        Ok(Self { core, engine })
    }

    /// Runs all of `units`, of a file called `name`, through the core as one frame, and hands every slot to `sink`.
    pub fn decode(
        mut self,
        name: String,
        units: UnitReader<Box<dyn Read>>,
        sink: impl FnMut(Slot) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let stimulus = Stimulus::from_reader(name, units, self.core.spec.lanes as usize);
        pipe::decode(&self.core, &mut *self.engine, stimulus, sink)
    }
}

fn core(
    system: System,
    role: Role,
    lanes: u32,
    reset: ResetStyle,
    on_error: OnError,
) -> anyhow::Result<Core> {
    let known = || CoreSystem::ALL.map(CoreSystem::name).join(", ");
    let core_system = CoreSystem::by_name(system.name()).with_context(|| {
        format!("there is no core for {} yet: there are cores for {}", system.name(), known())
    })?;
    Ok(Core::new(CoreSpec { system: core_system, role, lanes, reset, on_error })?)
}
