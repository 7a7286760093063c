//! The engines by name, and how to start one for a core.

use std::fmt;
use std::str::FromStr;

use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::native::Native;
#[cfg(not(target_arch = "wasm32"))]
use utfhdl_sim::verilator::{Cache, Effort, Verilator};
use utfhdl_sim::{Engine, EngineError};

/// An engine that runs cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// The netlist, in this process.
    Native,
    /// The emitted Verilog, compiled by Verilator; not in a browser.
    #[cfg(not(target_arch = "wasm32"))]
    Verilator,
    /// The netlist as a rust-hdl block.
    #[cfg(feature = "rust-hdl")]
    RustHdl,
}

impl EngineKind {
    /// Every engine this build has.
    pub const ALL: &[Self] = &[
        Self::Native,
        #[cfg(not(target_arch = "wasm32"))]
        Self::Verilator,
        #[cfg(feature = "rust-hdl")]
        Self::RustHdl,
    ];

    /// Starts the engine for `core`, with all registers 0.
    ///
    /// # Errors
    /// If the engine needs a tool that is missing or fails.
    pub fn start(self, core: &Core) -> Result<Box<dyn Engine>, EngineError> {
        self.start_from(core, Start::Zero)
    }

    /// Starts the engine for `core`.
    ///
    /// # Errors
    /// If the engine needs a tool that is missing or fails.
    pub fn start_from(self, core: &Core, start: Start) -> Result<Box<dyn Engine>, EngineError> {
        self.start_design(&core.design, || core.verilog(), start)
    }

    /// Starts the engine for a design, whose Verilog is that of `text`.
    ///
    /// # Errors
    /// If the engine needs a tool that is missing or fails.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(unused_variables, reason = "no engine there reads the Verilog")
    )]
    pub fn start_design(
        self,
        design: &Design,
        text: impl FnOnce() -> String,
        start: Start,
    ) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match (self, start) {
            (Self::Native, Start::Zero) => Box::new(Native::new(design)?),
            (Self::Native, Start::Random(seed)) => Box::new(Native::with_random_start(design, seed)?),
            #[cfg(not(target_arch = "wasm32"))]
            (Self::Verilator, start) => {
                let (text, cache, effort) = (text(), Cache::of_user(), Effort::Quick);
                Box::new(match start {
                    Start::Zero => Verilator::new(design, &text, &cache, effort)?,
                    Start::Random(seed) => Verilator::with_random_start(design, &text, &cache, effort, seed)?,
                })
            }
            #[cfg(feature = "rust-hdl")]
            (Self::RustHdl, _) => Box::new(utfhdl_sim::rust_hdl::RustHdl::new(design)),
        })
    }
}

/// The values of registers before the first cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// All 0.
    Zero,
    /// Random ones by this seed, but in `rust-hdl`, where registers always start at 0.
    Random(u64),
}

/// An engine's [remark](Engine::remark) on its run, after the engine's name.
pub fn remark(engine: &dyn Engine) -> Option<String> {
    engine.remark().map(|remark| format!("{}: {remark}", engine.name()))
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Native => "native",
            #[cfg(not(target_arch = "wasm32"))]
            Self::Verilator => "verilator",
            #[cfg(feature = "rust-hdl")]
            Self::RustHdl => "rust-hdl",
        })
    }
}

/// A word that names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine {name:?}: there are {}{}", known.join(", "), hint)]
pub struct UnknownEngine {
    name: String,
    known: Vec<String>,
    hint: &'static str,
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().copied().find(|engine| engine.to_string() == name);
        found.ok_or_else(|| UnknownEngine {
            name: name.to_owned(),
            known: Self::ALL.iter().map(ToString::to_string).collect(),
            hint: if name == "rust-hdl" { "; rust-hdl is left out of this build" } else { "" },
        })
    }
}
