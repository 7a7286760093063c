//! The run itself: stimulus, engines and checks, cycle by cycle.

use utfhdl_hdl::core::Core;
use utfhdl_sim::{Engine, EngineError};

use super::driver::{Driver, Stalls};
use super::failure::Failure;
use super::lockstep::Lockstep;
use super::monitor::Monitor;
use super::observer::{Observer, Seen};
use super::report::Report;
use super::scoreboard::Scoreboard;
use super::source::{Source, SourceError};
use super::stimulus::{Framing, Stimulus};
use crate::engines::remark;
use crate::promise::Ports;

/// Cycles in reset before the first beat may be offered.
const RESET_CYCLES: u64 = 4;
/// Cycles that are watched behind the last beat: nothing may come.
const QUIET_CYCLES: u64 = 16;
/// Cycles from one call of `progress` to the next.
const PROGRESS_CYCLES: u64 = 0x4000;

/// A co-simulation: a core, a stimulus, and a seed for all that is random.
#[derive(Clone, Debug)]
pub struct Cosim {
    /// The core.
    pub core: Core,
    /// Where its input comes from.
    pub source: Source,
    /// How the input is cut into frames.
    pub framing: Framing,
    /// How often the streams stall.
    pub stalls: Stalls,
    /// The seed.
    pub seed: u64,
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

impl Cosim {
    /// Runs the whole stimulus through `engines`, of which the first leads. `progress` is called now and then with the number of
    /// units or slots that went in.
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
        let stimulus = Stimulus::new(&self.core, &self.source, self.framing.clone(), self.seed)?;
        let lockstep = Lockstep::new(engines, observer.is_some());
        let scoreboard = Scoreboard::new(&self.core, RESET_CYCLES);
        let mut run = Run {
            driver: Driver::new(stimulus, self.stalls, self.seed),
            monitor: Monitor::default(),
            checkpoint: lockstep.has_followers().then(|| scoreboard.clone()),
            scoreboard,
            ports: Ports::new(&self.core),
            lockstep,
            observer,
            cycle: 0,
            is_checked: false,
            last_move: RESET_CYCLES,
        };
        let ended = run.run_all(progress);
        if let Err(CosimError::Failure(_)) = ended {
            run.go_on_behind_failure();
        }
        ended?;
        let scoreboard = run.scoreboard;
        if scoreboard.frames == 0 {
            return Err(CosimError::NothingToRun { source_in_words: self.source.in_words() });
        }
        let engines = run.lockstep.engines();
        Ok(Report {
            module: self.core.design.top.name().to_owned(),
            engines: engines.iter().map(|engine| engine.name()).collect(),
            taken: scoreboard.taken,
            given: scoreboard.given,
            frames: scoreboard.frames,
            code_points: scoreboard.counts.code_points,
            errors: scoreboard.counts.errors(),
            cycles: run.last_move + 1 - RESET_CYCLES,
            latency: self.core.latency,
            remarks: engines.iter().filter_map(|engine| remark(&**engine)).collect(),
        })
    }
}

/// A run under way.
struct Run<'e, 'o> {
    ports: Ports,
    driver: Driver,
    monitor: Monitor,
    scoreboard: Scoreboard,
    /// The scoreboard before the first of the cycles that the followers have not run yet.
    checkpoint: Option<Scoreboard>,
    lockstep: Lockstep<'e>,
    observer: Option<&'o mut dyn Observer>,
    /// The cycle at hand.
    cycle: u64,
    /// Whether the scoreboard has seen the cycle at hand.
    is_checked: bool,
    /// The last cycle in which a beat moved.
    last_move: u64,
}

impl Run<'_, '_> {
    fn run_all(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), CosimError> {
        self.ports.set_reset(&mut self.lockstep.inputs, true);
        while self.cycle < RESET_CYCLES {
            self.driver.drive_reset(&self.ports, &mut self.lockstep.inputs);
            self.engines()?;
            let checked = self.monitor.check_reset(&self.ports, self.cycle, &self.lockstep.outputs);
            self.or_engines_differ(checked)?;
            self.cycle += 1;
        }
        self.ports.set_reset(&mut self.lockstep.inputs, false);
        while !self.is_done() || self.cycle < self.last_move + QUIET_CYCLES {
            self.driver.drive(&self.ports, &mut self.lockstep.inputs)?;
            self.engines()?;
            let checked = self.check();
            if self.or_engines_differ(checked)? {
                self.last_move = self.cycle;
            }
            if self.cycle.is_multiple_of(PROGRESS_CYCLES) {
                progress(self.scoreboard.taken);
            }
            self.cycle += 1;
        }
        self.catch_up()
    }

    fn is_done(&self) -> bool {
        self.driver.is_done() && self.scoreboard.is_empty()
    }

    /// Runs the engines for the cycle at hand: the leader at once, the followers when it is time.
    fn engines(&mut self) -> Result<(), CosimError> {
        let (first, last) = self
            .observer
            .as_ref()
            .map_or((u64::MAX, u64::MAX), |observer| (observer.first_cycle(), observer.last_cycle()));
        let is_behind = self.cycle > last;
        if self.lockstep.is_full() || self.cycle == first || is_behind && self.cycle == last + 1 {
            self.catch_up()?;
            self.checkpoint = self.lockstep.has_followers().then(|| self.scoreboard.clone());
        }
        self.is_checked = false;
        self.lockstep.lead()?;
        if self.cycle < first || is_behind {
            return Ok(());
        }
        self.checkpoint = None;
        let agreed = self.catch_up();
        self.show();
        agreed
    }

    /// Lets the followers run what the leader has run.
    fn catch_up(&mut self) -> Result<(), CosimError> {
        if let Some(observer) = &mut self.observer
            && self.lockstep.first_past_cycle() < observer.first_cycle()
        {
            observer.pass(self.lockstep.past_inputs());
        }
        let failure = self.lockstep.catch_up()?;
        if let Some(mut failure) = failure {
            failure.event = self.event_in(failure.cycle);
            return Err(failure.into());
        }
        self.lockstep.forget_past();
        Ok(())
    }

    /// The item that was due in a cycle that the followers have just run, in words.
    fn event_in(&self, cycle: u64) -> Option<String> {
        let Some(checkpoint) = &self.checkpoint else { return self.scoreboard.next_in_words() };
        // The scoreboard has moved on since: it goes through the cycles once more.
        let mut scoreboard = checkpoint.clone();
        for (now, inputs, outputs) in self.lockstep.past().take_while(|(now, ..)| *now < cycle) {
            if now < RESET_CYCLES {
                continue;
            }
            scoreboard.seen(&self.ports, now, outputs, self.ports.sink_takes(inputs)).ok()?;
            if let Some(beat) = self.ports.offered(inputs).filter(|_| self.ports.takes(outputs)) {
                scoreboard.taken(now, &beat);
            }
        }
        scoreboard.next_in_words()
    }

    /// What the checks found, unless the engines differed before that: then that is what matters.
    fn or_engines_differ<T>(&mut self, checked: Result<T, Failure>) -> Result<T, CosimError> {
        match checked {
            Ok(checked) => Ok(checked),
            Err(failure) => {
                self.catch_up()?;
                Err(failure.into())
            }
        }
    }

    /// Checks the outputs of the cycle at hand. Returns whether a beat moved.
    fn check(&mut self) -> Result<bool, Failure> {
        let outputs = &self.lockstep.outputs;
        let ready = self.driver.ready();
        self.monitor.check(&self.ports, self.cycle, outputs, ready)?;
        self.is_checked = true;
        self.scoreboard.seen(&self.ports, self.cycle, outputs, ready)?;
        let outstanding = self.driver.offers() || !self.scoreboard.is_empty();
        let accepted = self.driver.accepted(self.ports.takes(outputs));
        let moved = accepted.is_some() || ready && self.ports.offers(outputs);
        if let Some(beat) = accepted {
            self.scoreboard.taken(self.cycle, beat);
        }
        self.monitor.check_progress(self.cycle, outstanding, moved, ready)?;
        Ok(moved)
    }

    /// Shows the cycle at hand, which all engines have run, to the observer.
    fn show(&mut self) {
        let expected = self.scoreboard.expected_beat(&self.ports, self.cycle);
        let Some(observer) = &mut self.observer else { return };
        observer.see(&Seen {
            cycle: self.cycle,
            inputs: &self.lockstep.inputs,
            outputs: &self.lockstep.all_outputs(),
            probe: self.lockstep.engines().iter().find_map(|engine| engine.probe()),
            expected,
        });
    }

    /// Runs and shows some cycles behind a failure, whatever else is wrong there.
    fn go_on_behind_failure(&mut self) {
        let cycles = self.observer.as_ref().map_or(0, |observer| observer.cycles_behind_failure());
        for _ in 0..cycles {
            // What is wrong here follows from the failure.
            if !std::mem::replace(&mut self.is_checked, true) {
                let (outputs, ready) = (&self.lockstep.outputs, self.driver.ready());
                let _ = self.scoreboard.seen(&self.ports, self.cycle, outputs, ready);
            }
            if let Some(beat) = self.driver.accepted(self.ports.takes(&self.lockstep.outputs)) {
                self.scoreboard.taken(self.cycle, beat);
            }
            self.cycle += 1;
            self.ports.set_reset(&mut self.lockstep.inputs, self.cycle < RESET_CYCLES);
            let driven = self.driver.drive(&self.ports, &mut self.lockstep.inputs);
            self.lockstep.forget_past();
            if driven.is_err() || self.lockstep.lead().is_err() || self.lockstep.catch_up().is_err() {
                break;
            }
            self.is_checked = false;
            self.show();
        }
    }
}
