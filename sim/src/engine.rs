//! The trait that all engines implement, and their errors.

use std::ops::Range;

use crate::feed::{Fed, Feed};
use crate::flat::Scope;
use crate::layout::Layout;
use crate::tool::ToolError;

/// Runs a design cycle by cycle.
///
/// In a cycle the inputs are applied (reset among them, as the level of its port), the logic settles, the outputs are
/// sampled, and then the clock rises. Records are packed as [`Layout`] says. All registers hold 0 before the first
/// cycle.
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
    /// If the engine itself fails. No value of an input is an error.
    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError>;

    /// Runs the cycles of `feed`, and records them in `fed`, which is filled anew.
    ///
    /// # Errors
    /// If the engine itself fails. Then `fed` holds the cycles before.
    fn run_fed(&mut self, feed: &Feed, fed: &mut Fed) -> Result<(), EngineError> {
        let words = self.layout().words();
        feed.run(words, fed, |inputs, outputs, _| self.run(inputs, outputs))
    }

    /// Access to the signals inside the design, if the engine has it.
    fn probe(&self) -> Option<&dyn Probe> {
        None
    }

    /// A remark for the user on the last run, such as why it was slow.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// Access to every named signal of a design, with the value to which it settled in the last cycle, before the clock
/// rose.
pub trait Probe {
    /// The hierarchy with the names of all signals and the index of each.
    fn scope(&self) -> &Scope;

    /// The values of all named signals, those words together that belong to one, least significant first.
    fn values(&self) -> &[u64];

    /// The words of [`values`](Self::values) that hold the signal with this index, the same in every cycle.
    fn place(&self, signal: usize) -> Range<usize>;

    /// Value of the signal with this index, least significant word first.
    fn value(&self, signal: usize) -> &[u64] {
        &self.values()[self.place(signal)]
    }
}

/// Why an engine can't be built or run.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A tool that the engine needs.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A built model that can't be loaded.
    #[error("the built model {path} can't be loaded: {reason}")]
    Load {
        /// The shared object.
        path: String,
        /// The loader's message.
        reason: String,
    },
    /// A design that an engine has no room for.
    #[error("the design is too large for the {engine} engine: it has room for {limit} {what}")]
    TooLarge {
        /// The engine.
        engine: &'static str,
        /// How much there may be.
        limit: usize,
        /// The thing that is limited.
        what: &'static str,
    },
    /// Logic that does not settle. That is a fault of the engine, since a netlist has no combinational loops.
    #[error("the {engine} engine did not settle within {iterations} iterations in one cycle")]
    Unsettled {
        /// The engine.
        engine: &'static str,
        /// How often the design was evaluated.
        iterations: usize,
    },
}
