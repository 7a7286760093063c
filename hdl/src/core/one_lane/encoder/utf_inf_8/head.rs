//! The length of a code point, from its head and first limb.

use super::format::LIMB_DIGITS;
use crate::core::one_lane::encoder::slot_stage::SlotStage;
use crate::core::shared::code_points::above;
use crate::core::shared::limbs::{Sums, place};
use crate::netlist::{Builder, Signal};

/// The facts on a slot as a head, from the slot alone.
pub(super) struct HeadMarks<'m> {
    place: Signal<'m>,
    within: Option<Signal<'m>>,
    at_edge: Option<Signal<'m>>,
}

impl<'m> HeadMarks<'m> {
    /// The marks of a head that announces `limbs`, in a system of up to `limit` digits.
    pub(super) fn new(m: &'m Builder, limit: u64, limbs: Signal<'m>, stage: SlotStage<'m>) -> Self {
        let (most, digits_over) = (limit / LIMB_DIGITS, limit % LIMB_DIGITS);
        Self {
            place: stage.data("slot_place_reg", place(m, limbs, Sums::Tables)),
            within: above(limbs, most.into()).map(|above| stage.data("slot_within_reg", !above)),
            at_edge: (digits_over > 0).then(|| stage.data("slot_at_edge_reg", limbs.is(most + 1))),
        }
    }
}

/// The facts from the head of the open group: registers.
pub(super) struct OpenHead<'m> {
    /// The place of the first limb.
    pub(super) place: Signal<'m>,
    /// The announced limbs, all of eight digits, are within the limit; `None` if any number is.
    pub(super) within: Option<Signal<'m>>,
    /// The limbs are within the limit if the first of them begins with enough zero digits; `None` if that never
    /// decides.
    pub(super) at_edge: Option<Signal<'m>>,
}

impl<'m> OpenHead<'m> {
    /// The registers, which load where a head is `taken`.
    pub(super) fn new(m: &'m Builder, marks: HeadMarks<'m>, taken: Signal<'m>) -> Self {
        let on_head = m.stage(taken);
        let place = on_head.data("first_place_reg", marks.place);
        Self {
            place: place.note("place of the first limb: how many limbs follow it in its block"),
            within: marks.within.map(|within| on_head.data("within_reg", within)),
            at_edge: marks.at_edge.map(|at_edge| on_head.data("at_edge_reg", at_edge)),
        }
    }
}
