//! The engines by name, and how to start one for a core.

use std::fmt;
use std::str::FromStr;

use utfhdl_hdl::core::Core;
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

    /// Starts the engine for `core`.
    ///
    /// # Errors
    /// If the engine needs a tool that is missing or fails.
    pub fn start(self, core: &Core) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match self {
            Self::Native => Box::new(Native::new(&core.design)?),
            #[cfg(not(target_arch = "wasm32"))]
            Self::Verilator => {
                let cache = Cache::of_user();
                Box::new(Verilator::new(&core.design, &core.verilog(), &cache, Effort::Quick)?)
            }
            #[cfg(feature = "rust-hdl")]
            Self::RustHdl => Box::new(utfhdl_sim::rust_hdl::RustHdl::new(&core.design)),
        })
    }
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
