//! The decoder of UTF-7, RFC 2152: characters by themselves, and UTF-16 in Base64 between `+` and the first octet that is no digit of Base64.
//!
//! The bits of a run that are no whole unit of UTF-16 yet are an even number of them, 0 to 14. An error is certain where the run ends, or with the
//! first digit after a high surrogate, which has the six bits that make a unit a low one.
//!
//! A unit makes at most two slots certain: the end of a run in an error, and the octet that ends the run; or a code point, and the error of
//! a frame that ends with bits left over. What is of Base64 is the early slot.

use super::slots::{EarlyData, EarlySlot, OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::shared::code_points::{HIGH, LOW, OCTET, SURROGATE_DATA};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Reg, Signal, Stage};

const PLUS: u64 = b'+' as u64;
const MINUS: u64 = b'-' as u64;

/// Bits of a digit, and of the bits before it.
const DIGIT: u32 = 6;
const BEFORE: u32 = 14;
/// Bits of a count of pairs of bits: a unit of UTF-16 has eight pairs, a digit three.
const PAIRS: u32 = 3;
const PAIRS_OF_DIGIT: u64 = 3;
/// The most pairs of bits that can be left over of a digit.
const MOST_LEFT: u64 = 2;

/// Bits of a code point.
const CODE_BITS: u32 = 21;

/// The decoder.
pub(super) struct Utf7Decoder;

impl TwoStageDecoder for Utf7Decoder {
    fn kinds(&self, _: TagStyle) -> Vec<ErrorKind> {
        vec![ErrorKind::Truncated, ErrorKind::Surrogate, ErrorKind::Invalid]
    }

    fn code_bits(&self) -> u32 {
        CODE_BITS
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        let class = Class::new(m, beat, pace);
        let run = Run::new(m, &class);
        m.section("Slots: of the Base64 before the octet and with it, and of the octet as a character");
        slots(&class, &run, tags)
    }
}

/// The octet by itself: registers of stage 1.
struct Class<'m> {
    /// The registers of the run.
    stage: Stage<'m>,
    unit_valid: Signal<'m>,
    frame_ends: Signal<'m>,
    unit: Signal<'m>,
    /// The octet is a character outside of Base64.
    is_direct: Signal<'m>,
    is_plus: Signal<'m>,
    is_minus: Signal<'m>,
    /// The octet is a digit of Base64, and its value.
    is_digit: Signal<'m>,
    digit: Signal<'m>,
}

impl<'m> Class<'m> {
    fn new(m: &'m Builder, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Self {
        m.stage_section(1, "what the octet is by itself");
        let stage = pace.units();
        let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
        let sequence_stage = pace.sequence((unit_valid | frame_ends).named("present"));
        let plus = unit.is(PLUS).named("plus");
        let left_out = plus | unit.is(u64::from(b'\\'));
        let is_line_space = unit.within(0x09, 0x0a) | unit.is(0x0d);
        let is_direct = unit.within(0x20, 0x7d) & !left_out | is_line_space;
        let [upper, lower, figure] = [(b'A', b'Z'), (b'a', b'z'), (b'0', b'9')]
            .map(|(first, last)| unit.within(first.into(), last.into()));
        let (upper, lower) = (upper.named("is_upper"), lower.named("is_lower"));
        let is_digit = upper | lower | figure | plus | unit.is(u64::from(b'/'));
        let low = unit.bits(0..DIGIT);
        let less = |first: u8, value: u64| low + m.lit(DIGIT, (value.wrapping_sub(first.into())) & 0x3f);
        let of_others = unit.bit(4).mux(less(b'0', 52), m.concat([m.lit(DIGIT - 1, 31), unit.bit(2)]));
        let digit = upper.mux(less(b'A', 0), lower.mux(less(b'a', 26), of_others));
        Self {
            stage: sequence_stage,
            unit: stage.data("unit_reg", unit),
            is_direct: stage.data("is_direct_reg", is_direct),
            is_plus: stage.data("is_plus_reg", plus & unit_valid),
            is_minus: stage.data("is_minus_reg", unit.is(MINUS)),
            is_digit: stage.data("is_digit_reg", is_digit & unit_valid),
            digit: stage.data("digit_reg", digit),
            unit_valid: stage.flag("unit_valid_reg", unit_valid),
            frame_ends: stage.flag("frame_ends_reg", frame_ends),
        }
    }
}

/// The run of Base64 before the octet, and what the octet is to it.
struct Run<'m> {
    /// The octet is no part of a run, nor a `-` after one or after a `+`.
    is_character: Signal<'m>,
    /// The octet is the `-` after a `+`, which together are a plus.
    is_plus: Signal<'m>,
    /// The octet completes a unit of UTF-16 that is a code point, a pair or a lone low surrogate.
    completes: Signal<'m>,
    is_lone_low: Signal<'m>,
    code_point: Signal<'m>,
    /// The octet shows that what is before it is an error.
    breaks: Signal<'m>,
    before: Pending<'m>,
    /// The bits that are left over after the octet.
    after: Pending<'m>,
}

/// A beginning that no slot has been made of.
#[derive(Clone, Copy)]
struct Pending<'m> {
    /// A `+`.
    plus: Signal<'m>,
    /// A high surrogate.
    high: Signal<'m>,
    /// Bits that are not all zero, and how many pairs of bits.
    bits: Signal<'m>,
    pairs: Signal<'m>,
}

impl<'m> Pending<'m> {
    /// There is something that is an error if nothing follows.
    fn is_error(&self) -> Signal<'m> {
        self.plus | self.high | self.bits
    }

    /// The error of it.
    fn tag(&self, tags: &Tags<'m>) -> Tag<'m> {
        let [truncated, surrogate, invalid] =
            [ErrorKind::Truncated, ErrorKind::Surrogate, ErrorKind::Invalid].map(|kind| tags.error(kind));
        let of_bits = Tag::mux(self.pairs.within(0, MOST_LEFT), invalid, truncated);
        Tag::mux(self.plus, truncated, Tag::mux(self.high, surrogate, of_bits))
    }
}

impl<'m> Run<'m> {
    fn new(m: &'m Builder, class: &Class<'m>) -> Self {
        m.stage_section(2, "the run of Base64");
        let Class { stage, unit_valid, frame_ends, is_digit, digit, is_minus, .. } = *class;
        let state = |name: &str, bits: u32, note: &str| m.reg(name, bits).reset(0).note(note);
        let after_plus = state("after_plus_reg", 1, "a + outside of Base64 comes before");
        let in_run = state("in_run_reg", 1, "digits of Base64 come before");
        let high = state("after_high_reg", 1, "a high surrogate waits for the low one");
        let pairs = state("pairs_reg", PAIRS, "pairs of bits that are no whole unit of UTF-16 yet");
        let is_set = state("is_set_reg", 1, "some of these bits is 1");
        let before = Pending { plus: after_plus.q, high: high.q, bits: is_set.q, pairs: pairs.q };

        let follows = (is_digit & (after_plus.q | in_run.q)).named("follows");
        let follows = follows.note("the octet is a digit in Base64");
        let sum = (pairs.q.zext(PAIRS + 1) + m.lit(PAIRS + 1, PAIRS_OF_DIGIT)).named("pairs_with_digit");
        let is_whole =
            (follows & sum.bit(PAIRS)).named("is_whole").note("the digit completes a unit of UTF-16");
        let left = sum.bits(0..PAIRS);
        let bits = m.reg("bits_reg", BEFORE).note("the last bits of digits");
        let word = Word::new(m, bits, stage, digit, [left.bits(0..2), pairs.q.bits(0..2)]);
        let is_first = pairs.q.within(0, MOST_LEFT);
        let breaks_pair = (follows & high.q & is_first & !word.begins_low).named("breaks_pair");
        let breaks_pair =
            breaks_pair.note("a high surrogate comes before, and the unit of UTF-16 is no low one");

        let is_plus = (after_plus.q & is_minus & unit_valid).named("is_written_plus");
        let ends_run = (in_run.q & unit_valid & !is_digit).named("ends_run");
        let breaks_run = ends_run | after_plus.q & unit_valid & !is_digit & !is_minus;
        let breaks = breaks_run & before.is_error() | breaks_pair;
        let is_part = follows | is_plus | ends_run & is_minus;
        let opens = (class.is_plus & !follows).named("opens").note("a + outside of Base64");
        let is_character = unit_valid & !is_part & !opens;

        let begins_high = (is_whole & !high.q & word.is_high).named("is_whole_high");
        let is_lone_low = !high.q & word.is_low;
        let waits_before = high.q & !(is_whole | breaks_pair);
        let stays = (follows | !unit_valid).named("stays").note("the run goes on");
        let is_set_before = is_set.q & !is_whole | follows & word.some_left(is_whole);
        let pairs_after = follows.mux(left, pairs.q.when(!unit_valid)).named("pairs_after");
        let after = Pending {
            plus: (opens | after_plus.q & !unit_valid).named("plus_after"),
            high: (stays & (begins_high | waits_before)).named("high_after"),
            bits: (stays & is_set_before).named("bits_after"),
            pairs: pairs_after,
        };
        for (register, next) in [
            (after_plus, after.plus),
            (high, after.high),
            (is_set, after.bits),
            (in_run, follows | in_run.q & !unit_valid),
        ] {
            register.next_when(stage.enable, next & !frame_ends);
        }
        pairs.next_when(stage.enable, pairs_after.when(!frame_ends));
        let upper = m.reg("upper_reg", SURROGATE_DATA).note("the bits of the high surrogate");
        upper.next_when(stage.enable, begins_high.mux(word.bits.bits(0..SURROGATE_DATA), upper.q));
        Self {
            is_character: is_character.named("is_character"),
            is_plus,
            completes: (is_whole & !begins_high).named("completes").note("a code point or an error is whole"),
            is_lone_low: is_lone_low.named("is_lone_low"),
            code_point: code_point(m, high.q, upper, &word),
            breaks: breaks.named("breaks").note("what comes before the octet is an error"),
            before,
            after,
        }
    }
}

/// The code point of a unit of UTF-16, or of a pair.
fn code_point<'m>(m: &'m Builder, is_pair: Signal<'m>, upper: Reg<'m>, word: &Word<'m>) -> Signal<'m> {
    let plane = m.concat([m.lit(1, 0), upper.q.bits(6..SURROGATE_DATA)]) + m.lit(5, 1);
    let pair = m.concat([plane, upper.q.bits(0..6), word.bits.bits(0..SURROGATE_DATA)]);
    is_pair.mux(pair, word.bits.zext(CODE_BITS)).named("code_point")
}

/// The unit of UTF-16 that ends with the digit, or begins with it.
struct Word<'m> {
    digit: Signal<'m>,
    /// Pairs of bits of the digit that are left over.
    left: Signal<'m>,
    /// The unit that ends with the digit: 16 bits.
    bits: Signal<'m>,
    is_high: Signal<'m>,
    is_low: Signal<'m>,
    /// The unit that begins with the bits left over, if the digit is the first after them, can be a low surrogate.
    begins_low: Signal<'m>,
}

impl<'m> Word<'m> {
    /// `of_left` and `of_before` are the pairs of bits that are left over after the digit and before it.
    fn new(
        m: &'m Builder,
        before: Reg<'m>,
        stage: Stage<'m>,
        digit: Signal<'m>,
        [left, of_before]: [Signal<'m>; 2],
    ) -> Self {
        let all = m.concat([before.q, digit]).named("bits_with_digit");
        before.next_when(stage.enable, all.bits(0..BEFORE));
        let ending = |low: u32| all.bits(low..low + 16);
        let bits = left.is(0).mux(ending(0), left.bit(1).mux(ending(4), ending(2))).named("word");
        let six = |low: u32| all.bits(low..low + DIGIT).is(LOW);
        let begins_low = of_before.is(0).mux(six(0), of_before.bit(1).mux(six(4), six(2)));
        let top = bits.bits(SURROGATE_DATA..16);
        Self {
            digit,
            left,
            bits,
            is_high: top.is(HIGH).named("word_is_high"),
            is_low: top.is(LOW).named("word_is_low"),
            begins_low: begins_low
                .named("begins_low")
                .note("the first six bits are those of a low surrogate"),
        }
    }

    /// Whether some bit of the digit is 1 that the unit does not end with.
    fn some_left(&self, is_whole: Signal<'m>) -> Signal<'m> {
        let of = |bits: u32| self.digit.bits(0..bits).any();
        let left = self.left.bit(1) & of(4) | self.left.bit(0) & of(2);
        is_whole.mux(left, of(DIGIT)).named("some_left")
    }
}

/// The slots that the octet, or the end of the frame, makes certain.
fn slots<'m>(class: &Class<'m>, run: &Run<'m>, tags: &Tags<'m>) -> UnitSlots<'m> {
    let Class { stage, unit_valid, frame_ends, unit, is_direct, .. } = *class;
    let Run { is_plus, is_character, completes, is_lone_low, breaks, before, after, .. } = *run;
    let drops = tags.drops_errors();
    let early = match drops {
        true => completes & !is_lone_low,
        false => completes | breaks,
    };
    let early = early.named("early").note("a slot goes out before the octet's own");
    let cut_by_end = (frame_ends & after.is_error()).named("cut_by_end");
    let cut_by_end = cut_by_end.note("the frame ends inside a sequence");
    let keep = match drops {
        true => is_plus | is_character & is_direct,
        false => is_plus | is_character | cut_by_end,
    };
    let keep = keep.named("own_keep").note("there is a slot of the octet, or of the end of the frame");
    let code_point = tags.code_point();
    let is_invalid = (unit_valid & !is_plus & !is_direct).or_named("is_invalid");
    let of_character = Tag::mux(is_invalid, tags.error(ErrorKind::Invalid), code_point);
    let own = Tag::mux(cut_by_end, after.tag(tags), of_character).named("own");
    let of_word = Tag::mux(is_lone_low, tags.error(ErrorKind::Surrogate), code_point);
    let of_early = Tag::mux(completes, of_word, before.tag(tags));
    let character = is_plus.mux(unit.lit(OCTET, PLUS), unit);
    let own = OwnSlot {
        is: (keep | frame_ends & !early)
            .named("own")
            .note("the octet, or the end of the frame, makes a slot"),
        keep,
        tag: own,
        above: None,
        low: Some(character.when(keep).named("character")),
    };
    let early = EarlySlot {
        is: early,
        first: Tag::mux(early, of_early, own.tag).named("first"),
        data: Some(EarlyData { is: completes, value: run.code_point }),
        number: None,
        last: frame_ends & !(early & keep),
        held: (!drops).then_some(stage),
    };
    UnitSlots { unit_valid: Some(unit_valid), frame_ends, early: Some(early), own, begins: None }
}
