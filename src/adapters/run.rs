//! A run of an adapter in engines, in lockstep, against the model. In the middle of the run there is a reset of one cycle.
//!
//! Of each beat of the output, value, order and time are checked. A beat is offered in the cycle that follows from the latency and
//! the beat before, and after a stall no later than as many more cycles as waited, and a few that the buffers take.

use std::fmt;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;
use utfhdl_hdl::core::adapters::{Adapter, AdapterKind, AdapterSpec, Fifo, Whole};
use utfhdl_sim::{Engine, EngineError, PortSlot};

use super::beat::{Beat, Side};
use super::model::Model;
use super::stimulus::Frames;
use crate::cosim::Stalls;

/// Beats in a skid buffer.
const BUFFERED: u64 = 2;
/// Cycles of the first reset.
const RESET: u64 = 3;
/// Cycles for which an adapter without a beat to give may keep its source waiting, beyond those of the model: those after resets, and
/// those of a frame that is found to be too long.
const MOST_WAITS: u64 = 8;

/// What to run.
#[derive(Clone, Debug)]
pub struct AdapterRun {
    /// The adapter.
    pub adapter: Adapter,
    /// Random beats.
    pub beats: u64,
    /// The seed of all that is random.
    pub seed: u64,
    /// How often each side stalls.
    pub stalls: Stalls,
}

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AdapterReport {
    /// The name of the module.
    pub module: String,
    /// The engines, the leader first.
    pub engines: Vec<&'static str>,
    /// Beats that were taken.
    pub taken: u64,
    /// Beats that were given.
    pub given: u64,
    /// Frames that were taken.
    pub frames: u64,
    /// Frames that were dropped.
    pub dropped: u64,
    /// Cycles from the end of reset to the last beat.
    pub cycles: u64,
    /// Cycles from the beat that completes an output beat to that.
    pub latency: u32,
}

/// The first difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterFailure {
    /// The cycle, from the first one in reset on.
    pub cycle: u64,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for AdapterFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle {}: {}", self.cycle, self.what)
    }
}

/// Why a run has no report.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something differs.
    #[error("{0}")]
    Failure(AdapterFailure),
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl AdapterRun {
    /// Runs all engines, the first of which leads.
    ///
    /// # Errors
    /// The first difference, or the error of an engine.
    pub fn run(&self, engines: &mut [Box<dyn Engine>]) -> Result<AdapterReport, RunError> {
        let mut bench = Bench::new(self, engines[0].as_ref());
        let mut report = AdapterReport {
            module: self.adapter.design.top.name().to_owned(),
            engines: engines.iter().map(|engine| engine.name()).collect(),
            latency: self.adapter.latency,
            ..AdapterReport::default()
        };
        let layout = engines[0].layout().clone();
        let (mut outputs, mut others) = (vec![0; layout.output_words], vec![0; layout.output_words]);
        while !bench.is_done() {
            let inputs = bench.inputs();
            let (leader, followers) = engines.split_first_mut().expect("there is an engine");
            leader.run(&inputs, &mut outputs)?;
            for follower in followers {
                follower.run(&inputs, &mut others)?;
                if let Some(port) = layout.outputs.iter().find(|port| !port.is_same(&outputs, &others)) {
                    let values = [port.value(&outputs), port.value(&others)].map(hex);
                    let what = format!(
                        "{}: {} in {}, {} in {}",
                        port.name,
                        values[0],
                        leader.name(),
                        values[1],
                        follower.name()
                    );
                    return Err(RunError::Failure(AdapterFailure { cycle: bench.cycle, what }));
                }
            }
            let cycle = bench.cycle;
            bench
                .check(&outputs, &mut report)
                .map_err(|what| RunError::Failure(AdapterFailure { cycle, what }))?;
        }
        report.dropped += bench.model.dropped;
        report.cycles = bench.cycle - RESET;
        Ok(report)
    }
}

fn hex(words: Vec<u64>) -> String {
    words.iter().rev().map(|word| format!("{word:016X}")).collect()
}

/// The bits of both handshakes, and of reset.
struct Handshakes {
    reset: PortSlot,
    active: u64,
    s_valid: PortSlot,
    s_ready: PortSlot,
    m_valid: PortSlot,
    m_ready: PortSlot,
    dropped: Option<PortSlot>,
}

struct Bench {
    spec: AdapterSpec,
    latency: u64,
    stalls: Stalls,
    random: ChaCha8Rng,
    ports: Handshakes,
    sides: [Side; 2],
    input_words: usize,
    frames: Frames,
    model: Model,
    /// Beats that are still to be made.
    left: u64,
    /// The cycle of the reset in the middle of the run, as a number of beats that are left.
    reset_at: Option<u64>,
    cycle: u64,
    in_reset: u64,
    offered: Option<Beat>,
    takes: bool,
    /// The beat that the output offered in the cycle before, and that was not taken.
    waiting: Option<Beat>,
    /// Cycles in which a beat waited for the sink.
    waits: u64,
    /// The cycle in which the last beat was taken from the output.
    last_given: u64,
    /// The counts of waits at the end of each cycle in which a beat of the input was taken, for those that are owed.
    waits_since: std::collections::HashMap<u64, u64>,
    /// Cycles in a row in which the source waited, and nothing was offered.
    refused: u64,
    /// Cycles in which the source waited, in a run in which the sink never does.
    waited: u64,
}

impl Bench {
    fn new(run: &AdapterRun, engine: &dyn Engine) -> Self {
        let (layout, spec) = (engine.layout(), run.adapter.spec);
        let input = |name: &str| layout.input(name).expect("every adapter has it").clone();
        let output = |name: &str| layout.output(name).expect("every adapter has it").clone();
        let style = spec.reset;
        let ports = Handshakes {
            reset: input(style.port()),
            active: style.active_level().into(),
            s_valid: input("s_axis_tvalid"),
            s_ready: output("s_axis_tready"),
            m_valid: output("m_axis_tvalid"),
            m_ready: input("m_axis_tready"),
            dropped: layout.output("dropped").cloned(),
        };
        Self {
            spec,
            latency: run.adapter.latency.into(),
            stalls: run.stalls,
            random: ChaCha8Rng::seed_from_u64(run.seed),
            ports,
            sides: [Side::input(layout, &spec), Side::output(layout, &spec)],
            input_words: layout.input_words,
            frames: Frames::new(spec),
            model: Model::new(spec),
            left: run.beats,
            reset_at: Some(run.beats / 2),
            cycle: 0,
            in_reset: RESET,
            offered: None,
            takes: false,
            waiting: None,
            waits: 0,
            last_given: 0,
            waits_since: std::collections::HashMap::new(),
            refused: 0,
            waited: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.left == 0 && self.offered.is_none() && self.model.is_settled() && self.in_reset == 0
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.random.random_range(0..100) < percent
    }

    /// The inputs of a cycle.
    fn inputs(&mut self) -> Vec<u64> {
        if self.reset_at.is_some_and(|left| self.left <= left && self.in_reset == 0) {
            (self.reset_at, self.in_reset) = (None, 1);
            self.model.reset();
            self.frames = Frames::new(self.spec);
            (self.offered, self.waiting, self.refused) = (None, None, 0);
        }
        let is_reset = self.in_reset > 0;
        let rests = self.chance(self.stalls.source);
        if self.offered.is_none() && !is_reset && !rests && self.left > 0 {
            self.left -= 1;
            self.offered = Some(self.frames.next(&mut self.random));
        }
        self.takes = !is_reset && !self.chance(self.stalls.sink);
        let mut record = vec![0; self.input_words];
        // Wires of the input that count for nothing have random bits.
        let noise = self.random.random();
        let beat = self.offered.clone().unwrap_or_else(|| Frames::new(self.spec).next(&mut self.random));
        self.sides[0].write(&mut record, &beat, noise);
        self.ports.s_valid.set(&mut record, self.offered.is_some().into());
        self.ports.m_ready.set(&mut record, self.takes.into());
        let active = self.ports.active;
        self.ports.reset.set(&mut record, if is_reset { active } else { 1 - active });
        record
    }

    /// Checks the outputs of a cycle.
    fn check(&mut self, outputs: &[u64], report: &mut AdapterReport) -> Result<(), String> {
        let [ready, valid] = [&self.ports.s_ready, &self.ports.m_valid].map(|port| port.get(outputs) == 1);
        let dropped = self.ports.dropped.as_ref().is_some_and(|port| port.get(outputs) == 1);
        self.cycle += 1;
        if self.in_reset > 0 {
            self.in_reset -= 1;
            // A synchronous reset shows from the second cycle on.
            let shows = (2..RESET).contains(&self.cycle);
            return match shows && (ready || valid) {
                true => Err("in reset, a beat is taken or offered".to_owned()),
                false => Ok(()),
            };
        }
        self.model.settle(dropped)?;
        self.check_output(outputs, valid, report)?;
        self.check_input(ready, valid, report)
    }

    fn check_output(
        &mut self,
        outputs: &[u64],
        valid: bool,
        report: &mut AdapterReport,
    ) -> Result<(), String> {
        let now = self.cycle;
        let due = self.model.owed.front().map(|owed| {
            let waited = self.waits - self.waits_since.get(&owed.since).copied().unwrap_or(0);
            let earliest = (owed.since + self.latency + self.wait_at_ends()).max(self.last_given + 1);
            let slack = if self.waits > 0 { self.slack() } else { 0 };
            (owed.since + self.latency, earliest + waited + slack)
        });
        if !valid {
            return match (&self.waiting, due) {
                (Some(beat), _) => Err(format!("m_axis_tvalid falls while {beat} waits")),
                (None, Some((_, latest))) if latest <= now => {
                    Err(format!("m_axis: {} is late: it was due in cycle {latest}", self.model.owed[0].beat))
                }
                _ => Ok(()),
            };
        }
        let (beat, unused) = self.sides[1].read(outputs);
        let Some((earliest, _)) = due else { return Err(format!("m_axis: {beat}, and nothing is owed")) };
        let owed = &self.model.owed[0].beat;
        if *owed != beat {
            return Err(format!("m_axis: {beat}, in place of {owed}"));
        }
        if self.is_masked() && unused.iter().any(|&unit| unit != 0) {
            return Err("m_axis_tdata: a lane that holds nothing is not zero".to_owned());
        }
        if now < earliest {
            return Err(format!("m_axis: {beat} is early: it was due in cycle {earliest}"));
        }
        if self.takes {
            self.model.owed.pop_front();
            (self.waiting, self.last_given) = (None, now);
            report.given += 1;
        } else {
            self.waiting = Some(beat);
            self.waits += 1;
        }
        Ok(())
    }

    /// Cycles that a beat may take longer where the frame before has ended with a beat more: in a compactor all beats in front of that one wait.
    fn wait_at_ends(&self) -> u64 {
        u64::from(self.spec.kind == AdapterKind::Compactor)
    }

    /// Cycles that a beat may take longer after a stall: beats are left in the input buffer, each of which takes a cycle of its own.
    fn slack(&self) -> u64 {
        match self.spec.kind {
            AdapterKind::Width { to_lanes } => BUFFERED + u64::from(to_lanes / self.spec.lanes),
            AdapterKind::Fifo(_) | AdapterKind::Compactor => BUFFERED,
        }
    }

    /// Whether lanes that hold nothing are zero on the output: a FIFO gives what it got.
    fn is_masked(&self) -> bool {
        !matches!(self.spec.kind, AdapterKind::Fifo(_))
    }

    fn check_input(&mut self, ready: bool, valid: bool, report: &mut AdapterReport) -> Result<(), String> {
        let Some(beat) = self.offered.take_if(|_| ready) else {
            let waits = self.offered.is_some();
            self.refused = if waits && !valid { self.refused + 1 } else { 0 };
            self.waited += u64::from(waits && self.stalls.sink == 0);
            let is_free = self.waited > self.model.allowed + MOST_WAITS && !self.waits_for_frames();
            return match waits && (self.refused > MOST_WAITS || is_free) {
                true => Err("s_axis_tready: the source waits, without a reason".to_owned()),
                false => Ok(()),
            };
        };
        self.refused = 0;
        report.taken += 1;
        report.frames += u64::from(beat.last);
        self.waits_since.insert(self.cycle, self.waits);
        self.model.take(&beat, self.cycle);
        Ok(())
    }

    /// Whether the input may wait for room that comes only when frames are whole.
    fn waits_for_frames(&self) -> bool {
        matches!(self.spec.kind, AdapterKind::Fifo(Fifo { whole: Some(Whole::Waits), .. }))
    }
}
