//! Waves of a co-simulation: every named signal, the outputs of each engine, and what the streams carry in words.

use std::path::Path;

use utfhdl_hdl::core::Core;
use utfhdl_sim::Layout;
use utfhdl_sim::flat::Flat;
use utfhdl_sim::wave::{WaveCycle, WaveError, WaveFiles, WavePlan, WaveSource, WaveWriter};

use super::lockstep::{Observer, Seen};
use crate::promise::{Beat, Item};
use crate::promise::{Carries, Ports};
use utfhdl_codec::Slot;

/// Names of the text signals of what goes in and of what comes out: what a beat holds that is handed over in this cycle.
fn texts(ports: &Ports) -> [&'static str; 2] {
    let input = if ports.carries_in() == Carries::Slots { "slots_in" } else { "units_in" };
    let output = if ports.carries_out() == Carries::Slots { "slots_out" } else { "units_out" };
    [input, output]
}

/// Writes waves from some cycle on.
pub struct Waves {
    writer: WaveWriter,
    ports: Ports,
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
        let ports = Ports::new(core);
        // The names only: the values come from the engine that runs.
        let scope = Flat::new(&core.design).scope;
        let source = WaveSource { layout: &layout, engines, scope: Some(&scope), texts: &texts(&ports) };
        let writer = WaveWriter::create(path, &source, &WavePlan::new(&source))?;
        Ok(Self { writer, ports, from })
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
        let (input, output) = (self.input(seen), self.output(seen));
        self.writer.cycle(&WaveCycle {
            cycle: seen.cycle,
            inputs: seen.inputs,
            outputs: seen.outputs,
            probe: seen.probe,
            texts: &[&input, &output],
        })?;
        Ok(())
    }
}

impl Waves {
    fn input(&self, seen: &Seen) -> String {
        let beat = self.ports.offered(seen.inputs).filter(|_| self.ports.takes(seen.outputs[0]));
        beat.map_or(String::new(), |beat| beat_text(self.ports.carries_in(), &beat))
    }

    fn output(&self, seen: &Seen) -> String {
        let outputs = seen.outputs[0];
        // Whether it is taken in this cycle is for the viewer to see: it stays until it is.
        let mut text =
            self.ports.beat(outputs).map_or(String::new(), |beat| beat_text(self.ports.carries_out(), &beat));
        if self.ports.amiss(outputs) == Some(true) && self.ports.offers(outputs) {
            text.push_str(" amiss");
        }
        text
    }
}

/// What a beat holds, in words.
fn beat_text(carries: Carries, beat: &Beat) -> String {
    let mut text: Vec<String> = beat.items.iter().map(|&item| item_text(carries, item)).collect();
    if beat.last {
        text.push("end".to_owned());
    }
    text.join(" ")
}

/// A unit as the documents print it, in octal if it is a nonet; a slot in a word or two: `U+20AC €`, `error overlong`.
fn item_text(carries: Carries, item: Item) -> String {
    match (carries, item.slot()) {
        (Carries::Units(9), _) => format!("{:03o}", item.data),
        (Carries::Units(_), _) => format!("{:02X}", item.data),
        (Carries::Slots, Some(slot)) => slot_text(slot),
        (Carries::Slots, None) => format!("tuser {}", item.user),
    }
}

fn slot_text(slot: Slot) -> String {
    match slot {
        Slot::CodePoint(code_point) => {
            match char::from_u32(code_point).filter(|character| !character.is_control()) {
                Some(character) => format!("U+{code_point:04X} {character}"),
                None => format!("U+{code_point:04X}"),
            }
        }
        Slot::Head(limbs) => format!("head of {limbs}"),
        Slot::Limb(limb) => format!("limb {limb:08X}"),
        Slot::Error(kind) => format!("error {kind}"),
    }
}
