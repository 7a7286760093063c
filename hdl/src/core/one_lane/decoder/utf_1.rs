//! The decoder of UTF-1, ISO/IEC 10646-1:1993, annex G: leads with one, two or four digits, which 190 octets are.
//!
//! ```text
//!  lead     digits   code point
//!  A0       1        that of the digit's octet, A0..FF
//!  A1..F5   1        100    + value
//!  F6..FB   2        4016   + value
//!  FC..FF   4        38E2E  + value
//! ```
//!
//! The value has the lead as its first digit. The range of the code points that begin with some octets is known from the octets: nothing has
//! to be compared with the value.

use super::slots::{EarlySlot, OwnSlot, UnitSlots};
use super::two_stage::TwoStageDecoder;
use super::unit::OneUnitBeat;
use crate::core::shared::code_points::OCTET;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::netlist::{Builder, Reg, Signal, Stage};

/// How many octets are digits.
const RADIX: u64 = 190;
/// The first digit of the upper half of the octets, A0.
const UPPER_DIGIT: u64 = 0x5e;
/// The numbers that are subtracted from an octet for its digit: of the lower half of the octets, and of the upper half.
const BELOW_DIGITS: [u64; 2] = [0x21, 0xa0 - UPPER_DIGIT];

/// A form of sequences: its first lead, its first code point, and the digits that follow the lead.
struct Form {
    lead: u64,
    first: u64,
    digits: u32,
}

/// The forms. Sequences of the first have A0 as the lead, and one of the upper half as the digit.
const FORMS: [Form; 4] = [
    Form { lead: 0xa0, first: 0xa0 - UPPER_DIGIT, digits: 1 },
    Form { lead: 0xa1, first: 0x100, digits: 1 },
    Form { lead: 0xf6, first: 0x4016, digits: 2 },
    Form { lead: 0xfc, first: 0x3_8e2e, digits: 4 },
];
/// The form of the surrogates, and that of the last code point.
const FORM_OF_SURROGATES: usize = 2;
const FORM_OF_LAST: usize = 3;
/// Bits of the number of a form, and of the number of digits.
const FORM_BITS: u32 = 2;
const COUNT_BITS: u32 = 3;

/// The decoder of code points up to `max`, of the longest form.
pub(super) struct Utf1Decoder {
    pub(super) max: u32,
}

/// The lead of a code point of a form, and the digits after the lead. The last digit has the index 0.
fn sequence(form: usize, code_point: u64) -> (u64, Vec<u64>) {
    let Form { lead, first, digits } = FORMS[form];
    let value = code_point - first;
    let digit = |index: u32| value / RADIX.pow(index);
    (lead + digit(digits), (0..digits).map(|index| digit(index) % RADIX).collect())
}

impl TwoStageDecoder for Utf1Decoder {
    fn kinds(&self, _: TagStyle) -> Vec<ErrorKind> {
        vec![ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Surrogate, ErrorKind::OutOfRange]
    }

    fn code_bits(&self) -> u32 {
        u32::BITS - self.max.leading_zeros()
    }

    fn unit_slots<'m>(
        &self,
        m: &'m Builder,
        beat: OneUnitBeat<'m>,
        tags: &Tags<'m>,
        pace: &Pace<'m>,
    ) -> UnitSlots<'m> {
        let (last_lead, limits) = sequence(FORM_OF_LAST, self.max.into());
        let class = Class::new(m, last_lead, beat, pace);
        let open = Open::new(m, &class, &limits, self.code_bits());
        m.section(tags.heading(
            "Slots: the error of a sequence that the unit breaks, and the unit's own slot",
            "Errors: of a sequence that the unit breaks, and of the unit itself",
        ));
        let own = own(&class, &open, tags);
        UnitSlots {
            unit_valid: Some(class.unit_valid),
            frame_ends: class.frame_ends,
            early: tags.has_errors().then(|| early(&class, &open, tags)),
            own,
            begins: Some(class.unit_valid & !open.continues),
        }
    }
}

/// The unit by itself: registers of stage 1.
struct Class<'m> {
    /// The registers of the open sequence.
    stage: Stage<'m>,
    unit_valid: Signal<'m>,
    frame_ends: Signal<'m>,
    /// The unit; 0 if there is none.
    unit: Signal<'m>,
    is_digit: Signal<'m>,
    digit: Signal<'m>,
    /// The unit leads a sequence of this form.
    is_lead: Signal<'m>,
    form: Signal<'m>,
    /// The unit is a lead past that of the last code point.
    is_past: Signal<'m>,
    /// The unit is the lead of the last code point, and that of all surrogates.
    is_last_lead: Signal<'m>,
    is_lead_of_surrogates: Signal<'m>,
}

impl<'m> Class<'m> {
    fn new(m: &'m Builder, last_lead: u64, beat: OneUnitBeat<'m>, pace: &Pace<'m>) -> Self {
        m.stage_section(1, "what the octet is by itself");
        let stage = pace.units();
        let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
        let sequence_stage = pace.sequence((unit_valid | frame_ends).named("present"));
        let is_upper = unit.within(FORMS[0].lead, 0xff).named("is_upper");
        let is_digit = unit.within(BELOW_DIGITS[0], 0x7e) | is_upper;
        let [lower, upper] = BELOW_DIGITS.map(|below| m.lit(OCTET, below));
        let is_past = unit.within(last_lead + 1, 0xff).named("is_past_lead");
        let form = (1..).zip(&FORMS[1..]).fold(m.lit(FORM_BITS, 0), |form, (number, of)| {
            unit.within(of.lead, 0xff).mux(m.lit(FORM_BITS, number), form)
        });
        let (surrogates, _) = sequence(FORM_OF_SURROGATES, 0xd800);
        Self {
            stage: sequence_stage,
            unit: stage.data("unit_reg", unit.when(unit_valid)),
            is_digit: stage.data("is_digit_reg", is_digit & unit_valid),
            digit: stage.data("digit_reg", unit - unit.bit(OCTET - 1).mux(upper, lower)),
            is_lead: stage.data("is_lead_reg", is_upper & !is_past & unit_valid),
            form: stage.data("form_reg", form),
            is_past: stage.data("is_past_reg", is_past & unit_valid),
            is_last_lead: stage.data("is_last_lead_reg", unit.is(last_lead)),
            is_lead_of_surrogates: stage.data("is_lead_of_surrogates_reg", unit.is(surrogates)),
            unit_valid: stage.flag("unit_valid_reg", unit_valid),
            frame_ends: stage.flag("frame_ends_reg", frame_ends),
        }
    }
}

/// The sequence before the unit, and how the unit relates to it.
struct Open<'m> {
    open: Signal<'m>,
    /// The unit continues the sequence.
    continues: Signal<'m>,
    /// One digit is missing.
    last_missing: Signal<'m>,
    /// A sequence is open after the unit.
    unfinished: Signal<'m>,
    /// The lead is A0.
    is_latin: Signal<'m>,
    /// With the unit, all code points of the sequence would be past the last one.
    is_past: Signal<'m>,
    /// The code point, if the unit is the last of the sequence.
    code_point: Signal<'m>,
}

impl<'m> Open<'m> {
    fn new(m: &'m Builder, class: &Class<'m>, limits: &[u64], bits: u32) -> Self {
        m.stage_section(2, "the open sequence");
        let Class { stage, is_digit, digit, is_lead, form, .. } = *class;
        let open = m.reg("open_reg", 1).reset(0);
        let open = open.note("a sequence is open; else the rest of its registers mean nothing");
        let missing = m.reg("missing_reg", COUNT_BITS).note("digits still to come");
        let open_form = m.reg("open_form_reg", FORM_BITS).note("the form of the sequence, by its lead");
        let is_latin = open_form.q.is(0).named("is_latin").note("the lead is A0");

        let at_last = m.reg("at_last_reg", 1).note("the octets are the first ones of the last code point");
        let of_limits: Vec<u64> = [0].into_iter().chain(limits.iter().copied()).collect();
        let limit = missing.q.lookup(&of_limits, OCTET).named("limit");
        let is_past =
            (at_last.q & limit.lt(digit)).named("is_past").note("all code points are past the last");
        let surrogates = Surrogates::new(m);
        let excluded = is_latin & digit.within(0, UPPER_DIGIT - 1) | is_past | surrogates.all(digit);
        let excluded = excluded.named("excluded").note("the sequence does not allow this digit");

        let continues = (open.q & is_digit & !excluded).named("continues");
        let continues = continues.note("the unit continues the open sequence");
        let last_missing = missing.q.is(1).named("last_missing");
        let unfinished = (is_lead & !continues | continues & !last_missing).named("unfinished");
        let unfinished = unfinished.note("a sequence is open after the unit");
        // The digits of a sequence can be leads.
        let opens = (!continues).named("opens");
        surrogates.drive(class, opens);
        let digits = form.lookup(&FORMS.map(|form| form.digits.into()), COUNT_BITS).named("digits_of_lead");
        open.next_when(stage.enable, unfinished & !class.frame_ends);
        missing.next_when(stage.enable, opens.mux(digits, missing.q - m.lit(COUNT_BITS, 1)));
        open_form.next_when(stage.enable, opens.mux(form, open_form.q));
        at_last.next_when(stage.enable, opens.mux(class.is_last_lead, at_last.q & limit.eq(digit)));

        // 190 is even, so that the top bit of the value does not matter.
        let below = bits - 1;
        let value = m.reg("value_reg", below).note("the value of the lead and the digits before the unit");
        let product = times_radix(m, value.q).named("value_times_190");
        value.next_when(stage.enable, product.bits(0..below).when(continues) + digit.zext(below));
        // The lead counts as a digit, and the offset makes up for that.
        let mask = (1 << bits) - 1;
        let offsets = FORMS.map(|Form { lead, first, digits }| {
            first.wrapping_sub((lead - BELOW_DIGITS[1]) * RADIX.pow(digits)) & mask
        });
        let offset = open_form.q.lookup(&offsets, bits).named("offset");
        let last = (digit.zext(bits) + offset).named("digit_and_offset");
        Self {
            open: open.q,
            continues,
            last_missing,
            unfinished,
            is_latin,
            is_past,
            code_point: (product + last).named("code_point"),
        }
    }
}

/// 190 times a value, in one bit more than the value has: 64 times 3, less 2.
fn times_radix<'m>(m: &'m Builder, value: Signal<'m>) -> Signal<'m> {
    let shifted = |value: Signal<'m>, by: u32| m.concat([value, m.lit(by, 0)]);
    let low = value.width() - 5;
    let triple = value.bits(0..low) + shifted(value.bits(0..low - 1), 1);
    shifted(triple.named("value_times_3"), 6) - shifted(value, 1)
}

/// The octets that surrogates begin with. They have one lead. The digit after the lead decides, or the last digit after the first or the last
/// of those digits.
struct Surrogates<'m> {
    /// The sequence has the lead alone; the lead and the digit of the first surrogate, or that of the last one.
    after_lead: Reg<'m>,
    at_first: Reg<'m>,
    at_last: Reg<'m>,
}

impl<'m> Surrogates<'m> {
    fn new(m: &'m Builder) -> Self {
        Self {
            after_lead: m.reg("after_lead_of_surrogates_reg", 1).note("the lead is that of all surrogates"),
            at_first: m.reg("at_first_surrogates_reg", 1).note("the next digit may be below U+D800"),
            at_last: m.reg("at_last_surrogates_reg", 1).note("the next digit may be above U+DFFF"),
        }
    }

    /// The digits of the first surrogate and of the last, each the last digit first.
    fn digits() -> [Vec<u64>; 2] {
        [0xd800, 0xdfff].map(|code_point| sequence(FORM_OF_SURROGATES, code_point).1)
    }

    /// Whether all code points of the open sequence are surrogates with this digit.
    fn all(&self, digit: Signal<'m>) -> Signal<'m> {
        let [first, last] = Self::digits();
        let is = self.after_lead.q & digit.within(first[1] + 1, last[1] - 1)
            | self.at_first.q & digit.within(first[0], RADIX - 1)
            | self.at_last.q & digit.within(0, last[0]);
        is.named("is_surrogate").note("all code points are surrogates")
    }

    /// Drives the registers; `opens` says that the unit is not part of the sequence before it.
    fn drive(self, class: &Class<'m>, opens: Signal<'m>) {
        let [first, last] = Self::digits();
        let load = class.stage.enable;
        let is_second = |digit: u64| self.after_lead.q & class.digit.is(digit);
        self.at_first.next_when(load, is_second(first[1]));
        self.at_last.next_when(load, is_second(last[1]));
        self.after_lead.next_when(load, opens & class.is_lead_of_surrogates);
    }
}

/// The early slot: the error of a sequence that the unit breaks.
fn early<'m>(class: &Class<'m>, open: &Open<'m>, tags: &Tags<'m>) -> EarlySlot<'m> {
    let breaks = (class.unit_valid & open.open & !open.continues).named("breaks");
    let breaks = breaks.note("the unit breaks the open sequence, which is an error");
    let [truncated, overlong, surrogate, past] =
        [ErrorKind::Truncated, ErrorKind::Overlong, ErrorKind::Surrogate, ErrorKind::OutOfRange]
            .map(|kind| tags.error(kind));
    let excluded = Tag::mux(open.is_latin, overlong, Tag::mux(open.is_past, past, surrogate));
    let broken = Tag::mux(class.is_digit, excluded, truncated).named("broken");
    let cut = Tag::mux(open.unfinished, truncated, tags.code_point());
    // At the end of a frame inside a sequence, the own slot is that of the sequence.
    let open_at_end = (open.open & !class.unit_valid).named("open_at_end");
    let at_end = Tag::mux(open_at_end, truncated, cut);
    let is_past = (class.is_past & !open.continues).named("is_past_alone");
    EarlySlot {
        is: breaks,
        first: Tag::mux(breaks, broken, Tag::mux(is_past, past, at_end)),
        data: None,
        number: None,
        last: class.frame_ends & !breaks,
        held: Some(class.stage),
    }
}

/// The slot of the unit itself, or of a sequence that the end of the frame cuts short.
fn own<'m>(class: &Class<'m>, open: &Open<'m>, tags: &Tags<'m>) -> OwnSlot<'m> {
    let Class { unit_valid, frame_ends, is_lead, is_past, .. } = *class;
    let Open { continues, last_missing, unfinished, .. } = *open;
    let (is, keep) = match tags.drops_errors() {
        true => {
            let keep = continues.mux(last_missing, unit_valid & !is_lead & !is_past).named("own_keep");
            (keep | frame_ends, keep.note("there is a slot that is not dropped"))
        }
        false => {
            let keep = (unit_valid | open.open).named("own_keep");
            (unit_valid & !unfinished | frame_ends, keep.note("there is a slot, not only the end of a frame"))
        }
    };
    let (past, truncated) = (tags.error(ErrorKind::OutOfRange), tags.error(ErrorKind::Truncated));
    // The tag is valid after an early slot, where the unit is a lead or a code point by itself.
    let tag = Tag::mux(is_past, past, Tag::mux(is_lead, truncated, tags.code_point()));
    OwnSlot {
        is: is.named("own").note("the unit, or the end of the frame, makes a slot"),
        keep,
        tag: tag.named("own"),
        above: Some(open.code_point.when(continues).named("above")),
        low: Some(class.unit.when(!continues).named("by_itself")),
    }
}
