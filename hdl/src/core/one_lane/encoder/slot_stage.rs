//! Where what a slot is, by itself, ends, and what it comes to behind others begins.

use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};

/// A stage of registers between the two, or none.
#[derive(Clone, Copy)]
pub(super) struct SlotStage<'m> {
    stage: Option<Stage<'m>>,
    /// A beat is taken into the stage; without one, into the buffer behind.
    pub(super) ready: Signal<'m>,
    /// The buffer takes a beat.
    pub(super) room: Signal<'m>,
}

impl<'m> SlotStage<'m> {
    /// Registers that load where `ready` is high; `ready` is driven [behind](Self::buffered).
    pub(super) fn registers(m: &'m Builder, ready: Signal<'m>) -> Self {
        let room = m.wire("buffer_ready", 1).note("the buffer takes a beat");
        Self { stage: Some(m.stage(ready)), ready, room }
    }

    /// Nothing in between: `ready` is that of the buffer.
    pub(super) fn none(ready: Signal<'m>) -> Self {
        Self { stage: None, ready, room: ready }
    }

    /// Drives `ready`, which is high where there is room in the stage or behind it. Next there is in the buffer where
    /// `room_next` is high, and in the stage if it takes nothing now.
    pub(super) fn drive_ready(
        self,
        m: &'m Builder,
        slot: OneSlotBeat<'m>,
        room_next: impl FnOnce() -> Signal<'m>,
    ) {
        if self.stage.is_none() {
            return;
        }
        m.section("Ready: room in the slot register, or in the buffer behind it");
        let ready = m.reg("slot_ready_reg", 1).reset(0);
        ready.next(room_next() | ready.q & !slot.valid);
        m.drive(self.ready, ready.q);
    }

    /// Whether the opening of a frame waits for what is written: there is a half that decodes in front, and the last unit of a
    /// frame may make two slots of which both are dropped.
    pub(super) fn opening_waits(self, on_error: ErrorMode) -> bool {
        self.stage.is_none() && on_error == ErrorMode::Drop
    }

    /// Cycles that it takes.
    pub(super) fn latency(self) -> u32 {
        self.stage.map_or(0, |_| 1)
    }

    /// `found`, of a slot, behind the cut; a register has that name.
    pub(super) fn data(self, name: &str, found: Signal<'m>) -> Signal<'m> {
        self.stage.map_or(found, |stage| stage.data(name, found))
    }

    /// The slot behind the cut, with `data` in place of its own.
    pub(super) fn slot(self, slot: OneSlotBeat<'m>, data: Signal<'m>) -> OneSlotBeat<'m> {
        let Some(stage) = self.stage else { return OneSlotBeat { data, ..slot } };
        OneSlotBeat {
            valid: stage.flag("slot_valid_reg", slot.valid),
            last: stage.data("slot_last_reg", slot.last),
            keep: stage.data("slot_keep_reg", slot.keep),
            data,
            error: stage.data("slot_error_reg", slot.error),
            long: slot.long.map(|long| LongSlot {
                head: stage.data("slot_head_reg", long.head),
                limb: stage.data("slot_limb_reg", long.limb),
            }),
        }
    }

    /// Whether the slot behind the cut is taken; in front of it, `arrives` says so.
    pub(super) fn taken(self, slot: OneSlotBeat<'m>, arrives: Signal<'m>) -> Signal<'m> {
        match self.stage {
            None => arrives,
            Some(_) => (slot.valid & slot.keep & self.room).named("slot_taken"),
        }
    }
}
