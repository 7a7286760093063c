//! Runs the parts of a campaign on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use utfhdl_hdl::core::Role;
use utfhdl_sim::batch::{Batch, STREAMS, Slice};

use super::bench::Output;
use super::every_slot::EverySlot;
use super::exhaustive::Exhaustive;
use super::random::Random;
use super::record::Record;
use super::timing::{Clock, Trace, merge};
use super::{Campaign, Inputs};
use crate::promise::withholds;
use crate::promise::{Counts, Item};

/// Inputs of a part, of exhaustive and of random campaigns: tens of milliseconds each.
const PART: [u64; 2] = [1 << 22, 1 << 17];
/// Cycles in reset, and then without a frame.
const RESET_CYCLES: usize = 4;
/// Cycles that are watched after the last item is due.
const QUIET_CYCLES: usize = 1;
/// Cycles that a core is given for each beat that is to move, where both sides always go on.
const PATIENCE: usize = 16;

/// A part that is done.
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of its first input.
    pub first: u64,
    /// How many inputs.
    pub inputs: u64,
    /// What is in them.
    pub counts: Counts,
    /// The first that failed; it is the last of the part then.
    pub failure: Option<Failing>,
}

/// An input that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// Its number.
    pub input: u64,
    /// Its units, or of an encoder its slots.
    pub frame: Vec<Item>,
    /// The input that the same stream had before, if there was one.
    pub before: Option<Vec<Item>>,
}

impl Campaign {
    /// Cuts ranges of inputs into parts.
    fn parts(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let size = match self.inputs {
            Inputs::Exhaustive { .. } => PART[0],
            Inputs::Random { .. } => PART[1],
        };
        let cut = |range: &Range<u64>| {
            let end = range.end;
            range.clone().step_by(size as usize).map(move |first| first..(first + size).min(end))
        };
        ranges.iter().flat_map(cut).collect()
    }

    /// Runs the inputs of `ranges`, each of which begins at a multiple of 512, on so many threads. Every part that is done goes
    /// to `taker`, in no order. After a failure no further part is begun, so the first of the failures is the first there is;
    /// after `stop` neither.
    ///
    /// # Errors
    /// What `taker` says.
    pub fn run<E>(
        &self,
        ranges: &[Range<u64>],
        threads: usize,
        stop: &AtomicBool,
        mut taker: impl FnMut(Part) -> Result<(), E>,
    ) -> Result<(), E> {
        let parts = self.parts(ranges);
        let next = AtomicUsize::new(0);
        let over = AtomicBool::new(false);
        let ended = || over.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads.min(parts.len()) {
                let sender = sender.clone();
                scope.spawn(|| {
                    let sender = sender;
                    let mut worker = Worker::new(self);
                    while !ended() {
                        let Some(range) = parts.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        let part = worker.part(range.clone());
                        over.fetch_or(part.failure.is_some(), Ordering::Relaxed);
                        // The receiver is gone if it could not go on.
                        if sender.send(part).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            receiver.into_iter().try_for_each(&mut taker)
        })
    }
}

/// A bench with its state, and the reference.
struct Worker<'c> {
    campaign: &'c Campaign,
    batch: Batch,
    record: Record,
    outputs: [Slice; Output::COUNT],
    trace: Trace,
    clock: Clock,
    frames: Frames,
}

enum Frames {
    Exhaustive(Box<Exhaustive>),
    EverySlot(Box<EverySlot>),
    Random(Box<Random>),
}

impl<'c> Worker<'c> {
    fn new(campaign: &'c Campaign) -> Self {
        let core = &campaign.core;
        let frames = match campaign.inputs {
            Inputs::Exhaustive { units: 1 } if core.spec.role == Role::Encoder => {
                Frames::EverySlot(Box::new(EverySlot::new(core)))
            }
            Inputs::Exhaustive { units } => Frames::Exhaustive(Box::new(Exhaustive::new(core, units))),
            Inputs::Random { seed, stall, .. } => Frames::Random(Box::new(Random::new(core, seed, stall))),
        };
        let batch = campaign.bench.clone();
        assert_eq!(batch.output_planes(), Output::COUNT, "the outputs of a bench are known");
        let record = Record::new(&batch, campaign.shape, core.design.reset.port());
        let (outputs, trace) = ([Slice::ZERO; Output::COUNT], Trace::default());
        Self { campaign, batch, record, outputs, trace, clock: Clock::new(core), frames }
    }

    /// Runs the inputs of a range, block after block, up to the first that fails.
    fn part(&mut self, range: Range<u64>) -> Part {
        self.reset();
        let mut part = Part { first: range.start, inputs: 0, counts: Counts::default(), failure: None };
        while part.first + part.inputs < range.end {
            let first = part.first + part.inputs;
            let count = (range.end - first).min(STREAMS as u64) as usize;
            let counts = self.fill(first, count);
            part.counts.add(&counts, 1);
            part.inputs += count as u64;
            let wrong = self.block(count);
            if let Some(stream) = wrong.streams().find(|stream| *stream < count) {
                let input = first + stream as u64;
                part.inputs = input + 1 - part.first;
                let before = (first > range.start).then(|| self.frames.before(input));
                part.failure = Some(Failing { input, frame: self.frames.frame(input), before });
                break;
            }
        }
        part
    }

    fn fill(&mut self, first: u64, count: usize) -> Counts {
        let (record, clock) = (&mut self.record, &mut self.clock);
        match &mut self.frames {
            Frames::Exhaustive(frames) => {
                if frames.patterns.is_full() {
                    frames.forget();
                    clock.forget();
                }
                frames.fill(first, record)
            }
            Frames::EverySlot(frames) => {
                if frames.patterns.is_full() {
                    frames.forget();
                    clock.forget();
                }
                frames.fill(first, record)
            }
            Frames::Random(frames) => frames.fill(first, count, record),
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
    }

    /// Runs the frames of the record; gives the streams that failed, of the first `count`.
    fn block(&mut self, count: usize) -> Slice {
        let Campaign { core, inputs, shape, .. } = self.campaign;
        let latency = core.latency as usize;
        let (least, stall) = match *inputs {
            // One unit a cycle, and the latency of the last.
            Inputs::Exhaustive { units } => (units + latency, 0),
            Inputs::Random { stall, .. } => (1, usize::from(stall)),
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
        // So long a core may pass on that its output waited, or that it had withheld something.
        let quiet = if shape.stalls || withholds(core.spec) { latency + QUIET_CYCLES } else { QUIET_CYCLES };
        (0..quiet).for_each(|_| self.cycle());
        let mut wrong = match &self.frames {
            Frames::Exhaustive(frames) => self.clock.untimely(&frames.patterns, &self.trace),
            Frames::EverySlot(frames) => self.clock.untimely(&frames.patterns, &self.trace),
            Frames::Random(frames) => frames.untimely(&mut self.clock, &self.trace, count),
        };
        merge(&mut wrong, &self.outputs[Output::Failed as usize]);
        merge(&mut wrong, &self.outputs[Output::Open as usize]);
        wrong
    }
}

impl Frames {
    /// An input of the block last filled in.
    fn frame(&self, input: u64) -> Vec<Item> {
        match self {
            Self::Exhaustive(frames) => frames.frame(input),
            Self::EverySlot(frames) => frames.frame(input),
            Self::Random(frames) => frames.frame(input).to_vec(),
        }
    }

    /// What the stream of that input had in the block before.
    fn before(&self, input: u64) -> Vec<Item> {
        match self {
            Self::Random(frames) => frames.frame_before(input).to_vec(),
            Self::Exhaustive(_) | Self::EverySlot(_) => self.frame(input - STREAMS as u64),
        }
    }
}
