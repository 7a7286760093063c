//! Groups: a head and the limbs that it announces. Each slot gets its position in a group.

use super::slot_stage::SlotInput;
use crate::core::one_lane::limb_counter::limb_counter;
use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::netlist::{Builder, Signal};

/// The facts on a slot for groups, from the slot itself and from the number of limbs before it.
#[derive(Clone, Copy)]
pub(super) struct GroupMarks<'m> {
    /// A slot is taken into the slot stage.
    pub(super) arrives: Signal<'m>,
    /// The slot is a head of at least two limbs; `None` if every head opens a group.
    opens: Option<Signal<'m>>,
    /// The slot is a limb, and not the last of its group; `None` if limbs are not counted.
    continues: Option<Signal<'m>>,
    /// The slot's data is more than 3, before the slot stage; `None` if limbs are not counted.
    pub(super) above_3: Option<Signal<'m>>,
}

impl<'m> GroupMarks<'m> {
    /// Marks slots. Without `counts`, a group extends from any head to the first slot that is no limb; this is enough
    /// to find errors.
    pub(super) fn new(m: &'m Builder, input: SlotInput<'m>, long: LongSlot<'m>, counts: bool) -> Self {
        m.section("Groups: a code point of 2^32 or more is a head and at least two limbs");
        let SlotInput { slots, stage } = input;
        let OneSlotBeat { valid, keep, data, .. } = slots;
        let arrives = valid & keep & stage.ready;
        if !counts {
            return Self { arrives, opens: None, continues: None, above_3: None };
        }
        let arrives = arrives.named("slot_arrives");
        let counter = m.instance("limb_counter", &limb_counter());
        counter.input("slot_taken", arrives).input("limbs", data);
        counter.input("is_limb", long.limb).input("is_head", long.head);
        let continues = (long.limb & !counter.output("final_limb")).named("group_continues");
        let above_3 = data.bits(2..data.width()).any();
        let opens = (!long.heads_are_good)
            .then(|| (long.head & (data.bit(1) | above_3.named("above_3"))).named("group_opens"));
        Self {
            arrives,
            opens: opens.map(|opens| stage.data("slot_opens_reg", opens)),
            continues: Some(stage.data("slot_continues_reg", continues)),
            above_3: Some(above_3),
        }
    }
}

/// The position in a group of the slot in the slot stage.
#[derive(Clone, Copy)]
pub(super) struct Groups<'m> {
    /// A group has begun and is not whole yet.
    pub(super) open: Signal<'m>,
    /// The slot is a head that opens a group.
    pub(super) opens: Signal<'m>,
    /// The slot is a limb of the open group, and not the last.
    pub(super) limb_awaited: Signal<'m>,
    /// The slot is a limb, and not the last if its group is counted.
    continues: Signal<'m>,
    /// The slot is taken.
    pub(super) taken: Signal<'m>,
}

impl<'m> Groups<'m> {
    /// Follows groups. `ready` says that beats are taken, `taken` that a beat with a slot is.
    pub(super) fn new(
        m: &'m Builder,
        slots: OneSlotBeat<'m>,
        long: LongSlot<'m>,
        marks: GroupMarks<'m>,
        ready: Signal<'m>,
        taken: Signal<'m>,
    ) -> Self {
        m.section("Groups: the position of the slot in a group");
        let (opens, continues) = (marks.opens.unwrap_or(long.head), marks.continues.unwrap_or(long.limb));
        let OneSlotBeat { valid, last, .. } = slots;
        let open = m.reg("group_open_reg", 1).reset(0).note("a group is open: limbs are still to come");
        let limb_awaited = (open.q & continues).named("limb_awaited");
        let limb_awaited = limb_awaited.note("a limb of the group, but not the last");
        let frame_ends = (valid & ready & last).named("frame_ends");
        open.next_when(taken | frame_ends, (opens | limb_awaited) & !last);
        Self { open: open.q, opens, limb_awaited, continues, taken }
    }

    /// The slot is part of a group, and not the last of it: a limb of the open group, or, without one, a head that opens a group.
    pub(super) fn unfinished(self) -> Signal<'m> {
        self.open.mux(self.continues, self.opens).named("unfinished")
    }
}
