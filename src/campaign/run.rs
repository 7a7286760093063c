//! Runs the parts of a campaign on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use utfhdl_sim::batch::{Batch, STREAMS, Slice};

use super::exhaustive::Exhaustive;
use super::random::Random;
use super::record::Record;
use super::results::Counts;
use super::{Campaign, Inputs};

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
    /// Its units.
    pub units: Vec<u16>,
    /// The units of the input that the same stream had before, if there was one.
    pub before: Option<Vec<u16>>,
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
    outputs: [Slice; 2],
    frames: Frames,
}

enum Frames {
    Exhaustive(Exhaustive),
    Random(Box<Random>),
}

impl<'c> Worker<'c> {
    fn new(campaign: &'c Campaign) -> Self {
        let (system, on_error) = (campaign.system, campaign.core.spec.on_error);
        let frames = match campaign.inputs {
            Inputs::Exhaustive { units } => Frames::Exhaustive(Exhaustive::new(system, on_error, units)),
            Inputs::Random { seed, stall, .. } => {
                Frames::Random(Box::new(Random::new(system, on_error, seed, stall)))
            }
        };
        let batch = campaign.bench.clone();
        assert_eq!(batch.output_planes(), 2, "the outputs of a bench are `failed` and `open`");
        let record = Record::new(&batch, campaign.shape, campaign.core.design.reset.port());
        Self { campaign, batch, record, outputs: [Slice::ZERO; 2], frames }
    }

    /// Runs the inputs of a range, block after block, up to the first that fails.
    fn part(&mut self, range: Range<u64>) -> Part {
        self.reset();
        let mut part = Part { first: range.start, inputs: 0, counts: Counts::default(), failure: None };
        while part.first + part.inputs < range.end {
            let first = part.first + part.inputs;
            let count = (range.end - first).min(STREAMS as u64);
            let counts = match &mut self.frames {
                Frames::Exhaustive(frames) => frames.fill(first, &mut self.record),
                Frames::Random(frames) => frames.fill(first, count as usize, &mut self.record),
            };
            part.counts.add(&counts, 1);
            part.inputs += count;
            let wrong = self.block();
            if let Some(stream) = wrong.streams().find(|stream| *stream < count as usize) {
                let input = first + stream as u64;
                part.inputs = input + 1 - part.first;
                let before = (first > range.start).then(|| self.frames.before(input));
                part.failure = Some(Failing { input, units: self.frames.units(input), before });
                break;
            }
        }
        part
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
        if let Frames::Random(frames) = &mut self.frames {
            self.record.set_stalls(|| frames.goes_on());
        }
        self.batch.run(&self.record.slices, &mut self.outputs);
    }

    /// Runs the frames of the record; gives the streams that failed.
    fn block(&mut self) -> Slice {
        let Campaign { core, inputs, shape, .. } = self.campaign;
        let latency = core.latency as usize;
        let (least, stall) = match *inputs {
            // One unit a cycle, and the latency of the last.
            Inputs::Exhaustive { units } => (units + latency, 0),
            Inputs::Random { stall, .. } => (1, usize::from(stall)),
        };
        self.record.set_begin(true);
        self.cycle();
        self.record.set_begin(false);
        (1..least).for_each(|_| self.cycle());
        let beats = shape.units + shape.items() + latency;
        let mut left = PATIENCE * beats * 100 / (100 - stall);
        while !self.outputs[1].is_zero() && left > 0 {
            self.cycle();
            left -= 1;
        }
        let quiet = if stall > 0 { latency + QUIET_CYCLES } else { QUIET_CYCLES };
        (0..quiet).for_each(|_| self.cycle());
        let [failed, open] = self.outputs;
        Slice(std::array::from_fn(|word| failed.0[word] | open.0[word]))
    }
}

impl Frames {
    /// The units of an input of the block last filled in.
    fn units(&self, input: u64) -> Vec<u16> {
        match self {
            Self::Exhaustive(frames) => frames.units_of(input),
            Self::Random(frames) => frames.frame(input).to_vec(),
        }
    }

    /// What the stream of that input had in the block before.
    fn before(&self, input: u64) -> Vec<u16> {
        match self {
            Self::Exhaustive(frames) => frames.units_of(input - STREAMS as u64),
            Self::Random(frames) => frames.frame_before(input).to_vec(),
        }
    }
}
