//! Encoders of one lane: the UCS stream in, units out.
//!
//! ```text
//!             what a     slot           what slots      buffer    stage 1          stage 2       output
//!  s_axis ──> slot is ──> register ──>  amount to  ──>  (2     ──> the event   ──> one unit ──> register ──> m_axis
//!             by itself                 together        events)    to write        a cycle
//! ```
//!
//! The encoding half of a transcoder has no slot register: the decoding half before it ends with one.
//!
//! [`events`](mod@events) makes one event of all the slots of a long code point, or of a group of slots that breaks the
//! rules of the bus. The stages after it know nothing of groups. A [`Writer`] describes a system to its encoder: the
//! number of units of a code point, and the value of each unit. An event stays in stage 1 while its units go out, one a
//! cycle; the next event is there in the cycle after the last unit.
//!
//! The sets of several octets have [stages](indexed) for tables in memory in place of the slot register.
//!
//! Code points of any length cannot be held whole: the encoder of `utf-inf-8` has [stages of its own](utf_inf_8)
//! between the slot register and the output register.

mod cesu_8;
mod corrected_utf_8;
mod event;
mod events;
mod groups;
mod half;
mod held_limbs;
mod indexed;
mod opening;
mod pass;
mod positions;
mod prefix;
mod single;
mod slot_stage;
mod surrogate_pairs;
mod utf_16;
mod utf_18;
mod utf_9;
mod utf_inf_8;
mod words;
mod write;
mod writer;

use std::sync::Arc;

use super::slot::{LongSlot, OneSlotBeat};
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::opening::units;
use crate::core::shared::ports::{SlotsIn, slots_in, slots_in_ready, units_out, units_out_ready};
use crate::core::shared::single::Words;
use crate::core::spec::ErrorMode;
use crate::core::{Bus, CoreSpec, System, decoded_only, software_only};
use crate::netlist::{Builder, Module, Signal};
use cesu_8::Cesu8Writer;
use corrected_utf_8::CorrectedUtf8Writer;
use events::events;
pub(super) use half::EncodingHalf;
use half::{LATENCY, OutputRegister, buffered, output};
use indexed::IndexedWriter;
use prefix::PrefixWriter;
use single::SingleWriter;
use slot_stage::{SlotInput, SlotStage};
use utf_9::Utf9Writer;
use utf_16::Utf16Writer;
use utf_18::Utf18Writer;
use write::write;
use writer::Writer;

/// Builds an encoder core; gives its latency in cycles, too.
pub(super) fn encoder(name: &str, spec: &CoreSpec) -> (Arc<Module>, u32) {
    let CoreSpec { system, on_error, bus, .. } = *spec;
    let m = Builder::new(name, format!("{} encoder, one unit a cycle", system.title()));
    let is_long = writer(system).code_bits() > 32;
    let input = slots_in(&m, 1, is_long, bus);
    let m_axis_tready = units_out_ready(&m);
    let slots = slots(&m, &input, bus);
    let ready = m.wire("slots_ready", 1).note("a beat is taken");
    slots_in_ready(&m, ready);
    let needs_room = slots.long.is_some() || !units(system).is_empty();
    let stage = match writer(system).look_up_stages() {
        0 => SlotStage::registers(&m, ready, needs_room),
        _ => SlotStage::none(ready),
    };
    let EncodingHalf { units, latency } =
        encode(&m, system, on_error, SlotInput { slots, stage }, m_axis_tready);
    units_out(&m, units);
    let module = match system {
        // The data of a slot is read up to the stage that counts limbs, or to that of its code point.
        System::MultiOctet(_) => m.built_trimmed(),
        _ => m.built(),
    };
    (module, latency)
}

/// The slots that the ports offer.
fn slots<'m>(m: &'m Builder, input: &SlotsIn<'m>, bus: Bus) -> OneSlotBeat<'m> {
    m.section("Input: class of the slot");
    let user = input.tuser;
    let SlotsIn { tdata: data, tkeep: keep, tvalid: valid, tlast: last, .. } = *input;
    if bus == Bus::Short {
        let error = user.any().named("slot_error");
        return OneSlotBeat { valid, last, keep, data, error, long: None };
    }
    let long = user.bits(1..4).all().named("slot_long").note("14 or 15: part of a long code point");
    let head = (long & !user.bit(0)).named("slot_head");
    let limb = (long & user.bit(0)).named("slot_limb");
    let error = (user.any() & !long).named("slot_error");
    OneSlotBeat { valid, last, keep, data, error, long: Some(LongSlot { head, limb, heads_are_good: false }) }
}

/// The encoding half of a transcoder, after a decoding half that ends with a slot register. Drives `ready`, a register
/// which says that a slot is taken.
pub(super) fn encoding_half<'m>(
    m: &'m Builder,
    system: System,
    on_error: ErrorMode,
    slots: OneSlotBeat<'m>,
    ready: Signal<'m>,
    units_ready: Signal<'m>,
) -> EncodingHalf<'m> {
    encode(m, system, on_error, SlotInput { slots, stage: SlotStage::none(ready) }, units_ready)
}

/// The encoding half of a core, from the slot stage to the output register.
fn encode<'m>(
    m: &'m Builder,
    system: System,
    on_error: ErrorMode,
    input: SlotInput<'m>,
    units_ready: Signal<'m>,
) -> EncodingHalf<'m> {
    if let (System::UtfInf8 { digits }, Some(long)) = (system, input.slots.long) {
        return utf_inf_8::encode(m, digits, on_error, input, long, units_ready);
    }
    let writer = writer(system);
    let advance = m.wire("advance", 1).note("the output register takes a unit");
    let opening = units(system);
    let event = events(m, input, writer.as_ref(), !opening.is_empty(), on_error);
    let taken = m.wire("event_taken", 1);
    let event = buffered(m, event, taken, input);
    let opening = (opening, input.stage.opening_waits(on_error));
    let register = OutputRegister { ready: units_ready, advance };
    let unit = write(m, writer.as_ref(), on_error, event, opening, taken, register);
    let latency = LATENCY + writer.look_up_stages() + input.stage.latency();
    EncodingHalf { units: output(m, unit, units_ready, advance), latency }
}

/// How a system writes.
fn writer(system: System) -> Box<dyn Writer> {
    let prefix = || PrefixWriter::new(SequenceForms::of(system).expect("a prefix system"));
    match system {
        System::Utf9 { max } => Box::new(Utf9Writer { max: max.code_point() }),
        System::Utf18 => Box::new(Utf18Writer),
        System::CorrectedUtf8 { document, private } => Box::new(CorrectedUtf8Writer::new(document, private)),
        System::Utf16 => Box::new(Utf16Writer { order: None }),
        System::Utf16Octets { order, .. } => Box::new(Utf16Writer { order: Some(order) }),
        System::Latin1
        | System::Ascii
        | System::Table(_)
        | System::Ucs2
        | System::Ucs2Octets { .. }
        | System::Utf32 { .. }
        | System::Utf32Octets { .. } => {
            let words = Words::of(system).expect("each word is a code point or an error");
            Box::new(SingleWriter(words))
        }
        System::MultiOctet(set) => Box::new(IndexedWriter { set }),
        System::Auto(_) | decoded_only!() | software_only!() => unreachable!("there are no such encoders"),
        System::Cesu8 => Box::new(Cesu8Writer { long_nul: false }),
        System::Mutf8 => Box::new(Cesu8Writer { long_nul: true }),
        System::Wtf8 => Box::new(prefix().without_surrogate_pairs()),
        System::Utf8
        | System::Utf8Bom { .. }
        | System::Utf8Rfc2279
        | System::Utf8EightByte
        | System::Utf8SixtyFiveBit
        | System::Hunk(_)
        | System::UtfEbcdicI8 { .. } => Box::new(prefix()),
        // After a source without long code points, `utf-inf-8` is written like a prefix system.
        System::UtfInf8 { .. } => Box::new(prefix()),
    }
}
