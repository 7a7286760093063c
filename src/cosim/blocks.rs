//! A run under way, in blocks of cycles: the input is drawn ahead, the engines run, and then every cycle is checked.
//!
//! The core decides one thing about its input: the cycle in which the source may offer the next beat. The leading engine handles that
//! by itself ([`Feed`](utfhdl_sim::feed::Feed)), so all else can be done for many cycles at once. While an observer watches, a block
//! is one cycle. The result does not depend on the length of blocks.

use std::time::Duration;

use utfhdl_sim::Engine;

use super::ahead::Ahead;
use super::driver::ends;
use super::failure::{Difference, Failure};
use super::lockstep::Lockstep;
use super::monitor::Monitor;
use super::observer::{Observer, Seen};
use super::prediction::{Place, Prediction};
use super::report::Report;
use super::resets::Resets;
use super::scoreboard::Scoreboard;
use super::setup::{Cosim, CosimError, Manner};
use super::source::SourceError;
use super::stimulus::Stimulus;
use super::supply::Supply;
use super::times::{Stopwatch, Times};
use crate::engines::remark;
use crate::promise::{PassengerBoard, Ports, StatusBoard, WrongPassenger};

/// Cycles in reset before the first beat may be offered.
const RESET_CYCLES: u64 = 4;
/// Cycles after the last beat in which no output may come.
const QUIET_CYCLES: u64 = 16;
/// Cycles from one call of `progress` to the next.
const PROGRESS_CYCLES: u64 = 0x4000;

/// How much of a cycle the scoreboard knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checked {
    Nothing,
    /// The outputs of the core.
    Output,
    /// The outputs and the inputs of the core.
    All,
}

/// A run under way.
pub(super) struct Run<'e, 'o> {
    ports: Ports,
    ahead: Ahead,
    prediction: Prediction,
    /// The next beat to be taken, in `prediction`, and that at the beginning of the block.
    place: Place,
    first_place: Place,
    monitor: Monitor,
    scoreboard: Scoreboard,
    /// The passengers that the core owes, if it has some.
    passengers: Option<PassengerBoard>,
    /// The statuses that the core owes, if it has some.
    statuses: Option<StatusBoard>,
    /// The scoreboard before the first cycle of the block, if there are followers.
    checkpoint: Option<Scoreboard>,
    /// The resets of the run, if it has some, and the beats that are drawn ahead with no expected output.
    resets: Option<(Resets, Prediction)>,
    lockstep: Lockstep<'e>,
    observer: Option<&'o mut dyn Observer>,
    /// The most cycles of a block.
    block_cycles: usize,
    /// The current cycle.
    cycle: u64,
    /// The observer sees the current cycle, or would see a cycle soon after it if this one failed. The cycle is then a block of
    /// its own.
    is_watched: bool,
    /// How much of the current cycle is checked.
    checked: Checked,
    /// The last cycle in which a beat moved.
    last_move: u64,
    /// Measures how long the engines and the checks take, if that is asked for.
    stopwatch: Option<Stopwatch>,
}

impl<'e, 'o> Run<'e, 'o> {
    /// A run before its first cycle. `is_timed` says whether to measure how long its parts take.
    ///
    /// # Errors
    /// If the source can't be opened.
    ///
    /// # Panics
    /// If there is no engine.
    pub(super) fn new(
        cosim: &Cosim,
        manner: Manner,
        engines: &'e mut [Box<dyn Engine>],
        observer: Option<&'o mut dyn Observer>,
        is_timed: bool,
    ) -> Result<Self, CosimError> {
        let stimulus = Stimulus::new(&cosim.core, &cosim.source, cosim.framing.clone(), cosim.seed)?;
        let has_resets = cosim.resets > 0;
        let ports = Ports::new(&cosim.core);
        let lockstep = Lockstep::new(engines, has_resets.then(|| ports.clone()));
        let words = lockstep.input_words();
        let (source, sinks) = ends(stimulus, cosim.stalls, cosim.seed);
        let source = source.interleaved(cosim.core.spec.streams, cosim.seed);
        let supply = if has_resets { Supply::new } else { Supply::predicted };
        let mut supply = supply(&cosim.core, words, source);
        let may_have_thread = manner.threads > 1 && !has_resets;
        let resets = has_resets.then(|| Resets::new(&cosim.core, cosim.resets, cosim.seed, RESET_CYCLES));
        if is_timed {
            supply.measure();
        }
        Ok(Self {
            ahead: Ahead::new(supply, sinks, cosim.core.spec.status, words, may_have_thread),
            prediction: Prediction::default(),
            place: Place::default(),
            first_place: Place::default(),
            monitor: Monitor::new(&cosim.core),
            scoreboard: Scoreboard::new(&cosim.core, RESET_CYCLES),
            passengers: (!ports.passengers().is_empty()).then(|| PassengerBoard::new(ports.passengers())),
            statuses: StatusBoard::new(&cosim.core, &ports),
            checkpoint: None,
            ports,
            resets: resets.map(|resets| (resets, Prediction::default())),
            lockstep,
            observer,
            block_cycles: manner.block_cycles.max(1),
            cycle: 0,
            is_watched: false,
            checked: Checked::Nothing,
            last_move: RESET_CYCLES,
            stopwatch: is_timed.then(Stopwatch::default),
        })
    }

    /// The report of a run without a failure.
    ///
    /// # Errors
    /// If there was nothing to run.
    pub(super) fn report(&self, cosim: &Cosim) -> Result<Report, CosimError> {
        let (scoreboard, prediction) = (&self.scoreboard, &self.prediction);
        if prediction.frames == 0 {
            return Err(CosimError::NothingToRun { source_in_words: cosim.source.in_words() });
        }
        let engines = self.lockstep.engines();
        Ok(Report {
            module: cosim.core.design.top.name().to_owned(),
            engines: engines.iter().map(|engine| engine.name()).collect(),
            taken: scoreboard.taken,
            given: scoreboard.given,
            frames: prediction.frames,
            code_points: prediction.counts.code_points,
            errors: prediction.counts.errors(),
            cycles: self.last_move + 1 - RESET_CYCLES,
            resets: self.resets.as_ref().map_or(0, |(resets, _)| resets.count),
            latency: cosim.core.latency,
            remarks: engines.iter().filter_map(|engine| remark(&**engine)).collect(),
        })
    }

    /// How long the parts of the run took.
    pub(super) fn times(&mut self) -> Times {
        let mut times = self.ahead.times;
        times.add(&self.stopwatch.as_mut().map(Stopwatch::take).unwrap_or_default());
        times
    }

    /// Runs and checks the whole stimulus. `progress` is called now and then with the number of items that went in.
    ///
    /// # Errors
    /// The first thing that goes wrong. If that is a failure, its cycle is the current one.
    pub(super) fn run_all(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), CosimError> {
        while self.cycle < RESET_CYCLES {
            self.ahead.draw_reset();
            self.cycle_in_reset(self.resets.is_none() || self.cycle > 0)?;
        }
        while !self.is_done() || self.cycle < self.last_move + QUIET_CYCLES {
            if self.resets.as_ref().is_some_and(|(resets, _)| resets.next() == self.cycle) {
                self.reset()?;
            } else {
                self.block(progress)?;
            }
        }
        Ok(())
    }

    /// Runs a cycle in reset. In the first one, which `is_reset` excludes, a synchronous reset does not show yet.
    fn cycle_in_reset(&mut self, is_reset: bool) -> Result<(), CosimError> {
        self.begin_block();
        self.lockstep.lead(self.cycle, &self.ahead.feed(&self.ports, 1))?;
        self.show_block()?;
        let (_, outputs) = self.lockstep.records(self.cycle);
        let checked = match is_reset || self.ports.has_asynchronous_reset() {
            true => self.monitor.check_reset(&self.ports, self.cycle, outputs),
            false => Ok(()),
        };
        self.end_block(self.cycle, checked)?;
        self.ahead.forget(self.lockstep.block());
        self.cycle += 1;
        Ok(())
    }

    /// Resets the core. What it has taken is lost; the beat on its input, if one waits there, is offered again.
    fn reset(&mut self) -> Result<(), CosimError> {
        let Some((resets, _)) = &mut self.resets else { return Ok(()) };
        let cycles = resets.begin();
        for cycle in 0..cycles {
            let Some((resets, _)) = &mut self.resets else { return Ok(()) };
            let mut inputs = vec![0; self.lockstep.input_words()];
            let takes = resets.drive(&self.ports, &mut inputs);
            let drawn = self.ahead.put_first(inputs, takes);
            let ran = self.cycle_in_reset(cycle > 0);
            self.ahead.put_back(drawn);
            ran?;
        }
        if let Some((resets, _)) = &self.resets {
            self.monitor = Monitor::new(resets.core());
            self.scoreboard.restart(resets.core(), self.cycle);
            self.statuses = StatusBoard::new(resets.core(), &self.ports);
        }
        self.passengers = self.passengers.is_some().then(|| PassengerBoard::new(self.ports.passengers()));
        self.prediction.forget(self.place, None);
        Ok(())
    }

    fn is_done(&self) -> bool {
        let owes_status = self.statuses.as_ref().is_some_and(|board| !board.is_empty());
        self.ahead.is_done() && self.scoreboard.is_empty() && !owes_status
    }

    /// Runs and checks a block.
    fn block(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), CosimError> {
        let cycles = self.begin_block();
        self.prediction.forget(self.place, self.scoreboard.next());
        self.first_place = self.place;
        self.draw(cycles)?;
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.start();
        }
        let led = self.lockstep.lead(self.cycle, &self.ahead.feed(&self.ports, cycles));
        let end = self.cycle + self.lockstep.block().cycles as u64;
        if end > self.cycle {
            self.show_block()?;
            self.lap(|times| &mut times.engines);
            let checked = self.check_block(progress);
            self.lap(|times| &mut times.scoreboard);
            self.end_block(self.cycle.min(end - 1), checked)?;
            self.lap(|times| &mut times.engines);
        }
        self.ahead.forget(self.lockstep.block());
        Ok(led?)
    }

    /// Draws up to `cycles` cycles.
    fn draw(&mut self, cycles: usize) -> Result<(), SourceError> {
        match &mut self.resets {
            None => self.ahead.draw(cycles, &mut self.prediction),
            Some((_, unused)) => {
                *unused = Prediction::default();
                self.ahead.draw(cycles, unused)
            }
        }
    }

    fn lap(&mut self, of: impl FnOnce(&mut Times) -> &mut Duration) {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.lap(of);
        }
    }

    /// Begins a block at the current cycle. Returns the most cycles that the block may have.
    fn begin_block(&mut self) -> usize {
        self.checked = Checked::Nothing;
        let until_reset = self.resets.as_ref().map(|(resets, _)| resets.next().saturating_sub(self.cycle));
        let most = until_reset.unwrap_or(u64::MAX).clamp(1, self.block_cycles as u64);
        let unseen = match &self.observer {
            None => most,
            Some(observer) if self.cycle > observer.last_cycle() => most,
            // The observer may also see cycles soon after a failure.
            Some(observer) => {
                let behind = self.cycle.saturating_add(observer.cycles_behind_failure());
                observer.first_cycle().saturating_sub(behind)
            }
        };
        self.is_watched = unseen == 0;
        let catches_up_later = self.lockstep.has_followers() && !self.is_watched;
        self.checkpoint = catches_up_later.then(|| self.scoreboard.clone());
        unseen.clamp(1, most) as usize
    }

    /// Compares the engines in the current cycle and shows it, if it is watched, before it is checked.
    fn show_block(&mut self) -> Result<(), CosimError> {
        if !self.is_watched {
            return Ok(());
        }
        let agreed = self.catch_up(self.cycle);
        if self.observer.as_ref().is_some_and(|observer| self.cycle >= observer.first_cycle()) {
            self.show();
        }
        agreed
    }

    /// Checks all cycles of the block. Where one fails, that is the current cycle.
    fn check_block(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), Failure> {
        let Self {
            ports,
            prediction,
            place,
            monitor,
            scoreboard,
            passengers,
            statuses,
            resets,
            lockstep,
            cycle,
            ..
        } = self;
        for (inputs, outputs) in lockstep.cycles() {
            let ready = ports.sink_takes(inputs);
            let is_expected = scoreboard.is_expected(*cycle, outputs);
            self.checked = Checked::Nothing;
            monitor.check(ports, *cycle, outputs, ready, is_expected)?;
            self.checked = Checked::Output;
            let held_up = ports.status_waits(inputs, outputs);
            scoreboard.seen(ports, prediction, *cycle, outputs, ready, is_expected, held_up)?;
            if let Some(board) = statuses {
                see_status(board, ports, inputs, outputs).map_err(|wrong| wrong_at(*cycle, wrong))?;
            }
            if let Some(board) = passengers {
                see_passengers(board, ports, *cycle, inputs, outputs)?;
            }
            let offered = ports.is_offered(inputs);
            let outstanding = offered || scoreboard.owes();
            let accepted = offered && ports.takes(outputs);
            let gives_status = ports.offers_status(outputs) && !held_up;
            let moved = accepted || ready && ports.offers(outputs) || gives_status;
            if accepted {
                if let Some((resets, _)) = resets {
                    resets.predict(ports, inputs, prediction);
                }
                let predicted = prediction.next(place);
                if let Some(board) = passengers {
                    board.taken(inputs, ports.last_in(inputs), predicted.goes_out());
                }
                scoreboard.taken(*cycle, predicted);
            }
            self.checked = Checked::All;
            monitor.check_progress(*cycle, outstanding, moved, ready && !held_up)?;
            if moved {
                self.last_move = *cycle;
            }
            if cycle.is_multiple_of(PROGRESS_CYCLES) {
                progress(scoreboard.taken);
            }
            *cycle += 1;
        }
        Ok(())
    }

    /// Compares the engines up to and with `cycle`, which is the last of the block or the one in which a check failed. If the engines
    /// differ up to there, that is what matters.
    fn end_block(&mut self, cycle: u64, checked: Result<(), Failure>) -> Result<(), CosimError> {
        if !self.is_watched {
            self.catch_up(cycle)?;
        }
        Ok(checked?)
    }

    /// Lets the followers run the block up to and with `cycle`.
    fn catch_up(&mut self, cycle: u64) -> Result<(), CosimError> {
        if let Some(observer) = &mut self.observer
            && self.lockstep.first() < observer.first_cycle()
        {
            observer.pass(self.lockstep.inputs_to(cycle));
        }
        match self.lockstep.catch_up(cycle)? {
            Some(mut failure) => {
                failure.event = self.event_in(failure.cycle);
                Err(failure.into())
            }
            None => Ok(()),
        }
    }

    /// The item that was due in a cycle of the block, in words.
    fn event_in(&self, cycle: u64) -> Option<String> {
        let Some(checkpoint) = &self.checkpoint else {
            return self.scoreboard.next_in_words(&self.prediction);
        };
        // The scoreboard has moved on since: it goes through the cycles once more.
        let (mut scoreboard, mut place) = (checkpoint.clone(), self.first_place);
        for now in self.lockstep.first().max(RESET_CYCLES)..cycle {
            let (inputs, outputs) = self.lockstep.records(now);
            let ready = self.ports.sink_takes(inputs);
            let held_up = self.ports.status_waits(inputs, outputs);
            scoreboard.seen(&self.ports, &self.prediction, now, outputs, ready, false, held_up).ok()?;
            if self.ports.is_offered(inputs) && self.ports.takes(outputs) {
                scoreboard.taken(now, self.prediction.next(&mut place));
            }
        }
        scoreboard.next_in_words(&self.prediction)
    }

    /// Shows the current cycle, which is a block of its own and which all engines have run, to the observer.
    fn show(&mut self) {
        let Some(observer) = &mut self.observer else { return };
        let expected = match observer.looks_at_expected() {
            true => self.scoreboard.expected_beat(&self.ports, &self.prediction, self.cycle),
            false => None,
        };
        observer.see(&Seen {
            cycle: self.cycle,
            inputs: &self.lockstep.block().inputs,
            outputs: &self.lockstep.all_outputs(),
            probe: self.lockstep.engines().iter().find_map(|engine| engine.probe()),
            expected,
        });
    }

    /// Runs some cycles after a failure and shows them to the observer, without further checks.
    pub(super) fn go_on_behind_failure(&mut self) {
        let cycles = match &self.observer {
            Some(observer) if self.is_watched => observer.cycles_behind_failure(),
            // Nobody would see them.
            _ => 0,
        };
        for _ in 0..cycles {
            // Differences here follow from the failure.
            let (inputs, outputs) = self.lockstep.records(self.cycle);
            if self.checked == Checked::Nothing {
                let ready = self.ports.sink_takes(inputs);
                let held_up = self.ports.status_waits(inputs, outputs);
                let Self { ports, prediction, cycle, .. } = self;
                let _ = self.scoreboard.seen(ports, prediction, *cycle, outputs, ready, false, held_up);
            }
            let accepted = self.ports.is_offered(inputs) && self.ports.takes(outputs);
            if self.checked != Checked::All && accepted {
                if let Some((resets, _)) = &mut self.resets {
                    resets.predict(&self.ports, inputs, &mut self.prediction);
                }
                self.scoreboard.taken(self.cycle, self.prediction.next(&mut self.place));
            }
            self.ahead.forget(self.lockstep.block());
            self.cycle += 1;
            if self.draw(1).is_err() {
                break;
            }
            self.ahead.set_reset(&self.ports, self.cycle < RESET_CYCLES);
            let led = self.lockstep.lead(self.cycle, &self.ahead.feed(&self.ports, 1));
            if led.is_err() || self.lockstep.catch_up(self.cycle).is_err() {
                break;
            }
            self.checked = Checked::Nothing;
            self.show();
        }
    }
}

fn wrong_at(cycle: u64, wrong: WrongPassenger) -> Failure {
    let difference = Difference::Reference { expected: wrong.expected, found: wrong.found };
    Failure { cycle, port: wrong.port, difference, event: None }
}

/// Compares the status of a cycle, and counts the units of a beat that is taken.
fn see_status(
    board: &mut StatusBoard,
    ports: &Ports,
    inputs: &[u64],
    outputs: &[u64],
) -> Result<(), WrongPassenger> {
    let last_leaves = ports.offers(outputs) && ports.sink_takes(inputs) && ports.last(outputs);
    board.check(inputs, outputs, last_leaves)?;
    if ports.takes(outputs)
        && let Some(beat) = ports.offered(inputs)
    {
        board.taken(&beat.items, beat.last, ports.stream_in(inputs));
    }
    Ok(())
}

/// Compares the passengers of a cycle, and notes those of a beat that is given.
fn see_passengers(
    board: &mut PassengerBoard,
    ports: &Ports,
    cycle: u64,
    inputs: &[u64],
    outputs: &[u64],
) -> Result<(), Failure> {
    if ports.offers(outputs) {
        let last = ports.last(outputs);
        board.check(outputs, last).map_err(|wrong| wrong_at(cycle, wrong))?;
        if ports.sink_takes(inputs) {
            board.given(last);
        }
    }
    Ok(())
}
