//! Sequences of thirteen bytes, seed 000 §3.4: 71 bits, at least 2^36.

use super::{SIX, Unit};
use crate::netlist::{Builder, Signal};

/// Trailing units still to come, this one among them: with the unit that has the last bit of the last limb but one,
const AT_MIDDLE_LIMB: u64 = 6;
/// and with the one that has the last of the bits from 2^36 on.
const AT_LEAST: u64 = 7;

pub(super) struct Thirteen<'m> {
    /// The unit stands in such a sequence, behind its second byte.
    pub(super) inside: Signal<'m>,
    /// The unit leaves only code points below 2^36, which are shorter.
    pub(super) overlong: Signal<'m>,
    /// The unit makes the head certain.
    pub(super) head: Signal<'m>,
    /// With it: there are three limbs, not two.
    pub(super) three: Signal<'m>,
    /// A limb goes out that the unit has the last bit of: the first of three, or the last but one.
    pub(super) limb: Signal<'m>,
    /// If so: two bits are left over; or four.
    pub(super) by_two: Signal<'m>,
    pub(super) by_four: Signal<'m>,
    /// The first of three limbs goes out, which the unit before had the last bit of.
    pub(super) late_limb: Signal<'m>,
}

impl<'m> Thirteen<'m> {
    pub(super) fn new(m: &'m Builder, unit: Unit<'m>, missing: Signal<'m>) -> Self {
        m.section("Thirteen bytes");
        let Unit { load, second, six, .. } = unit;
        let inside = m.reg("thirteen_reg", 1).note("behind the second byte");
        let begins = (second & unit.trailing & !six.bits.bit(SIX - 1)).named("thirteen_begins");
        inside.next_when(load, begins | inside.q & unit.trailing);
        let any = six.any().named("six_any");
        let some = m.reg("some_reg", 1).note("some bit so far is not zero");
        some.next_when(load, inside.q & some.q | any);
        let needs =
            m.reg("needs_some_reg", 1).note("the last of these bits is in the unit, and none was set");
        needs.next_when(load, inside.q & missing.is(AT_LEAST + 1) & !some.q & !any);
        let overlong = needs.q & !any;

        // Bits from 2^64 on: five in the second byte, two in the third.
        let third = m.reg("third_reg", 1).note("the third byte");
        third.next_when(load, begins);
        let third = third.q;
        let second_tells = (begins & six.any()).named("second_tells");
        let top = six.top;
        let head = (second_tells | third & !some.q).named("thirteen_head");
        let late = m.reg("late_limb_reg", 1).note("the first of three limbs has to go out");
        late.next_when(load, third & !some.q & top & unit.trailing);
        let early = third & some.q;
        let middle = inside.q & missing.is(AT_MIDDLE_LIMB);
        Self {
            inside: inside.q,
            overlong: overlong.named("thirteen_overlong"),
            head,
            three: second_tells | third & top,
            limb: early | middle,
            by_two: middle.named("middle_limb"),
            by_four: early.named("first_limb"),
            late_limb: late.q,
        }
    }
}
