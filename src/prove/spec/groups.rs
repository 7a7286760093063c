//! Code points of 2^32 and more on the input of an encoder: groups of a head and limbs.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{HEAD, LAST_KIND, LIMB, LIMB_BITS};

/// The most limbs of a group that is followed: no system with a writer has code points of more.
const MOST_LIMBS: u32 = 3;

/// A slot of an encoder's input as part of a group.
pub(super) struct Groups<'m> {
    /// The code point whose last limb the slot is, in `MOST_LIMBS` limbs.
    pub(super) code_point: Signal<'m>,
    /// The slot is the last limb of a group.
    pub(super) is_last: Signal<'m>,
    /// The slot is a code point of its own, or an error, which takes the place of a group that is open.
    pub(super) is_alone: Signal<'m>,
    /// The slot, or the end of a frame, leaves no whole group of two or three limbs, the first of them not 0.
    pub(super) breaks: Signal<'m>,
}

impl<'m> Groups<'m> {
    /// Follows the slots of an encoder's input: whether there is one, its data, and `tuser`. `ends`: a frame ends with the slot, or without one.
    pub(super) fn new(m: &'m Builder, [is_there, data, user]: [Signal<'m>; 3], ends: Signal<'m>) -> Self {
        let to_come = m.reg("limbs_to_come_reg", 2).reset(0);
        let awaits_first = m.reg("awaits_first_limb_reg", 1);
        let before = m.reg("limbs_before_reg", (MOST_LIMBS - 1) * LIMB_BITS);

        let is_open = to_come.q.any();
        let is_head = is_there & !is_open & user.is(HEAD) & data.within(2, MOST_LIMBS.into());
        let is_first = awaits_first.q & is_open;
        let is_limb = is_there & is_open & user.is(LIMB) & !(is_first & !data.any());
        let is_last = is_limb & to_come.q.is(1);
        let is_error = user.within(1, LAST_KIND);
        let is_alone = is_there & (is_error | !is_open & !user.any());
        let code_point = m.concat([before.q, data]);

        let left = to_come.q - m.lit(2, 1);
        let after = is_head.mux(data.bits(0..2), is_limb.mux(left, to_come.q)).when(!is_alone);
        to_come.next(after);
        awaits_first.next(is_head | awaits_first.q & !is_limb);
        before.next(
            is_head
                .mux(m.lit(before.q.width(), 0), is_limb.mux(code_point.bits(0..before.q.width()), before.q)),
        );
        Self {
            code_point,
            is_last,
            is_alone,
            breaks: is_there & !(is_head | is_limb | is_alone) | ends & after.any(),
        }
    }
}
