//! How many units each code point of a system takes, and which code points it lacks, found out by asking the reference.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use utfhdl_codec::System;

use super::writer::{Writer, slots_of};

/// Bits of the code points that are asked for: those of all sequences without a length header.
const BITS: u32 = 73;

/// Neighbouring code points that all take the same number of units, or that the system all lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthRange {
    /// The first code point.
    pub first: u128,
    /// The last code point.
    pub last: u128,
    /// Units of each code point; 0 if the system lacks them.
    pub units: usize,
}

/// The ranges of a system, in order and without gaps. They are remembered, since finding them takes longer than many a run.
pub fn length_ranges(system: System) -> Vec<LengthRange> {
    static KNOWN: Mutex<BTreeMap<String, Vec<LengthRange>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(system.to_string()).or_insert_with(|| find(system)).clone()
}

fn find(system: System) -> Vec<LengthRange> {
    let mut writer = Writer::new(system);
    let opening = writer.units(&[]).map_or(0, |units| units.len());
    let mut units_of =
        |code_point| writer.units(&slots_of(code_point)).map_or(0, |units| units.len() - opening);
    // Probes are so dense that no range lies between two of them. A change of length between two probes is found by a search.
    let between = |exponent: u32| (32..64_u128).map(move |part| (part << exponent) >> 5);
    let probes = (0..8).chain((3..BITS).flat_map(between)).chain([(1 << BITS) - 1]);
    let mut ranges = vec![LengthRange { first: 0, last: 0, units: units_of(0) }];
    for probe in probes {
        let end = units_of(probe);
        let mut range = *ranges.last().expect("there is a first range");
        while range.units != end {
            range.last = last_like(&mut units_of, range, probe);
            *ranges.last_mut().expect("there is a first range") = range;
            let first = range.last + 1;
            range = LengthRange { first, last: first, units: units_of(first) };
            ranges.push(range);
        }
        ranges.last_mut().expect("there is a first range").last = probe;
    }
    ranges
}

/// The last code point below `high` up to which all code points, from the last known one of `range` on, take as many units.
fn last_like(units_of: &mut impl FnMut(u128) -> usize, range: LengthRange, mut high: u128) -> u128 {
    let mut low = range.last;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if units_of(middle) == range.units { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First code points and units of the ranges of a system.
    fn of(name: &str) -> Vec<(u128, usize)> {
        length_ranges(name.parse().unwrap()).iter().map(|range| (range.first, range.units)).collect()
    }

    #[test]
    fn ranges_are_those_of_the_documents() {
        let utf_8 = [(0, 1), (0x80, 2), (0x800, 3), (0xd800, 0), (0xe000, 3), (0x1_0000, 4), (0x11_0000, 0)];
        assert_eq!(of("utf-8"), utf_8);
        let utf_18 = [(0, 2), (0xd800, 0), (0xe000, 2), (0x3_0000, 0), (0xe_0000, 2), (0xf_0000, 0)];
        assert_eq!(of("utf-18"), utf_18);
        let corrected = [
            (0, 1),
            (0x80, 0),
            (0xa0, 2),
            (0x8a0, 3),
            (0xd800, 0),
            (0xe000, 3),
            (0x1_10a0, 4),
            (0x21_10a0, 5),
            (0x421_10a0, 6),
            (0x8421_10a0, 0),
        ];
        assert_eq!(of("corrected-utf-8"), corrected);
        let utf_inf_8 = of("utf-inf-8");
        assert_eq!(utf_inf_8[6..9], [(1 << 31, 7), (1 << 36, 13), (1 << 71, 14)]);
        assert_eq!(of("hunk-1"), [(0, 1), (1, 0)]);
        let utf_16 = [(0, 2), (0xd800, 0), (0xe000, 2), (0x1_0000, 4), (0x11_0000, 0)];
        assert_eq!(of("utf-16be,bom=on"), utf_16, "the mark is no part of a sequence");
    }
}
