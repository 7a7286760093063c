//! What a system is to an encoder of several lanes: how long the sequence of a code point is, and what each of its units holds.

use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal};

/// A system as an encoder of several lanes sees it. Units are numbered from the end of a sequence: the last unit is number 0.
pub(super) trait Shape {
    /// Bits of a unit.
    fn unit_bits(&self) -> u32;

    /// Bits of what a lane takes for a slot.
    fn slot_bits(&self) -> u32 {
        SLOT_DATA_BITS
    }

    /// Units of the longest sequence.
    fn most_units(&self) -> usize;

    /// The code point that stands for errors, and the units of its sequence in the order in which they go out.
    fn replacement(&self) -> (u64, Vec<u64>);

    /// Units of the replacement.
    fn replacement_units(&self) -> usize {
        self.replacement().1.len()
    }

    /// Bits of a code point.
    fn code_bits(&self) -> u32;

    /// What units hold of a code point, by its bits. That of the replacement is the code point itself.
    fn stored<'m>(&self, _: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        code
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
