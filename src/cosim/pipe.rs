//! A core as a filter: items go in at one end and come out at the other, and nothing is compared.

use utfhdl_hdl::core::Core;
use utfhdl_sim::feed::Fed;
use utfhdl_sim::{Engine, EngineError};

use super::ahead::Ahead;
use super::driver::{Stalls, ends};
use super::prediction::Prediction;
use super::source::SourceError;
use super::stimulus::Stimulus;
use super::supply::Supply;
use crate::promise::{Beat, Ports};

/// Cycles in reset.
const RESET_CYCLES: usize = 2;
/// Cycles without a beat after which a core has stopped; more than any latency.
const PATIENCE: usize = 1024;

/// Why a core stopped.
#[derive(Debug, thiserror::Error)]
pub enum PipeError {
    /// The source can't be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The core takes nothing and gives nothing any more, though a frame is open.
    #[error("the core is wrong: it has stopped in mid-frame; `utfhdl cosim` says more")]
    Stopped,
}

/// Runs the beats of `stimulus` through `core` in `engine`. Calls `sink` with every beat that comes out, in order, and with
/// whether the frame that ends with the beat held something that could not be written.
///
/// # Errors
/// The first thing that goes wrong, here or in `sink`, which has got the beats before it.
pub fn run<E: From<PipeError>>(
    core: &Core,
    engine: &mut dyn Engine,
    stimulus: Stimulus,
    mut sink: impl FnMut(Beat, bool) -> Result<(), E>,
) -> Result<(), E> {
    let ports = Ports::new(core);
    let words = engine.layout().input_words;
    let (source, sinks) = ends(stimulus, Stalls::default(), 0);
    let mut ahead = Ahead::new(Supply::new(core, words, source), sinks, core.spec.status, words, false);
    let mut prediction = Prediction::default();
    let (mut idle, mut open, mut fed) = (0, false, Fed::default());
    for _ in 0..RESET_CYCLES {
        ahead.draw_reset();
        engine.run_fed(&ahead.feed(&ports, 1), &mut fed).map_err(PipeError::from)?;
        ahead.forget(&fed);
    }
    while !ahead.is_done() || open {
        // Blocks are one cycle long, so that input leads to output at once.
        ahead.draw(1, &mut prediction).map_err(PipeError::from)?;
        engine.run_fed(&ahead.feed(&ports, 1), &mut fed).map_err(PipeError::from)?;
        ahead.forget(&fed);
        let (inputs, outputs) = (&fed.inputs, &fed.outputs);
        let accepted = ports.is_offered(inputs) && ports.takes(outputs);
        open |= accepted;
        let beat = ports.beat(outputs);
        idle = if accepted || beat.is_some() { 0 } else { idle + 1 };
        if idle > PATIENCE {
            return Err(PipeError::Stopped.into());
        }
        if let Some(beat) = beat {
            open &= !beat.last;
            sink(beat, ports.amiss(outputs) == Some(true))?;
        }
    }
    Ok(())
}
