//! The decoder of Corrected UTF-8, seed 004: the forms of RFC 2279, in which each form adds an offset to the bits of
//! its sequences, so that no code point has two sequences.
//!
//! FE and FF open a run, which is one `reserved` error: it continues with all trailing units, FE and FF. In document
//! mode, [`document`](super::document) removes the magic number.

use super::document::Opening;
use super::pipeline::DecodePipeline;
use super::prefix::{self, Decoded, OpenSequence, UnitClass};
use super::slots::{Offsets, slots};
use super::unit::OneUnitBeat;
use crate::core::shared::corrected_utf_8::without_private;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::netlist::{Builder, Signal, Stage};

/// Cycles from a beat to the last register of its slots: one more than in a [two-stage decoder](super::two_stage).
const LATENCY: u32 = 3;

/// The bits of the first sequence of three octets past U+D7FF: from EC BD A0 on, the offset skips the surrogates.
const FIRST_PAST_SURROGATES: u64 = 0xcf60;
/// Bits of a third octet; the topmost of them decides.
const THIRD_OCTET_BITS: u32 = 6;

/// Trailing units of three octets.
const TRAILING_OF_THREE: u64 = 2;

/// The decoder up to the last register of its slots.
pub(super) fn decode<'m>(
    m: &'m Builder,
    is_document: bool,
    private: bool,
    beat: OneUnitBeat<'m>,
    (style, offsets): (TagStyle, Offsets),
    pace: &Pace<'m>,
) -> DecodePipeline<'m> {
    let leads = leads(is_document, style);
    let tags = Tags::new(m, style, &leads.kinds(style), false);
    let opening = pace
        .wait
        .zip(beat.magic_index)
        .map(|(wait, magic_index)| (Opening::new(m, beat, magic_index, &tags, pace, wait), wait));
    let Decoded { unit_slots, class, sequence } = prefix::decode(m, &leads, beat, &tags, pace);
    let sequence = sequence.expect("there are sequences");
    let offset = Offset::new(m, &class, &sequence);
    let (unit_slots, offset) = match opening {
        Some((opening, wait)) => (opening.hold_back(m, unit_slots, &leads, &tags), offset.unless(wait)),
        None => (unit_slots, offset),
    };
    let slot = slots(m, unit_slots, leads.code_bits(), pace.slots(), offsets);
    let offset = offset.register(pace.slots());
    m.stage_section(4, "the offset of the sequence's form is added");
    let data = slot.data.expect("slots have data").zext(SLOT_DATA_BITS);
    let sum = (data + offset.value(m)).named("with_offset");
    // Only sequences of six octets carry into the top bit. Said here, the carry ends in a LUT.
    let top = sum.bit(SLOT_DATA_BITS - 1) & offset.of_6;
    let sum = m.concat([top, sum.bits(0..SLOT_DATA_BITS - 1)]);
    let slot = slot.register(sum, pace.slots(), "sum");
    if !private {
        return DecodePipeline { slot, latency: LATENCY };
    }
    m.stage_section(5, "private-use characters that stand for code points that are skipped");
    let data = slot.data.expect("slots have data");
    let data = without_private(m, data);
    DecodePipeline { slot: slot.register(data, pace.slots(), "read"), latency: LATENCY + 1 }
}

/// The lead units of the system.
pub(super) fn leads(is_document: bool, style: TagStyle) -> Leads {
    let leads = Leads::new(SequenceForms::hunks(8, 6).with_offsets(), ErrorKind::Reserved);
    // A core that drops errors needs no runs: the units are dropped one by one.
    let leads = if style.drops_errors() { leads } else { leads.with_openers() };
    if is_document { leads.without_nul() } else { leads }
}

/// The offset of a sequence, by a signal for each of its bits that may be set.
///
/// The offsets in the seed's table are A0, 8A0 or 10A0, 110A0, 2110A0 and 42110A0, for two to six octets. The bits of
/// each are among those of the next, except for 8A0, that of three octets below the surrogates.
struct Offset<'m> {
    /// A0, of all sequences of more than one octet.
    of_2: Signal<'m>,
    /// 800, of three octets below the surrogates.
    below_surrogates: Signal<'m>,
    /// 1000, of three octets past the surrogates, and longer ones.
    past_surrogates: Signal<'m>,
    /// 10000.
    of_4: Signal<'m>,
    /// 200000.
    of_5: Signal<'m>,
    /// 4000000.
    of_6: Signal<'m>,
}

impl<'m> Offset<'m> {
    fn new(m: &'m Builder, class: &UnitClass<'m>, sequence: &OpenSequence<'m>) -> Self {
        m.section("The offset of the open sequence, if the unit ends it");
        let part = class.part.expect("there are sequences");
        let payload = class.payload.expect("octets have bits below their markers");
        let length = m.reg("length_reg", part.follow.width()).note("trailing units of the open sequence");
        length.next_when(part.stage.enable, part.lead.mux(part.follow, length.q));
        // In three octets, the first two are compared with those of the first sequence past the surrogates.
        assert_eq!(
            FIRST_PAST_SURROGATES % (1 << THIRD_OCTET_BITS),
            1 << (THIRD_OCTET_BITS - 1),
            "one bit of the third octet decides"
        );
        let edge = m.lit(10, FIRST_PAST_SURROGATES >> THIRD_OCTET_BITS);
        let two = m.concat([sequence.gathered.bits(0..4), payload.bits(0..6)]).named("first_two_octets");
        let load = part.stage;
        let above_edge = load.data("above_edge_reg", edge.lt(two));
        let at_edge = load.data("at_edge_reg", edge.eq(two));
        let past = above_edge | at_edge & payload.bit(THIRD_OCTET_BITS - 1);
        let past = past.named("past").note("three octets are past the surrogates");
        // If no sequence ends, the unit makes a code point of one octet, or an error: nothing is added.
        let trails = (sequence.open & part.trailing).named("trails");
        let of_3 = length.q.is(TRAILING_OF_THREE).named("of_3");
        let at_least = |octets: u64| length.q.within(octets - 1, (1 << length.q.width()) - 1);
        let at_least_4 = at_least(4).named("at_least_4");
        Self {
            of_2: trails,
            below_surrogates: trails & of_3 & !past,
            past_surrogates: trails & (at_least_4 | of_3 & past),
            of_4: trails & at_least_4,
            of_5: trails & at_least(5),
            of_6: trails & at_least(6),
        }
    }

    /// Each of the signals put through `change`, which gets its name, too.
    fn map(self, change: impl Fn(&str, Signal<'m>) -> Signal<'m>) -> Self {
        Self {
            of_2: change("of_2", self.of_2),
            below_surrogates: change("below_surrogates", self.below_surrogates),
            past_surrogates: change("past_surrogates", self.past_surrogates),
            of_4: change("of_4", self.of_4),
            of_5: change("of_5", self.of_5),
            of_6: change("of_6", self.of_6),
        }
    }

    /// This offset, or zero if `not` is high.
    fn unless(self, not: Signal<'m>) -> Self {
        self.map(|_, bit| bit & !not)
    }

    fn register(self, stage: Stage<'m>) -> Self {
        self.map(|name, bit| stage.data(&format!("{name}_reg"), bit))
    }

    /// The offset as a number of 32 bits.
    fn value(&self, m: &'m Builder) -> Signal<'m> {
        let bits = [
            (5, self.of_2),
            (7, self.of_2),
            (11, self.below_surrogates),
            (12, self.past_surrogates),
            (16, self.of_4),
            (21, self.of_5),
            (26, self.of_6),
        ];
        let mut parts = Vec::new();
        let mut end = 0;
        for (at, bit) in bits {
            parts.extend((at > end).then(|| m.lit(at - end, 0)));
            parts.push(bit);
            end = at + 1;
        }
        parts.push(m.lit(SLOT_DATA_BITS - end, 0));
        m.concat(parts.into_iter().rev()).named("offset")
    }
}
