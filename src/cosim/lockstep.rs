//! The run itself: one engine leads, the others follow on the same inputs.

use utfhdl_hdl::core::Core;
use utfhdl_sim::{Engine, EngineError, Layout, Probe};

use super::driver::{Driver, Stalls};
use super::failure::{Difference, Failure};
use super::monitor::{Monitor, hexadecimal};
use super::report::Report;
use super::scoreboard::Scoreboard;
use super::stimulus::{Framing, Source, Stimulus, StimulusError};
use crate::engines::remark;
use crate::promise::Ports;

/// Cycles in reset before the first beat may be offered.
const RESET_CYCLES: u64 = 4;
/// Cycles that are watched after the last beat: nothing may come.
const QUIET_CYCLES: u64 = 16;
/// Cycles after which the followers catch up, where nobody watches every cycle.
const CHUNK: usize = 1024;

/// A co-simulation: a core, a stimulus, and a seed for all that is random.
#[derive(Clone, Debug)]
pub struct Cosim {
    /// The core.
    pub core: Core,
    /// Where what goes into it comes from.
    pub source: Source,
    /// How that is cut into frames.
    pub framing: Framing,
    /// How often the streams stall.
    pub stalls: Stalls,
    /// The seed.
    pub seed: u64,
}

/// Why a co-simulation did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    /// The stimulus can't be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// An engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Whoever watched could not go on.
    #[error(transparent)]
    Observer(Box<dyn std::error::Error + Send + Sync>),
    /// Something is wrong with the core, or with an engine.
    #[error(transparent)]
    Failure(Box<Failure>),
}

impl From<Failure> for CosimError {
    fn from(failure: Failure) -> Self {
        Self::Failure(Box::new(failure))
    }
}

/// What there is to see of a cycle.
pub struct Seen<'a> {
    /// The cycle, counted from the first in reset.
    pub cycle: u64,
    /// Input record.
    pub inputs: &'a [u64],
    /// Output record of each engine, the leader first.
    pub outputs: &'a [&'a [u64]],
    /// Sight of the signals inside, of the first engine that gives it.
    pub probe: Option<&'a dyn Probe>,
}

/// Watches every cycle, such as to write waves.
pub trait Observer {
    /// Sees a cycle.
    ///
    /// # Errors
    /// Any, which ends the run.
    fn see(&mut self, seen: &Seen) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

impl Cosim {
    /// Runs all of the stimulus through `engines`, the first leading. `progress` is told now and then how many units,
    /// or slots, are through.
    ///
    /// # Errors
    /// The first thing that goes wrong; see [`CosimError`].
    ///
    /// # Panics
    /// If there is no engine.
    pub fn run(
        &self,
        engines: &mut [Box<dyn Engine>],
        observer: Option<&mut dyn Observer>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report, CosimError> {
        let ports = Ports::new(&self.core);
        let stimulus = Stimulus::new(&self.core, &self.source, self.framing.clone(), self.seed)?;
        let mut bench = Bench {
            driver: Driver::new(stimulus, self.stalls, self.seed),
            monitor: Monitor::default(),
            scoreboard: Scoreboard::new(&self.core, RESET_CYCLES),
            ports,
        };
        let mut lockstep = Lockstep::new(engines, observer);
        let (mut cycle, mut last_move) = (0, RESET_CYCLES);
        while cycle < RESET_CYCLES {
            bench.driver.drive_reset(&bench.ports, &mut lockstep.inputs);
            bench.ports.set_reset(&mut lockstep.inputs, true);
            lockstep.cycle(cycle)?;
            let checked = bench.monitor.check_reset(&bench.ports, cycle, &lockstep.outputs);
            lockstep.or_engines_differ(checked)?;
            cycle += 1;
        }
        bench.ports.set_reset(&mut lockstep.inputs, false);
        while !bench.is_done() || cycle < last_move + QUIET_CYCLES {
            bench.driver.drive(&bench.ports, &mut lockstep.inputs)?;
            lockstep.cycle(cycle).map_err(|error| bench.with_event(error, cycle))?;
            let checked = bench.check(cycle, &lockstep.outputs);
            if lockstep.or_engines_differ(checked)? {
                last_move = cycle;
            }
            if cycle.is_multiple_of(0x4000) {
                progress(bench.scoreboard.taken);
            }
            cycle += 1;
        }
        lockstep.catch_up()?;
        let scoreboard = bench.scoreboard;
        Ok(Report {
            module: self.core.design.top.name().to_owned(),
            engines: lockstep.engines.iter().map(|engine| engine.name()).collect(),
            taken: scoreboard.taken,
            given: scoreboard.given,
            frames: scoreboard.frames,
            code_points: scoreboard.counts.code_points,
            errors: scoreboard.counts.errors(),
            cycles: last_move + 1 - RESET_CYCLES,
            latency: self.core.latency,
            remarks: lockstep.engines.iter().filter_map(|engine| remark(&**engine)).collect(),
        })
    }
}

/// All that is around the core.
struct Bench {
    ports: Ports,
    driver: Driver,
    monitor: Monitor,
    scoreboard: Scoreboard,
}

impl Bench {
    /// Checks the outputs of a cycle; tells whether a beat moved.
    fn check(&mut self, cycle: u64, outputs: &[u64]) -> Result<bool, Failure> {
        let ready = self.driver.ready();
        self.monitor.check(&self.ports, cycle, outputs, ready)?;
        self.scoreboard.seen(&self.ports, cycle, outputs, ready)?;
        let outstanding = self.driver.offers() || !self.scoreboard.is_empty();
        let accepted = self.driver.accepted(self.ports.takes(outputs));
        let moved = accepted.is_some() || ready && self.ports.offers(outputs);
        self.monitor.check_progress(cycle, outstanding, moved, ready)?;
        if let Some(beat) = accepted {
            self.scoreboard.taken(cycle, beat);
        }
        Ok(moved)
    }

    /// Says of a failure in `cycle` which event is at hand; of an earlier cycle that is no longer known.
    fn with_event(&self, error: CosimError, cycle: u64) -> CosimError {
        match error {
            CosimError::Failure(mut failure) if failure.cycle == cycle && failure.event.is_none() => {
                failure.event = self.scoreboard.next_in_words();
                CosimError::Failure(failure)
            }
            other => other,
        }
    }

    fn is_done(&self) -> bool {
        self.driver.is_done() && self.scoreboard.is_empty()
    }
}

/// The engines, and what they have still to be shown.
struct Lockstep<'e, 'o> {
    engines: &'e mut [Box<dyn Engine>],
    observer: Option<&'o mut dyn Observer>,
    layout: Layout,
    /// Inputs of the cycle at hand.
    inputs: Vec<u64>,
    /// Outputs of the cycle at hand, of the leader.
    outputs: Vec<u64>,
    /// Inputs and outputs of the cycles that the followers have not run yet.
    past_inputs: Vec<u64>,
    past_outputs: Vec<u64>,
    /// Outputs of the followers over those cycles.
    followers: Vec<Vec<u64>>,
    /// The first of those cycles.
    first: u64,
}

impl<'e, 'o> Lockstep<'e, 'o> {
    fn new(engines: &'e mut [Box<dyn Engine>], observer: Option<&'o mut dyn Observer>) -> Self {
        let layout = engines.first().expect("a co-simulation needs an engine").layout().clone();
        let (inputs, outputs) = (vec![0; layout.input_words], vec![0; layout.output_words]);
        let followers = vec![Vec::new(); engines.len() - 1];
        let (past_inputs, past_outputs, first) = (Vec::new(), Vec::new(), 0);
        Self { engines, observer, layout, inputs, outputs, past_inputs, past_outputs, followers, first }
    }

    /// Runs the leader on the inputs at hand, and the followers when it is time.
    fn cycle(&mut self, cycle: u64) -> Result<(), CosimError> {
        self.engines[0].run(&self.inputs, &mut self.outputs)?;
        self.past_inputs.extend_from_slice(&self.inputs);
        self.past_outputs.extend_from_slice(&self.outputs);
        if self.observer.is_some() || self.past_outputs.len() >= CHUNK * self.layout.output_words {
            let caught_up = self.catch_up();
            self.show(cycle)?;
            caught_up?;
        }
        Ok(())
    }

    /// Lets the followers run what the leader has run, and compares.
    fn catch_up(&mut self) -> Result<(), CosimError> {
        for (follower, outputs) in self.engines[1..].iter_mut().zip(&mut self.followers) {
            outputs.resize(self.past_outputs.len(), 0);
            follower.run(&self.past_inputs, outputs)?;
        }
        let width = self.layout.output_words;
        let cycles = self.past_outputs.len() / width;
        let differ = |at: &usize| {
            let words = at * width..(at + 1) * width;
            self.followers.iter().any(|outputs| outputs[words.clone()] != self.past_outputs[words.clone()])
        };
        let failure = (0..cycles).find(differ).map(|at| self.difference(at));
        self.first += cycles as u64;
        self.past_inputs.clear();
        self.past_outputs.clear();
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// The first port that differs in the cycle `at` of the past.
    fn difference(&self, at: usize) -> Failure {
        let width = self.layout.output_words;
        let all = std::iter::once(&self.past_outputs).chain(&self.followers);
        let records: Vec<&[u64]> = all.map(|outputs| &outputs[at * width..(at + 1) * width]).collect();
        for port in &self.layout.outputs {
            let values: Vec<Vec<u64>> = records.iter().map(|record| port.value(record)).collect();
            if values.iter().any(|value| *value != values[0]) {
                let named = self.engines.iter().zip(values);
                let values = named.map(|(engine, value)| (engine.name(), hexadecimal(&value))).collect();
                let (cycle, port) = (self.first + at as u64, port.name.clone());
                return Failure { cycle, port, difference: Difference::Engines(values), event: None };
            }
        }
        unreachable!("records differ only in ports")
    }

    /// What the checks found, unless the engines differed before that: then that is the news.
    fn or_engines_differ<T>(&mut self, checked: Result<T, Failure>) -> Result<T, CosimError> {
        checked.map_err(|failure| match self.catch_up() {
            Err(earlier) => earlier,
            Ok(()) => failure.into(),
        })
    }

    fn show(&mut self, cycle: u64) -> Result<(), CosimError> {
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let mut outputs = vec![&self.outputs[..]];
        outputs.extend(
            self.followers.iter().map(|outputs| &outputs[outputs.len() - self.layout.output_words..]),
        );
        let probe = self.engines.iter().find_map(|engine| engine.probe());
        observer
            .see(&Seen { cycle, inputs: &self.inputs, outputs: &outputs, probe })
            .map_err(CosimError::Observer)
    }
}
