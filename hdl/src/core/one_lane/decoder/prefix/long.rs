//! Heads and limbs: code points of 2^32 or more go out while their sequence comes in.
//!
//! The head goes out with the first trailing unit, the limbs after it each with the unit that has its last bit, or with the one
//! behind the head. Where limbs end depends on how many trailing units are still to come, and on nothing else, since all
//! forms end with whole trailing units.

use std::ops::Range;

use super::classify::Part;
use super::sequence::Sequence;
use crate::core::shared::forms::Form;
use crate::core::shared::leads::{Leads, Meaning};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal, Stage};

/// Where the limbs of a system's code points lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limbs {
    /// Trailing units still to come when the last limb but one is complete.
    missing: u64,
    /// Bits of the last limb that are there by then.
    ahead: u32,
    /// Bits of the last limb but one, at most.
    bits: u32,
    /// Of the form in which the head goes out with the unit that completes that limb: its bits above the last limb. It goes out
    /// a unit later.
    late_bits: Option<u32>,
    /// The form that may have a third limb: its trailing units, and the bits of that limb.
    third: Option<(u64, u32)>,
    /// Bits of a code point that are there with its head, at most, of those that go out.
    number_bits: u32,
}

impl Limbs {
    /// Of a system that has code points of 2^32 or more.
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
                assert_eq!(form.trailing, 2 * SLOT_DATA_BITS / unit + 1, "its limb is late");
                (form.trailing.into(), form.bits - 2 * SLOT_DATA_BITS)
            }),
        }
    }

    /// How many bits of a code point have to be kept while more come.
    pub(super) fn gathered_bits(&self, unit: u32) -> u32 {
        let late = self.late_bits.map_or(0, |bits| bits + self.ahead + unit);
        SLOT_DATA_BITS.max(self.bits + self.ahead).max(late) - unit
    }
}

/// What a unit says of the number of limbs.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Size<'m> {
    /// Of a lead: the code point is 2^32 or more.
    long: Signal<'m>,
    /// Of a lead: it is if the first trailing unit says so; where there are such leads.
    may_be_long: Option<Signal<'m>>,
    /// Of the first trailing unit behind such a lead: it is.
    says_long: Option<Signal<'m>>,
    /// Of a lead: there is a third limb if the first trailing unit says so; where there are such leads.
    may_have_third: Option<Signal<'m>>,
}

impl<'m> Size<'m> {
    pub(super) fn register(self, stage: Stage<'m>) -> Self {
        let data = |name: &'static str| move |signal| stage.data(name, signal);
        Self {
            long: stage.data("long_reg", self.long),
            may_be_long: self.may_be_long.map(data("may_be_long_reg")),
            says_long: self.says_long.map(data("says_long_reg")),
            may_have_third: self.may_have_third.map(data("may_have_third_reg")),
        }
    }
}

/// Stage 1: what a unit says of the number of limbs.
pub(super) fn size<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Size<'m> {
    const LIMIT: u128 = 1 << SLOT_DATA_BITS;
    let forms = &leads.forms.forms;
    let by_form = |say: &dyn Fn(&Form) -> Signal<'m>| {
        leads.by_ones(unit, leads.fewest_ones_of_a_lead(), &|meaning| match meaning {
            Meaning::Lead(form) => say(&forms[form]),
            _ => m.lit(1, 0),
        })
    };
    let bit = |is: bool| m.lit(1, is.into());
    let long = by_form(&|form| {
        let data = form.lead.data_bits;
        if form.first < LIMIT && form.last >= LIMIT && data > 0 {
            return unit.bits(0..data).any();
        }
        bit(form.first >= LIMIT)
    });
    let straddles = |form: &Form| form.is_used() && form.first < LIMIT && form.last >= LIMIT;
    let straddling = forms.iter().find(|form| straddles(form));
    let says_long = straddling.map(|form| {
        let telling = form.bits - SLOT_DATA_BITS - form.lead.data_bits;
        let top = leads.forms.trailing_bits();
        unit.bits(top - telling..top).any().named("says_long").note("of the first trailing unit")
    });
    let may_be_long = straddling
        .map(|_| by_form(&|form| bit(straddles(form))).named("may_be_long").note("if that says so"));
    let has_third = |form: &Form| form.bits > 2 * SLOT_DATA_BITS;
    let may_have_third = forms.iter().any(has_third).then(|| {
        by_form(&|form| bit(has_third(form))).named("may_have_third").note("limb, if the next unit says so")
    });
    let long = long.named("long").note("of a lead: the code point is 2^32 or more");
    Size { long, may_be_long, says_long, may_have_third }
}

/// Heads and limbs that go out before a sequence is whole.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Parts<'m> {
    /// If the unit goes on with its sequence, it makes a head certain.
    pub(in crate::core::one_lane::decoder) head: Signal<'m>,
    /// If the unit goes on with its sequence, a head or a limb goes out that is not the last.
    pub(in crate::core::one_lane::decoder) due: Signal<'m>,
    /// What it holds, where that is not among the unit's own bits.
    pub(in crate::core::one_lane::decoder) data: Option<PartData<'m>>,
    /// The head of the sequence went out before the unit.
    pub(in crate::core::one_lane::decoder) told: Signal<'m>,
}

/// What heads and limbs hold.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct PartData<'m> {
    /// It is a limb; a register.
    pub(super) limb: Signal<'m>,
    pub(super) limb_data: Signal<'m>,
    /// Of a head, as wide as the bits of the code point that are there by then.
    pub(super) number: Signal<'m>,
}

/// Stage 2.
pub(super) fn parts<'m>(
    m: &'m Builder,
    leads: &Leads,
    part: Part<'m>,
    sequence: &Sequence<'m>,
    payload: Signal<'m>,
) -> Parts<'m> {
    m.section("Heads and limbs of code points of 2^32 or more, if the unit goes on with its sequence");
    let limbs = Limbs::new(leads);
    let unit = leads.forms.trailing_bits();
    let Sequence { stage: Stage { enable: load, .. }, missing, .. } = *sequence;
    let size = part.size.expect("a system with long code points");
    let bits = |range| known(m, sequence.gathered, payload.bits(0..unit), range);
    let after_lead = |name: &str, is: Signal<'m>| {
        let register = m.reg(name, 1).note("of the lead before this unit");
        register.next_when(load, part.lead & is);
        register.q
    };

    let long = after_lead("is_long_reg", size.long);
    let may_be_long = size.may_be_long.map(|is| after_lead("may_be_reg", is));
    let head = may_be_long.zip(size.says_long).map_or(long, |(may, says)| long | may & says).named("head");
    // Whether the unit fits does not matter here: if it does not, nothing is open behind it.
    let is_head = (sequence.open & part.trailing & head).named("is_head");
    let told = m.reg("told_reg", 1).note("the head went out");
    let is_told = (is_head | told.q & !part.lead).named("is_told");
    told.next_when(load, is_told);
    let third = limbs.third.map(|(_, third_bits)| {
        assert_eq!(third_bits, 1, "a third limb is 1");
        let may_have = after_lead("may_have_reg", size.may_have_third.expect("some lead may"));
        let has_third = (may_have & payload.bit(unit - 1)).named("has_third");
        let third = m.reg("third_reg", 1).note("the third limb from the end goes out");
        third.next_when(load, has_third);
        (has_third, third.q)
    });

    // Whether a limb goes out is told a unit ahead: it says what the next unit's slot holds.
    let almost =
        missing.is(limbs.missing + 2).named("almost").note("the next unit completes the last limb but one");
    let late = limbs.late_bits.map(|late_bits| {
        let late = m.reg("late_reg", 1).note("the last limb but one was complete with the head");
        let is_late = (is_head & missing.is(limbs.missing + 1)).named("is_late");
        late.next_when(load, is_late);
        (is_late, late.q, late_bits)
    });
    let next = late.map_or(is_told & almost, |(is_late, ..)| is_told & almost | is_late);
    let next = third.map_or(next, |(has_third, _)| next | is_told & has_third);
    let limb = m.reg("limb_due_reg", 1).note("a limb goes out with the unit");
    limb.next_when(load, next);

    let normal = bits(limbs.ahead..limbs.ahead + limbs.bits).zext(SLOT_DATA_BITS);
    let limb_data = late.map_or(normal, |(_, late, late_bits)| {
        let at = limbs.ahead + unit;
        late.mux(bits(at..at + late_bits).zext(SLOT_DATA_BITS), normal)
    });
    let number = |value| m.lit(limbs.number_bits, value);
    let (number, limb_data) = match third {
        Some((has_third, third)) => {
            (has_third.mux(number(3), number(2)), third.mux(m.lit(SLOT_DATA_BITS, 1), limb_data))
        }
        None => (number(2), limb_data),
    };
    let data = PartData { limb: limb.q, limb_data: limb_data.named("limb_data"), number };
    let limb = limb.q;
    let due = (head | limb).named("part_due").note("a head or a limb, but not the last");
    Parts { head, due, data: Some(data), told: told.q }
}

/// Bits of the code point so far: those that are gathered, and those of the trailing unit below them.
fn known<'m>(m: &'m Builder, gathered: Signal<'m>, unit: Signal<'m>, range: Range<u32>) -> Signal<'m> {
    let width = unit.width();
    let above = (range.end > width).then(|| gathered.bits(range.start.max(width) - width..range.end - width));
    let below = (range.start < width).then(|| unit.bits(range.start..range.end.min(width)));
    m.concat(above.into_iter().chain(below))
}
