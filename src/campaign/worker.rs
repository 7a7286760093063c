//! One thread of a campaign: a bench with the state of 512 streams, what feeds it, and what watches it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use utfhdl_hdl::core::Role;
use utfhdl_sim::batch::{Batch, STREAMS, Slice};

use super::bench::Output;
use super::every_slot::EverySlot;
use super::exhaustive::Exhaustive;
use super::expected::{Expected, Oracle};
use super::inputs::Inputs;
use super::part::{Failing, Part};
use super::patterns::Patterns;
use super::random::Random;
use super::record::Record;
use super::setup::Campaign;
use super::timing::{Clock, Trace};
use crate::promise::{Counts, Item, STATUS_WORDS, StatusModel, withholds};

/// How long a part may take: no chunk is begun after that.
const PART_TIME: Duration = Duration::from_millis(250);
/// Cycles in reset, and then without a frame.
const RESET_CYCLES: usize = 4;
/// Cycles that are watched after the last item is due.
const QUIET_CYCLES: usize = 1;
/// Cycles that a core is given for each beat that is to move, where neither side stalls.
const PATIENCE: usize = 16;

/// Runs parts of a campaign, one after the other.
pub struct Worker<'c> {
    campaign: &'c Campaign,
    batch: Batch,
    record: Record,
    outputs: Vec<Slice>,
    /// The first output that is a bit of the number of items of a beat.
    first_count: usize,
    /// The statuses that are due, if the core has some.
    statuses: Option<StatusModel>,
    trace: Trace,
    clock: Clock,
    frames: Frames,
}

/// The source of the frames.
enum Frames {
    Exhaustive(Box<Exhaustive>),
    EverySlot(Box<EverySlot>),
    Random(Box<Random>),
}

impl<'c> Worker<'c> {
    /// A worker for a campaign.
    pub fn new(campaign: &'c Campaign) -> Self {
        let core = &campaign.core;
        let frames = match campaign.inputs {
            Inputs::Exhaustive { units: 1 } if core.spec.role == Role::Encoder => {
                Frames::EverySlot(Box::new(EverySlot::new(core)))
            }
            Inputs::Exhaustive { units } => Frames::Exhaustive(Box::new(Exhaustive::new(core, units))),
            Inputs::Random { seed, stall, .. } => Frames::Random(Box::new(Random::new(core, seed, stall))),
        };
        let batch = campaign.bench.clone();
        let record = Record::new(&batch, campaign.shape, core.design.reset.port());
        let outputs = vec![Slice::ZERO; batch.output_planes()];
        let first_count = Output::COUNT + usize::from(core.spec.status);
        let trace = Trace::of_count_bits(outputs.len() - first_count);
        let statuses = core.spec.status.then(|| StatusModel::new(core));
        Self {
            first_count,
            statuses,
            campaign,
            batch,
            record,
            outputs,
            trace,
            clock: Clock::new(core),
            frames,
        }
    }

    /// Runs inputs off the front of a range, which is not empty, up to the first that fails: whole chunks, for as long as a part
    /// may take; `None` if `stop` comes before one is done.
    pub fn run(&mut self, range: Range<u64>, stop: &AtomicBool) -> Option<Part> {
        let start = Instant::now();
        let size = self.campaign.inputs.chunk();
        let mut part = Part { first: range.start, inputs: 0, counts: Counts::default(), failure: None };
        while part.first + part.inputs < range.end && part.failure.is_none() {
            let first = part.first + part.inputs;
            let end = range.end.min((first / size + 1).saturating_mul(size));
            let Some(chunk) = self.run_chunk(first..end, stop) else { break };
            part.inputs += chunk.inputs;
            part.counts.add(&chunk.counts, 1);
            part.failure = chunk.failure;
            if start.elapsed() > PART_TIME {
                break;
            }
        }
        (part.inputs > 0).then_some(part)
    }

    /// Runs the inputs of a chunk, or of what a range has of it, behind a reset, so that nothing of other inputs matters;
    /// `None` after `stop`.
    fn run_chunk(&mut self, range: Range<u64>, stop: &AtomicBool) -> Option<Part> {
        self.reset();
        let mut part = Part { first: range.start, inputs: 0, counts: Counts::default(), failure: None };
        while part.first + part.inputs < range.end {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let first = part.first + part.inputs;
            let count = (range.end - first).min(STREAMS as u64) as usize;
            self.forget_if_full();
            let counts = self.frames.fill(first, count, &mut self.record);
            if let Some(model) = &mut self.statuses {
                let status = |stream: usize| match stream < count {
                    true => {
                        let frame = self.frames.frame(first + stream as u64);
                        model.of_frame(frame.iter().map(Vec::as_slice))
                    }
                    false => [0; STATUS_WORDS],
                };
                self.record.set_statuses(&std::array::from_fn(status));
            }
            let wrong = self.block(count);
            if let Some(stream) = wrong.streams().next().filter(|stream| *stream < count) {
                let input = first + stream as u64;
                part.inputs = input + 1 - part.first;
                part.counts.add(&self.counts_of(first..input + 1), 1);
                let before = (first > range.start).then(|| self.frames.before(input));
                part.failure = Some(Failing { input, frame: self.frames.frame(input), before });
                break;
            }
            part.counts.add(&counts, 1);
            part.inputs += count as u64;
        }
        Some(part)
    }

    /// The code points and errors in some inputs of the block that was filled in last.
    fn counts_of(&self, inputs: Range<u64>) -> Counts {
        let (mut oracle, mut expected) = (Oracle::new(&self.campaign.core), Expected::default());
        let mut counts = Counts::default();
        for input in inputs {
            expected.clear();
            oracle.read_frame(&self.frames.frame(input), &mut expected, &mut counts);
        }
        counts
    }

    /// Forgets the patterns that frames make in time, and what was seen of them, once there are too many.
    fn forget_if_full(&mut self) {
        if self.frames.patterns().is_some_and(Patterns::is_full) {
            self.frames.forget_patterns();
            self.clock.forget();
        }
    }

    /// Resets the core in every stream.
    fn reset(&mut self) {
        let level = self.campaign.core.design.reset.active_level();
        self.batch.restart();
        self.record.set_begin(false);
        for reset in [true, false] {
            self.record.set_reset(reset == level);
            (0..RESET_CYCLES).for_each(|_| self.cycle());
        }
        // The core takes no beat while it clears the states of its streams.
        (0..self.campaign.core.sweep).for_each(|_| self.cycle());
    }

    fn cycle(&mut self) {
        if let (Frames::Random(frames), true) = (&mut self.frames, self.campaign.shape.stalls) {
            let goes_on = frames.goes_on();
            self.record.set_stalls(goes_on);
            self.trace.stalls.push(goes_on);
        }
        self.batch.run(&self.record.slices, &mut self.outputs);
        self.trace.valid.push(self.outputs[Output::Valid as usize]);
        self.trace.ready.push(self.outputs[Output::Ready as usize]);
        if self.statuses.is_some() {
            self.trace.statuses.push(self.outputs[Output::COUNT]);
        }
        for (plane, count) in self.trace.counts.iter_mut().zip(&self.outputs[self.first_count..]) {
            plane.push(*count);
        }
    }

    /// Runs the frames of the record; gives the streams that failed, of the first `count`.
    fn block(&mut self, count: usize) -> Slice {
        let Campaign { core, inputs, shape, .. } = self.campaign;
        let (latency, stall) = (core.latency as usize, usize::from(inputs.stall()));
        let least = match inputs {
            // One unit a cycle at most, and the latency of the last.
            Inputs::Exhaustive { units } => units + latency,
            Inputs::Random { .. } => 1,
        };
        self.trace.clear();
        self.record.set_begin(true);
        self.cycle();
        self.record.set_begin(false);
        (1..least).for_each(|_| self.cycle());
        let beats = shape.units + shape.items + latency;
        let mut left = PATIENCE * beats * 100 / (100 - stall);
        while !self.outputs[Output::Open as usize].is_zero() && left > 0 {
            self.cycle();
            left -= 1;
        }
        // The longest time for which the core may still pass on a wait of its output, or withheld slots.
        let quiet = if shape.stalls || withholds(core.spec) { latency + QUIET_CYCLES } else { QUIET_CYCLES };
        (0..quiet).for_each(|_| self.cycle());
        let mut wrong = match &self.frames {
            Frames::Exhaustive(frames) => self.clock.untimely(&frames.patterns, &self.trace),
            Frames::EverySlot(frames) => self.clock.untimely(&frames.patterns, &self.trace),
            Frames::Random(frames) => frames.untimely(&mut self.clock, &self.trace, count),
        };
        wrong |= &self.outputs[Output::Failed as usize];
        wrong |= &self.outputs[Output::Open as usize];
        wrong
    }
}

impl Frames {
    /// Fills a record with the frames from `first` on; returns the counts of the first `count` of them.
    fn fill(&mut self, first: u64, count: usize, record: &mut Record) -> Counts {
        match self {
            Self::Exhaustive(frames) => frames.fill(first, record),
            Self::EverySlot(frames) => frames.fill(first, record),
            Self::Random(frames) => frames.fill(first, count, record),
        }
    }

    /// The time patterns of the frames, if the source keeps them.
    fn patterns(&self) -> Option<&Patterns> {
        match self {
            Self::Exhaustive(frames) => Some(&frames.patterns),
            Self::EverySlot(frames) => Some(&frames.patterns),
            Self::Random(_) => None,
        }
    }

    fn forget_patterns(&mut self) {
        match self {
            Self::Exhaustive(frames) => frames.forget(),
            Self::EverySlot(frames) => frames.forget(),
            Self::Random(_) => {}
        }
    }

    /// An input of the block last filled in.
    fn frame(&self, input: u64) -> Vec<Vec<Item>> {
        match self {
            Self::Exhaustive(frames) => frames.frame(input),
            Self::EverySlot(frames) => frames.frame(input),
            Self::Random(frames) => frames.frame(input).to_vec(),
        }
    }

    /// The frame that the stream of that input had in the block before.
    fn before(&self, input: u64) -> Vec<Vec<Item>> {
        match self {
            Self::Random(frames) => frames.frame_before(input).to_vec(),
            Self::Exhaustive(_) | Self::EverySlot(_) => self.frame(input - STREAMS as u64),
        }
    }
}
