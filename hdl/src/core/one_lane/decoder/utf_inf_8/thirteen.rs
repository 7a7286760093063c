//! Sequences of thirteen octets, seed 000 §3.4: code points of 71 bits, at least 2^36.

use super::format::TRAILING_BITS;
use super::unit::BlockUnit;
use crate::netlist::{Builder, Signal};

/// Trailing units still to come, with the current one, at the unit that has the last bit of the last limb but
/// one,
const AT_MIDDLE_LIMB: u64 = 6;
/// and at the unit that has the last of the bits from 2^36 on.
const AT_LEAST: u64 = 7;

/// The unit's part in a sequence of thirteen octets, if it continues one.
pub(super) struct Thirteen<'m> {
    /// The unit comes after the second octet of such a sequence.
    pub(super) inside: Signal<'m>,
    /// With the unit, only code points below 2^36 are possible, which have shorter sequences.
    pub(super) overlong: Signal<'m>,
    /// The unit makes the head certain.
    pub(super) head: Signal<'m>,
    /// The head announces three limbs, not two.
    pub(super) three: Signal<'m>,
    /// A limb goes out whose last bit is in the unit: the first of three, or the last but one.
    pub(super) limb: Signal<'m>,
    /// Two bits are left over after the limb, or four.
    pub(super) two_left: Signal<'m>,
    pub(super) four_left: Signal<'m>,
    /// The first of three limbs goes out, whose last bit was in the unit before.
    pub(super) late_limb: Signal<'m>,
}

impl<'m> Thirteen<'m> {
    pub(super) fn new(m: &'m Builder, unit: BlockUnit<'m>, missing: Signal<'m>) -> Self {
        m.section("Sequences of thirteen octets");
        let BlockUnit { load, second, six, .. } = unit;
        let stage = m.stage(load);
        let inside = m.reg("thirteen_reg", 1).note("the unit comes after the second octet");
        let begins = (second & unit.trailing & !six.bits.bit(TRAILING_BITS - 1)).named("thirteen_begins");
        inside.next_when(load, begins | inside.q & unit.trailing);
        let any = six.any().named("six_any");
        let some = m.reg("some_reg", 1).note("some bit of the code point so far is set");
        some.next_when(load, inside.q & some.q | any);
        let needs = stage
            .data("needs_some_reg", inside.q & missing.is(AT_LEAST + 1) & !some.q & !any)
            .note("the unit has the last bit from 2^36 on, and none of them was set");
        let overlong = needs & !any;

        // The second octet has five of the bits from 2^64 on, the third has two.
        let third = stage.data("third_reg", begins).note("the unit is the third octet");
        let second_decides = (begins & any).named("second_decides").note("2^64 or more by the second octet");
        let top = six.top;
        let head = (second_decides | third & !some.q).named("thirteen_head");
        let late = stage
            .data("late_limb_reg", third & !some.q & top & unit.trailing)
            .note("the first of three limbs has to go out");
        let first_limb = third & some.q;
        let middle_limb = inside.q & missing.is(AT_MIDDLE_LIMB);
        Self {
            inside: inside.q,
            overlong: overlong.named("thirteen_overlong"),
            head,
            three: second_decides | third & top,
            limb: first_limb | middle_limb,
            two_left: middle_limb.named("middle_limb"),
            four_left: first_limb.named("first_limb"),
            late_limb: late,
        }
    }
}
