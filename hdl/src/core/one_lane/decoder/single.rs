//! Decoders of systems in which every unit, or every word of octets, is a code point: Latin-1, ASCII,
//! UCS-2 and UTF-32. One
//! stage, whose registers are the slot register.

use super::pipeline::DecodePipeline;
use super::slots::{Offsets, Others, OwnSlot, Positions, SlotRegister, SlotUnit, UnitSlots};
use super::unit::OneUnitBeat;
use super::words::{WordBeat, WordForm};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::single::{Single, Words};
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::Builder;

/// Cycles from a beat to the slot register.
const LATENCY: u32 = 1;

/// The slots that the units, or the octets, of words make certain.
pub(super) fn unit_slots<'m>(
    m: &'m Builder,
    words: Words,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> UnitSlots<'m> {
    let tags = Tags::new(m, style, &kinds(words), false);
    slots_of_words(m, words, beat, &tags, pace)
}

/// The kinds of error that the units, or the octets, of words make.
fn kinds(words: Words) -> Vec<ErrorKind> {
    let of_octets = words.octets.map(|_| ErrorKind::Truncated);
    of_octets.into_iter().chain(words.kinds()).collect()
}

/// The slots of words, with these tags.
pub(super) fn slots_of_words<'m>(
    m: &'m Builder,
    words: Words,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> UnitSlots<'m> {
    let form = words.octets.map_or(WordForm::Unit, |(order, bom)| WordForm::Octets { order, bom });
    let WordBeat { word, whole, begins, frame_ends, cut } =
        form.words(m, words.bits, beat, tags.has_errors(), pace);
    m.section(
        tags.heading("Slot register: the code point of the word, or its error", "The error of the word"),
    );
    let Single { code_point, faults } = words.single(word, whole);
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
    let low = match words.octets {
        // Of a multiplexer, some tools make a synchronous reset, whose net waits for the test of the mark. A gate has room beside the order.
        Some((_, true)) => code_point & whole.repeat(code_point.width() as usize),
        _ => code_point.when(whole),
    };
    let low = Some(low);
    let own = OwnSlot { is: keep | frame_ends, keep, tag, above: None, low };
    UnitSlots { unit_valid: Some(beat.unit_valid), frame_ends, early: None, own, begins: Some(begins) }
}

/// The decoder up to its slot register.
pub(super) fn decode<'m>(
    m: &'m Builder,
    words: Words,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
    offsets: Offsets,
) -> DecodePipeline<'m> {
    let slots = unit_slots(m, words, beat, style, pace);
    let stage = pace.slots();
    let position = Positions::new(m, &slots, offsets, stage);
    let unit = SlotUnit::new(m, offsets, &slots, Others::None, stage);
    let UnitSlots { frame_ends, own: OwnSlot { is, keep, tag, low, .. }, .. } = slots;
    let slot = SlotRegister {
        valid: stage.flag("slot_valid_reg", is),
        last: stage.data("slot_last_reg", frame_ends),
        keep: stage.data("slot_keep_reg", keep),
        tag: tag.register(stage, "slot"),
        data: low.map(|low| stage.data("slot_data_reg", low)),
        position: position.map(|position| position.register(None, stage)),
        unit,
        units: None,
    };
    DecodePipeline { slot, latency: LATENCY }
}
