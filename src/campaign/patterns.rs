//! Patterns in time: rows of [ticks](Tick), each with a number. Many frames have the same pattern.

use std::collections::HashMap;

use utfhdl_sim::batch::Slice;

use super::expected::Tick;
use super::record::{Group, Planes};

/// From this number on, patterns are forgotten before the next block.
const MOST_PATTERNS: usize = 1 << 12;
/// Bits of a pattern's number: enough for as many patterns, and for those that one block adds.
const PATTERN_BITS: usize = 13;

/// The patterns of the frames of a block. Each frame has two: of the units that its group begins with, and of the rest.
#[derive(Clone, Debug)]
pub struct Patterns {
    numbers: HashMap<Vec<Tick>, u32>,
    ticks: Vec<Vec<Tick>>,
    /// The number that was asked for last.
    last: u32,
    /// For each part, the bits of the patterns' numbers in all streams.
    planes: [Vec<Slice>; 2],
}

/// One part of the pattern of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The units that all frames of a group begin with.
    Beginning,
    /// The other units.
    Rest,
}

/// The number of the empty pattern.
const EMPTY: u32 = 0;

impl Default for Patterns {
    fn default() -> Self {
        let planes = std::array::from_fn(|_| vec![Slice::ZERO; PATTERN_BITS]);
        Self { numbers: HashMap::from([(Vec::new(), EMPTY)]), ticks: vec![Vec::new()], last: EMPTY, planes }
    }
}

impl Patterns {
    /// Whether the patterns should be forgotten, since there are too many.
    pub fn is_full(&self) -> bool {
        self.ticks.len() >= MOST_PATTERNS
    }

    /// The number of a pattern.
    pub fn number(&mut self, ticks: &[Tick]) -> u32 {
        // Neighbouring frames often have the same pattern.
        if self.ticks[self.last as usize] == ticks {
            return self.last;
        }
        self.last = match self.numbers.get(ticks) {
            Some(number) => *number,
            None => self.add(ticks),
        };
        self.last
    }

    fn add(&mut self, ticks: &[Tick]) -> u32 {
        let number = self.ticks.len() as u32;
        assert!(number >> PATTERN_BITS == 0, "a block adds no more patterns than streams");
        self.ticks.push(ticks.to_vec());
        self.numbers.insert(ticks.to_vec(), number);
        number
    }

    /// Sets the pattern of a part, the same in all streams of a group.
    pub fn set(&mut self, part: Part, group: Group, number: u32) {
        let bits = self.bits();
        for (bit, plane) in self.planes[part as usize][..bits].iter_mut().enumerate() {
            group.splat(plane, number >> bit & 1 == 1);
        }
    }

    /// Sets the pattern of a part in each stream of a group.
    pub fn set_planes(&mut self, part: Part, group: Group, numbers: &Planes) {
        let bits = self.bits();
        for (bit, plane) in self.planes[part as usize][..bits].iter_mut().enumerate() {
            group.copy(plane, numbers.bit(bit));
        }
    }

    /// The planes of the numbers, part by part, without those of high bits that no number has.
    pub fn planes(&self) -> impl Iterator<Item = &[Slice]> {
        self.planes.iter().map(|planes| &planes[..self.bits()])
    }

    /// Bits of the highest number.
    fn bits(&self) -> usize {
        self.ticks.len().next_power_of_two().ilog2() as usize
    }

    /// The ticks of the frame in a stream.
    pub fn ticks_of(&self, stream: usize) -> impl Iterator<Item = Tick> {
        let number = |planes: &Vec<Slice>| {
            planes.iter().rev().fold(0, |number, plane| number << 1 | usize::from(plane.get(stream)))
        };
        self.planes.each_ref().map(number).into_iter().flat_map(|number| self.ticks[number].iter().copied())
    }
}
