//! The class of a unit of a prefix system by itself, whatever comes before it: logic without registers, for any lane.

use super::error_kind::{ErrorKind, slot_labels};
use super::leads::{Leads, Meaning};
use super::tags::{Tag, Tags};
use super::unit_table::{RowKind, UnitRow, unit_table};
use crate::netlist::{Builder, Row, Signal};

/// The class of a unit by itself.
pub(in crate::core) struct UnitKind<'m> {
    /// The tag of the unit outside sequences; for a lead, the error if nothing follows. In a core that drops errors,
    /// the tag is a code point.
    pub(in crate::core) alone: Tag<'m>,
    /// The unit is a lead that some sequence begins with; `None` if no sequence has more than one unit.
    pub(in crate::core) lead: Option<Signal<'m>>,
}

impl<'m> UnitKind<'m> {
    /// Looks a unit up in the [table](unit_table) of its system.
    ///
    /// The table has one column: `alone_user`, the code of `tuser`, or, without codes, `lead`. The other signals are
    /// gates, which take fewer LUTs than columns of the same table: with `lead` as a second column, the decoder of
    /// `utf-8` has 106 LUT4 in place of 97.
    pub(in crate::core) fn new(m: &'m Builder, leads: &Leads, unit: Signal<'m>, tags: &Tags<'m>) -> Self {
        if !leads.has_sequences() {
            return Self { alone: single(leads, unit, tags), lead: None };
        }
        let table = unit_table(leads);
        let alone = alone(leads, unit, tags, &table);
        let lead = match alone.user {
            Some(_) => {
                lead(m, leads, unit).named("lead").note("by this table: some sequence begins with the unit")
            }
            None => {
                column(unit, "lead", &table, |kind| m.lit(1, matches!(kind, RowKind::Lead { .. }).into()))
            }
        };
        Self { alone, lead: Some(lead) }
    }
}

/// A column of a system's table: the value of the row that the unit is in.
fn column<'m>(
    unit: Signal<'m>,
    name: &str,
    table: &[UnitRow],
    value: impl Fn(RowKind) -> Signal<'m>,
) -> Signal<'m> {
    let last = table.last().expect("a table has rows");
    let row = |row: &UnitRow| Row::new(&row.patterns.join(","), &row.note, [value(row.kind)]);
    let [column] = unit.table([name], table.iter().map(row), [value(last.kind)]);
    column
}

/// The tag of a unit outside sequences.
fn alone<'m>(leads: &Leads, unit: Signal<'m>, tags: &Tags<'m>, table: &[UnitRow]) -> Tag<'m> {
    let code_point = tags.code_point();
    if tags.drops_errors() {
        return code_point;
    }
    let tag = |kind| match kind {
        RowKind::CodePoint => code_point,
        RowKind::Trailing => tags.error(ErrorKind::Unexpected),
        RowKind::Lead { .. } => tags.error(ErrorKind::Truncated),
        RowKind::Error(kind) => tags.error(kind),
        RowKind::Neither => tags.error(leads.kind_of_neither()),
    };
    let user = code_point.user.map(|_| {
        let column = column(unit, "alone_user", table, |kind| tag(kind).user.expect("the tags are codes"));
        column.labels(&slot_labels())
    });
    let is_error = leads.is_no_single(unit);
    let is_error = if leads.nul_is_error() { is_error | !unit.any() } else { is_error };
    Tag { error: code_point.error.map(|_| is_error.named("alone_error")), user, ..code_point }
}

/// The tag of a unit in a system without sequences of several units.
fn single<'m>(leads: &Leads, unit: Signal<'m>, tags: &Tags<'m>) -> Tag<'m> {
    if tags.drops_errors() {
        return tags.code_point();
    }
    let tag = leads.by_ones_tag(unit, &|meaning| match meaning {
        Meaning::Lead(0) => tags.code_point(),
        Meaning::Lead(_) => tags.error(ErrorKind::Overlong),
        Meaning::Trailing => tags.error(ErrorKind::Unexpected),
        Meaning::Neither => tags.error(leads.kind_of_neither()),
    });
    tag.named("alone")
}

/// Whether the unit is a lead that some sequence begins with.
fn lead<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    leads.by_ones(unit, 0, &|meaning| match meaning {
        Meaning::Lead(form) if form > 0 && !leads.is_never_used(form) => {
            leads.bad_data(m, form, unit).map_or(m.lit(1, 1), |bad| bad.mux(m.lit(1, 0), m.lit(1, 1)))
        }
        _ => m.lit(1, 0),
    })
}

/// How many trailing units a lead asks for; of other units anything.
pub(in crate::core) fn follow<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    let width = leads.missing_bits();
    leads.by_ones(unit, leads.fewest_ones_of_a_lead(), &|meaning| match meaning {
        Meaning::Lead(form) => m.lit(width, form as u64),
        Meaning::Trailing => m.lit(width, 1),
        Meaning::Neither => m.lit(width, leads.longest() as u64),
    })
}

/// Whether the unit is neither lead nor trailing.
pub(in crate::core) fn opener<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    leads.by_ones(unit, 0, &|meaning| m.lit(1, (meaning == Meaning::Neither).into()))
}

/// Whether a lead restricts the first trailing unit; of other units anything.
pub(in crate::core) fn restricts<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Signal<'m> {
    leads.by_ones(unit, leads.fewest_ones_of_a_lead(), &|meaning| match meaning {
        Meaning::Lead(form) => leads.restricting_data(m, form, unit).unwrap_or(m.lit(1, 0)),
        _ => m.lit(1, 0),
    })
}

/// The unit without its marker. A bit is part of the marker if all above it are ones, so one expression serves all
/// units.
pub(in crate::core) fn payload<'m>(m: &'m Builder, leads: &Leads, unit: Signal<'m>) -> Option<Signal<'m>> {
    let bits: Vec<Signal> = (0..unit.width() - 1)
        .rev()
        .map(|bit| match leads.ones_above(bit) {
            Some(ones) => unit.bit(bit) & !unit.bits(unit.width() - ones..unit.width()).all(),
            None => unit.bit(bit),
        })
        .collect();
    // The top bit of a further unit that is a code point by itself belongs to the code point.
    let top = leads.forms.more_singles.map(|more| {
        assert_eq!(more.marker, 1 << (unit.width() - 1), "its marker is the top bit");
        more.matches(unit)
    });
    (!bits.is_empty()).then(|| m.concat(top.into_iter().chain(bits)))
}
