//! Parts of a campaign: ranges of inputs that one thread runs at a time, and their results.

use std::ops::Range;

use crate::promise::{Counts, Item};

/// A part that is done.
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of its first input.
    pub first: u64,
    /// How many inputs were run.
    pub inputs: u64,
    /// The code points and errors in the inputs.
    pub counts: Counts,
    /// The first input that failed; it is the last of the part then.
    pub failure: Option<Failing>,
}

/// An input that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The number of the input.
    pub input: u64,
    /// The frame's beats of units, or in an encoder of slots.
    pub frame: Vec<Vec<Item>>,
    /// The input that the same stream had before, if there was one.
    pub before: Option<Vec<Vec<Item>>>,
}

/// Cuts ranges of inputs into parts, one at a time: there may be more than fit into memory.
#[derive(Clone, Debug)]
pub struct Parts<'r> {
    ranges: std::slice::Iter<'r, Range<u64>>,
    /// The inputs left of the current range.
    left: Range<u64>,
    /// The most inputs of a part, which ends at a multiple of this number or with its range.
    size: u64,
}

impl<'r> Parts<'r> {
    /// Parts of up to `size` inputs. They end at multiples of `size`, so that a part is whole chunks.
    pub fn new(ranges: &'r [Range<u64>], size: u64) -> Self {
        Self { ranges: ranges.iter(), left: 0..0, size }
    }
}

impl Iterator for Parts<'_> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        while self.left.is_empty() {
            self.left = self.ranges.next()?.clone();
        }
        let Range { start, end } = self.left;
        self.left.start = start + (self.size - start % self.size).min(end - start);
        Some(start..self.left.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_without_being_counted() {
        let ranges = [0..0, 10..35, u64::MAX - 15..u64::MAX];
        let parts: Vec<Range<u64>> = Parts::new(&ranges, 10).collect();
        let end = u64::MAX;
        assert_eq!(parts, [10..20, 20..30, 30..35, end - 15..end - 5, end - 5..end]);
        let unaligned = 15..32;
        let parts: Vec<Range<u64>> = Parts::new(std::slice::from_ref(&unaligned), 10).collect();
        assert_eq!(parts, [15..20, 20..30, 30..32]);
        let all = 0..u64::MAX;
        assert_eq!(Parts::new(std::slice::from_ref(&all), 512).nth(1000), Some(512_000..512_512));
    }
}
