//! What a unit of a prefix system is by itself, whatever stands before it: logic without registers, for any lane.

use super::error_kind::ErrorKind;
use super::leads::{Leads, Meaning};
use super::tags::{Tag, Tags};
use crate::netlist::{Builder, Signal};

/// Whether the unit is a lead that some sequence begins with.
pub(in crate::core) fn lead<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    leads.by_ones(unit, 0, &|meaning| match meaning {
        Meaning::Lead(form) if form > 0 && !leads.is_never_used(form) => {
            match leads.bad_data(m, form, unit) {
                Some((wrong, _)) => wrong.mux(m.lit(1, 0), m.lit(1, 1)),
                None => m.lit(1, 1),
            }
        }
        _ => m.lit(1, 0),
    })
}

/// How many trailing units a lead asks for; of other units anything.
pub(in crate::core) fn follow<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    let width = leads.missing_bits();
    leads.by_ones(unit, leads.fewest_ones_of_a_lead(), &|meaning| match meaning {
        Meaning::Lead(form) => m.lit(width, form as u64),
        // Read of leads only.
        Meaning::Trailing => m.lit(width, 1),
        Meaning::Neither => m.lit(width, leads.longest() as u64),
    })
}

/// Whether the unit is neither lead nor trailing.
pub(in crate::core) fn opener<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    leads.by_ones(unit, 0, &|meaning| m.lit(1, (meaning == Meaning::Neither).into()))
}

/// Whether only some trailing units may follow a lead; of other units anything.
pub(in crate::core) fn restricts<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    leads.by_ones(unit, leads.fewest_ones_of_a_lead(), &|meaning| match meaning {
        Meaning::Lead(form) => leads.restricting_data(m, form, unit).unwrap_or(m.lit(1, 0)),
        _ => m.lit(1, 0),
    })
}

/// The unit without its marker. A bit is part of the marker if all above it are ones, so one expression serves all units.
pub(in crate::core) fn payload<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Option<Signal<'m>> {
    let bits: Vec<Signal> = (0..unit.width() - 1)
        .rev()
        .map(|bit| match leads.ones_above(bit) {
            Some(ones) => unit.bit(bit) & !unit.bits(unit.width() - ones..unit.width()).all(),
            None => unit.bit(bit),
        })
        .collect();
    (!bits.is_empty()).then(|| m.concat(bits).named("payload").note("the unit without its marker"))
}

/// What the unit is in no sequence.
pub(in crate::core) fn alone<'m>(
    m: &'m Builder,
    leads: &Leads,
    unit: Signal<'m>,
    tags: &Tags<'m>,
) -> Tag<'m> {
    if tags.drops_errors() {
        return tags.code_point();
    }
    let truncated = || tags.error(ErrorKind::Truncated);
    leads.by_ones_tag(unit, &|meaning| match meaning {
        Meaning::Lead(0) if leads.nul_is_error() => {
            Tag::mux(unit.any().named("not_nul"), tags.code_point(), tags.error(ErrorKind::Nul))
        }
        Meaning::Lead(0) => tags.code_point(),
        Meaning::Lead(form) if leads.is_never_used(form) => tags.error(ErrorKind::Overlong),
        Meaning::Lead(form) => match leads.bad_data(m, form, unit) {
            Some((wrong, kind)) => Tag::mux(wrong, tags.error(kind), truncated()),
            None => truncated(),
        },
        Meaning::Trailing => tags.error(ErrorKind::Unexpected),
        Meaning::Neither => tags.error(leads.kind_of_neither()),
    })
}
