//! The encoding half of a core: its buffer of events and its output register, which are the same for all systems.

use super::event::{Event, EventWhat};
use super::slot_stage::SlotInput;
use crate::core::shared::ports::UnitsOut;
use crate::netlist::{Builder, Reg, Signal};
use crate::stream::{Fields, connect, elastic_buffer, register_slice};

/// Cycles from a slot in the [slot stage](super::slot_stage) to the first unit that is written for it: through the
/// buffer of events, stage 1 and the output register.
pub(super) const LATENCY: u32 = 3;

/// The encoding half of a core.
pub(in super::super) struct EncodingHalf<'m> {
    /// The units that go out: registers.
    pub(in super::super) units: UnitsOut<'m>,
    /// Cycles from a slot that is taken to the first unit that is written for it.
    pub(in super::super) latency: u32,
}

/// A beat of one unit on its way to the output.
#[derive(Clone, Copy)]
pub(super) struct UnitOut<'m> {
    pub(super) valid: Signal<'m>,
    pub(super) last: Signal<'m>,
    pub(super) keep: Signal<'m>,
    /// The frame held something that could not be written; low where `last` is.
    pub(super) fault: Signal<'m>,
    pub(super) unit: Signal<'m>,
}

/// The output register, as stage 1 sees it.
#[derive(Clone, Copy)]
pub(super) struct OutputRegister<'m> {
    /// The neighbour takes the unit that the register holds.
    pub(super) ready: Signal<'m>,
    /// The register takes a unit.
    pub(super) advance: Signal<'m>,
}

/// The enable of stage 1, by which it loads the next pass: the last unit of the pass before goes out, or there is none.
///
/// If nothing is being written, the next pass could be loaded although the output waits. This would gain nothing, since the pass would wait
/// for the same output. A register holds the part of the enable that is known a cycle before, so that the enable is one LUT: in some FPGAs, its
/// net to all registers of the stage is slow.
pub(super) struct Load<'m> {
    pub(super) is: Signal<'m>,
    /// A unit is in the output register, or others follow the one that is being written.
    waits: Reg<'m>,
    output: OutputRegister<'m>,
}

impl<'m> Load<'m> {
    /// `goes_on`, a register, says that others follow the unit that is being written.
    pub(super) fn new(m: &'m Builder, output: OutputRegister<'m>, goes_on: Signal<'m>) -> Self {
        let waits = m.reg("waits_reg", 1).reset(0).note("a unit is in the output register, or others follow");
        let is = (!waits.q | output.ready & !goes_on).named("load");
        Self { is: is.note("the last unit goes out, or there is none"), waits, output }
    }

    /// Drives the register. `valid` says that something is being written, `begins` that the next pass has more than one unit.
    /// Gives what the register will be.
    pub(super) fn drive(&self, valid: Signal<'m>, begins: Signal<'m>) -> Signal<'m> {
        let waits = !self.output.advance | valid | begins;
        self.waits.next(waits);
        waits
    }
}

/// The buffer of two events, which drives the `room` and `ready` of the slot stage. Returns the event at its output.
pub(super) fn buffered<'m, W: EventWhat<'m>>(
    m: &'m Builder,
    event: Event<'m, W>,
    taken: Signal<'m>,
    input: SlotInput<'m>,
) -> Event<'m, W> {
    let payload = event.payload(m);
    m.section("Input buffer: makes ready a register");
    let buffer = m.instance("input_buffer", &elastic_buffer(payload.width()));
    let buffer = connect(buffer, event.valid, payload, taken);
    if let Some(room) = input.stage.room {
        m.drive(room, buffer.ready.named("input_ready"));
    }
    let room_next = || !(buffer.valid & !taken & (event.valid.or_named("event_arrives") | !buffer.ready));
    input.stage.drive_ready(m, input.slots, room_next);
    event.unpacked(buffer.valid.named("beat_valid"), buffer.payload.named("beat"))
}

/// The output register; drives `advance`, which says that it takes a unit.
pub(super) fn output<'m>(
    m: &'m Builder,
    unit: UnitOut<'m>,
    ready: Signal<'m>,
    advance: Signal<'m>,
) -> UnitsOut<'m> {
    m.section("Output register");
    let fields = [unit.fault, unit.last, unit.keep, unit.unit];
    let slice = m.instance("output_slice", &register_slice(3 + unit.unit.width()));
    let slice = connect(slice, unit.valid, m.concat(fields), ready);
    m.drive(advance, slice.ready.named("output_ready"));
    let mut fields = Fields::of(slice.payload.named("output_beat"));
    UnitsOut {
        tuser: fields.next(unit.fault, "output_fault"),
        tlast: fields.next(unit.last, "output_last"),
        tkeep: fields.next(unit.keep, "output_keep"),
        units: vec![fields.next(unit.unit, "output_unit")],
        tvalid: slice.valid.named("output_valid"),
    }
}
