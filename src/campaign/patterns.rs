//! Patterns in time: rows of [ticks](Tick), each with a number. Many frames have the same pattern.

use rustc_hash::FxHashMap;
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
    numbers: FxHashMap<Vec<Tick>, u32>,
    ticks: Vec<Vec<Tick>>,
    /// The number that was asked for last.
    last: u32,
    /// Rows of numbers, with a number each.
    rows: FxHashMap<Vec<u64>, u32>,
    /// The patterns of each group of streams.
    of_groups: Vec<OfGroup>,
    /// For the beginning and for the rest, the bits of the patterns' numbers in all streams.
    planes: [Vec<Slice>; 2],
}

/// The patterns of a group of streams. Groups that have the same have the same frames, as far as time goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OfGroup {
    /// The number of the pattern with which all frames begin.
    beginning: u32,
    /// The number of the row with the patterns of the rest.
    rest: u32,
}

/// A row of patterns' numbers, one for each stream of a group.
pub struct Row {
    number: u32,
    planes: Planes,
}

/// The number of the empty pattern, and of the row of empty patterns.
const EMPTY: u32 = 0;
/// The places of the planes.
const BEGINNING: usize = 0;
const REST: usize = 1;

impl Default for Patterns {
    fn default() -> Self {
        let planes = std::array::from_fn(|_| vec![Slice::ZERO; PATTERN_BITS]);
        let numbers = FxHashMap::from_iter([(Vec::new(), EMPTY)]);
        let rows = FxHashMap::from_iter([(Vec::new(), EMPTY)]);
        Self { numbers, ticks: vec![Vec::new()], last: EMPTY, rows, of_groups: Vec::new(), planes }
    }
}

impl Patterns {
    /// Whether the patterns should be forgotten, since there are too many.
    pub fn is_full(&self) -> bool {
        self.ticks.len().max(self.rows.len()) >= MOST_PATTERNS
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

    /// The row of these patterns.
    pub fn row(&mut self, patterns: Vec<u64>) -> Row {
        let planes = Planes::new(&patterns);
        let next = self.rows.len() as u32;
        Row { number: *self.rows.entry(patterns).or_insert(next), planes }
    }

    /// Has all streams of a group begin with a pattern.
    pub fn set_beginning(&mut self, group: Group, number: u32) {
        if std::mem::replace(&mut self.of_group(group).beginning, number) != number {
            let bits = self.bits();
            for (bit, plane) in self.planes[BEGINNING][..bits].iter_mut().enumerate() {
                group.splat(plane, number >> bit & 1 == 1);
            }
        }
    }

    /// Sets the pattern of the rest in each stream of a group.
    pub fn set_rest(&mut self, group: Group, row: &Row) {
        if std::mem::replace(&mut self.of_group(group).rest, row.number) != row.number {
            let bits = self.bits();
            for (bit, plane) in self.planes[REST][..bits].iter_mut().enumerate() {
                group.copy(plane, row.planes.bit(bit));
            }
        }
    }

    fn of_group(&mut self, group: Group) -> &mut OfGroup {
        if self.of_groups.len() <= group.index {
            self.of_groups.resize(group.index + 1, OfGroup::default());
        }
        &mut self.of_groups[group.index]
    }

    /// The patterns of all groups. Groups are of one size.
    pub fn of_groups(&self) -> &[OfGroup] {
        &self.of_groups
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
