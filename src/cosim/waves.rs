//! Waves of a co-simulation: every named signal, the outputs of each engine, and in words what the streams carry and what the
//! reference expects.

use std::path::Path;

use utfhdl_codec::Slot;
use utfhdl_hdl::core::Core;
use utfhdl_sim::native::Native;
use utfhdl_sim::wave::{WaveCycle, WaveError, WaveFiles, WavePlan, WaveSource, WaveWriter};
use utfhdl_sim::{Engine, Layout};

use super::observer::{Observer, Seen};
use crate::promise::{Beat, Carries, Item, Ports};

/// Cycles that are written behind the cycle of a failure.
const CYCLES_BEHIND_FAILURE: u64 = 20;

/// The text signals: the beat that goes in in this cycle, the beat that is offered, and the beat that the reference expects.
fn texts(ports: &Ports) -> [&'static str; 3] {
    let input = if ports.carries_in() == Carries::Slots { "slots_in" } else { "units_in" };
    match ports.carries_out() {
        Carries::Slots => [input, "slots_out", "slots_expected"],
        Carries::Units(_) => [input, "units_out", "units_expected"],
    }
}

/// Which signals inside of the core are in the dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Those of an engine that takes part in the run.
    OfEngine,
    /// Those of a `native` engine that is given the same inputs only for this: its outputs are not compared.
    OfSilentNative,
    /// None: no engine of the run has sight of its signals, and the core is too large for `native`.
    Nothing,
}

/// Writes waves from some cycle on.
pub struct Waves {
    writer: WaveWriter,
    ports: Ports,
    inside: Inside,
    silent: Option<Native>,
    /// Room for the outputs of the silent engine.
    silent_outputs: Vec<u64>,
    /// The first cycle that is written.
    first_cycle: u64,
    /// The first thing that went wrong; from there on nothing is written.
    error: Option<WaveError>,
}

impl Waves {
    /// Waves of a run of `core` in `engines`, to `path`, from `first_cycle` on.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn create(
        path: &Path,
        core: &Core,
        engines: &[Box<dyn Engine>],
        first_cycle: u64,
    ) -> Result<Self, WaveError> {
        let probe = engines.iter().find_map(|engine| engine.probe());
        let silent = if probe.is_none() { Native::new(&core.design).ok() } else { None };
        let inside = match (probe, &silent) {
            (Some(_), _) => Inside::OfEngine,
            (None, Some(_)) => Inside::OfSilentNative,
            (None, None) => Inside::Nothing,
        };
        let probe = probe.or(silent.as_ref().and_then(|silent| silent.probe()));
        let (layout, ports) = (Layout::new(&core.design), Ports::new(core));
        let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
        let source = WaveSource {
            layout: &layout,
            engines: &names,
            scope: probe.map(|probe| probe.scope()),
            texts: &texts(&ports),
        };
        let writer = WaveWriter::create(path, &source, &WavePlan::new(&source))?;
        Ok(Self { writer, ports, inside, silent, silent_outputs: Vec::new(), first_cycle, error: None })
    }

    /// Which signals inside of the core are in the dump.
    pub fn inside(&self) -> Inside {
        self.inside
    }

    /// Sets a marker at the cycle of a failure: viewers open there.
    pub fn mark_failure(&mut self, cycle: u64) {
        self.writer.mark(cycle, "failure");
    }

    /// Ends the dump and moves its files to their places.
    ///
    /// # Errors
    /// If a file can't be written, now or before: then none is left.
    pub fn finish(self) -> Result<WaveFiles, WaveError> {
        match self.error {
            None => self.writer.finish(),
            Some(error) => Err(error),
        }
    }

    /// Runs the silent engine on the inputs of some cycles.
    fn run_silent(&mut self, inputs: &[u64]) {
        if let Some(silent) = &mut self.silent {
            let layout = silent.layout();
            let cycles = inputs.len() / layout.input_words;
            self.silent_outputs.resize(cycles * layout.output_words, 0);
            silent.run(inputs, &mut self.silent_outputs).expect("native does not fail in a run");
        }
    }

    fn input(&self, seen: &Seen) -> String {
        let beat = self.ports.offered(seen.inputs).filter(|_| self.ports.takes(seen.outputs[0]));
        beat.map_or(String::new(), |beat| beat_text(self.ports.carries_in(), &beat, false))
    }

    fn output(&self, seen: &Seen) -> String {
        let outputs = seen.outputs[0];
        // The beat is shown as long as it is offered: the viewer shows beside it whether it is taken.
        let amiss = self.ports.amiss(outputs) == Some(true);
        let beat = self.ports.beat(outputs);
        beat.map_or(String::new(), |beat| beat_text(self.ports.carries_out(), &beat, amiss))
    }

    fn expected(&self, seen: &Seen) -> String {
        let carries = self.ports.carries_out();
        seen.expected.as_ref().map_or(String::new(), |expected| {
            beat_text(carries, &expected.beat, expected.amiss && carries != Carries::Slots)
        })
    }
}

impl Observer for Waves {
    fn first_cycle(&self) -> u64 {
        self.first_cycle
    }

    fn cycles_behind_failure(&self) -> u64 {
        CYCLES_BEHIND_FAILURE
    }

    fn pass(&mut self, inputs: &[u64]) {
        self.run_silent(inputs);
    }

    fn see(&mut self, seen: &Seen) {
        if self.error.is_some() {
            return;
        }
        self.run_silent(seen.inputs);
        let texts = [self.input(seen), self.output(seen), self.expected(seen)];
        let written = self.writer.cycle(&WaveCycle {
            cycle: seen.cycle,
            inputs: seen.inputs,
            outputs: seen.outputs,
            probe: seen.probe.or(self.silent.as_ref().and_then(|silent| silent.probe())),
            texts: &texts.each_ref().map(String::as_str),
        });
        self.error = written.err();
    }
}

/// A beat in words. `amiss` says that the frame that ends with the beat held something that could not be written.
fn beat_text(carries: Carries, beat: &Beat, amiss: bool) -> String {
    let mut text: Vec<String> = beat.items.iter().map(|&item| item_text(carries, item)).collect();
    text.extend(beat.last.then(|| "end".to_owned()));
    text.extend(amiss.then(|| "amiss".to_owned()));
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
