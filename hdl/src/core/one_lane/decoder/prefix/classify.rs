//! Stage 1: the class of a unit by itself, whatever comes before it.

use super::class::{LengthHints, SequencePart, UnitClass};
use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::core::shared::forms::SequenceForm;
use crate::core::shared::leads::{Leads, Meaning};
use crate::core::shared::pace::Pace;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::core::shared::tags::{Tag, Tags};
use crate::core::shared::units::{UnitKind, follow, opener, payload, restricts};
use crate::netlist::{Builder, Signal};

/// Makes stage 1 and its registers.
pub(in super::super) fn classify<'m>(
    m: &'m Builder,
    leads: &Leads,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> UnitClass<'m> {
    m.stage_section(1, "what the unit is by itself");
    let stage = pace.units();
    let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
    let single = !leads.is_no_single(unit);
    let single = if leads.nul_is_error() { single & unit.any() } else { single };
    let UnitKind { alone, lead } = UnitKind::new(m, leads, unit, tags);
    let part = lead.map(|lead| sequence_part(m, leads, beat, lead, pace));
    let payload = payload(m, leads, unit);
    let payload = payload.map(|payload| payload.named("payload").note("the unit without its marker"));
    // In a system without sequences, no other register marks an empty beat.
    let alone = if part.is_none() { Tag::mux(unit_valid, alone, tags.code_point()) } else { alone };

    let part = part.map(|part| register(part, pace));
    UnitClass {
        unit_valid: stage.flag("unit_valid_reg", unit_valid),
        frame_ends: stage.flag("frame_ends_reg", frame_ends),
        payload: payload.map(|payload| stage.data("payload_reg", payload.when(unit_valid))),
        alone: if tags.drops_errors() { alone } else { alone.register(stage, "alone") },
        single: tags.drops_errors().then(|| stage.data("single_reg", single)),
        part,
    }
}

/// The part that the unit can have in a sequence.
fn sequence_part<'m>(
    m: &'m Builder,
    leads: &Leads,
    beat: OneUnitBeat<'m>,
    lead: Signal<'m>,
    pace: &Pace<'m>,
) -> SequencePart<'m> {
    let OneUnitBeat { unit, unit_valid, frame_ends, .. } = beat;
    let trailing = leads.forms.trailing.expect("sequences have trailing units");
    let trailing = trailing.matches(unit).named("trailing");
    let follow = follow(m, leads, unit).named("follow").note("how many trailing units the lead asks for");
    let restricts = (leads.some_restrict() && !leads.all_restrict()).then(|| {
        restricts(m, leads, unit).named("restricts").note("the lead restricts the first trailing unit")
    });
    let low_only = leads.low_only_bit().map(|bit| {
        unit.bit(bit)
            .named("low_only")
            .note("in a restricting lead: 1 if no checked bit may be set, 0 if one must be")
    });
    SequencePart {
        stage: pace.sequence((unit_valid | frame_ends).named("present")),
        trailing: trailing & unit_valid,
        lead: lead & unit_valid,
        follow,
        restricts,
        low_only,
        opener: leads.has_openers().then(|| opener(m, leads, unit).named("opener") & unit_valid),
        length: (leads.is_long() && !leads.has_openers()).then(|| length_hints(m, leads, unit)),
    }
}

/// The registers of stage 1 for the unit's part in a sequence.
fn register<'m>(part: SequencePart<'m>, pace: &Pace<'m>) -> SequencePart<'m> {
    let stage = pace.units();
    let data = |name: &'static str| move |signal| stage.data(name, signal);
    SequencePart {
        stage: part.stage,
        trailing: stage.data("trailing_reg", part.trailing),
        lead: stage.data("lead_reg", part.lead),
        follow: stage.data("follow_reg", part.follow),
        restricts: part.restricts.map(data("restricts_reg")),
        low_only: part.low_only.map(data("low_only_reg")),
        opener: part.opener.map(data("opener_reg")),
        length: part.length.map(|length| length.register(stage)),
    }
}

/// The facts that the unit tells of the number of limbs of its code point.
fn length_hints<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> LengthHints<'m> {
    const LIMIT: u128 = 1 << SLOT_DATA_BITS;
    let forms = &leads.forms.forms;
    let by_form = |say: &dyn Fn(&SequenceForm) -> Signal<'m>| {
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
    let straddles = |form: &SequenceForm| form.is_used() && form.first < LIMIT && form.last >= LIMIT;
    let straddling = forms.iter().find(|form| straddles(form));
    let says_long = straddling.map(|form| {
        let checked = form.bits - SLOT_DATA_BITS - form.lead.data_bits;
        let top = leads.forms.trailing_bits();
        unit.bits(top - checked..top)
            .any()
            .named("says_long")
            .note("a first trailing unit that makes the code point long")
    });
    let may_be_long = straddling.map(|_| {
        by_form(&|form| bit(straddles(form)))
            .named("may_be_long")
            .note("lead of a code point that may be 2^32 or more")
    });
    let has_third = |form: &SequenceForm| form.bits > 2 * SLOT_DATA_BITS;
    let may_have_third = forms.iter().any(has_third).then(|| {
        by_form(&|form| bit(has_third(form)))
            .named("may_have_third")
            .note("lead of a code point that may have three limbs")
    });
    let long = long.named("long").note("lead of a code point of 2^32 or more");
    LengthHints { long, may_be_long, says_long, may_have_third }
}
