//! What a system is to an encoder of several lanes: how long the sequence of a code point is, and what each of its units holds.

use crate::netlist::{Builder, Signal};

/// A system as an encoder of several lanes sees it. Units are numbered from the end of a sequence: the last unit is number 0.
pub(super) trait Shape {
    /// Bits of a unit.
    fn unit_bits(&self) -> u32;

    /// Units of the longest sequence.
    fn most_units(&self) -> usize;

    /// The code point that stands for errors, and the units of its sequence in the order in which they go out.
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

    /// Whether a code point of two limbs has more than so many units, at least as many as the shortest, by the first limb.
    fn is_longer_by_limb<'m>(&self, limb: Signal<'m>, units: usize) -> Signal<'m> {
        let _ = (limb, units);
        unreachable!("no code point has several limbs")
    }

    /// Whether the system refuses a low surrogate directly behind a high one that it has written.
    fn refuses_surrogate_pairs(&self) -> bool {
        false
    }

    /// Bits of a code point.
    fn code_bits(&self) -> u32;

    /// What units hold of a code point, by its bits. That of the replacement is the code point itself.
    fn stored<'m>(&self, _: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        code
    }

    /// What is [stored](Self::stored), with what else is to be known of it, by the [`tests`](Self::tests). It takes the place of that.
    fn hinted<'m>(&self, _: &'m Builder, stored: Signal<'m>, _: &[Signal<'m>]) -> Signal<'m> {
        stored
    }

    /// Whether sequences hold code points less an [offset](Self::less_offset).
    fn has_offsets(&self) -> bool {
        false
    }

    /// What is stored less the offset of its length. `longer[n]` says that the sequence has more than `n` units.
    fn less_offset<'m>(&self, _: &'m Builder, stored: Signal<'m>, _: &[Signal<'m>]) -> Signal<'m> {
        stored
    }

    /// What is found out first of the `tdata` of a slot, each under a name.
    fn tests<'m>(&self, m: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)>;

    /// What follows from the [`tests`](Self::tests).
    fn fit<'m>(&self, m: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m>;

    /// Unit `number` of what is [stored](Self::stored). `longer[n]` says that the sequence has more than `n` units, which the one asked for is
    /// among.
    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m>;
}

/// What a system makes of a code point.
pub(super) struct Fit<'m> {
    /// The system does not have the code point; `None` if it has all.
    pub(super) unfit: Option<Signal<'m>>,
    /// The code point takes more than one unit, more than two, and so on; `None` if every code point does.
    pub(super) longer: Vec<Option<Signal<'m>>>,
}
