//! Encoders: the UCS stream in, units out.
//!
//! ```text
//!             input   slot           events      skid       1 fit          2 write       output
//!  s_axis ──> what it ──> register ──> what it ──> (2     ──> what is    ──> one unit ──> register ──> m_axis
//!             is                       comes to   beats)     written, or    a cycle
//!                                                            U+FFFD
//! ```
//!
//! Behind a half that decodes there is no slot register: that half ends in one.
//!
//! The slots of a long code point come to one event, and so do those of a group that is cut: [`events`] tells, and from
//! there on nothing else needs to know what a group is. A [`System`] is a [`Writer`]: it says how many units an event
//! takes, and what each of them is.
//!
//! An event stays in stage 1 while its units go out, one a cycle, and the next is there in the cycle after its last.

mod corrected_utf_8;
mod events;
mod groups;
mod limb_counter;
mod prefix;
mod slot_stage;
mod utf_18;
mod utf_9;
mod utf_inf_8;
mod write;

use std::sync::Arc;

use super::slot::{LongSlot, OneSlotBeat};
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::ports::{SlotsIn, UnitsOut, slots_in, slots_in_ready, units_out, units_out_ready};
use crate::core::{ErrorMode, System};
use crate::netlist::{Builder, Module, Signal};
use crate::stream::{Connected, connect, elastic_buffer, register_slice};
use corrected_utf_8::CorrectedUtf8;
use events::events;
use prefix::Prefix;
use slot_stage::SlotStage;
use utf_9::Utf9;
use utf_18::Utf18;
use write::{Unit, Writer, write};

/// Cycles from a slot behind the [`SlotStage`] to the first unit of what it comes to: the skid buffer, stage 1 and the output
/// register.
const LATENCY: u32 = 3;

/// Builds an encoder; gives its latency in cycles too.
pub(super) fn encoder(name: &str, system: System, on_error: ErrorMode) -> (Arc<Module>, u32) {
    let m = Builder::new(name, format!("{} encoder, one unit a cycle", system.title()));
    let input = slots_in(&m, 1);
    let m_axis_tready = units_out_ready(&m);
    let slots = slots(&m, &input);
    let ready = m.wire("slots_ready", 1).note("a beat is taken");
    slots_in_ready(&m, ready);
    let EncodingHalf { units, latency } =
        encode_behind(&m, system, on_error, (slots, SlotStage::registers(&m, ready)), m_axis_tready);
    units_out(&m, units);
    (m.built(), latency)
}

/// What the ports say of a slot.
fn slots<'m>(m: &'m Builder, input: &SlotsIn<'m>) -> OneSlotBeat<'m> {
    m.section("Input: what a slot is");
    let user = input.tuser;
    let long = user.bits(1..4).all().named("slot_long").note("14 and 15: part of a long code point");
    let head = (long & !user.bit(0)).named("slot_head");
    let limb = (long & user.bit(0)).named("slot_limb");
    let error = (user.any() & !long).named("slot_error");
    OneSlotBeat {
        valid: input.tvalid,
        last: input.tlast,
        keep: input.tkeep,
        data: input.tdata,
        error,
        long: Some(LongSlot { head, limb }),
    }
}

/// The half of a core that encodes.
pub(super) struct EncodingHalf<'m> {
    /// What goes out: registers.
    pub(super) units: UnitsOut<'m>,
    /// Cycles from a slot taken to the first unit of what it comes to.
    pub(super) latency: u32,
}

/// The half of a core that encodes: slots in, units out, both sides registered. Drives `ready`, which says that it takes a
/// slot, with a register.
pub(super) fn encode<'m>(
    m: &'m Builder,
    system: System,
    on_error: ErrorMode,
    slots: OneSlotBeat<'m>,
    ready: Signal<'m>,
    units_ready: Signal<'m>,
) -> EncodingHalf<'m> {
    encode_behind(m, system, on_error, (slots, SlotStage::none(ready)), units_ready)
}

/// As [`encode`], with a cut behind what a slot is.
fn encode_behind<'m>(
    m: &'m Builder,
    system: System,
    on_error: ErrorMode,
    (slots, cut): (OneSlotBeat<'m>, SlotStage<'m>),
    units_ready: Signal<'m>,
) -> EncodingHalf<'m> {
    if let (System::UtfInf8 { digits }, Some(_)) = (system, slots.long) {
        return utf_inf_8::encode(m, digits, on_error, (slots, cut), units_ready);
    }
    let writer = writer(system);
    let advance = m.wire("advance", 1).note("the output register takes a unit");
    let event = events(m, (slots, cut), writer.as_ref(), on_error);

    let taken = m.wire("event_taken", 1);
    let buffer = buffered(m, event.valid, event.payload(m), taken, (slots, cut));
    let beat = event.unpacked(buffer.valid, buffer.payload);

    let unit = write(m, writer.as_ref(), on_error, (beat, cut.opening_waits(on_error)), taken, advance);
    EncodingHalf { units: output(m, unit, units_ready, advance), latency: LATENCY + cut.latency() }
}

/// The buffer of two events, behind a cut; drives its `room` and `ready`.
fn buffered<'m>(
    m: &'m Builder,
    valid: Signal<'m>,
    payload: Signal<'m>,
    taken: Signal<'m>,
    (slots, cut): (OneSlotBeat<'m>, SlotStage<'m>),
) -> Connected<'m> {
    m.section("Input buffer: makes ready a register");
    let buffer = m.instance("input_buffer", &elastic_buffer(payload.width()));
    let buffer = connect(buffer, valid, payload, taken);
    m.drive(cut.room, buffer.ready.named("input_ready"));
    cut.drive_ready(m, slots, || !(buffer.valid & !taken & (valid | !buffer.ready)));
    Connected {
        ready: buffer.ready,
        valid: buffer.valid.named("beat_valid"),
        payload: buffer.payload.named("beat"),
    }
}

/// The register that units go out from.
fn output<'m>(m: &'m Builder, unit: Unit<'m>, ready: Signal<'m>, advance: Signal<'m>) -> UnitsOut<'m> {
    m.section("Output register");
    let fields = [unit.fault, unit.last, unit.keep, unit.unit];
    let slice = m.instance("output_slice", &register_slice(3 + unit.unit.width()));
    let slice = connect(slice, unit.valid, m.concat(fields), ready);
    m.drive(advance, slice.ready.named("output_ready"));
    let beat = slice.payload.named("output_beat");
    let bits = unit.unit.width();
    UnitsOut {
        units: vec![beat.bits(0..bits)],
        tkeep: beat.bit(bits),
        tlast: beat.bit(bits + 1),
        tuser: beat.bit(bits + 2),
        tvalid: slice.valid.named("output_valid"),
    }
}

/// How a system writes.
fn writer(system: System) -> Box<dyn Writer> {
    match system {
        System::Utf9 { max } => Box::new(Utf9 { max }),
        System::Utf18 => Box::new(Utf18),
        System::CorrectedUtf8 { document } => Box::new(CorrectedUtf8::new(document)),
        // `utf-inf-8` from a source without long code points; from others, it has an encoding half of its own.
        _ => Box::new(Prefix::new(SequenceForms::of(system).expect("its lead units tell the length"))),
    }
}
