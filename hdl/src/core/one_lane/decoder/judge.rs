//! The errors that each unit makes certain, for a validator: the stages of a decoder up to its slots. No data of slots is
//! read.
//!
//! A unit makes at most two errors certain, which are the two slots that a decoder orders: the early slot, of the sequence before
//! the unit, and the unit's own.

use super::slots::{EarlySlot, OwnSlot, UnitSlots, joined};
use super::unit::OneUnitBeat;
use super::{Stages, corrected_utf_8, indexed, prefix, single, utf_inf_8};
use crate::core::shared::code_points::LINE_FEED;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::magic_number::{MAGIC, magic_index};
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, TagStyle, Tags};
use crate::core::{System, Verdict, decoded_only};
use crate::netlist::{Builder, Signal};

/// The index of the octet 00 in the magic number. If the next octet is the last of the number, the octet 00 is no error.
const NUL: u64 = 6;

/// The errors that a beat makes certain.
pub(in crate::core::one_lane) struct Judged<'m> {
    /// Stages of registers before these signals.
    pub(in crate::core::one_lane) stages: u32,
    /// The unit of the beat, where the stages hold it in registers for the tables; anything if there is none.
    pub(in crate::core::one_lane) unit: Option<Signal<'m>>,
    /// The beat holds a unit. `None` where units are octets of words.
    pub(in crate::core::one_lane) unit_valid: Option<Signal<'m>>,
    pub(in crate::core::one_lane) frame_ends: Signal<'m>,
    /// The error of the sequence before the unit, one bit or a kind; `None` if there are no such errors.
    pub(in crate::core::one_lane) before: Option<Signal<'m>>,
    /// The error that ends with the unit, or the last one of the frame if the beat holds no unit.
    pub(in crate::core::one_lane) own: Option<Signal<'m>>,
    /// The unit begins a code point or an error; `None` if only a later unit decides.
    pub(in crate::core::one_lane) begins: Option<Signal<'m>>,
    /// The unit completes U+000A. `None` if that is a unit by itself.
    pub(in crate::core::one_lane) is_line_feed: Option<Signal<'m>>,
}

/// Makes the stages before the output of a validator. `is_interleaved` says that beats of several streams come in any order.
pub(in crate::core::one_lane) fn judge<'m>(
    m: &'m Builder,
    system: System,
    verdict: Verdict,
    beat: OneUnitBeat<'m>,
    pace: &Pace<'m>,
    is_interleaved: bool,
) -> Judged<'m> {
    if let System::MultiOctet(set) = system {
        return indexed::judge(m, set, verdict, beat, pace, is_interleaved);
    }
    let style = TagStyle::Errors { kinds: verdict.kinds };
    let (certain, nul) = match Stages::of(system) {
        Stages::Corrected { document, .. } => {
            let leads = corrected_utf_8::leads(document, style);
            let tags = Tags::new(m, style, &leads.kinds(style), false);
            let nul = document.then(|| NulOfOpening::new(m, beat, &tags, pace));
            let slots = prefix::decode(m, &leads, beat, &tags, pace).unit_slots;
            (Certain { stages: 1, slots, code_bits: leads.code_bits() }, nul)
        }
        Stages::Endless { digits } => {
            let slots = utf_inf_8::unit_slots(m, digits, beat, style, pace);
            (Certain { stages: 2, slots, code_bits: u32::BITS }, None)
        }
        _ => (certain_slots(m, without_mark(system), style, beat, pace), None),
    };
    judged(m, system, verdict, certain, nul)
}

/// The slots that each beat makes certain, without the registers that order them.
pub(super) struct Certain<'m> {
    /// Stages of registers before these signals.
    pub(super) stages: u32,
    pub(super) slots: UnitSlots<'m>,
    /// How many bits of a slot's data are in use.
    pub(super) code_bits: u32,
}

/// Makes the stages of a system whose slots are complete after one or two of them.
pub(super) fn certain_slots<'m>(
    m: &'m Builder,
    system: System,
    style: TagStyle,
    beat: OneUnitBeat<'m>,
    pace: &Pace<'m>,
) -> Certain<'m> {
    match Stages::of(system) {
        Stages::One(words) => {
            let slots = single::unit_slots(m, words, beat, style, pace);
            Certain { stages: 0, slots, code_bits: words.code_bits() }
        }
        Stages::Two(decoder) => {
            let tags = Tags::new(m, style, &decoder.kinds(style), decoder.is_long());
            let slots = decoder.unit_slots(m, beat, &tags, pace);
            Certain { stages: decoder.stages(), slots, code_bits: decoder.code_bits() }
        }
        Stages::Corrected { .. } | Stages::Indexed(_) | Stages::Chosen(_) | Stages::Endless { .. } => {
            unreachable!("slots are complete in a later stage")
        }
    }
}

fn judged<'m>(
    m: &'m Builder,
    system: System,
    verdict: Verdict,
    certain: Certain<'m>,
    nul: Option<NulOfOpening<'m>>,
) -> Judged<'m> {
    m.section("The errors that the unit makes certain");
    let Certain { stages, slots, code_bits } = certain;
    let UnitSlots { unit_valid, frame_ends, early, own, begins } = slots;
    let error = |tag: Tag<'m>, is: Signal<'m>| {
        let bits = if verdict.kinds { tag.user? } else { tag.error? };
        Some(bits.when(is).zext(verdict.error_bits()))
    };
    let is_own = own.is & own.keep;
    let (before, of_own) = match early {
        None => (None, error(own.tag, is_own)),
        Some(early) => {
            let named = |signal: Option<Signal<'m>>, name| signal.map(|signal| signal.or_named(name));
            let Tag { error: first, user, .. } = early.first;
            let first =
                Tag { error: named(first, "first_error"), user: named(user, "first_user"), ..early.first };
            let early = EarlySlot { first, ..early };
            let own_tag = Tag::mux(early.is, own.tag, early.first);
            (error(early.first, early.is), error(own_tag, is_own))
        }
    };
    let (before, of_own) = match nul {
        None => (before, of_own),
        Some(nul) => {
            let of_nul = error(nul.tag, nul.is_error);
            let before = before.zip(of_nul).map(|(before, nul)| before | nul);
            (before, of_own.map(|own| own.when(!nul.withheld)))
        }
    };
    let of_own = of_own.map(|own| own.named("error_of_unit"));
    let is_line_feed = (verdict.newline && !is_line_feed_single(system)).then(|| {
        // After an error of the sequence before, the upper bits are those of that sequence.
        let above = match early {
            Some(early) => own.above.map(|above| above.when(!early.is).or_named("bits_before")),
            None => own.above,
        };
        let data = joined(m, OwnSlot { above, ..own }, code_bits).expect("slots have data");
        let is_own = is_own.or_named("ends_here").note("the unit ends a code point or an error");
        let is_error = of_own.map(|own| own.any());
        let is_code_point = is_error.map_or(is_own, |is_error| is_own & !is_error);
        is_code_point & data.is(LINE_FEED)
    });
    Judged {
        stages,
        unit: None,
        unit_valid,
        frame_ends,
        before: before.map(|before| before.named("error_before")),
        own: of_own,
        begins,
        is_line_feed,
    }
}

/// Whether U+000A is a unit by itself, which is part of no other sequence.
fn is_line_feed_single(system: System) -> bool {
    match system {
        System::Hunk(width) => width.bits() >= 5,
        System::Utf18
        | decoded_only!()
        | System::Utf16Octets { .. }
        | System::Ucs2Octets { .. }
        | System::Utf32Octets { .. } => false,
        _ => true,
    }
}

/// The system without a byte order mark that is only left out of the text: the units of the mark are well-formed.
fn without_mark(system: System) -> System {
    match system {
        System::Utf8Bom { .. } => System::Utf8,
        system => system,
    }
}

/// The U+0000 of the magic number of a document, which is an error if the next unit is not the last of the number.
struct NulOfOpening<'m> {
    /// The unit is that U+0000, and no error yet: a register.
    withheld: Signal<'m>,
    /// The unit before is that U+0000, and an error: a register.
    is_error: Signal<'m>,
    tag: Tag<'m>,
}

impl<'m> NulOfOpening<'m> {
    fn new(m: &'m Builder, beat: OneUnitBeat<'m>, tags: &Tags<'m>, pace: &Pace<'m>) -> Self {
        m.stage_section(1, "the magic number at the start of a frame");
        let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
        let in_text = m.reg("in_text_reg", 1).reset(0).note("the opening of the frame is past");
        let count = m.reg("count_reg", 3).reset(0).note("octets of the magic number read");
        let index = magic_index(m, unit, unit_valid);
        let expected = !in_text.q & index.eq(m.concat([m.lit(1, 1), count.q]));
        let expected = expected.named("expected").note("the unit is the next octet of the magic number");
        let at_end = count.q.is(MAGIC.len() as u64 - 1).named("at_end");
        let goes_on = (expected & !at_end & !frame_ends).named("opening_goes_on");
        let present = (unit_valid | frame_ends).named("opening_present");
        let load = (pace.take & present).named("reads").note("a beat moves into stage 1");
        in_text.next_when(load, !frame_ends & !goes_on);
        count.next_when(load, (count.q + m.lit(3, 1)).when(goes_on));
        let units = pace.units();
        let withheld = units.data("nul_withheld_reg", goes_on & count.q.is(NUL));
        let is_error = present & !in_text.q & at_end & !expected;
        let is_error = units.data("nul_is_error_reg", is_error);
        Self { withheld, is_error, tag: tags.error(ErrorKind::Nul) }
    }
}
