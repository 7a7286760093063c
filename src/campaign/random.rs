//! Random frames, and stalls: seeded, and the same however the campaign is cut.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::OnError;
use utfhdl_sim::batch::{STREAMS, Slice};

use super::expected::{Item, Reference};
use super::record::{Group, Planes, Record};
use super::results::Counts;
use crate::cosim::Carries;
use crate::cosim::random::RandomItems;
use crate::system::System;

/// The most units of a random frame: more than any sequence needs to go wrong in.
pub const MOST_UNITS: usize = 8;

/// Bits of a probability.
const CHANCE_BITS: u32 = 7;

/// Fills records with blocks of random frames.
pub struct Random {
    system: System,
    on_error: OnError,
    seed: u64,
    items: RandomItems,
    /// How often a stream goes on, of 2^[`CHANCE_BITS`] cycles.
    goes_on: u32,
    /// Of the block last filled in, and of the one before.
    frames: [Vec<Vec<u16>>; 2],
    stalls: ChaCha8Rng,
}

impl Random {
    /// Frames for `system`; each side stalls in `stall` percent of the cycles.
    pub fn new(system: System, on_error: OnError, seed: u64, stall: u8) -> Self {
        let goes_on = (100 - u32::from(stall)) * (1 << CHANCE_BITS) / 100;
        let items = RandomItems::new(Carries::Units(system.unit_bits().into()), system, None, 0, seed);
        Self {
            system,
            on_error,
            seed,
            items,
            goes_on,
            frames: Default::default(),
            stalls: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A frame of the block last filled in.
    pub fn frame(&self, input: u64) -> &[u16] {
        &self.frames[0][input as usize % STREAMS]
    }

    /// The frame in the same stream, a block before.
    pub fn frame_before(&self, input: u64) -> &[u16] {
        &self.frames[1][input as usize % STREAMS]
    }

    /// Fills a record with the frames from `first` on, a multiple of 512; gives what is in the first `count` of them. Everything
    /// random of the block comes from the seed and its number.
    pub fn fill(&mut self, first: u64, count: usize, record: &mut Record) -> Counts {
        let block = first / STREAMS as u64;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(2 * block);
        self.stalls = ChaCha8Rng::seed_from_u64(self.seed);
        self.stalls.set_stream(2 * block + 1);
        self.frames.swap(0, 1);
        self.frames[0] = self.make(&mut random);
        self.fill_units(record);
        self.fill_items(count, record)
    }

    fn make(&mut self, random: &mut ChaCha8Rng) -> Vec<Vec<u16>> {
        let lengths: Vec<usize> = (0..STREAMS).map(|_| random.random_range(0..=MOST_UNITS)).collect();
        self.items.restart(lengths.iter().sum::<usize>() as u64, random.next_u64());
        let frame = |length| {
            self.items.open_frame();
            self.items.by_ref().take(length).map(|item| item.unit()).collect()
        };
        lengths.into_iter().map(frame).collect()
    }

    fn fill_units(&self, record: &mut Record) {
        let bits = usize::from(self.system.unit_bits());
        for at in 0..MOST_UNITS {
            let unit = |frame: &Vec<u16>| frame.get(at).copied().unwrap_or(0).into();
            let planes = Planes::new(&self.frames[0].iter().map(unit).collect::<Vec<u64>>());
            for bit in 0..bits {
                record.unit_bit(at, bit).0.copy_from_slice(planes.bit(bit));
            }
            *record.ends(at) = self.each(|frame| frame.len().max(1) == at + 1);
        }
        *record.bare() = self.each(<[u16]>::is_empty);
    }

    fn each(&self, of: impl Fn(&[u16]) -> bool) -> Slice {
        let mut slice = Slice::ZERO;
        self.frames[0].iter().enumerate().for_each(|(stream, frame)| slice.set(stream, of(frame)));
        slice
    }

    fn fill_items(&self, count: usize, record: &mut Record) -> Counts {
        let mut counts = Counts::default();
        let mut words = vec![vec![0; STREAMS]; record.item_count()];
        for (stream, frame) in self.frames[0].iter().enumerate() {
            let mut of_frame = Counts::default();
            for (index, item) in items(self.system, self.on_error, frame, &mut of_frame).iter().enumerate() {
                words[index][stream] = item.0;
            }
            if stream < count {
                counts.add(&of_frame, 1);
            }
        }
        for (index, words) in words.iter().enumerate() {
            record.set_item_planes(index, Group::ALL, &Planes::new(words));
        }
        counts
    }

    /// For a cycle and a side, the streams that go on.
    pub fn goes_on(&mut self) -> Slice {
        if self.goes_on >= 1 << CHANCE_BITS {
            return Slice::ONES;
        }
        // A number below the chance, bit by bit from the lowest: where the bits so far decide for it, or this one does.
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

/// What the reference says of a frame.
fn items(system: System, on_error: OnError, frame: &[u16], counts: &mut Counts) -> Vec<Item> {
    let mut items = Vec::new();
    let mut reference = Reference::new(system.decoder(), on_error);
    for (index, &unit) in frame.iter().enumerate() {
        reference.read(unit, index + 1 == frame.len(), &mut items, counts);
    }
    if frame.is_empty() {
        reference.read_bare_end(&mut items, counts);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_stall_as_often_as_they_are_told() {
        for stall in [0, 25, 70, 99] {
            let mut random = Random::new(System::Utf8, OnError::Flag, 1, stall);
            let cycles = 200;
            let on: u32 = (0..cycles).flat_map(|_| random.goes_on().0).map(u64::count_ones).sum();
            let percent = 100.0 - 100.0 * f64::from(on) / f64::from(cycles * STREAMS as u32);
            assert!((percent - f64::from(stall)).abs() < 1.5, "{percent} for {stall}");
        }
    }
}
