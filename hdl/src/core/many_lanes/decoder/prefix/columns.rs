//! The table of units: its columns, and their values for a unit.

use super::halves::{self, Lower, Unit};
use super::shape::Shape;
use super::table::{self, Class, What};
use crate::core::many_lanes::decoder::slot::Kinds;
use crate::core::shared::error_kind::ErrorKind;
use crate::netlist::{Builder, Row, Signal, Stage};

/// The columns of the table for a unit.
pub(super) struct Columns<'m> {
    names: Vec<&'static str>,
    found: Vec<Signal<'m>>,
}

impl<'m> Columns<'m> {
    /// Looks up `unit`.
    pub(super) fn new(m: &'m Builder, shape: &Shape, stage: Stage<'m>, unit: &Unit<'m>) -> Self {
        let names = names(shape);
        let whats = table::classes(shape);
        let bits = whats.len() as u32;
        let constant =
            |(bit, (_, name)): (u32, &(What, &str))| m.lit(bits, 1 << bit).named(&name.to_uppercase());
        let classes: Vec<What> = whats.iter().map(|(what, _)| *what).collect();
        let constants: Vec<Signal> = (0..).zip(&whats).map(constant).collect();
        let kinds = Kinds::new(stage, &shape.layout);
        let dues = shape.limbs_due().into_iter().collect();
        let table = Table { m, shape, classes, constants, kinds, dues, rows: halves::rows(shape) };
        let lower = Lower::of(m, unit);
        let rows: Vec<(&halves::Row, Vec<Signal>)> = table
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                (row, names.iter().map(|column| table.value(column, index, unit, &lower)).collect())
            })
            .collect();
        let found = match names.len() {
            1 => look_up::<1>(unit.upper, &names, &rows),
            2 => look_up::<2>(unit.upper, &names, &rows),
            3 => look_up::<3>(unit.upper, &names, &rows),
            4 => look_up::<4>(unit.upper, &names, &rows),
            5 => look_up::<5>(unit.upper, &names, &rows),
            6 => look_up::<6>(unit.upper, &names, &rows),
            7 => look_up::<7>(unit.upper, &names, &rows),
            _ => look_up::<8>(unit.upper, &names, &rows),
        };
        Self { names, found }
    }

    /// The column of this name, if the system has it.
    pub(super) fn get(&self, name: &str) -> Option<Signal<'m>> {
        self.names.iter().position(|column| *column == name).map(|at| self.found[at])
    }
}

/// The columns that the system has.
fn names(shape: &Shape) -> Vec<&'static str> {
    let is_parted = shape.regions.len() > 1;
    let named = [
        Some("what"),
        is_parted.then_some("accepted"),
        is_parted.then_some("own_region"),
        (shape.longest > 1 && table::length_bits(shape).is_none()).then_some("is_longer"),
        shape.limbs().map(|_| "tells_long"),
        shape.has_third_limbs().then_some("tells_third"),
        shape.limbs().map(|_| "second_last"),
        shape.tells_kinds_of_units().then_some("wrong_kind"),
    ];
    named.into_iter().flatten().collect()
}

/// The values of the table.
struct Table<'a, 'm> {
    m: &'m Builder,
    shape: &'a Shape,
    /// The classes, each a bit of the column `what`, and the constants of those bits.
    classes: Vec<What>,
    constants: Vec<Signal<'m>>,
    kinds: Kinds<'m>,
    /// Trailing units that make the last limb but one certain.
    dues: Vec<usize>,
    rows: Vec<halves::Row>,
}

impl<'m> Table<'_, 'm> {
    /// The value of a column for a class of units, as a number; `None` where the value has no meaning.
    fn number(&self, column: &str, class: &Class) -> Option<u64> {
        let is_lead = class.what == What::Lead;
        match column {
            "what" => Some(self.classes.iter().position(|what| *what == class.what).map_or(0, |at| 1 << at)),
            "accepted" => Some(if is_lead { class.regions } else { 0 }),
            "own_region" => Some(if class.what == What::Trailing { class.regions } else { 0 }),
            "tells_long" => Some(if is_lead { class.long } else { 0 }),
            "tells_third" => Some(if is_lead { class.third } else { 0 }),
            "second_last" => {
                let due = class.due.and_then(|due| self.dues.iter().position(|other| *other == due));
                is_lead.then_some(due.map_or(0, |at| 1 << at))
            }
            "is_longer" => is_lead.then_some((1 << (class.follow.max(1) - 1)) - 1),
            _ => class.kind.map(ErrorKind::code),
        }
    }

    /// The signal for a value of a column.
    fn signal(&self, column: &str, number: u64) -> Signal<'m> {
        let Self { m, shape, .. } = self;
        match column {
            "what" if number == 0 => m.lit(self.classes.len() as u32, 0),
            "what" => self.constants[number.trailing_zeros() as usize],
            "accepted" | "own_region" | "tells_long" | "tells_third" => {
                m.lit(shape.regions.len() as u32, number)
            }
            "second_last" => m.lit(self.dues.len() as u32, number),
            "is_longer" => m.lit(shape.longest as u32 - 1, number),
            _ => {
                let classes = self.rows.iter().flat_map(|row| row.classes.iter().flatten());
                let kind = classes.filter_map(|class| class.kind).find(|kind| kind.code() == number);
                let other = m.lit(shape.layout.kind_bits, number);
                kind.map_or(other, |kind| self.kinds.code(kind).signal())
            }
        }
    }

    /// The value of a row next to that of `index`. A row in which no unit has a meaning gets it: the fewer values, the less logic.
    fn near(&self, column: &str, index: usize) -> Option<u64> {
        let known =
            |row: &halves::Row| row.classes.iter().flatten().find_map(|class| self.number(column, class));
        self.rows[..index].iter().rev().chain(&self.rows[index..]).find_map(known)
    }

    /// The value of a column in a row for `unit`, whose low bits choose among the classes of the row.
    fn value(&self, column: &str, index: usize, unit: &Unit<'m>, lower: &Lower<'_, 'm>) -> Signal<'m> {
        let of_half = |half: &Vec<Class>| half.iter().map(|class| self.number(column, class)).collect();
        let mut halves: Vec<Vec<Option<u64>>> = self.rows[index].classes.iter().map(of_half).collect();
        if lower.is_tested_ahead() {
            halves = vec![halves.concat()];
        }
        halves.retain(|numbers| numbers.iter().any(Option::is_some));
        halves.dedup();
        let choose = |numbers: &[Option<u64>]| match column {
            "accepted" | "own_region" if lower.is_tested_ahead() => {
                lower.choose_bits(numbers, self.shape.regions.len() as u32)
            }
            _ => lower.choose(numbers, &|number| self.signal(column, number)),
        };
        let value = match &halves[..] {
            [] => choose(&[self.near(column, index)]),
            [both] => choose(both),
            [low, high, ..] => {
                let top = unit.bit(halves::row_bits(unit.width()) - 1);
                top.mux(choose(high), choose(low))
            }
        };
        // The last row is the table's default, whose values stand before the table.
        let is_named = index + 1 == self.rows.len() && !value.is_constant();
        if is_named { value.named(&format!("{column}_of_others")) } else { value }
    }
}

/// The columns of the table, looked up.
fn look_up<'m, const N: usize>(
    unit: Signal<'m>,
    names: &[&str],
    rows: &[(&halves::Row, Vec<Signal<'m>>)],
) -> Vec<Signal<'m>> {
    let values = |values: &[Signal<'m>]| -> [Signal<'m>; N] { std::array::from_fn(|at| values[at]) };
    let (_, default) = rows.last().expect("a system has units");
    let all = rows.iter().map(|(row, of_row)| Row::new(&row.patterns, &row.note, values(of_row)));
    unit.table(std::array::from_fn::<_, N, _>(|at| names[at]), all, values(default)).to_vec()
}
