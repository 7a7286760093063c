//! Decoders: units in, the UCS stream out.
//!
//! ```text
//!            stage 1          stage 2            stage 3          output
//!  units ──> what the    ──>  the sequence  ──>  the slot    ──>  skid      ──> slots
//!            unit is          it stands in       (1 is held)      (2 slots)
//! ```
//!
//! Each system has stages 1 and 2 of its own, [`prefix`] those of all whose lead units tell the length. They say of each unit
//! what it makes certain ([`slots::UnitSlots`]); the rest is the same for all.
//!
//! All stages move together, at a [`pace`] that is a register's: what fans out to every register of the pipeline comes from
//! one.

mod corrected_utf_8;
mod document;
mod output;
mod prefix;
mod slots;
mod utf_18;
mod utf_9;
mod utf_inf_8;

use std::sync::Arc;

use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::Forms;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{UnitsIn, slots_out_ready, units_in, units_in_ready};
use crate::core::shared::tags::{TagStyle, Tags};
use crate::core::spec::ErrorMode;
use crate::core::system::System;
use crate::netlist::{Builder, Module, Signal};
use crate::stream::{connect, skid_buffer};
use output::output;
use slots::{SlotRegister, slots};

/// A beat of one lane of the encoded side.
#[derive(Clone, Copy)]
struct OneUnitBeat<'m> {
    unit: Signal<'m>,
    /// There is a unit.
    unit_valid: Signal<'m>,
    /// The frame ends with the unit, or without one.
    frame_ends: Signal<'m>,
    /// Where the unit stands in the magic number of a document, where frames are such.
    place: Option<Signal<'m>>,
}

/// Builds a decoder core; gives its latency in cycles too.
pub(super) fn decoder(name: &str, system: System, on_error: ErrorMode) -> (Arc<Module>, u32) {
    let m = Builder::new(
        name,
        format!("{} decoder, one unit a cycle, errors by maximal subpart", system.title()),
    );
    let input = units_in(&m, 1, system.unit_bits());
    let m_axis_tready = slots_out_ready(&m);
    let (pace, beat) = take_units(&m, system, input, true);
    let (slot, stages) = decode(&m, system, beat, TagStyle::Codes(on_error), &pace);
    output(&m, slot, on_error, m_axis_tready, &pace);
    (m.built(), stages + 1)
}

/// The half of a transcoder that decodes.
pub(super) struct DecodingHalf {
    /// Units come in as they do into a core. Slots go out at the ports `m_valid`, `m_last`, `m_keep`, `m_error`, and where
    /// there are such, `m_data`, `m_head` and `m_limb`. All move where `m_ready` is high, in which cycle something else
    /// must have a place for what goes out.
    pub(super) module: Arc<Module>,
    /// Cycles from a beat to what it makes certain.
    pub(super) latency: u32,
}

/// Builds the half of a transcoder that decodes: a decoder up to the slot register.
pub(super) fn decoding_half(system: System) -> DecodingHalf {
    let m = Builder::new("decode", format!("{} decoder up to its slot register", system.title()));
    let input = units_in(&m, 1, system.unit_bits());
    m.port_group("Slots");
    let m_ready = m.input("m_ready", 1, "slots move");
    let (pace, beat) = take_units(&m, system, input, false);
    let (slot, stages) = decode(&m, system, beat, TagStyle::Marks, &pace);
    m.drive(pace.advance, m_ready);
    m.port_group("Slots");
    m.output("m_valid", slot.valid, "there is a beat");
    m.output("m_last", slot.last, "it ends the frame");
    m.output("m_keep", slot.keep, "it holds a slot");
    let ports = [
        ("m_error", slot.tag.error, "the slot is an error"),
        ("m_head", slot.tag.head, "the slot is a head"),
        ("m_limb", slot.tag.limb, "the slot is a limb"),
        ("m_data", slot.data, "what the slot holds; of an error, anything"),
    ];
    for (name, signal, note) in ports {
        if let Some(signal) = signal {
            m.output(name, signal, note);
        }
    }
    DecodingHalf { module: m.built(), latency: stages }
}

/// Takes units in: at the pace of the pipeline, or where that can wait for slots, out of a skid buffer.
fn take_units<'m>(
    m: &'m Builder,
    system: System,
    input: UnitsIn<'m>,
    looks_ahead: bool,
) -> (Pace<'m>, OneUnitBeat<'m>) {
    if system != (System::CorrectedUtf8 { document: true }) {
        let pace = Pace::new(m, looks_ahead);
        units_in_ready(m, pace.advance);
        let beat = OneUnitBeat {
            unit: input.tdata,
            unit_valid: (input.tvalid & input.tkeep).named("unit_valid"),
            frame_ends: (input.tvalid & input.tlast).named("frame_ends"),
            place: None,
        };
        return (pace, beat);
    }
    let pace = Pace::with_waits(m, looks_ahead);
    m.section("Input: the skid buffer makes s_axis_tready a register");
    let offered =
        m.concat([document::place(m, input.tdata, input.tkeep), input.tlast, input.tkeep, input.tdata]);
    let buffer = m.instance("input_skid", &skid_buffer(offered.width()));
    let skid = connect(buffer, input.tvalid, offered, pace.take);
    units_in_ready(m, skid.ready.named("input_ready"));
    let bits = system.unit_bits();
    let (valid, payload) = (skid.valid.named("beat_valid"), skid.payload.named("beat"));
    let beat = OneUnitBeat {
        unit: payload.bits(0..bits).named("unit"),
        unit_valid: (valid & payload.bit(bits)).named("unit_valid"),
        frame_ends: (valid & payload.bit(bits + 1)).named("frame_ends"),
        place: Some(payload.bits(bits + 2..payload.width())),
    };
    (pace, beat)
}

/// The stages of a system's decoder, and how many they are.
fn decode<'m>(
    m: &'m Builder,
    system: System,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> (SlotRegister<'m>, u32) {
    let (slot, stages) = match system {
        System::Utf9 { max } => {
            let tags = Tags::new(m, style, &utf_9::KINDS, false);
            let made = utf_9::decode(m, max, beat, &tags, pace);
            (slots(m, made, utf_9::code_bits(max), pace.slots()), 2)
        }
        System::Utf18 => {
            let tags = Tags::new(m, style, &utf_18::KINDS, false);
            let made = utf_18::decode(m, beat, &tags, pace);
            (slots(m, made, utf_18::CODE_BITS, pace.slots()), 2)
        }
        System::CorrectedUtf8 { document } => corrected_utf_8::decode(m, document, beat, style, pace),
        System::UtfInf8 { digits } => utf_inf_8::decode(m, digits, beat, style, pace),
        _ => prefix_system(m, system, beat, style, pace),
    };
    // A skid buffer in front, where units can wait.
    (slot, stages + u32::from(pace.wait.is_some()))
}

/// A system that is its forms and nothing else.
fn prefix_system<'m>(
    m: &'m Builder,
    system: System,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> (SlotRegister<'m>, u32) {
    let forms = Forms::of(system).expect("its lead units tell the length");
    let leads = Leads::new(forms, ErrorKind::Invalid);
    let tags = Tags::new(m, style, &kinds_told(&leads, style), leads.is_long());
    let made = prefix::decode(m, &leads, beat, &tags, pace).made;
    (slots(m, made, leads.code_bits(), pace.slots()), 2)
}

/// The kinds of error that a prefix system's decoder tells.
fn kinds_told(leads: &Leads, style: TagStyle) -> Vec<ErrorKind> {
    match style {
        // In place of limbs.
        TagStyle::Codes(ErrorMode::Drop) => vec![ErrorKind::Truncated],
        _ => leads.kinds(),
    }
}
