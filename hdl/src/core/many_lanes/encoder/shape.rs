//! Systems as encoders of several lanes see them: the length of the sequence of a code point, and the content of each of its units.

use std::ops::Range;

use super::indexed::Indexed;
use crate::netlist::{Builder, Signal};

/// A system as an encoder of several lanes sees it. Units are numbered from the end of a sequence: the last unit is number 0.
pub(super) trait Shape {
    /// Bits of a unit.
    fn unit_bits(&self) -> u32;

    /// Units of the longest sequence.
    fn most_units(&self) -> usize;

    /// The code point that is written for errors, and the units of its sequence, the first one first.
    fn replacement(&self) -> (u64, Vec<u64>);

    /// Units of the replacement.
    fn replacement_units(&self) -> usize {
        self.replacement().1.len()
    }

    /// Units of the longest code point of one slot.
    fn most_units_of_slot(&self) -> usize {
        self.most_units()
    }

    /// Units of the shortest code point of several limbs, if the system has any.
    fn fewest_units_of_limbs(&self) -> usize {
        self.most_units()
    }

    /// Whether a code point of two limbs has more than `units` units, by its first limb. `units` is not less than
    /// [`fewest_units_of_limbs`](Self::fewest_units_of_limbs).
    fn is_longer_by_limb<'m>(&self, limb: Signal<'m>, units: usize) -> Signal<'m> {
        let _ = (limb, units);
        unreachable!("no code point has several limbs")
    }

    /// Whether the system refuses a low surrogate directly after a high one that it has written.
    fn refuses_surrogate_pairs(&self) -> bool {
        false
    }

    /// Bits of a code point.
    fn code_bits(&self) -> u32;

    /// The bits that units are made of, from the bits of a code point. Those of the replacement are the code point itself.
    fn stored<'m>(&self, _: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        code
    }

    /// The [stored](Self::stored) bits with results of the [`tests`](Self::tests) above them, for [`less_offset`](Self::less_offset).
    fn hinted<'m>(&self, _: &'m Builder, stored: Signal<'m>, _: &[Signal<'m>]) -> Signal<'m> {
        stored
    }

    /// Whether sequences hold code points less an [offset](Self::less_offset).
    fn has_offsets(&self) -> bool {
        false
    }

    /// The stored bits less the offset of the sequence's length. `longer[n]`: the sequence has more than `n` units.
    fn less_offset<'m>(&self, _: &'m Builder, stored: Signal<'m>, _: &[Signal<'m>]) -> Signal<'m> {
        stored
    }

    /// Whether units are found in a table by the results of the [`tests`](Self::tests), and not made of [stored](Self::stored) bits.
    fn is_by_table(&self) -> bool {
        false
    }

    /// The set whose tables are in front of the lanes, if there are any. The [`tests`](Self::tests) then are of what these have.
    fn indexed(&self) -> Option<&Indexed> {
        None
    }

    /// Tests of the `tdata` of a slot, each with a name, for a register of its own. Stage 0.
    fn tests<'m>(&self, m: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)>;

    /// The same as [`fit`](Self::fit), and the [stored](Self::stored) bits, where [a table](Self::is_by_table) has both.
    fn looked_up<'m>(&self, _: &'m Builder, _: &[Signal<'m>]) -> Option<(Fit<'m>, Signal<'m>)> {
        None
    }

    /// Length and fitness of the code point, from the results of the [`tests`](Self::tests). Stage 1.
    fn fit<'m>(&self, m: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m>;

    /// Unit `number` of the sequence, made of the [stored](Self::stored) bits. `longer[n]`: the sequence has more than `n` units. Valid in
    /// sequences that have the unit.
    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m>;
}

/// Length of a code point's sequence, and whether the system has the code point.
pub(super) struct Fit<'m> {
    /// The system does not have the code point; `None` if it has all.
    pub(super) unfit: Option<Signal<'m>>,
    /// The code point takes more than one unit, more than two, and so on; `None` if every code point does.
    pub(super) longer: Vec<Option<Signal<'m>>>,
}

/// Bits of a `tdata` that one test looks at: two levels of LUTs at most. Tests of more bits would be the longest paths of an encoder.
const BITS_OF_TEST: u32 = 16;

/// Tests, as [`tests`](Shape::tests) gives them, whether some of these bits of a `tdata` are 1: each of a few of the bits.
pub(super) fn some_bits(data: Signal<'_>, bits: Range<u32>) -> Vec<(String, Signal<'_>)> {
    let parts = (bits.end.max(bits.start) - bits.start).div_ceil(BITS_OF_TEST);
    let from = |part: u32| bits.start + part * (bits.end - bits.start) / parts;
    let test = |part: u32| {
        let (low, high) = (from(part), from(part + 1));
        (format!("has_bits_{low}_to_{}", high - 1), data.bits(low..high).any())
    };
    (0..parts).map(test).collect()
}
