//! Decoders of one lane: units in, the UCS stream out.
//!
//! ```text
//!            stage 1             stage 2             slot           output
//!  units ──> what the unit  ──>  the sequence   ──>  register  ──>  skid    ──> slots
//!            is by itself        it stands in        (holds 1)      buffer
//! ```
//!
//! Stages 1 and 2 differ from system to system; [`prefix`] has those of all prefix systems. Systems in which every unit
//! is a code point have [one stage](single) for both. They say which slots each
//! unit makes certain ([`UnitSlots`](slots::UnitSlots)), at most two. The slot register and the output are the same for
//! all systems. `corrected-utf-8` and `utf-inf-8` have a stage more, in which the data of the slot is completed.
//!
//! All stages move together ([`Pace`](crate::core::shared::pace::Pace)).

mod auto;
mod cesu_8;
mod corrected_utf_8;
mod document;
mod indexed;
mod judge;
mod lines;
mod mark_of_system;
mod output;
mod pipeline;
mod prefix;
mod single;
mod slots;
mod stream_observer;
mod stream_places;
mod streams;
mod two_stage;
mod unit;
mod utf_1;
mod utf_16;
mod utf_18;
mod utf_7;
mod utf_8_bom;
mod utf_9;
mod utf_ebcdic;
mod utf_inf_8;
mod words;
mod written_table;
mod wtf_8;

pub(super) use judge::{Judged, judge};

use std::sync::Arc;

use crate::core::shared::pace::Pace;
use crate::core::shared::ports::{slots_out_ready, units_of};
use crate::core::shared::single::Words;
use crate::core::shared::tags::TagStyle;
use crate::core::{Auto, Choose, CoreSpec, DEFAULT_DIGITS, MultiOctet, System, software_only};
use crate::netlist::{Builder, Module};
use cesu_8::Cesu8Decoder;
use output::output;
use pipeline::DecodePipeline;
use prefix::PrefixDecoder;
pub(super) use slots::{Offsets, SlotUnit};
pub(super) use stream_observer::observer_of_streams;
use two_stage::TwoStageDecoder;
pub(super) use unit::{OneUnitBeat, take_streams, take_units, without_waits};
use utf_1::Utf1Decoder;
use utf_7::Utf7Decoder;
use utf_8_bom::Utf8BomDecoder;
use utf_9::Utf9Decoder;
use utf_16::Utf16Decoder;
use utf_18::Utf18Decoder;
use utf_ebcdic::UtfEbcdicDecoder;
use words::WordForm;
pub(in crate::core) use written_table::SWEEP;
use wtf_8::Wtf8Decoder;

/// Builds a decoder core; gives its latency in cycles, too.
pub(super) fn decoder(spec: &CoreSpec, name: &str) -> (Arc<Module>, u32) {
    if spec.streams > 0 {
        return streams::decoder(spec, name);
    }
    let CoreSpec { system, position, .. } = *spec;
    if let (System::Table(set), true) = (system, spec.table_port.is_there()) {
        return written_table::decoder(spec, set, name);
    }
    let m = Builder::new(
        name,
        format!("{} decoder, one unit a cycle, errors by maximal subpart", system.title()),
    );
    let input = units_of(&m, system, 1);
    let m_axis_tready = slots_out_ready(&m);
    let (pace, beat) = take_units(&m, system, input, true);
    let pipeline =
        decode(&m, system, beat, TagStyle::Codes(spec.on_error), &pace, Offsets::position(position, system));
    let latency = pipeline.latency + 1;
    output(&m, pipeline, spec, m_axis_tready, &pace);
    (built(m, system), latency)
}

/// The module of a decoder, or of the decoding half of a transcoder.
fn built(m: Builder, system: System) -> Arc<Module> {
    match system {
        // With some limits of digits, a comparison with the limit has one result, and its operands are not read.
        System::UtfInf8 { digits } if digits != DEFAULT_DIGITS => m.built_trimmed(),
        // Tables and classes have bits that not all sets read.
        System::MultiOctet(_) | System::Auto(_) => m.built_trimmed(),
        // The bits left over at the end of a run matter to errors alone.
        System::Utf7 { .. } => m.built_trimmed(),
        _ => m.built(),
    }
}

/// The decoding half of a transcoder.
pub(super) struct DecodingHalf {
    /// A decoder up to its slot register, without an output stage. Its input ports are those of a core. Slots go out at
    /// the ports `m_valid`, `m_last`, `m_keep`, and, if the system needs them, `m_error`, `m_data`, `m_head` and
    /// `m_limb`. All stages move while `m_ready` is high; in such a cycle the encoding half takes the slot.
    pub(super) module: Arc<Module>,
    /// Cycles from a beat to the slots that it makes certain.
    pub(super) latency: u32,
}

/// Builds the decoding half of a transcoder.
pub(super) fn decoding_half(system: System) -> DecodingHalf {
    let m = Builder::new("decode", format!("{} decoder up to its slot register", system.title()));
    let input = units_of(&m, system, 1);
    m.port_group("Slots");
    let m_ready = m.input("m_ready", 1, "the slot register moves");
    let (pace, beat) = take_units(&m, system, input, false);
    let DecodePipeline { slot, latency } =
        decode(&m, system, beat, TagStyle::Marks, &pace, Offsets::position(0, system));
    m.drive(pace.advance, m_ready);
    m.port_group("Slots");
    m.output("m_valid", slot.valid, "beat is offered");
    m.output("m_last", slot.last, "beat ends the frame");
    m.output("m_keep", slot.keep, "beat holds a slot");
    let ports = [
        ("m_error", slot.tag.error, "slot is an error"),
        ("m_head", slot.tag.head, "slot is a head"),
        ("m_limb", slot.tag.limb, "slot is a limb"),
        ("m_data", slot.data, "code point, number of limbs or limb; anything in an error"),
    ];
    for (name, signal, note) in ports {
        if let Some(signal) = signal {
            m.output(name, signal, note);
        }
    }
    DecodingHalf { module: built(m, system), latency }
}

/// The pipeline of a decoder.
pub(super) fn decode<'m>(
    m: &'m Builder,
    system: System,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> DecodePipeline<'m> {
    let pipeline = match Stages::of(system) {
        Stages::One(words) => single::decode(m, words, beat, style, pace, offsets),
        Stages::Two(decoder) => two_stage::decode(m, &*decoder, beat, style, pace, offsets),
        Stages::Corrected { document, private } => {
            corrected_utf_8::decode(m, document, private, beat, (style, offsets), pace)
        }
        Stages::Indexed(set) => indexed::decode(m, set, beat, style, pace, offsets),
        Stages::Chosen(auto) => auto::decode(m, auto, beat, style, pace, offsets),
        Stages::Endless { digits } => utf_inf_8::decode(m, digits, beat, style, pace, offsets),
    };
    // If the first stages can wait, a skid buffer precedes them.
    let waits = match system {
        System::Auto(auto) if auto.choose() == Choose::Mark => mark_of_system::LATENCY,
        _ => u32::from(pace.wait.is_some()),
    };
    let latency = pipeline.latency + waits;
    DecodePipeline { latency, ..pipeline }
}

/// The stages that read the units of a system, by their number.
enum Stages {
    /// Each word is a code point or an error.
    One(Words),
    Two(Box<dyn TwoStageDecoder>),
    /// `corrected-utf-8`: two stages, and one that adds offsets.
    Corrected {
        document: bool,
        private: bool,
    },
    /// Sets of several octets: a stage for a table, and two.
    Indexed(MultiOctet),
    /// A list of systems, of which one is chosen for each frame: two stages.
    Chosen(Auto),
    /// `utf-inf-8`: three stages, and one for heads.
    Endless {
        digits: u64,
    },
}

impl Stages {
    fn of(system: System) -> Self {
        if let Some(words) = Words::of(system) {
            return Self::One(words);
        }
        Self::Two(match system {
            System::CorrectedUtf8 { document, private } => {
                return Self::Corrected { document, private };
            }
            System::UtfInf8 { digits } => return Self::Endless { digits },
            System::MultiOctet(set) => return Self::Indexed(set),
            System::Auto(auto) => return Self::Chosen(auto),
            System::Utf9 { max } => Box::new(Utf9Decoder { max: max.code_point() }),
            System::Utf18 => Box::new(Utf18Decoder),
            System::Utf8Bom { .. } => Box::new(Utf8BomDecoder::of(system)),
            System::Utf16 => Box::new(Utf16Decoder { form: WordForm::Unit }),
            System::Utf16Octets { order, bom } => {
                Box::new(Utf16Decoder { form: WordForm::Octets { order, bom } })
            }
            System::Cesu8 | System::Mutf8 => Box::new(Cesu8Decoder::of(system)),
            System::Wtf8 => Box::new(Wtf8Decoder::of(system)),
            System::Utf8
            | System::Utf8Rfc2279
            | System::Utf8EightByte
            | System::Utf8SixtyFiveBit
            | System::Hunk(_)
            | System::UtfEbcdicI8 { .. } => Box::new(PrefixDecoder::of(system)),
            System::Latin1
            | System::Ascii
            | System::Table(_)
            | System::Ucs2
            | System::Ucs2Octets { .. }
            | System::Utf32 { .. }
            | System::Utf32Octets { .. } => unreachable!("their words are code points or errors"),
            System::UtfEbcdic { max } => Box::new(UtfEbcdicDecoder::new(max)),
            System::Utf1 { max } => Box::new(Utf1Decoder { max: max.code_point() }),
            System::Utf7 { .. } => Box::new(Utf7Decoder),
            software_only!() => unreachable!("there are no such decoders"),
        })
    }
}
