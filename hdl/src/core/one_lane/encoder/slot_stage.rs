//! The slot stage of an encoder: the registers between the classification of a slot by itself and its relation to the
//! slots before.
//!
//! The encoding half of a transcoder has no such registers, since the decoding half before it ends with a slot
//! register.

use crate::core::one_lane::slot::{LongSlot, OneSlotBeat};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};

/// The slots that an encoding half takes, and the stage that they pass.
#[derive(Clone, Copy)]
pub(super) struct SlotInput<'m> {
    /// The slots before the stage.
    pub(super) slots: OneSlotBeat<'m>,
    pub(super) stage: SlotStage<'m>,
}

/// The slot stage: registers, or nothing.
#[derive(Clone, Copy)]
pub(super) struct SlotStage<'m> {
    registers: Option<Stage<'m>>,
    /// A beat is taken into the registers, or, without registers, into the buffer after them.
    pub(super) ready: Signal<'m>,
    /// The buffer after the registers takes a beat; `None` where nothing but the registers depends on it.
    pub(super) room: Option<Signal<'m>>,
}

impl<'m> SlotStage<'m> {
    /// Registers that load where `ready` is high. `ready` and, where groups or the first beats of frames are followed, `room` are still
    /// to be [driven](Self::drive_ready).
    pub(super) fn registers(m: &'m Builder, ready: Signal<'m>, needs_room: bool) -> Self {
        let wire = || m.wire("buffer_ready", 1).note("the buffer after the slot register takes a beat");
        let room = needs_room.then(wire);
        Self { registers: Some(m.stage(ready)), ready, room }
    }

    /// No registers: `ready` is that of the buffer.
    pub(super) fn none(ready: Signal<'m>) -> Self {
        Self { registers: None, ready, room: Some(ready) }
    }

    /// Drives `ready` with a register, which is high if there will be room in the buffer, by `room_next`, or in the
    /// slot register.
    pub(super) fn drive_ready(
        self,
        m: &'m Builder,
        slot: OneSlotBeat<'m>,
        room_next: impl FnOnce() -> Signal<'m>,
    ) {
        if self.registers.is_none() {
            return;
        }
        m.section("Ready: there is room in the slot register, or in the buffer after it");
        let ready = m.reg("slot_ready_reg", 1).reset(0);
        ready.next(room_next() | ready.q & !slot.valid);
        m.drive(self.ready, ready.q);
    }

    /// Whether the opening of a frame waits for the first event that is written. This is so after a decoding half that
    /// drops errors: the last unit of a frame may make two slots that are both dropped.
    pub(super) fn opening_waits(self, on_error: ErrorMode) -> bool {
        self.registers.is_none() && on_error == ErrorMode::Drop
    }

    /// The [room](Self::room), where something but the registers depends on it.
    pub(super) fn buffer_ready(self) -> Signal<'m> {
        self.room.expect("the room is known where groups or the first beats of frames are followed")
    }

    /// Whether the stage has registers.
    pub(super) fn has_registers(self) -> bool {
        self.registers.is_some()
    }

    /// Cycles that a slot takes through the stage.
    pub(super) fn latency(self) -> u32 {
        self.registers.map_or(0, |_| 1)
    }

    /// The value of a signal after the stage, in a register called `name`.
    pub(super) fn data(self, name: &str, in_front: Signal<'m>) -> Signal<'m> {
        self.registers.map_or(in_front, |stage| stage.data(name, in_front))
    }

    /// The slot after the stage, with `data` as its data.
    pub(super) fn slot(self, slot: OneSlotBeat<'m>, data: Signal<'m>) -> OneSlotBeat<'m> {
        let Some(stage) = self.registers else { return OneSlotBeat { data, ..slot } };
        OneSlotBeat {
            valid: stage.flag("slot_valid_reg", slot.valid),
            last: stage.data("slot_last_reg", slot.last),
            keep: stage.data("slot_keep_reg", slot.keep),
            data,
            error: stage.data("slot_error_reg", slot.error),
            long: slot.long.map(|long| LongSlot {
                head: stage.data("slot_head_reg", long.head),
                limb: stage.data("slot_limb_reg", long.limb),
                ..long
            }),
        }
    }

    /// Whether the slot after the stage is taken; `arrives` says whether the slot before it is.
    pub(super) fn taken(self, slot: OneSlotBeat<'m>, arrives: Signal<'m>) -> Signal<'m> {
        match self.registers {
            None => arrives,
            Some(_) => (slot.valid & slot.keep & self.buffer_ready()).named("slot_taken"),
        }
    }
}
