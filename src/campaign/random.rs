//! Random frames and stalls, from a seed: the same ones however the campaign is cut into parts.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::Core;
use utfhdl_sim::batch::{STREAMS, Slice};

use super::bench::Lane;
use super::capacity::most_beats;
use super::expected::{Expected, Oracle};
use super::record::{Group, Planes, Record, Stalls};
use super::timing::{Clock, Trace};
use crate::noise::RandomItems;
use crate::promise::{Counts, Item};

/// The most units of a random frame, or for an encoder slots, with one lane: more than any sequence needs to go wrong.
const MOST_UNITS: usize = 8;
/// The most full beats of a random frame with several lanes, besides [`MOST_UNITS`].
const MOST_FULL_BEATS: usize = 2;

/// The most output beats of a random frame; a frame that would make more is cut off.
const MOST_BEATS: usize = 32;

/// Bits of a probability, as a fraction of a power of two.
const CHANCE_BITS: u32 = 7;

/// The most units of a random frame for a core, or slots.
pub fn most_units(core: &Core) -> usize {
    match core.spec.lanes {
        1 => MOST_UNITS,
        lanes => MOST_UNITS + MOST_FULL_BEATS * lanes as usize,
    }
}

/// The most output items of a random frame of a core.
pub fn items(core: &Core) -> usize {
    let most = most_beats(core, most_units(core));
    if core.spec.lanes == 1 { most.min(MOST_BEATS) } else { most }
}

/// Fills records with blocks of random frames.
pub struct Random {
    oracle: Oracle,
    lane: Lane,
    seed: u64,
    items: RandomItems,
    /// In how many of 2^[`CHANCE_BITS`] cycles a side does not stall.
    goes_on: u32,
    has_status: bool,
    most_units: usize,
    lanes: usize,
    /// The beats of the frames of the block last filled in.
    frames: Vec<Vec<Vec<Item>>>,
    /// The frames of the block before that.
    frames_before: Vec<Vec<Vec<Item>>>,
    /// The expected output of the frames of the block last filled in.
    expected: Vec<Expected>,
    stalls: ChaCha8Rng,
}

impl Random {
    /// Frames for `core`; each side stalls in `stall` percent of the cycles.
    pub fn new(core: &Core, seed: u64, stall: u8) -> Self {
        Self {
            oracle: Oracle::new(core),
            lane: Lane::of(core).0,
            seed,
            items: RandomItems::new(core.spec, 0, seed),
            goes_on: (100 - u32::from(stall)) * (1 << CHANCE_BITS) / 100,
            has_status: core.spec.status,
            most_units: most_units(core),
            lanes: core.spec.lanes as usize,
            frames: Vec::new(),
            frames_before: Vec::new(),
            expected: vec![Expected::default(); STREAMS],
            stalls: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A frame of the block last filled in.
    pub fn frame(&self, input: u64) -> &[Vec<Item>] {
        &self.frames[input as usize % STREAMS]
    }

    /// The frame in the same stream, a block before.
    pub fn frame_before(&self, input: u64) -> &[Vec<Item>] {
        &self.frames_before[input as usize % STREAMS]
    }

    /// Fills a record with the frames from `first` on, a multiple of 512; returns the counts of the first `count` of them. The
    /// random choices of a block depend on the seed and the number of the block.
    pub fn fill(&mut self, first: u64, count: usize, record: &mut Record) -> Counts {
        let block = first / STREAMS as u64;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(2 * block);
        self.stalls = ChaCha8Rng::seed_from_u64(self.seed);
        self.stalls.set_stream(2 * block + 1);
        let frames = self.make(&mut random);
        self.frames_before = std::mem::replace(&mut self.frames, frames);
        let counts = self.ask(count, record.item_count());
        self.fill_units(record);
        self.fill_items(record);
        counts
    }

    fn make(&mut self, random: &mut ChaCha8Rng) -> Vec<Vec<Vec<Item>>> {
        let lengths: Vec<usize> = (0..STREAMS).map(|_| random.random_range(0..=self.most_units)).collect();
        self.items.restart(lengths.iter().sum::<usize>() as u64, random.next_u64());
        let frame = |length| -> Vec<Item> {
            self.items.open_frame();
            self.items.by_ref().take(length).collect()
        };
        let frames: Vec<Vec<Item>> = lengths.into_iter().map(frame).collect();
        frames.into_iter().map(|frame| self.beats(frame, random)).collect()
    }

    /// Cuts a frame into beats: full ones in every second frame of a core with several lanes.
    fn beats(&self, frame: Vec<Item>, random: &mut ChaCha8Rng) -> Vec<Vec<Item>> {
        let are_full = self.lanes == 1 || random.random();
        let mut left = &frame[..];
        let mut beats = Vec::new();
        while !left.is_empty() {
            let length = if are_full { self.lanes } else { random.random_range(1..=self.lanes) };
            let (beat, rest) = left.split_at(length.min(left.len()));
            beats.push(beat.to_vec());
            left = rest;
        }
        beats
    }

    /// Asks the reference for the output of each frame, and cuts off frames that would make more than `most` beats; returns
    /// the counts of the first `count` frames.
    fn ask(&mut self, count: usize, most: usize) -> Counts {
        let mut counts = Counts::default();
        for (stream, (frame, expected)) in self.frames.iter_mut().zip(&mut self.expected).enumerate() {
            let of_frame = loop {
                let mut of_frame = Counts::default();
                expected.clear();
                self.oracle.read_frame(frame, expected, &mut of_frame);
                if expected.beats.len() <= most {
                    break of_frame;
                }
                let beat = frame.last_mut().expect("a frame without units makes one beat");
                beat.pop();
                if beat.is_empty() {
                    frame.pop();
                }
            };
            if stream < count {
                counts.add(&of_frame, 1);
            }
        }
        counts
    }

    fn fill_units(&self, record: &mut Record) {
        let length = |frame: &[Vec<Item>]| frame.iter().map(Vec::len).sum::<usize>();
        for at in 0..self.most_units {
            let unit = |frame: &Vec<Vec<Item>>| {
                frame.iter().flatten().nth(at).map_or(0, |&item| self.lane.word(item))
            };
            let words: Vec<u64> = self.frames.iter().map(unit).collect();
            record.set_unit_planes(at, Group::ALL, &Planes::new(&words));
            *record.ends(at) = self.each(|frame| length(frame).max(1) == at + 1);
            if let Some(beat_ends) = record.beat_ends(at) {
                let ends_there = |frame: &[Vec<Item>]| {
                    let mut end = 0;
                    frame.iter().any(|beat| {
                        end += beat.len();
                        end == at + 1
                    })
                };
                *beat_ends = self.each(ends_there);
            }
        }
        *record.bare() = self.each(<[Vec<Item>]>::is_empty);
    }

    fn each(&self, of: impl Fn(&[Vec<Item>]) -> bool) -> Slice {
        let mut slice = Slice::ZERO;
        self.frames.iter().enumerate().for_each(|(stream, frame)| slice.set(stream, of(frame)));
        slice
    }

    fn fill_items(&self, record: &mut Record) {
        for index in 0..record.item_count() {
            let beat = |expected: &Expected| expected.beats.get(index).copied().unwrap_or(0);
            let words: Vec<u64> = self.expected.iter().map(beat).collect();
            record.set_item_planes(index, Group::ALL, &Planes::new(&words));
        }
    }

    /// The streams of the block last filled in that are not in time, among the first `count`.
    pub fn untimely(&self, clock: &mut Clock, trace: &Trace, count: usize) -> Slice {
        let mut untimely = Slice::ZERO;
        for (stream, expected) in self.expected.iter().enumerate().take(count) {
            let agrees = clock.agrees(expected.ticks.iter().copied(), trace, stream);
            untimely.set(stream, !agrees);
        }
        untimely
    }

    /// The streams in which either side does not stall, for one cycle.
    pub fn goes_on(&mut self) -> Stalls<Slice> {
        let (offer, take) = (self.side_goes_on(), self.side_goes_on());
        let take_status = if self.has_status { self.side_goes_on() } else { Slice::ONES };
        Stalls { offer, take, take_status }
    }

    fn side_goes_on(&mut self) -> Slice {
        // Compares a random number with `goes_on` in all streams at once, bit by bit from the lowest up: a bit that differs
        // overrules the bits below.
        let mut below = Slice::ZERO;
        for bit in 0..CHANCE_BITS {
            let random: [u64; STREAMS / 64] = std::array::from_fn(|_| self.stalls.next_u64());
            let one = self.goes_on >> bit & 1 == 1;
            for (below, random) in below.0.iter_mut().zip(random) {
                *below = if one { *below | !random } else { *below & !random };
            }
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{CoreSpec, Role, System};

    use super::*;

    #[test]
    fn streams_stall_as_often_as_they_are_told() {
        for stall in [25, 70, 99] {
            let core = Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).unwrap();
            let mut random = Random::new(&core, 1, stall);
            let cycles = 200;
            let on: u32 = (0..cycles).flat_map(|_| random.side_goes_on().0).map(u64::count_ones).sum();
            let percent = 100.0 - 100.0 * f64::from(on) / f64::from(cycles * STREAMS as u32);
            assert!((percent - f64::from(stall)).abs() < 1.5, "{percent} for {stall}");
        }
    }
}
