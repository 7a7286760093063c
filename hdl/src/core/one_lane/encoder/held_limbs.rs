//! Long code points in a system whose longest have two or three limbs: whether the system has a code point, and the
//! position of its first unit.

use super::groups::{GroupMarks, Groups};
use super::slot_stage::SlotInput;
use super::writer::Writer;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::netlist::{Builder, Signal};

/// The facts on a slot as a head and as a first limb, from the slot alone.
pub(super) struct LimbMarks<'m> {
    /// The slot is a head of two limbs.
    head_of_2: Signal<'m>,
    /// The slot, as the first of two limbs, is within the system.
    fits_2: Signal<'m>,
    /// The position of the first unit of a code point with that first limb.
    start_of_2: Signal<'m>,
    /// The facts for three limbs; `None` if the system has no code point of three.
    of_3: Option<ThreeLimbs<'m>>,
}

/// The facts on a slot for a code point of three limbs, from the slot alone.
struct ThreeLimbs<'m> {
    /// The slot is a head of three limbs.
    head: Signal<'m>,
    /// The slot, as the first of three limbs, is within the system.
    fits: Signal<'m>,
}

impl<'m> LimbMarks<'m> {
    pub(super) fn new(
        m: &'m Builder,
        input: SlotInput<'m>,
        long: LongSlot<'m>,
        marks: GroupMarks<'m>,
        writer: &dyn Writer,
    ) -> Self {
        let SlotInput { slots, stage } = input;
        let data = slots.data;
        let above_3 = marks.above_3.expect("limbs are counted").or_named("above_3");
        let head_of = |limbs: u64| {
            let head_of = long.head & !above_3 & data.bits(0..2).is(limbs);
            stage.data(&format!("slot_head_of_{limbs}_reg"), head_of)
        };
        let not_zero = (above_3 | data.bits(0..2).any()).named("limb_not_zero");
        let fits = |limbs: u32, bits: u32| {
            let fits = if bits < 32 { not_zero & !data.bits(bits..32).any() } else { not_zero };
            stage.data(&format!("slot_fits_{limbs}_reg"), fits)
        };
        let room = writer.code_bits() - 32;
        Self {
            head_of_2: head_of(2),
            fits_2: fits(2, room),
            start_of_2: stage.data("slot_long_start_reg", writer.long_start(m, data)),
            of_3: (room > 32).then(|| ThreeLimbs { head: head_of(3), fits: fits(3, room - 32) }),
        }
    }
}

/// The limbs of the open group, which are held until the last is here.
#[derive(Clone, Copy)]
pub(super) struct HeldLimbs<'m> {
    /// The slot is a limb to be held.
    pub(super) more: Signal<'m>,
    /// The slot is a limb after others, of a code point that the system has.
    pub(super) joins: Signal<'m>,
    /// The limb is the last.
    pub(super) whole: Signal<'m>,
    /// The position of the code point's first unit.
    pub(super) start: Signal<'m>,
}

impl<'m> HeldLimbs<'m> {
    pub(super) fn new(
        m: &'m Builder,
        slots: OneSlotBeat<'m>,
        long: LongSlot<'m>,
        groups: Groups<'m>,
        marks: LimbMarks<'m>,
        writer: &dyn Writer,
    ) -> Self {
        m.section("Long code points: the head and the first limb tell whether the system has them");
        let OneSlotBeat { last, keep, .. } = slots;
        let Groups { open, limb_awaited, taken, .. } = groups;
        let on_slot = m.stage(taken);
        let start = m
            .reg("long_start_reg", writer.start_bits())
            .note("units that follow the first of the code point");
        let good = m
            .reg("long_good_reg", 1)
            .note("the system has the code point of the open group, by its first limb");

        let of_2 = on_slot.data("behind_head_of_2_reg", marks.head_of_2);
        let (first_fits, start_here, first) = match marks.of_3 {
            None => (of_2 & marks.fits_2, marks.start_of_2, of_2),
            Some(ThreeLimbs { head, fits }) => {
                let of_3 = on_slot.data("behind_head_of_3_reg", head);
                let most = m.lit(writer.start_bits(), u64::from(writer.most_units()) - 1);
                let first = (of_2 | of_3).named("is_first").note("the slot, if it is a limb, is the first");
                (of_2 & marks.fits_2 | of_3 & fits, of_3.mux(most, marks.start_of_2), first)
            }
        };
        good.next_when(taken, long.limb & (first_fits | good.q));
        start.next_when(taken & first, start_here);
        let joins = (open & keep & long.limb & good.q).named("limb_joins");
        Self {
            // A first limb that does not fit is held, too; nothing reads it.
            more: (keep & limb_awaited & (first | good.q) & !last).named("limb_held"),
            joins,
            whole: (joins & !limb_awaited).named("event_whole"),
            start: start.q,
        }
    }
}
