//! Waves of a co-simulation: every named signal, the outputs of each engine, and in words the beats of the streams and the
//! beats that the reference expects.

use std::ops::RangeInclusive;
use std::path::Path;

use utfhdl_hdl::core::Core;
use utfhdl_sim::native::Native;
use utfhdl_sim::wave::{WaveCycle, WaveError, WaveFiles, WaveFormat, WavePlan, WaveSource, WaveWriter};
use utfhdl_sim::{Engine, Layout};

use super::observer::{Observer, Seen};
use super::words::Words;
use crate::promise::Ports;

/// Cycles that are written after the cycle of a failure.
const CYCLES_BEHIND_FAILURE: u64 = 20;

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
    words: Words,
    /// As many empty texts as there are, if none of them is in the dump.
    no_texts: Option<Vec<&'static str>>,
    /// Whether the cycle is known with which viewers open.
    is_open: bool,
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
        Self::begin(core, engines, choice, |source, plan| {
            WaveWriter::create(path, choice.format, source, plan)
        })
    }

    /// Waves in memory, for [`finish_in_memory`](Self::finish_in_memory), in files of this name.
    ///
    /// # Errors
    /// If a glob selects nothing.
    pub fn in_memory(
        path: &Path,
        core: &Core,
        engines: &[Box<dyn Engine>],
        choice: &WaveChoice,
    ) -> Result<Self, WaveError> {
        Self::begin(core, engines, choice, |source, plan| {
            WaveWriter::in_memory(path, choice.format, source, plan)
        })
    }

    fn begin(
        core: &Core,
        engines: &[Box<dyn Engine>],
        choice: &WaveChoice,
        open: impl Fn(&WaveSource, &WavePlan) -> Result<WaveWriter, WaveError>,
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
        let words = Words::new(&ports);
        let source = WaveSource {
            layout: &layout,
            engines: &names,
            scope: probe.map(|probe| probe.scope()),
            texts: &words.names(),
            globs: &choice.globs.iter().map(String::as_str).collect::<Vec<_>>(),
        };
        let mut plan = WavePlan::new(&source);
        words.keep_shown(&mut plan);
        let writer = open(&source, &plan)?;
        let (cycles, silent_outputs) = (choice.cycles.clone(), Vec::new());
        let texts = words.names().len();
        let no_texts = (0..texts).all(|text| !writer.has_text(text)).then(|| vec![""; texts]);
        Ok(Self {
            writer,
            ports,
            inside,
            silent,
            silent_outputs,
            cycles,
            words,
            no_texts,
            is_open: false,
            error: None,
        })
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

    /// Ends a dump in memory, and gives its files, each with its name: the dump first.
    ///
    /// # Errors
    /// The first error of the run.
    pub fn finish_in_memory(self) -> Result<[(String, Vec<u8>); 3], WaveError> {
        match self.error {
            None => self.writer.finish_in_memory(),
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

    fn looks_at_expected(&self) -> bool {
        self.no_texts.is_none()
    }

    fn pass(&mut self, inputs: &[u64]) {
        self.run_silent(inputs);
    }

    fn see(&mut self, seen: &Seen) {
        if self.error.is_some() || !self.include(seen.cycle) {
            return;
        }
        self.run_silent(seen.inputs);
        let is_wanted = |text| self.writer.has_text(text);
        let made;
        let texts = match &self.no_texts {
            Some(texts) => &texts[..],
            None => {
                made = self.words.of(&self.ports, seen, is_wanted);
                &made
            }
        };
        if !self.is_open && self.ports.offers(seen.outputs[0]) {
            self.writer.open_at(seen.cycle);
            self.is_open = true;
        }
        let written = self.writer.cycle(&WaveCycle {
            cycle: seen.cycle,
            inputs: seen.inputs,
            outputs: seen.outputs,
            probe: seen.probe.or(self.silent.as_ref().and_then(|silent| silent.probe())),
            texts,
        });
        self.error = written.err();
    }
}
