//! The description of a co-simulation, the settings of its speed, and its errors.

use utfhdl_hdl::core::Core;
use utfhdl_sim::EngineError;

use super::driver::Stalls;
use super::failure::Failure;
use super::source::{Source, SourceError};
use super::stimulus::Framing;
use crate::engines::Start;

/// The most cycles of a block.
const BLOCK_CYCLES: usize = 1024;

/// A co-simulation: a core, a stimulus, and a seed for all that is random.
#[derive(Clone, Debug)]
pub struct Cosim {
    /// The core.
    pub core: Core,
    /// The source of the input.
    pub source: Source,
    /// How the input is cut into frames.
    pub framing: Framing,
    /// How often the streams stall.
    pub stalls: Stalls,
    /// Cycles in which the core is reset, in percent. If there are any, registers should [start](Self::start) at random values.
    pub resets: u8,
    /// The seed.
    pub seed: u64,
}

impl Cosim {
    /// The values that the registers of an engine should have before the first cycle.
    pub fn start(&self) -> Start {
        if self.resets == 0 { Start::Zero } else { Start::Random(self.seed) }
    }
}

/// How a run is made, as far as only its speed depends on that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The most cycles of a block, at least 1.
    pub block_cycles: usize,
    /// Threads. With more than one, a long run draws the input, and runs the reference, in a second thread.
    pub threads: usize,
}

impl Default for Manner {
    fn default() -> Self {
        // Each of two threads has half of the work. Thousands of cycles are handed over at once, so the threads seldom wait.
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { block_cycles: BLOCK_CYCLES, threads: processors.clamp(1, 2) }
    }
}

/// Why a co-simulation did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    /// The source has no item: nothing was run, and so nothing was found.
    #[error("there is nothing to run: {source_in_words}")]
    NothingToRun {
        /// The source, and that it has nothing.
        source_in_words: String,
    },
    /// The source can't be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// An engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Something is wrong with the core, or with an engine.
    #[error(transparent)]
    Failure(Box<Failure>),
}

impl From<Failure> for CosimError {
    fn from(failure: Failure) -> Self {
        Self::Failure(Box::new(failure))
    }
}
