//! Corrected UTF-8, seed 004: the forms of RFC 2279, each with an offset, so that no two sequences are one code point.
//!
//! FE and FF open a run that takes all trailing units, FE and FF behind it: one `reserved` error. Where frames are documents,
//! [`document`](super::document) takes the magic number off.

use super::document::Opening;
use super::prefix::{self, Class, Decoded, Sequence};
use super::slots::{SlotRegister, slots};
use super::{OneUnitBeat, kinds_told};
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::Forms;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::{TagStyle, Tags};
use crate::core::spec::ErrorMode;
use crate::netlist::{Builder, Signal, Stage};

/// In sequences of three octets, the first bits past U+D7FF: from EC BD A0 on, the offset skips the surrogates.
const FIRST_PAST_SURROGATES: u64 = 0xcf60;
/// Those of its third octet, all of which the topmost tells.
const SIX: u32 = 6;

/// The trailing units of those.
const TRAILING_OF_THREE: u64 = 2;

/// Stages 1 to 4; gives their number too.
pub(super) fn decode<'m>(
    m: &'m Builder,
    is_document: bool,
    beat: OneUnitBeat<'m>,
    style: TagStyle,
    pace: &Pace<'m>,
) -> (SlotRegister<'m>, u32) {
    let leads = Leads::new(Forms::hunks(8, 6).with_offsets(), ErrorKind::Reserved);
    // Where errors are dropped, so are the units of a run, one by one.
    let leads = if style == TagStyle::Codes(ErrorMode::Drop) { leads } else { leads.with_openers() };
    let leads = if is_document { leads.without_nul() } else { leads };
    let tags = Tags::new(m, style, &kinds_told(&leads, style), false);
    let opening = pace
        .wait
        .zip(beat.place)
        .map(|(wait, place)| (Opening::new(m, beat, place, &tags, pace, wait), wait));
    let Decoded { made, class, sequence } = prefix::decode(m, &leads, beat, &tags, pace);
    let sequence = sequence.expect("there are sequences");
    let offset = Operand::new(m, &class, &sequence);
    let (made, offset) = match opening {
        Some((opening, wait)) => (opening.withhold(m, made, &leads, &tags), offset.unless(wait)),
        None => (made, offset),
    };
    let slot = slots(m, made, leads.code_bits(), pace.slots());
    let offset = offset.register(pace.slots());
    m.section("Stage 4: the offset of the sequence's form");
    let data = slot.data.expect("slots have data").zext(SLOT_DATA_BITS);
    let sum = (data + offset.value(m)).named("with_offset");
    // Only six octets carry into the top bit: said here, so that the carry ends in a LUT.
    let top = sum.bit(SLOT_DATA_BITS - 1) & offset.of_6;
    let sum = m.concat([top, sum.bits(0..SLOT_DATA_BITS - 1)]);
    (slot.register(sum, pace.slots(), "sum"), 3)
}

/// What is added to the bits of a sequence: a bit each.
///
/// The offsets of the seed's table are A0, 8A0 or 10A0, 110A0, 2110A0 and 42110A0, for two to six octets: the bits of each are
/// among those of the next, but for 8A0, that of three octets below the surrogates.
struct Operand<'m> {
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

impl<'m> Operand<'m> {
    fn new(m: &'m Builder, class: &Class<'m>, sequence: &Sequence<'m>) -> Self {
        m.section("Which offset the unit's sequence has, if it ends with the unit");
        let part = class.part.expect("there are sequences");
        let payload = class.payload.expect("octets have bits below their markers");
        let length = m.reg("length_reg", part.follow.width()).note("trailing units of the sequence");
        length.next_when(part.stage.enable, part.lead.mux(part.follow, length.q));
        // Of three octets, the second is held against the first past the surrogates.
        assert_eq!(FIRST_PAST_SURROGATES % (1 << SIX), 1 << (SIX - 1), "one bit of the third octet tells");
        let edge = m.lit(10, FIRST_PAST_SURROGATES >> SIX);
        let two = m.concat([sequence.gathered.bits(0..4), payload.bits(0..SIX)]);
        let load = part.stage;
        let above_edge = load.data("above_edge_reg", edge.lt(two));
        let at_edge = load.data("at_edge_reg", edge.eq(two));
        let past = above_edge | at_edge & payload.bit(SIX - 1);
        let past = past.named("past").note("of three octets: past the surrogates");
        // Where no sequence ends, a single unit goes out, which is no trailing unit and behind none, or an error.
        let goes_on = (sequence.open & part.trailing).named("goes_on");
        let of_3 = length.q.is(TRAILING_OF_THREE).named("of_3");
        let longer = |octets: u64| length.q.within(octets - 1, (1 << length.q.width()) - 1);
        Self {
            of_2: goes_on,
            below_surrogates: goes_on & of_3 & !past,
            past_surrogates: goes_on & (longer(4) | of_3 & past),
            of_4: goes_on & longer(4),
            of_5: goes_on & longer(5),
            of_6: goes_on & longer(6),
        }
    }

    /// Each of the bits put through `change`, which is told its name.
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

    /// Nothing where `not`.
    fn unless(self, not: Signal<'m>) -> Self {
        self.map(|_, bit| bit & !not)
    }

    fn register(self, stage: Stage<'m>) -> Self {
        self.map(|name, bit| stage.data(&format!("{name}_reg"), bit))
    }

    /// The number, of 32 bits.
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
