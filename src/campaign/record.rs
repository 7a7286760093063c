//! The input record of a bench: 512 frames and their expected output, as slices.

use std::ops::Range;

use utfhdl_sim::batch::{Batch, STREAMS, Slice, transpose};

use super::bench::{Shape, port};
use super::expected;
use crate::promise::STATUS_WORDS;

/// Words of a slice.
const WORDS: usize = STREAMS / 64;

/// The record, and the indices of the slices of each input.
#[derive(Clone)]
pub struct Record {
    /// The record, as the engine reads it.
    pub slices: Vec<Slice>,
    reset: usize,
    begin: usize,
    bare: usize,
    /// The slices that say whether source and sink do not stall.
    stalls: Option<(usize, usize)>,
    take_status: Option<usize>,
    /// The slices of the status, if the core has one.
    status: Option<Range<usize>>,
    /// The slice of each unit's lowest bit.
    units: Vec<usize>,
    unit_bits: usize,
    ends: Vec<usize>,
    /// Empty for a core with one lane.
    beat_ends: Vec<usize>,
    /// The slices of each item, one for each bit of the [expected] word.
    items: Vec<Vec<usize>>,
}

/// One value for each side that can stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stalls<T> {
    /// The source, which offers beats or not.
    pub offer: T,
    /// The sink, which takes beats or not.
    pub take: T,
    /// The sink of the status, which takes statuses or not, if the core has one.
    pub take_status: T,
}

impl Record {
    /// The record of a bench of this shape, whose reset is called `reset`.
    pub fn new(batch: &Batch, shape: Shape, reset: &str) -> Self {
        let find = |name: &str| batch.input(name).map(|slices| slices.start);
        let known = |name: &str| find(name).unwrap_or_else(|| panic!("the bench has an input {name}"));
        let item = |item| {
            let mut planes: Vec<usize> = batch.input(&port::item(item)).expect("an item").collect();
            planes.push(known(&port::there(item)));
            assert_eq!(planes.len(), expected::bits(shape.output) as usize);
            planes
        };
        Self {
            slices: vec![Slice::ZERO; batch.input_planes()],
            reset: known(reset),
            begin: known("frame_begins"),
            bare: known("bare"),
            stalls: find("offer").zip(find("take")),
            take_status: find(port::TAKE_STATUS),
            status: batch.input(port::STATUS),
            units: (0..shape.units).map(|unit| known(&port::unit(unit))).collect(),
            unit_bits: shape.input.bits() as usize,
            ends: (0..shape.units).map(|unit| known(&port::ends(unit))).collect(),
            beat_ends: (0..shape.units).filter_map(|unit| find(&port::beat_ends(unit))).collect(),
            items: (0..shape.items).map(item).collect(),
        }
    }

    /// Puts a level on the reset of every stream.
    pub fn set_reset(&mut self, level: bool) {
        self.slices[self.reset] = Slice::splat(level);
    }

    /// Sets whether a frame begins.
    pub fn set_begin(&mut self, begins: bool) {
        self.slices[self.begin] = Slice::splat(begins);
    }

    /// Sets in which streams the sides do not stall, if they can.
    pub fn set_stalls(&mut self, goes_on: Stalls<Slice>) {
        if let Some((offer, take)) = self.stalls {
            self.slices[offer] = goes_on.offer;
            self.slices[take] = goes_on.take;
        }
        if let Some(take_status) = self.take_status {
            self.slices[take_status] = goes_on.take_status;
        }
    }

    /// Sets the statuses of the frames of all streams, each in words, the lowest first.
    ///
    /// # Panics
    /// If the core has none.
    pub fn set_statuses(&mut self, statuses: &[[u64; STATUS_WORDS]; STREAMS]) {
        let slices = self.status.clone().expect("the core has a status");
        for (word, slices) in self.slices[slices].chunks_mut(64).enumerate() {
            let planes = Planes::new(&statuses.map(|status| status[word]));
            for (bit, slice) in slices.iter_mut().enumerate() {
                Group::ALL.copy(slice, planes.bit(bit));
            }
        }
    }

    /// The slice that says whether a unit ends the frame.
    pub fn ends(&mut self, unit: usize) -> &mut Slice {
        &mut self.slices[self.ends[unit]]
    }

    /// The slice that says whether a unit is the last of its beat; `None` with one lane, where
    /// every unit is.
    pub fn beat_ends(&mut self, unit: usize) -> Option<&mut Slice> {
        self.beat_ends.get(unit).map(|slice| &mut self.slices[*slice])
    }

    /// How many units a frame can have.
    pub fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// The slice that says whether a frame has no unit.
    pub fn bare(&mut self) -> &mut Slice {
        &mut self.slices[self.bare]
    }

    /// The most items of a frame.
    pub fn item_count(&self) -> usize {
        self.items.len()
    }

    /// Sets a unit of a group of streams, the same in all.
    pub fn set_unit(&mut self, unit: usize, group: Group, word: u64) {
        for bit in 0..self.unit_bits {
            group.splat(&mut self.slices[self.units[unit] + bit], word >> bit & 1 == 1);
        }
    }

    /// Sets a unit of a group of streams from one word to another, both the same in all.
    pub fn change_unit(&mut self, unit: usize, group: Group, old: u64, new: u64) {
        for bit in bits_of(old ^ new) {
            group.splat(&mut self.slices[self.units[unit] + bit], new >> bit & 1 == 1);
        }
    }

    /// Sets a unit of a group of streams from planes.
    pub fn set_unit_planes(&mut self, unit: usize, group: Group, planes: &Planes) {
        for bit in 0..self.unit_bits {
            group.copy(&mut self.slices[self.units[unit] + bit], planes.bit(bit));
        }
    }

    /// Sets an item of a group of streams, the same in all; 0 means that no item is due.
    pub fn set_item(&mut self, index: usize, group: Group, word: u64) {
        for (bit, plane) in self.items[index].iter().enumerate() {
            group.splat(&mut self.slices[*plane], word >> bit & 1 == 1);
        }
    }

    /// Sets an item of a group of streams from one word to another, both the same in all.
    pub fn change_item(&mut self, index: usize, group: Group, old: u64, new: u64) {
        for bit in bits_of(old ^ new) {
            group.splat(&mut self.slices[self.items[index][bit]], new >> bit & 1 == 1);
        }
    }

    /// Sets an item of a group of streams from planes.
    pub fn set_item_planes(&mut self, index: usize, group: Group, planes: &Planes) {
        for (bit, plane) in self.items[index].iter().enumerate() {
            group.copy(&mut self.slices[*plane], planes.bit(bit));
        }
    }
}

/// The bits of a word that are 1, from the lowest on.
fn bits_of(word: u64) -> impl Iterator<Item = usize> {
    let next = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
    std::iter::successors(Some(word).filter(|word| *word != 0), next)
        .map(|word| word.trailing_zeros() as usize)
}

/// A group of neighbouring streams, one of several of the same size.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// How many streams the group has, a power of two.
    pub size: usize,
    /// Which of the groups of this size.
    pub index: usize,
}

impl Group {
    /// All streams.
    pub const ALL: Group = Group { size: STREAMS, index: 0 };

    /// Sets a bit in all streams of the group.
    #[inline]
    pub fn splat(self, slice: &mut Slice, bit: bool) {
        let word = if bit { u64::MAX } else { 0 };
        self.put(slice, |_| word);
    }

    /// Puts a plane of the group's streams into a slice.
    #[inline]
    pub fn copy(self, slice: &mut Slice, words: &[u64]) {
        self.put(slice, |word| words[word]);
    }

    /// Puts the group's words into a slice; a group of fewer than 64 streams has one word.
    #[inline]
    fn put(self, slice: &mut Slice, word: impl Fn(usize) -> u64) {
        if self.size >= 64 {
            let words = self.size / 64;
            let part = &mut slice.0[self.index * words..][..words];
            part.iter_mut().enumerate().for_each(|(index, slot)| *slot = word(index));
        } else {
            let (first, mask) = (self.index * self.size, (1 << self.size) - 1);
            let (slot, shift) = (&mut slice.0[first / 64], first % 64);
            *slot = *slot & !(mask << shift) | (word(0) & mask) << shift;
        }
    }
}

/// One word for each stream of a group, turned into planes.
#[derive(Clone)]
pub struct Planes {
    words: usize,
    /// For each bit of a word, a plane: that bit in all streams.
    planes: Vec<u64>,
}

impl Planes {
    /// The planes of these words, one word for each stream.
    pub fn new(values: &[u64]) -> Self {
        let words = values.len().div_ceil(64);
        assert!(words <= WORDS, "a word a stream");
        let mut planes = vec![0; 64 * words];
        for (word, values) in values.chunks(64).enumerate() {
            let mut square = [0; 64];
            square[..values.len()].copy_from_slice(values);
            transpose(&mut square);
            square.iter().enumerate().for_each(|(bit, plane)| planes[bit * words + word] = *plane);
        }
        Self { words, planes }
    }

    /// The plane of a bit.
    pub fn bit(&self, bit: usize) -> &[u64] {
        &self.planes[bit * self.words..][..self.words]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_the_bits_of_the_words() {
        let values: Vec<u64> =
            (0..256_u64).map(|stream| stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let planes = Planes::new(&values);
        for bit in 0..64 {
            for (stream, value) in values.iter().enumerate() {
                assert_eq!(planes.bit(bit)[stream / 64] >> (stream % 64) & 1, value >> bit & 1);
            }
        }
    }

    #[test]
    fn a_small_group_leaves_its_neighbours() {
        let mut slice = Slice::ZERO;
        Group { size: 32, index: 3 }.put(&mut slice, |_| u64::MAX);
        assert_eq!(slice.streams().collect::<Vec<_>>(), (96..128).collect::<Vec<_>>());
        Group { size: 8, index: 13 }.put(&mut slice, |_| 0xa5);
        assert_eq!(slice.0[1], 0xffff_a5ff << 32);
        Group { size: 128, index: 1 }.put(&mut slice, |word| word as u64);
        assert_eq!(slice.0[..4], [0, 0xffff_a5ff << 32, 0, 1]);
    }
}
