//! The decoder of UTF-16, The Unicode Standard, §3.9: a code point is a word, or a pair of surrogates, the high one
//! first.
//!
//! A high surrogate waits for the next word. If that is no low surrogate, or if the frame ends, the high surrogate is
//! an error, and the next word makes a slot of its own.

use super::slots::{EarlySlot, OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use super::words::{WordBeat, WordForm};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Signal};

/// Bits of a word.
const WORD: u32 = 16;
/// Bits of a code point that each surrogate of a pair holds.
const SURROGATE_DATA: u32 = 10;
/// A surrogate without its last eleven bits. The topmost of the eleven is 1 in a low surrogate.
const SURROGATE: u64 = 0xd800 >> 11;

/// The decoder.
pub(super) struct Utf16Decoder {
    pub(super) form: WordForm,
}

/// The registers of stage 1: the class of a word by itself.
struct WordClass<'m> {
    whole: Signal<'m>,
    frame_ends: Signal<'m>,
    cut: Option<Signal<'m>>,
    high: Signal<'m>,
    low: Signal<'m>,
    /// The word, of a surrogate only the bits of the code point.
    payload: Signal<'m>,
    /// The tag of the word if no high surrogate waits.
    alone: Tag<'m>,
}

impl TwoStageDecoder for Utf16Decoder {
    fn kinds(&self, _: TagStyle) -> Vec<ErrorKind> {
        match self.form {
            WordForm::Unit => vec![ErrorKind::Surrogate],
            WordForm::Octets { .. } => vec![ErrorKind::Truncated, ErrorKind::Surrogate],
        }
    }

    fn code_bits(&self) -> u32 {
        21
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        let words = self.form.words(m, WORD, beat, tags.has_errors(), pace);
        let pairs = pace.sequence((words.whole | words.frame_ends).named("present"));
        let class = classify(m, words, tags, pace);
        let WordClass { whole, frame_ends, cut, high, low, payload, alone } = class;
        let unit_valid = Some(whole).filter(|_| self.form == WordForm::Unit);

        m.stage_section(2, "the open pair");
        let open = m.reg("open_reg", 1).reset(0).note("a high surrogate waits for the low one");
        let opens = (high & !frame_ends).named("opens");
        open.next_when(pairs.enable, opens);
        // A pair holds the code point less 10000.
        let top = m.concat([m.lit(1, 0), payload.bits(6..SURROGATE_DATA)]) + m.lit(5, 1);
        let upper = m.concat([top.named("top"), payload.bits(0..6)]).when(opens);
        // The register has a reset, since every slot reads it: without one, old bits would go into the first word of
        // the next frame.
        let above = m
            .reg("upper_reg", upper.width())
            .reset(0)
            .note("upper bits of the open pair's code point, else zero");
        above.next_when(pairs.enable, upper);
        let above = above.q;

        m.section(tags.heading(
            "Slots: the error of an unpaired high surrogate, and the word's own slot",
            "Errors: of an unpaired high surrogate, and of the word itself",
        ));
        let (code_point, surrogate) = (tags.code_point(), tags.error(ErrorKind::Surrogate));
        let own = |is: Signal<'m>, keep: Signal<'m>, above: Signal<'m>| OwnSlot {
            is: is.named("own").note("the word, or the end of the frame, makes a slot"),
            keep,
            tag: alone,
            above: Some(above),
            low: Some(payload),
        };
        if !tags.has_errors() {
            let keep = (whole & !high & (open.q | !low)).named("own_keep").note("there is a code point");
            return UnitSlots {
                unit_valid,
                frame_ends,
                early: None,
                own: own(keep | frame_ends, keep, above.when(low).named("above")),
                begins: Some(whole & !(open.q & low)),
            };
        }
        let arrives = cut.map_or(whole, |cut| (whole | cut).named("arrives"));
        let breaks = (open.q & arrives & !low).named("breaks").note("a high surrogate is unpaired");
        let early = EarlySlot {
            is: breaks,
            first: Tag::mux(open.q, Tag::mux(low, code_point, surrogate), alone).named("first"),
            data: None,
            number: None,
            last: frame_ends & !breaks,
            held: Some(pairs),
        };
        let keep = (arrives | open.q).named("own_keep").note("there is a slot, not only the end of a frame");
        let begins = Some(arrives & !(open.q & low));
        let own = own(whole & !high | frame_ends, keep, above);
        UnitSlots { unit_valid, frame_ends, early: Some(early), own, begins }
    }
}

/// Makes stage 1 and its registers.
fn classify<'m>(m: &'m Builder, words: WordBeat<'m>, tags: &Tags<'m>, pace: &Pace<'m>) -> WordClass<'m> {
    m.stage_section(1, "what the word is by itself");
    let stage = pace.units();
    let WordBeat { word, whole, frame_ends, cut, .. } = words;
    let surrogate = (whole & word.bits(11..WORD).is(SURROGATE)).named("surrogate");
    let high = surrogate & !word.bit(SURROGATE_DATA);
    let low = surrogate & word.bit(SURROGATE_DATA);
    let top = word.bits(SURROGATE_DATA..WORD).when(whole & !surrogate);
    let payload = m.concat([top, word.bits(0..SURROGATE_DATA).when(whole)]).named("payload");
    let alone = Tag::mux(surrogate, tags.error(ErrorKind::Surrogate), tags.code_point());
    let alone = cut.map_or(alone, |cut| Tag::mux(cut, tags.error(ErrorKind::Truncated), alone));
    WordClass {
        whole: stage.flag("whole_reg", whole),
        frame_ends: stage.flag("frame_ends_reg", frame_ends),
        cut: cut.map(|cut| stage.flag("cut_reg", cut)),
        high: stage.data("high_reg", high).note("the word is a high surrogate"),
        low: stage.data("low_reg", low).note("the word is a low surrogate"),
        payload: stage.data("payload_reg", payload).note("the word without the marker of a surrogate"),
        alone: if tags.has_errors() { alone.register(stage, "alone") } else { tags.code_point() },
    }
}
