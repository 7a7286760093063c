//! Heads and limbs in stage 2. The head and limbs of a code point of 2^32 or more go out while its sequence still comes
//! in.
//!
//! The head goes out with the first trailing unit. A limb goes out with the unit that has its last bit, or, if the head
//! goes out with that unit, with the next unit. The end of a limb depends only on the number of trailing units still to
//! come, since in all forms a code point ends with whole trailing units.

use std::ops::Range;

use super::class::SequencePart;
use super::open_sequence::OpenSequence;
use crate::core::shared::leads::Leads;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal};

/// The positions of limbs in the sequences of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LimbLayout {
    /// Trailing units that are still to come when the last limb but one is complete.
    missing: u64,
    /// Bits of the last limb that are there by then.
    ahead: u32,
    /// Bits of the last limb but one, at most.
    bits: u32,
    /// Bits above the last limb in the form whose last limb but one is complete together with the head, so that the
    /// limb goes out a unit later. `None` if there is no such form.
    late_bits: Option<u32>,
    /// The form whose code points may have a third limb: its trailing units, and the bits of that limb.
    third: Option<(u64, u32)>,
    /// Bits of a code point that are there with its head, at most, and are part of the slot's data.
    number_bits: u32,
}

impl LimbLayout {
    /// The layout of a system with code points of 2^32 or more.
    pub(super) fn new(leads: &Leads) -> Self {
        let unit = leads.forms.trailing_bits();
        let missing = SLOT_DATA_BITS / unit;
        let long = || leads.forms.forms.iter().filter(|form| form.bits > SLOT_DATA_BITS);
        let late = long().find(|form| form.trailing == missing + 1);
        let third = long().find(|form| form.bits > 2 * SLOT_DATA_BITS);
        let longest = long().map(|form| form.bits).max().expect("a system with long code points");
        let ahead_of_head = long().map(|form| form.lead.data_bits).max().unwrap_or(0) + unit;
        Self {
            number_bits: ahead_of_head,
            missing: missing.into(),
            ahead: SLOT_DATA_BITS - missing * unit,
            bits: (longest - SLOT_DATA_BITS).min(SLOT_DATA_BITS),
            late_bits: late.map(|form| form.bits - SLOT_DATA_BITS),
            third: third.map(|form| {
                assert_eq!(form.trailing, 2 * SLOT_DATA_BITS / unit + 1, "its third limb is late");
                (form.trailing.into(), form.bits - 2 * SLOT_DATA_BITS)
            }),
        }
    }

    /// How many bits of a code point have to be kept while more come, besides those of the last trailing unit, of which
    /// there are `unit`.
    pub(super) fn gathered_bits(&self, unit: u32) -> u32 {
        let late = self.late_bits.map_or(0, |bits| bits + self.ahead + unit);
        SLOT_DATA_BITS.max(self.bits + self.ahead).max(late) - unit
    }
}

/// The head or limb that goes out with a unit before its sequence is whole.
#[derive(Clone, Copy)]
pub(in super::super) struct LongParts<'m> {
    /// If the unit continues its sequence, a head goes out.
    pub(in super::super) head: Signal<'m>,
    /// If the unit continues its sequence, a head goes out, or a limb that is not the last.
    pub(in super::super) due: Signal<'m>,
    /// The data of that slot; `None` if it is made elsewhere, of the unit's own bits.
    pub(in super::super) data: Option<PartData<'m>>,
    /// The head of the sequence went out before the unit.
    pub(in super::super) head_sent: Signal<'m>,
}

/// The data of heads and limbs.
#[derive(Clone, Copy)]
pub(in super::super) struct PartData<'m> {
    /// The slot is a limb: a register.
    pub(super) limb: Signal<'m>,
    pub(super) limb_data: Signal<'m>,
    /// The number of limbs, in as many bits as the code point has by the time of its head.
    pub(super) number: Signal<'m>,
}

/// The heads and limbs of a system whose leads tell which code points are 2^32 or more.
pub(super) fn long_parts<'m>(
    m: &'m Builder,
    leads: &Leads,
    part: SequencePart<'m>,
    sequence: &OpenSequence<'m>,
    payload: Signal<'m>,
) -> LongParts<'m> {
    m.section("Heads and limbs of code points of 2^32 or more, if the unit continues its sequence");
    let layout = LimbLayout::new(leads);
    let unit = leads.forms.trailing_bits();
    let OpenSequence { stage, missing, .. } = *sequence;
    let length = part.length.expect("a system with long code points");
    let bits = |range| known(m, sequence.gathered, payload.bits(0..unit), range);
    let open = |name: &str, is: Signal<'m>, note: &str| stage.data(name, part.lead & is).note(note);

    let long = open("open_long_reg", length.long, "after the lead of a code point of 2^32 or more");
    let may_be_long = length.may_be_long.map(|is| {
        open("open_may_be_long_reg", is, "after the lead of a code point that may be 2^32 or more")
    });
    let head = may_be_long.zip(length.says_long).map_or(long, |(may, says)| long | may & says).named("head");
    // If the unit does not continue the sequence, no sequence is open after it, and these registers have no meaning.
    let is_head = (sequence.open & part.trailing & head).named("is_head");
    let head_sent = m.reg("head_sent_reg", 1).note("the head went out before this unit");
    let is_sent = (is_head | head_sent.q & !part.lead).named("head_is_sent");
    head_sent.next_when(stage.enable, is_sent);
    let third = layout.third.map(|(_, third_bits)| {
        assert_eq!(third_bits, 1, "a third limb is 1");
        let may_have = length.may_have_third.expect("some lead may have a third limb");
        let note = "after the lead of a code point that may have three limbs";
        let may_have = open("open_may_have_third_reg", may_have, note);
        let has_third = (may_have & payload.bit(unit - 1)).named("has_third");
        (
            has_third,
            stage.data("third_reg", has_third).note("the first of three limbs goes out with the unit"),
        )
    });

    // Whether a limb goes out with a unit is known one unit ahead, so that the data of its slot is chosen by a
    // register.
    let completes_next = missing
        .is(layout.missing + 2)
        .named("completes_next")
        .note("the next unit completes the last limb but one");
    let late = layout.late_bits.map(|late_bits| {
        let is_late = (is_head & missing.is(layout.missing + 1)).named("is_late");
        let late = stage.data("late_reg", is_late).note("the last limb but one was complete with the head");
        (is_late, late, late_bits)
    });
    let next = is_sent & completes_next;
    let next = late.map_or(next, |(is_late, ..)| next | is_late);
    let next = third.map_or(next, |(has_third, _)| next | is_sent & has_third);
    let limb = stage.data("limb_due_reg", next).note("a limb goes out with the unit");

    let normal = bits(layout.ahead..layout.ahead + layout.bits).zext(SLOT_DATA_BITS);
    let limb_data = late.map_or(normal, |(_, late, late_bits)| {
        let at = layout.ahead + unit;
        late.mux(bits(at..at + late_bits).zext(SLOT_DATA_BITS), normal)
    });
    let number = |value| m.lit(layout.number_bits, value);
    let (number, limb_data) = match third {
        Some((has_third, third)) => {
            (has_third.mux(number(3), number(2)), third.mux(m.lit(SLOT_DATA_BITS, 1), limb_data))
        }
        None => (number(2), limb_data),
    };
    let data = PartData { limb, limb_data: limb_data.named("limb_data"), number };
    let due = (head | limb).named("part_due").note("a head goes out, or a limb that is not the last");
    LongParts { head, due, data: Some(data), head_sent: head_sent.q }
}

/// Bits known of the code point: the gathered bits, and below them the bits of the trailing unit.
fn known<'m>(m: &'m Builder, gathered: Signal<'m>, unit: Signal<'m>, range: Range<u32>) -> Signal<'m> {
    let width = unit.width();
    let above = (range.end > width).then(|| gathered.bits(range.start.max(width) - width..range.end - width));
    let below = (range.start < width).then(|| unit.bits(range.start..range.end.min(width)));
    m.concat(above.into_iter().chain(below))
}
