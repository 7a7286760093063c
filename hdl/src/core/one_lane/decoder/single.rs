//! Decoders of systems in which every unit, or every word of octets, is a code point: Latin-1, ASCII and UTF-32. One
//! stage, whose registers are the slot register.

use super::pipeline::DecodePipeline;
use super::slots::SlotRegister;
use super::unit::OneUnitBeat;
use super::words::{WordBeat, WordForm};
use crate::core::shared::code_points::{above, surrogate};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::core::system::{LAST_OF_UNICODE, System};
use crate::netlist::{Builder, Signal};

/// Cycles from a beat to the slot register.
const LATENCY: u32 = 1;
/// Bits of a word of UTF-32, and of a code point.
const WORD: u32 = 32;
const CODE_POINT: u32 = 21;

/// What may be wrong with a word.
type Faults<'m> = Vec<(ErrorKind, Signal<'m>)>;

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    system: System,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> DecodePipeline<'m> {
    let form = match system {
        System::Utf32Octets { order, bom } => WordForm::Octets { order, bom },
        _ => WordForm::Unit,
    };
    let kinds: &[ErrorKind] = match system {
        System::Utf32 => &[ErrorKind::Surrogate, ErrorKind::OutOfRange],
        System::Utf32Octets { .. } => &[ErrorKind::Truncated, ErrorKind::Surrogate, ErrorKind::OutOfRange],
        System::Ascii => &[ErrorKind::Invalid],
        _ => &[],
    };
    let tags = Tags::new(m, style, kinds, false);
    let WordBeat { word, whole, frame_ends, cut } = form.words(m, WORD, beat, tags.has_errors(), pace);
    m.section("Slot register: the code point that the word is, or its error");
    let (code_point, faults): (Signal, Faults) = match system {
        System::Latin1 => (word, vec![]),
        System::Ascii => {
            let invalid = (whole & word.bit(7)).named("invalid").note("the octet is 80 or more");
            (word.bits(0..7), vec![(ErrorKind::Invalid, invalid)])
        }
        _ => {
            let code_point = word.bits(0..CODE_POINT);
            let past_last = above(word, LAST_OF_UNICODE.into()).expect("a word has more bits");
            let past_last = (whole & past_last).named("past_last").note("the word is above U+10FFFF");
            let surrogate = (whole & surrogate(code_point)).named("is_surrogate");
            (code_point, vec![(ErrorKind::OutOfRange, past_last), (ErrorKind::Surrogate, surrogate)])
        }
    };
    let keep = if tags.drops_errors() {
        let wrong = faults.iter().map(|&(_, fault)| fault).reduce(|a, b| a | b);
        wrong.map_or(whole, |wrong| whole & !wrong)
    } else {
        cut.map_or(whole, |cut| whole | cut)
    };
    let keep = keep.named("keep").note("there is a slot, not only the end of a frame");
    let tag = faults
        .into_iter()
        .rev()
        .fold(tags.code_point(), |tag, (kind, fault)| Tag::mux(fault, tags.error(kind), tag));
    let tag = cut.map_or(tag, |cut| Tag::mux(cut, tags.error(ErrorKind::Truncated), tag));
    let stage = pace.slots();
    let slot = SlotRegister {
        valid: stage.flag("slot_valid_reg", keep | frame_ends),
        last: stage.data("slot_last_reg", frame_ends),
        keep: stage.data("slot_keep_reg", keep),
        tag: tag.register(stage, "slot"),
        data: Some(stage.data("slot_data_reg", code_point.when(whole))),
    };
    DecodePipeline { slot, latency: LATENCY }
}
