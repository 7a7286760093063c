//! What frames make in time, by numbers: there are few such patterns, and many frames of each.

use std::collections::HashMap;

use utfhdl_sim::batch::Slice;

use super::expected::Tick;
use super::record::{Group, Planes};

/// Patterns that are remembered, and bits that are enough for as many and those that a block adds.
const MOST_PATTERNS: usize = 1 << 12;
const PATTERN_BITS: usize = 13;
/// What the frames of a block make in time: of each a pattern for the units that many begin with, and one for the rest.
#[derive(Clone, Debug)]
pub struct Patterns {
    numbers: HashMap<Vec<Tick>, u32>,
    ticks: Vec<Vec<Tick>>,
    /// The number that was asked for last.
    last: u32,
    planes: [Vec<Slice>; 2],
}

/// One part of the pattern of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The units that many begin with.
    Beginning,
    /// The rest.
    Rest,
}

/// The number of the pattern of nothing.
const EMPTY: u32 = 0;

impl Default for Patterns {
    fn default() -> Self {
        let planes = std::array::from_fn(|_| vec![Slice::ZERO; PATTERN_BITS]);
        Self { numbers: HashMap::from([(Vec::new(), EMPTY)]), ticks: vec![Vec::new()], last: EMPTY, planes }
    }
}

impl Patterns {
    /// Whether it is time to forget them.
    pub fn is_full(&self) -> bool {
        self.ticks.len() >= MOST_PATTERNS
    }

    /// The number of a pattern.
    pub fn number(&mut self, ticks: &[Tick]) -> u32 {
        // Many in a row are the same.
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

    /// Gives a part of a group of streams a pattern.
    pub fn set(&mut self, part: Part, group: Group, number: u32) {
        let bits = self.bits();
        for (bit, plane) in self.planes[part as usize][..bits].iter_mut().enumerate() {
            group.splat(plane, number >> bit & 1 == 1);
        }
    }

    /// Gives a part of each stream of a group its pattern.
    pub fn set_planes(&mut self, part: Part, group: Group, numbers: &Planes) {
        let bits = self.bits();
        for (bit, plane) in self.planes[part as usize][..bits].iter_mut().enumerate() {
            group.copy(plane, numbers.bit(bit));
        }
    }

    /// The planes of either part's numbers; of those that are 0 everywhere none.
    pub fn planes(&self) -> impl Iterator<Item = &[Slice]> {
        self.planes.iter().map(|planes| &planes[..self.bits()])
    }

    /// Bits of the numbers there are.
    fn bits(&self) -> usize {
        self.ticks.len().next_power_of_two().ilog2() as usize
    }

    /// What the frame of a stream makes.
    pub fn ticks_of(&self, stream: usize) -> impl Iterator<Item = Tick> {
        let number = |planes: &Vec<Slice>| {
            planes.iter().rev().fold(0, |number, plane| number << 1 | usize::from(plane.get(stream)))
        };
        self.planes.each_ref().map(number).into_iter().flat_map(|number| self.ticks[number].iter().copied())
    }
}
