//! Finds the bits of a sequence that hold the code point, and those that are structure, by asking the reference.
//!
//! All sequences of one length have the same structure. A bit that differs between any two sequences holds the code point; a
//! bit that is the same in all sequences is structure.

use std::collections::HashMap;

use num_bigint::BigUint;
use utfhdl_codec::{Codec, OnError, System, Whole};

use crate::noise::length_ranges;

/// Code points of more bits have a form for each number of digits.
const BITS: u64 = 72;

/// The use of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Structure of the first unit, which tells the length.
    Length,
    /// Structure of a unit after the first.
    Trailing,
    /// A bit of the code point.
    Payload,
}

/// Finds the uses of bits, and keeps those of short sequences, which are the same for all of one length.
pub(super) struct Bits {
    system: System,
    by_length: HashMap<usize, Vec<Vec<Use>>>,
}

impl Bits {
    pub(super) fn new(system: System) -> Self {
        Self { system, by_length: HashMap::new() }
    }

    /// The use of each bit of each unit of a sequence; nothing if the code point is too long to be known.
    pub(super) fn uses(&mut self, whole: &Whole, units: &[u32]) -> Vec<Vec<Use>> {
        let system = self.system;
        if system.has_state() {
            // The bits of a sequence depend on those before it.
            return Vec::new();
        }
        match whole {
            Whole::CodePoint(_) => {
                let found = || uses(system, whole, units);
                self.by_length.entry(units.len()).or_insert_with(found).clone()
            }
            _ => uses(system, whole, units),
        }
    }
}

fn uses(system: System, whole: &Whole, units: &[u32]) -> Vec<Vec<Use>> {
    let value = match whole {
        Whole::CodePoint(code_point) => BigUint::from(*code_point),
        Whole::Long(value) => value.clone(),
        Whole::TooLong { .. } | Whole::Error(_) => return Vec::new(),
    };
    let others = if value.bits() <= BITS { of_length(system, units.len()) } else { of_digits(&value) };
    let mut differ = vec![0; units.len()];
    for other in others {
        let Some(sequence) = encoded(system, &other) else { continue };
        if sequence.len() == units.len() {
            let pairs = sequence.iter().zip(units);
            differ.iter_mut().zip(pairs).for_each(|(differ, (a, b))| *differ |= a ^ b);
        }
    }
    let of_unit = |(index, differ): (usize, &u32)| {
        let structure = if index == 0 { Use::Length } else { Use::Trailing };
        let bits = (0..system.unit_bits()).rev();
        bits.map(|bit| if differ >> bit & 1 == 1 { Use::Payload } else { structure }).collect()
    };
    differ.iter().enumerate().map(of_unit).collect()
}

/// The units of a code point, without those that open a stream.
fn encoded(system: System, value: &BigUint) -> Option<Vec<u32>> {
    let opening = system.encode::<utfhdl_codec::Slot, u32>(&[], OnError::Strict).ok()?.len();
    let units = system.encode::<_, u32>(&Whole::from(value.clone()).slots(), OnError::Strict).ok()?;
    Some(units[opening..].to_vec())
}

/// Code points of sequences of this length: both ends of each range, and each end with one bit inverted.
fn of_length(system: System, length: usize) -> Vec<BigUint> {
    let ranges: Vec<_> = length_ranges(system).into_iter().filter(|range| range.units == length).collect();
    let mut points = Vec::new();
    for end in ranges.iter().flat_map(|range| [range.first, range.last]) {
        points.push(BigUint::from(end));
        points.extend((0..BITS).map(|bit| BigUint::from(end ^ 1 << bit)));
    }
    points
}

/// The least and the greatest code point with as many hexadecimal digits, and one with another first digit.
fn of_digits(value: &BigUint) -> Vec<BigUint> {
    let bits = value.bits().div_ceil(4) * 4;
    let one = BigUint::from(1_u32);
    vec![&one << (bits - 4), &one << (bits - 3), (&one << bits) - 1_u32]
}
