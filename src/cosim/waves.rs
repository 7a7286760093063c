//! Waves of a co-simulation: every named signal, the outputs of each engine, and in words the beats of the streams and the
//! beats that the reference expects.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::Path;

use utfhdl_codec::Slot;
use utfhdl_hdl::core::Core;
use utfhdl_sim::native::Native;
use utfhdl_sim::wave::{WaveCycle, WaveError, WaveFiles, WaveFormat, WavePlan, WaveSource, WaveWriter};
use utfhdl_sim::{Engine, Layout};

use super::observer::{Observer, Seen};
use crate::promise::{Beat, Carries, Item, Ports};

/// Cycles that are written after the cycle of a failure.
const CYCLES_BEHIND_FAILURE: u64 = 20;

/// The names of the text signals: the input beat of the cycle, the output beat, and the beat that the reference expects.
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
    /// The signals of an engine that takes part in the run.
    OfEngine,
    /// The signals of an additional `native` engine with the same inputs, whose outputs are not compared.
    OfSilentNative,
    /// None: no engine of the run has sight of its signals, and the core is too large for `native`.
    Nothing,
}

/// The format and extent of a dump.
#[derive(Clone, Debug)]
pub struct WaveChoice {
    /// The format of the dump.
    pub format: WaveFormat,
    /// The first cycle and the last one.
    pub cycles: RangeInclusive<u64>,
    /// Globs that select signals; see [`WaveSource::globs`]. None select all.
    pub globs: Vec<String>,
}

impl WaveChoice {
    /// All signals as VCD, from a cycle on.
    pub fn all_from(first_cycle: u64) -> Self {
        Self { format: WaveFormat::Vcd, cycles: first_cycle..=u64::MAX, globs: Vec::new() }
    }
}

/// Writes waves of some cycles.
pub struct Waves {
    writer: WaveWriter,
    ports: Ports,
    inside: Inside,
    silent: Option<Native>,
    /// Room for the outputs of the silent engine.
    silent_outputs: Vec<u64>,
    /// The first cycle that is written, and the last.
    cycles: RangeInclusive<u64>,
    /// Room for the texts of a cycle.
    texts: [String; 3],
    /// The first thing that went wrong; from there on nothing is written.
    error: Option<WaveError>,
}

impl Waves {
    /// Waves of a run of `core` in `engines`, to `path`.
    ///
    /// # Errors
    /// If a file can't be written, or a glob selects nothing.
    pub fn create(
        path: &Path,
        core: &Core,
        engines: &[Box<dyn Engine>],
        choice: &WaveChoice,
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
            globs: &choice.globs.iter().map(String::as_str).collect::<Vec<_>>(),
        };
        let writer = WaveWriter::create(path, choice.format, &source, &WavePlan::new(&source))?;
        let cycles = choice.cycles.clone();
        let (silent_outputs, texts) = (Vec::new(), Default::default());
        Ok(Self { writer, ports, inside, silent, silent_outputs, cycles, texts, error: None })
    }

    /// Which signals inside of the core are in the dump.
    pub fn inside(&self) -> Inside {
        self.inside
    }

    /// Whether a cycle is to be written.
    pub fn include(&self, cycle: u64) -> bool {
        self.cycles.contains(&cycle)
    }

    /// Sets a marker at the cycle of a failure: viewers open there.
    pub fn mark_failure(&mut self, cycle: u64) {
        self.writer.mark(cycle, "failure");
    }

    /// Whether no cycle has been written.
    pub fn is_empty(&self) -> bool {
        self.error.is_none() && self.writer.cycles().is_none()
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

    /// Puts the texts of a cycle into words, those that are in the dump.
    fn put_into_words(&mut self, seen: &Seen) {
        let Self { writer, ports, texts: [input, output, expected], .. } = self;
        for text in [&mut *input, output, expected] {
            text.clear();
        }
        let outputs = seen.outputs[0];
        if writer.has_text(0)
            && ports.takes(outputs)
            && let Some(beat) = ports.offered(seen.inputs)
        {
            write_beat(input, ports.carries_in(), &beat, false);
        }
        // The beat is shown as long as it is offered: the viewer shows beside it whether it is taken.
        let carries = ports.carries_out();
        if writer.has_text(1)
            && let Some(beat) = ports.beat(outputs)
        {
            write_beat(output, carries, &beat, ports.amiss(outputs) == Some(true));
        }
        if writer.has_text(2)
            && let Some(due) = &seen.expected
        {
            write_beat(expected, carries, &due.beat, due.amiss && carries != Carries::Slots);
        }
    }
}

impl Observer for Waves {
    fn first_cycle(&self) -> u64 {
        *self.cycles.start()
    }

    fn last_cycle(&self) -> u64 {
        *self.cycles.end()
    }

    fn cycles_behind_failure(&self) -> u64 {
        CYCLES_BEHIND_FAILURE
    }

    fn pass(&mut self, inputs: &[u64]) {
        self.run_silent(inputs);
    }

    fn see(&mut self, seen: &Seen) {
        if self.error.is_some() || !self.include(seen.cycle) {
            return;
        }
        self.run_silent(seen.inputs);
        self.put_into_words(seen);
        let written = self.writer.cycle(&WaveCycle {
            cycle: seen.cycle,
            inputs: seen.inputs,
            outputs: seen.outputs,
            probe: seen.probe.or(self.silent.as_ref().and_then(|silent| silent.probe())),
            texts: &self.texts.each_ref().map(String::as_str),
        });
        self.error = written.err();
    }
}

/// Writes a beat in words. `amiss` says that the frame that ends with the beat held something that could not be written.
fn write_beat(text: &mut String, carries: Carries, beat: &Beat, amiss: bool) {
    for (lane, item) in beat.items.iter().enumerate() {
        if lane > 0 {
            text.push(' ');
        }
        write_item(text, carries, *item).expect("writing to a string");
    }
    for (is_so, word) in [(beat.last, "end"), (amiss, "amiss")] {
        if is_so {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(word);
        }
    }
}

/// Writes a unit as the documents print it, in octal if it is a nonet; a slot in a word or two: `U+20AC €`, `error overlong`.
fn write_item(text: &mut String, carries: Carries, item: Item) -> std::fmt::Result {
    match (carries, item.slot()) {
        (Carries::Units(9), _) => write!(text, "{:03o}", item.data),
        (Carries::Units(_), _) => write!(text, "{:02X}", item.data),
        (Carries::Slots, Some(slot)) => write_slot(text, slot),
        (Carries::Slots, None) => write!(text, "tuser {}", item.user),
    }
}

fn write_slot(text: &mut String, slot: Slot) -> std::fmt::Result {
    match slot {
        Slot::CodePoint(code_point) => {
            write!(text, "U+{code_point:04X}")?;
            match char::from_u32(code_point).filter(|character| !character.is_control()) {
                Some(character) => write!(text, " {character}"),
                None => Ok(()),
            }
        }
        Slot::Head(limbs) => write!(text, "head of {limbs}"),
        Slot::Limb(limb) => write!(text, "limb {limb:08X}"),
        Slot::Error(kind) => write!(text, "error {kind}"),
    }
}
