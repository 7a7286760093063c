//! Waves of a co-simulation: every named signal, the outputs of each engine, and what the streams carry in words.

use std::path::Path;

use utfhdl_hdl::core::Core;
use utfhdl_sim::native::Native;
use utfhdl_sim::wave::{WaveCycle, WaveError, WaveFiles, WavePlan, WaveSource, WaveWriter};
use utfhdl_sim::{Layout, Probe};

use super::beat::from_bus;
use super::lockstep::{Observer, Seen};
use super::ports::DecoderPorts;
use crate::codec::Slot;

/// Text signals of the encoded and of the decoded side: what a beat holds that is handed over in this cycle.
const TEXTS: [&str; 2] = ["units_in", "slots_out"];

/// Writes waves from some cycle on.
pub struct Waves {
    writer: WaveWriter,
    ports: DecoderPorts,
    /// The first cycle that is written.
    from: u64,
}

impl Waves {
    /// Waves of `core` in `engines`, to `path`, from cycle `from` on.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn create(path: &Path, core: &Core, engines: &[&str], from: u64) -> Result<Self, WaveError> {
        let layout = Layout::new(&core.design);
        // Its names only: the values come from the engine that runs.
        let native = Native::new(&core.design);
        let source = WaveSource { layout: &layout, engines, scope: Some(native.scope()), texts: &TEXTS };
        let writer = WaveWriter::create(path, &source, &WavePlan::new(&source))?;
        Ok(Self { writer, ports: DecoderPorts::new(core), from })
    }

    /// Ends the dump and puts its files in place.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn finish(self) -> Result<WaveFiles, WaveError> {
        self.writer.finish()
    }
}

impl Observer for Waves {
    fn see(&mut self, seen: &Seen) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if seen.cycle < self.from {
            return Ok(());
        }
        let (units, slots) = (self.units_in(seen), self.slots_out(seen));
        self.writer.cycle(&WaveCycle {
            cycle: seen.cycle,
            inputs: seen.inputs,
            outputs: seen.outputs,
            probe: seen.probe,
            texts: &[&units, &slots],
        })?;
        Ok(())
    }
}

impl Waves {
    fn units_in(&self, seen: &Seen) -> String {
        if !self.ports.takes(seen.outputs[0]) {
            return String::new();
        }
        let units = self.ports.offered_units(seen.inputs);
        units.iter().map(|unit| format!("{unit:02X}")).collect::<Vec<_>>().join(" ")
    }

    fn slots_out(&self, seen: &Seen) -> String {
        let outputs = seen.outputs[0];
        if !self.ports.offers(outputs) {
            return String::new();
        }
        let lanes = self.ports.lanes_in(self.ports.keep(outputs));
        let slots = lanes.map(|lane| slot_text(self.ports.slot(outputs, lane)));
        let mut text: Vec<String> = slots.collect();
        if self.ports.last(outputs) {
            text.push("end".to_owned());
        }
        text.join(" ")
    }
}

/// A slot in a word or two: `U+20AC €`, `error overlong`.
fn slot_text((user, data): (u64, u64)) -> String {
    match from_bus(user, data) {
        Some(Slot::CodePoint(code_point)) => {
            match char::from_u32(code_point).filter(|character| !character.is_control()) {
                Some(character) => format!("U+{code_point:04X} {character}"),
                None => format!("U+{code_point:04X}"),
            }
        }
        Some(Slot::Head(limbs)) => format!("head of {limbs}"),
        Some(Slot::Limb(limb)) => format!("limb {limb:08X}"),
        Some(Slot::Error(kind)) => format!("error {kind}"),
        None => format!("tuser {user}"),
    }
}
