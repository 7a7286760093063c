//! What every engine can do.

use crate::flat::Scope;
use crate::layout::Layout;

/// Runs a design cycle by cycle.
///
/// A cycle: the inputs of the cycle are applied (reset among them, as the port's level), the logic settles, the
/// outputs are sampled, and then the clock rises. Records are packed as [`Layout`] says. All registers hold 0
/// before the first cycle.
pub trait Engine {
    /// Name, as on the command line.
    fn name(&self) -> &'static str;

    /// How its records are packed: the same for every engine of a design.
    fn layout(&self) -> &Layout;

    /// Runs as many cycles as `inputs` holds records and fills `outputs` with as many.
    ///
    /// # Panics
    /// If the lengths are no multiples of the layout's words, or not of the same number of records.
    ///
    /// # Errors
    /// If the engine itself fails; never because of what the inputs are.
    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError>;

    /// Sight of the signals inside, where the engine has it.
    fn probe(&self) -> Option<&dyn Probe> {
        None
    }
}

/// Sight of every named signal of a design, as it settled in the cycle last run, before the clock rose.
pub trait Probe {
    /// The hierarchy with its names; values are found by the signals' indices.
    fn scope(&self) -> &Scope;

    /// Value of a signal, least significant word first.
    fn value(&self, signal: usize) -> &[u64];
}

/// Why an engine can't be built or run.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A tool that is not installed.
    #[error("{tool} was not found; {hint}")]
    MissingTool {
        /// The program.
        tool: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// A tool too old, or of which the version can't be told.
    #[error("{tool} {found} is too old: {needed} or later is needed; {hint}")]
    OldTool {
        /// The program.
        tool: &'static str,
        /// What it says of its version.
        found: String,
        /// The first version that works.
        needed: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// A tool that ran and failed.
    #[error("{command} failed ({status}):\n{output}")]
    ToolFailed {
        /// The command line.
        command: String,
        /// How it ended.
        status: String,
        /// What it printed.
        output: String,
    },
    /// A file that can't be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A built model that can't be loaded.
    #[error("the built model {path} can't be loaded: {reason}")]
    Load {
        /// The shared object.
        path: String,
        /// What the loader says.
        reason: String,
    },
    /// Logic that does not settle: a fault of the engine, since a netlist has no loops.
    #[error("the {engine} engine did not settle within {iterations} iterations in one cycle")]
    Unsettled {
        /// The engine.
        engine: &'static str,
        /// How often it was evaluated.
        iterations: usize,
    },
}
