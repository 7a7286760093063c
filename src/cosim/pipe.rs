//! A core as a decoder: units in at one end, slots out at the other, nothing in between compared.

use utfhdl_hdl::core::Core;
use utfhdl_sim::{Engine, EngineError};

use super::beat::from_bus;
use super::driver::{Driver, Stalls};
use super::ports::DecoderPorts;
use super::stimulus::{Stimulus, StimulusError};
use crate::codec::Slot;

/// Cycles in reset.
const RESET_CYCLES: usize = 2;
/// Cycles without a beat after which a core has nothing more to say; more than any latency.
const PATIENCE: usize = 1024;

/// Why decoding stopped.
#[derive(Debug, thiserror::Error)]
pub enum PipeError {
    /// The units can't be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// The engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The core did something that no decoder does.
    #[error("the core is wrong: {0}")]
    Core(&'static str),
}

/// Runs the beats of `stimulus` through `core` in `engine` and hands every slot to `sink`, in order.
///
/// # Errors
/// The first thing that goes wrong, here or in `sink`; slots up to there have been handed on.
pub fn decode<E: From<PipeError>>(
    core: &Core,
    engine: &mut dyn Engine,
    stimulus: Stimulus,
    mut sink: impl FnMut(Slot) -> Result<(), E>,
) -> Result<(), E> {
    let ports = DecoderPorts::new(core);
    let mut driver = Driver::new(stimulus, Stalls::default(), 0);
    let mut inputs = vec![0; engine.layout().input_words];
    let mut outputs = vec![0; engine.layout().output_words];
    ports.set_reset(&mut inputs, true);
    for _ in 0..RESET_CYCLES {
        driver.drive_reset(&ports, &mut inputs);
        engine.run(&inputs, &mut outputs).map_err(PipeError::from)?;
    }
    ports.set_reset(&mut inputs, false);
    let (mut idle, mut open) = (0, false);
    while !driver.is_done() || open {
        driver.drive(&ports, &mut inputs).map_err(PipeError::from)?;
        engine.run(&inputs, &mut outputs).map_err(PipeError::from)?;
        let accepted = driver.accepted(ports.takes(&outputs)).is_some();
        open |= accepted;
        idle = if accepted || ports.offers(&outputs) { 0 } else { idle + 1 };
        if idle > PATIENCE {
            return Err(PipeError::Core("it has stopped in mid-frame").into());
        }
        if ports.offers(&outputs) {
            for lane in ports.lanes_in(ports.keep(&outputs)) {
                let (user, data) = ports.slot(&outputs, lane);
                sink(from_bus(user, data).ok_or(PipeError::Core("a slot of no kind"))?)?;
            }
            open &= !ports.last(&outputs);
        }
    }
    Ok(())
}
