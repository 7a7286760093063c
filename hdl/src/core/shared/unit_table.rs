//! The table of a prefix system's units: the class of each unit by itself. For UTF-8 the table reads as Table 3-7 of
//! the Unicode Standard.

use super::error_kind::ErrorKind;
use super::leads::{Leads, Meaning};

/// The class of the units of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum RowKind {
    /// A code point by itself.
    CodePoint,
    Trailing,
    /// The lead of a sequence.
    Lead {
        /// How many trailing units follow it.
        trailing: usize,
    },
    /// A unit that begins no sequence, and is an error.
    Error(ErrorKind),
    /// A unit that is neither lead nor trailing.
    Neither,
}

/// A row of the table. Of the rows that a unit matches, the first counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct UnitRow {
    /// The units as the patterns of a [`Row`](crate::netlist::Row).
    pub(in crate::core) patterns: Vec<String>,
    pub(in crate::core) kind: RowKind,
    /// The units and their class, for a reader.
    pub(in crate::core) note: String,
}

/// The rows of a system. Together they match every unit.
pub(in crate::core) fn unit_table(leads: &Leads) -> Vec<UnitRow> {
    let width = leads.forms.unit_bits;
    let mut rows: Vec<(Vec<Pattern>, RowKind)> = Vec::new();
    let defined = leads.most_defined_ones() + 1;
    for ones in 0..defined {
        for (meaning, marker) in leads.defined(ones) {
            let pattern = Pattern { value: marker.marker, open: marker.data_bits, width };
            match meaning {
                Meaning::Lead(0) => {
                    let nul = Pattern { open: 0, ..pattern };
                    let is_error = leads.nul_is_error();
                    rows.extend(is_error.then(|| (vec![nul], RowKind::Error(ErrorKind::Nul))));
                    rows.push((vec![pattern], RowKind::CodePoint));
                }
                Meaning::Lead(form) => rows.extend(lead_rows(leads, form, pattern)),
                Meaning::Trailing => rows.push((vec![pattern], RowKind::Trailing)),
                Meaning::Neither => unreachable!("every unit has a meaning in a table"),
            }
        }
    }
    if defined <= width {
        let marker = ((1 << defined) - 1) << (width - defined);
        rows.push((vec![Pattern { value: marker, open: width - defined, width }], RowKind::Neither));
    }
    let mut seen = vec![false; 1 << width];
    let mut table = Vec::new();
    for (patterns, kind) in rows {
        let mut units: Vec<u64> = patterns.iter().flat_map(Pattern::units).collect();
        units.retain(|&unit| !std::mem::replace(&mut seen[unit as usize], true));
        units.sort_unstable();
        if !units.is_empty() {
            let note = note(leads, kind, &units);
            table.push(UnitRow { patterns: patterns.iter().map(Pattern::text).collect(), kind, note });
        }
    }
    // The last row becomes the default of a `casez`. With these leads there, Yosys 0.23 makes 113 LUT4 for an ECP5 of the
    // decoder of UTF-8, and 129 with the rows in the order of their units.
    table.sort_by_key(|row| row.kind == RowKind::Error(ErrorKind::OutOfRange));
    table
}

/// The rows of a form's leads.
fn lead_rows(leads: &Leads, form: usize, lead: Pattern) -> Vec<(Vec<Pattern>, RowKind)> {
    let data = |value: u64, open: u32| Pattern { value: lead.value | value, open, ..lead };
    let kind = RowKind::Lead { trailing: form };
    if leads.is_never_used(form) {
        return vec![(vec![lead], RowKind::Error(ErrorKind::Overlong))];
    }
    let Some((error, from)) = leads.bad_leads(form) else { return vec![(vec![lead], kind)] };
    if error == ErrorKind::Overlong && leads.nul_is_pair() {
        let overlong = (1..from).map(|value| data(value, 0)).collect();
        return vec![(overlong, RowKind::Error(ErrorKind::Overlong)), (vec![lead], kind)];
    }
    // The data below `from`: for each bit that is set in it, the values with a 0 there and the same bits above.
    let bits = (0..lead.open).rev().filter(|bit| from >> bit & 1 == 1);
    let below = bits.map(|bit| data(from >> bit << bit & !(1 << bit), bit)).collect();
    match error {
        ErrorKind::Overlong => vec![(below, RowKind::Error(error)), (vec![lead], kind)],
        _ => vec![(below, kind), (vec![lead], RowKind::Error(error))],
    }
}

/// Units that agree in all bits but the lowest `open`.
#[derive(Clone, Copy)]
struct Pattern {
    value: u64,
    open: u32,
    width: u32,
}

impl Pattern {
    fn units(&self) -> impl Iterator<Item = u64> + use<> {
        self.value..self.value + (1 << self.open)
    }

    fn text(&self) -> String {
        let bit = |bit| match self.value >> bit & 1 {
            _ if bit < self.open => 'x',
            0 => '0',
            _ => '1',
        };
        (0..self.width).rev().map(bit).collect()
    }
}

/// The note on `units`, which are of one kind.
fn note(leads: &Leads, kind: RowKind, units: &[u64]) -> String {
    let digits = leads.forms.unit_bits.div_ceil(4) as usize;
    let ranges = |values: &[(u128, u128)], text: &dyn Fn(u128) -> String| -> String {
        let range = |&(first, last): &(u128, u128)| match first == last {
            true => text(first),
            false => format!("{}..{}", text(first), text(last)),
        };
        values.iter().map(range).collect::<Vec<_>>().join(", ")
    };
    let units_of = joined(units.iter().map(|&unit| (unit.into(), unit.into())));
    let of = ranges(&units_of, &|unit| format!("{unit:0digits$X}"));
    let code_points = |form: usize| {
        let spans: Option<Vec<_>> = units.iter().map(|&unit| leads.code_points(form, unit)).collect();
        spans.map(|spans| {
            ranges(&joined(spans.into_iter().flatten()), &|code_point| format!("U+{code_point:04X}"))
        })
    };
    let what = match kind {
        RowKind::CodePoint => code_points(0).expect("code points of one unit have no offset"),
        RowKind::Trailing => "trailing unit".to_owned(),
        RowKind::Lead { trailing } => {
            let second = units.iter().filter_map(|&unit| {
                let seconds = leads.second_units(trailing, unit)?;
                let range = |&(first, last): &(u64, u64)| {
                    let from = if first < last { format!("{first:0digits$X}..") } else { String::new() };
                    format!("{from}{last:0digits$X}")
                };
                let seconds = seconds.iter().map(range).collect::<Vec<_>>().join(" or ");
                Some(format!("{seconds} after {unit:0digits$X}"))
            });
            let second = second.collect::<Vec<_>>().join(", ");
            let second = if second.is_empty() { second } else { format!("; second unit {second}") };
            let of = code_points(trailing).map_or(String::new(), |of| format!(", {of}"));
            let pairs = if second.contains("after ED") && leads.has_surrogate_pairs() {
                "; ED A0..AF begins six units, U+10000..U+10FFFF"
            } else {
                ""
            };
            format!("lead of {} units{of}{second}{pairs}", trailing + 1)
        }
        RowKind::Error(ErrorKind::Overlong) => "lead of overlong forms only".to_owned(),
        RowKind::Error(ErrorKind::OutOfRange) => "lead past the last code point".to_owned(),
        RowKind::Error(ErrorKind::Nul) if leads.nul_is_pair() => "an error; U+0000 is C0 80".to_owned(),
        RowKind::Error(ErrorKind::Nul) => "U+0000, an error in a document".to_owned(),
        RowKind::Error(error) => unreachable!("{error:?} is no error of a lead"),
        RowKind::Neither => match leads.kind_of_neither() {
            ErrorKind::Reserved => "reserved".to_owned(),
            _ if leads.has_openers() => "opens a longer form".to_owned(),
            _ => "invalid".to_owned(),
        },
    };
    format!("{of}: {what}")
}

/// Ranges, of which those that meet are joined.
fn joined(spans: impl Iterator<Item = (u128, u128)>) -> Vec<(u128, u128)> {
    let mut joined: Vec<(u128, u128)> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => joined.push((first, last)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::System;
    use crate::core::shared::forms::SequenceForms;

    fn rows(system: System) -> Vec<UnitRow> {
        unit_table(&Leads::of(system))
    }

    /// Table 3-7 of the Unicode Standard, and the units that are not in it.
    #[test]
    fn the_units_of_utf_8_are_those_of_the_standard() {
        let notes: Vec<String> = rows(System::Utf8).into_iter().map(|row| row.note).collect();
        let expected = [
            "00..7F: U+0000..U+007F",
            "80..BF: trailing unit",
            "C0..C1: lead of overlong forms only",
            "C2..DF: lead of 2 units, U+0080..U+07FF",
            "E0..EF: lead of 3 units, U+0800..U+D7FF, U+E000..U+FFFF; second unit A0..BF after E0, 80..9F after ED",
            "F0..F4: lead of 4 units, U+10000..U+10FFFF; second unit 90..BF after F0, 80..8F after F4",
            "F8..FF: invalid",
            "F5..F7: lead past the last code point",
        ];
        assert_eq!(notes, expected);
    }

    /// Tables 4.3 to 4.5 of §4.4.7 of The Java Virtual Machine Specification, and the units that are not in them.
    #[test]
    fn the_units_of_modified_utf_8_are_those_of_its_specification() {
        let forms = SequenceForms::hunks(8, 3).without_surrogates();
        let leads = Leads::new(forms, ErrorKind::Invalid).with_surrogate_pairs().with_nul_of_two_units();
        let notes: Vec<String> = unit_table(&leads).into_iter().map(|row| row.note).collect();
        let expected = [
            "00: an error; U+0000 is C0 80",
            "01..7F: U+0001..U+007F",
            "80..BF: trailing unit",
            "C1: lead of overlong forms only",
            "C0, C2..DF: lead of 2 units, U+0000, U+0080..U+07FF; second unit 80 after C0",
            "E0..EF: lead of 3 units, U+0800..U+D7FF, U+E000..U+FFFF; second unit A0..BF after E0, 80..AF after ED; \
             ED A0..AF begins six units, U+10000..U+10FFFF",
            "F0..FF: invalid",
        ];
        assert_eq!(notes, expected);
    }

    /// The class of each unit, read from the first row that the unit matches, is that of the row's note.
    #[test]
    fn patterns_match_the_units_of_their_notes() {
        for system in System::all().filter(|&system| SequenceForms::of(system).is_some()) {
            let rows = rows(system);
            let width = system.unit_bits();
            let matches = |unit: u64, pattern: &String| {
                let bits = pattern.chars().rev().zip(0..);
                bits.into_iter().all(|(bit, at)| bit == 'x' || (bit == '1') == (unit >> at & 1 == 1))
            };
            for unit in 0..1 << width {
                let row = rows.iter().find(|row| row.patterns.iter().any(|pattern| matches(unit, pattern)));
                let row = row.unwrap_or_else(|| panic!("{system}: {unit:x} is in no row"));
                let (units, _) = row.note.split_once(':').expect("units and what they are");
                let is_in = units.split(", ").any(|range| {
                    let (first, last) = range.split_once("..").unwrap_or((range, range));
                    let [first, last] = [first, last].map(|unit| u64::from_str_radix(unit, 16).unwrap());
                    (first..=last).contains(&unit)
                });
                assert!(is_in, "{system}: {unit:x} is not in {}", row.note);
            }
        }
    }
}
