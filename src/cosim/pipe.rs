//! A core as a filter: units or slots in at one end, slots or units out at the other, nothing in between compared.

use utfhdl_hdl::core::Core;
use utfhdl_sim::{Engine, EngineError};

use super::driver::{Driver, Stalls};
use super::stimulus::{Stimulus, StimulusError};
use crate::promise::Beat;
use crate::promise::Ports;

/// Cycles in reset.
const RESET_CYCLES: usize = 2;
/// Cycles without a beat after which a core has nothing more to say; more than any latency.
const PATIENCE: usize = 1024;

/// Why a core stopped.
#[derive(Debug, thiserror::Error)]
pub enum PipeError {
    /// What should go in can't be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// The engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The core did something that no core does.
    #[error("the core is wrong: {0}")]
    Core(&'static str),
}

/// Runs the beats of `stimulus` through `core` in `engine` and hands every beat that comes out to `sink`, in order, and
/// whether the frame that ends with it held something that could not be written.
///
/// # Errors
/// The first thing that goes wrong, here or in `sink`; beats up to there have been handed on.
pub fn run<E: From<PipeError>>(
    core: &Core,
    engine: &mut dyn Engine,
    stimulus: Stimulus,
    mut sink: impl FnMut(Beat, bool) -> Result<(), E>,
) -> Result<(), E> {
    let ports = Ports::new(core);
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
        let beat = ports.beat(&outputs);
        idle = if accepted || beat.is_some() { 0 } else { idle + 1 };
        if idle > PATIENCE {
            return Err(PipeError::Core("it has stopped in mid-frame").into());
        }
        if let Some(beat) = beat {
            open &= !beat.last;
            sink(beat, ports.amiss(&outputs) == Some(true))?;
        }
    }
    Ok(())
}
