//! Stage 1: what a unit is by itself, whatever stands before it.

use super::long::{Size, size};
use crate::core::one_lane::decoder::OneUnitBeat;
use crate::core::shared::leads::Leads;
use crate::core::shared::pace::Pace;
use crate::core::shared::tags::{Tag, Tags};
use crate::core::shared::units::{alone, follow, lead, narrows, opener, payload};
use crate::netlist::{Builder, Signal, Stage};

/// The registers of the stage.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Class<'m> {
    pub(in crate::core::one_lane::decoder) unit_valid: Signal<'m>,
    pub(in crate::core::one_lane::decoder) frame_ends: Signal<'m>,
    /// The bits below the marker, zeros above; where there are any.
    pub(in crate::core::one_lane::decoder) payload: Option<Signal<'m>>,
    /// What the unit is in no sequence (a lead, if nothing follows); where errors are dropped, a code point.
    pub(in crate::core::one_lane::decoder) alone: Tag<'m>,
    /// The unit is a code point by itself; where errors are dropped.
    pub(in crate::core::one_lane::decoder) single: Option<Signal<'m>>,
    /// What the unit is to sequences, where there are any of more than one unit.
    pub(in crate::core::one_lane::decoder) part: Option<Part<'m>>,
}

/// What a unit is to sequences.
#[derive(Clone, Copy)]
pub(in crate::core::one_lane::decoder) struct Part<'m> {
    /// The registers of stage 2 that keep what they have until a beat comes.
    pub(in crate::core::one_lane::decoder) stage: Stage<'m>,
    pub(in crate::core::one_lane::decoder) trailing: Signal<'m>,
    pub(in crate::core::one_lane::decoder) lead: Signal<'m>,
    /// How many trailing units a lead asks for.
    pub(in crate::core::one_lane::decoder) follow: Signal<'m>,
    /// Not every trailing unit may follow the lead; where that holds of some leads, but not of all.
    pub(in crate::core::one_lane::decoder) narrows: Option<Signal<'m>>,
    /// If so: the lower trailing units may follow, not the upper; where there are such leads.
    pub(in crate::core::one_lane::decoder) lower: Option<Signal<'m>>,
    /// The unit is neither lead nor trailing, and opens something longer; where there are such.
    pub(in crate::core::one_lane::decoder) opener: Option<Signal<'m>>,
    /// How long code points are, where there are any of 2^32 or more, and no openers of longer ones.
    pub(in crate::core::one_lane::decoder) size: Option<Size<'m>>,
}

pub(in crate::core::one_lane::decoder) fn classify<'m>(
    m: &'m Builder,
    leads: &Leads,
    beat: OneUnitBeat<'m>,
    tags: &Tags<'m>,
    pace: &Pace<'m>,
) -> Class<'m> {
    m.section("Stage 1: what the unit is by itself");
    let stage = pace.units();
    let unit = beat.unit;
    let single = !unit.bit(unit.width() - 1);
    let single = if leads.nul_is_error() { single & unit.any() } else { single };
    let parts = leads.has_sequences().then(|| {
        let trailing = leads.trailing_pattern().map(|pattern| pattern.matches(unit));
        let trailing = trailing.expect("sequences have trailing units").named("trailing");
        let lead = lead(m, leads, unit).named("lead");
        let follow = follow(m, leads, unit).named("follow").note("trailing units the lead asks for");
        let narrows = (leads.any_narrows() && !leads.all_narrow()).then(|| {
            narrows(m, leads, unit).named("narrows").note("not every trailing unit may follow the lead")
        });
        let lower = leads.lower_bit().map(|bit| {
            unit.bit(bit).named("lower").note("of these leads: those that only lower units may follow")
        });
        Part {
            stage: pace.sequence((beat.unit_valid | beat.frame_ends).named("present")),
            trailing: trailing & beat.unit_valid,
            lead: lead & beat.unit_valid,
            follow,
            narrows,
            lower,
            opener: leads.has_openers().then(|| opener(m, leads, unit).named("opener") & beat.unit_valid),
            size: (leads.is_long() && !leads.has_openers()).then(|| size(m, leads, unit)),
        }
    });
    let payload = payload(m, leads, unit);
    let alone = alone(m, leads, unit, tags);
    let alone = if tags.drops_errors() { alone } else { alone.named("alone") };
    // Where there are no sequences, nothing else tells an empty beat.
    let alone = if parts.is_none() { Tag::mux(beat.unit_valid, alone, tags.code_point()) } else { alone };

    let unit_valid = beat.unit_valid;
    let data = |name: &'static str| move |signal| stage.data(name, signal);
    let part = parts.map(|part| Part {
        stage: part.stage,
        trailing: stage.data("trailing_reg", part.trailing),
        lead: stage.data("lead_reg", part.lead),
        follow: stage.data("follow_reg", part.follow),
        narrows: part.narrows.map(data("narrows_reg")),
        lower: part.lower.map(data("lower_reg")),
        opener: part.opener.map(data("opener_reg")),
        size: part.size.map(|size| size.register(stage)),
    });
    Class {
        unit_valid: stage.flag("unit_valid_reg", unit_valid),
        frame_ends: stage.flag("frame_ends_reg", beat.frame_ends),
        payload: payload.map(|payload| stage.data("payload_reg", payload.when(unit_valid))),
        alone: if tags.drops_errors() { alone } else { alone.register(stage, "alone") },
        single: tags.drops_errors().then(|| stage.data("single_reg", single)),
        part,
    }
}
