//! Tests of single bits: `s[7] && s[6] && !s[5]` is a comparison, `s[7:5] == 3'b110`.

use crate::netlist::{Bits, NodeId};

use crate::emit::literal::SHOWN_BITS;

/// Bits that are compared with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitTest {
    pub(super) of: NodeId,
    /// The lowest of them.
    pub(super) low: u32,
    pub(super) pattern: Bits,
}

impl BitTest {
    /// Joins this test with a test of the bits right below, if the joined pattern can be read at a glance.
    fn joined(&self, lower: &Self) -> Option<Self> {
        if self.of != lower.of || self.low != lower.low + lower.pattern.width() {
            return None;
        }
        let pattern = self.pattern.above(&lower.pattern);
        let uniform = pattern.is_zero() || pattern == Bits::ones(pattern.width());
        (uniform || pattern.width() <= SHOWN_BITS).then_some(Self { pattern, ..*lower })
    }
}

/// Joins tests of neighbouring bits among the operands of a chain. Returns the joined tests, each with the sorted
/// indices of its operands.
pub(super) fn joined(tests: &[Option<BitTest>]) -> Vec<(BitTest, Vec<usize>)> {
    let mut sorted: Vec<(BitTest, Vec<usize>)> = tests
        .iter()
        .enumerate()
        .filter_map(|(index, test)| test.clone().map(|test| (test, vec![index])))
        .collect();
    sorted.sort_by_key(|(test, _)| (test.of, std::cmp::Reverse(test.low)));
    let mut joined: Vec<(BitTest, Vec<usize>)> = Vec::new();
    for (test, indices) in sorted {
        let both = joined.last().and_then(|(upper, _)| upper.joined(&test));
        match (both, joined.last_mut()) {
            (Some(both), Some((upper, of_upper))) => {
                *upper = both;
                of_upper.extend(indices);
            }
            _ => joined.push((test, indices)),
        }
    }
    joined.iter_mut().for_each(|(_, indices)| indices.sort_unstable());
    joined
}
