//! The units of a prefix system as a table: a row for units that are alike to a decoder.

use super::shape::Shape;
use crate::core::many_lanes::logic::blocks;
use crate::core::shared::error_kind::ErrorKind;
use crate::core::shared::forms::UnitPattern;

/// The class of a unit by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A code point.
    Single,
    Trailing,
    /// A lead that sequences begin with.
    Lead,
    /// An error, whatever follows.
    Wrong,
    /// A unit that opens a run of units that are one error.
    Opener,
}

/// The facts about a unit that a decoder needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) what: What,
    /// A bit for each region of first trailing units: a lead accepts the region, a trailing unit is in it.
    pub(super) regions: u64,
    /// A bit for each region, of a lead: a first trailing unit there begins a code point of two limbs or more (`long`), of three (`third`).
    pub(super) long: u64,
    pub(super) third: u64,
    /// The number of trailing units after a lead.
    pub(super) follow: usize,
    /// The trailing unit after a lead that makes the last limb but one certain.
    pub(super) due: Option<usize>,
    /// The kind of error of the unit; of a lead, of the trailing unit after it that it does not accept. `None` if neither can be wrong.
    pub(super) kind: Option<ErrorKind>,
}

/// The classes that units of the system have, with their names.
pub(super) fn classes(shape: &Shape) -> Vec<(What, &'static str)> {
    let mut classes: Vec<_> =
        shape.asks_for_single_units().then_some((What::Single, "single")).into_iter().collect();
    if shape.has_sequences() {
        classes.extend([(What::Trailing, "trailing"), (What::Lead, "lead")]);
    }
    classes.extend(has_wrong_units(shape).then_some((What::Wrong, "wrong")));
    classes.extend(shape.has_runs().then_some((What::Opener, "opener")));
    classes
}

/// Whether some units are errors by themselves, and the decoder outputs errors.
pub(in crate::core::many_lanes) fn has_wrong_units(shape: &Shape) -> bool {
    shape.tells_errors() && entries(shape).iter().any(|entry| entry.class.what == What::Wrong)
}

/// For each number of trailing units from 2 on, the bits of a lead that are all 1 if that many follow at least; `None` if some number
/// has no such bits.
pub(super) fn length_bits(shape: &Shape) -> Option<Vec<Vec<u32>>> {
    let forms = &shape.leads.forms;
    let units = |follow: usize| (0..1 << forms.forms[follow].lead.data_bits).map(move |data| (follow, data));
    let leads: Vec<(usize, u64)> = (1..forms.forms.len())
        .flat_map(units)
        .filter(|&(follow, data)| !shape.accepted(follow, data).data.is_empty())
        .map(|(follow, data)| (follow, forms.forms[follow].lead.marker | data))
        .collect();
    let bits_of = |least: usize| {
        let decide = |bits: &[u32]| {
            let has_all = |lead: u64| bits.iter().all(|bit| lead >> bit & 1 == 1);
            leads.iter().all(|&(follow, lead)| has_all(lead) == (follow >= least))
        };
        let longer = leads.iter().filter(|(follow, _)| *follow >= least);
        let common = longer.fold(u64::MAX, |common, (_, lead)| common & lead);
        let mut bits: Vec<u32> = (0..forms.unit_bits).rev().filter(|bit| common >> bit & 1 == 1).collect();
        for bit in bits.clone() {
            let others: Vec<u32> = bits.iter().copied().filter(|other| *other != bit).collect();
            bits = if decide(&others) { others } else { bits };
        }
        (!bits.is_empty() && decide(&bits)).then_some(bits)
    };
    (2..=shape.longest).map(bits_of).collect()
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The units, as patterns separated by commas; units of rows further up are not meant.
    pub(super) patterns: String,
    pub(super) note: String,
    pub(super) class: Class,
}

/// The rows.
pub(super) fn entries(shape: &Shape) -> Vec<Entry> {
    let forms = &shape.leads.forms;
    let mut entries = Vec::new();
    let mut known: Vec<UnitPattern> = Vec::new();
    let none = Class { what: What::Single, regions: 0, long: 0, third: 0, follow: 0, due: None, kind: None };
    let nul = Class { what: What::Wrong, kind: Some(ErrorKind::Nul), ..none };
    let note = |class: &Class| if class.what == What::Wrong { "U+0000" } else { "a code point" }.to_owned();
    for single in forms.singles() {
        let class = |data: u64| match single.marker | data {
            0 if shape.leads.nul_is_error() => nul,
            _ => none,
        };
        known.push(single);
        entries.extend(rows(forms.unit_bits, single, &class, &note));
    }
    if let Some(trailing) = forms.trailing {
        let is_part = shape.has_sequences();
        let class = |data: u64| Class {
            what: if is_part { What::Trailing } else { What::Wrong },
            regions: (0..)
                .zip(&shape.regions)
                .filter(|(_, region)| region.contains(&data))
                .map(|(bit, _)| 1 << bit)
                .sum(),
            kind: Some(ErrorKind::Unexpected),
            ..none
        };
        known.push(trailing);
        entries.extend(rows(forms.unit_bits, trailing, &class, &|_| "trailing".to_owned()));
    }
    for (follow, form) in forms.forms.iter().enumerate().skip(1) {
        let class = |lead: u64| {
            let accepted = shape.accepted(follow, lead);
            let accepts = |start: u64| accepted.contains(start);
            Class {
                what: if accepted.data.is_empty() { What::Wrong } else { What::Lead },
                regions: (0..)
                    .zip(&shape.regions)
                    .filter(|(_, region)| accepts(region.start))
                    .map(|(bit, _)| 1 << bit)
                    .sum(),
                long: shape.regions_of_limbs(follow, lead, 2),
                third: shape.regions_of_limbs(follow, lead, 3),
                follow,
                due: shape.limbs().and_then(|limbs| limbs.due(form)),
                kind: accepted.otherwise,
            }
        };
        let note = |class: &Class| {
            let lead = format!("lead of {} units", follow + 1);
            let wrong = match class.kind {
                Some(ErrorKind::Overlong) => "overlong",
                Some(ErrorKind::Surrogate) => "surrogates",
                Some(_) => "out of range",
                None => return lead,
            };
            match class.what {
                What::Wrong => wrong.to_owned(),
                _ => format!("{lead}, some of them {wrong}"),
            }
        };
        known.push(form.lead);
        entries.extend(rows(forms.unit_bits, form.lead, &class, &note));
    }
    entries.extend(others(shape, &known, none));
    entries
}

/// The row of the units that have none of the `known` patterns, if there are any; `none` is a class without any fact.
fn others(shape: &Shape, known: &[UnitPattern], none: Class) -> Option<Entry> {
    let unit_bits = shape.leads.forms.unit_bits;
    let is_known = |unit: u64| {
        known.iter().any(|pattern| unit >> pattern.data_bits == pattern.marker >> pattern.data_bits)
    };
    let whole = UnitPattern { marker: 0, data_bits: unit_bits };
    let others = blocks(unit_bits, &|unit| !is_known(unit));
    let pattern = |&(low, value): &(u32, u64)| text(unit_bits, whole, unit_bits, low, value);
    let patterns: Vec<String> = others.iter().map(pattern).collect();
    let opens = shape.has_runs() || shape.tails.is_some();
    let what = if opens { What::Opener } else { What::Wrong };
    let class = Class { what, kind: Some(shape.leads.kind_of_neither()), ..none };
    let entry = || Entry { patterns: patterns.join(", "), note: "none of the system".to_owned(), class };
    (!patterns.is_empty()).then(entry)
}

/// The rows of the units of one pattern: what is special in it first, then the rest.
fn rows(
    unit_bits: u32,
    pattern: UnitPattern,
    class: &dyn Fn(u64) -> Class,
    note: &dyn Fn(&Class) -> String,
) -> Vec<Entry> {
    let all = 0..1u64 << pattern.data_bits;
    let mut classes: Vec<(Class, usize)> = Vec::new();
    for data in all {
        let class = class(data);
        match classes.iter_mut().find(|(known, _)| *known == class) {
            Some((_, count)) => *count += 1,
            None => classes.push((class, 1)),
        }
    }
    let common = classes.iter().max_by_key(|(_, count)| *count).expect("a unit").0;
    let special = classes.iter().map(|(class, _)| *class).filter(|class| *class != common);
    let mut rows: Vec<Entry> = special
        .map(|special| {
            let found = blocks(pattern.data_bits, &|data| class(data) == special);
            let texts: Vec<String> = found
                .iter()
                .map(|&(low, value)| text(unit_bits, pattern, pattern.data_bits, low, value))
                .collect();
            Entry { patterns: texts.join(", "), note: note(&special), class: special }
        })
        .collect();
    rows.push(Entry { patterns: text(unit_bits, pattern, 0, 0, 0), note: note(&common), class: common });
    rows
}

/// A pattern as text: the marker, and below it `bits` bits of data whose upper ones, from `low` on, are `value`; where `bits` is 0,
/// any data.
fn text(unit_bits: u32, pattern: UnitPattern, bits: u32, low: u32, value: u64) -> String {
    let digit = |bit: u32| match bit {
        _ if bit >= pattern.data_bits => char::from(b'0' + (pattern.marker >> bit & 1) as u8),
        _ if bits == 0 || bit < low => 'x',
        _ => char::from(b'0' + (value >> (bit - low) & 1) as u8),
    };
    (0..unit_bits).rev().map(digit).collect()
}
