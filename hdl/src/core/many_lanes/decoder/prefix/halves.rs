//! The table of units by their upper halves, without the lowest bit of these: that bit, and then the lower half, decide within a row.
//!
//! A table by all bits of a unit is sums of products of eight literals and more, in which synthesis finds no shallow logic. Here an
//! output bit depends on the three upper bits, and in a row on a choice between two functions of the lower half: two levels of LUTs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::shape::Shape;
use super::table::{Class, Entry, entries};
use crate::core::many_lanes::logic::{any_of, blocks};
use crate::netlist::{Builder, Pattern, Signal};

/// Units of fewer bits are looked up whole.
const LEAST_BITS_TO_HALVE: u32 = 5;

/// Upper bits of units that are alike.
pub(super) struct Row {
    /// The upper bits, as patterns separated by commas.
    pub(super) patterns: String,
    pub(super) note: String,
    /// The class of the unit for each lower half, where the bit above that is 0, and where it is 1.
    pub(super) classes: Vec<Vec<Class>>,
}

/// The number of bits of the lower half in units of `unit_bits` bits.
pub(super) fn lower_bits(unit_bits: u32) -> u32 {
    if unit_bits < LEAST_BITS_TO_HALVE { 0 } else { unit_bits / 2 }
}

/// The number of bits below those by which the table is looked up: the lower half, and a bit.
pub(super) fn row_bits(unit_bits: u32) -> u32 {
    let lower_bits = lower_bits(unit_bits);
    if lower_bits == 0 { 0 } else { lower_bits + 1 }
}

/// The rows of the table.
pub(super) fn rows(shape: &Shape) -> Vec<Row> {
    let unit_bits = shape.leads.forms.unit_bits;
    let (lower_bits, row_bits) = (lower_bits(unit_bits), row_bits(unit_bits));
    let upper_bits = unit_bits - row_bits;
    let entries = entries(shape);
    let patterns_of = |entry: &Entry| entry.patterns.split(", ").map(Pattern::new).collect::<Vec<_>>();
    let patterns: Vec<Vec<Pattern>> = entries.iter().map(patterns_of).collect();
    let entry_of = |unit: u64| {
        let at = patterns.iter().position(|of_entry| of_entry.iter().any(|pattern| pattern.matches(&[unit])));
        at.expect("the table has a row for each unit")
    };
    let mut halves: Vec<(Vec<usize>, Vec<u64>)> = Vec::new();
    for upper in 0..1u64 << upper_bits {
        let found: Vec<usize> =
            (0..1u64 << row_bits).map(|lower| entry_of(upper << row_bits | lower)).collect();
        match halves.iter_mut().find(|(known, _)| *known == found) {
            Some((_, alike)) => alike.push(upper),
            None => halves.push((found, vec![upper])),
        }
    }
    let row = |(found, alike): (Vec<usize>, Vec<u64>)| {
        let patterns: Vec<String> = blocks(upper_bits, &|upper| alike.contains(&upper))
            .iter()
            .map(|&(free, value)| pattern(upper_bits, free, value))
            .collect();
        let mut notes: Vec<&str> = found.iter().map(|&entry| entries[entry].note.as_str()).collect();
        notes.dedup();
        let halves = found.chunks(1 << lower_bits);
        let classes = halves.map(|half| half.iter().map(|&entry| entries[entry].class).collect()).collect();
        Row { patterns: patterns.join(", "), note: notes.join("; "), classes }
    };
    halves.into_iter().map(row).collect()
}

/// A pattern of `width` bits: `value` above `free` bits that may be 0 or 1.
fn pattern(width: u32, free: u32, value: u64) -> String {
    let digits = format!("{value:0bits$b}", bits = (width - free) as usize);
    if free == width { "x".repeat(width as usize) } else { digits + &"x".repeat(free as usize) }
}

/// The lower half of a unit, and the comparisons of it that were made.
pub(super) struct Lower<'m> {
    m: &'m Builder,
    half: Option<Signal<'m>>,
    asked: RefCell<BTreeMap<String, Signal<'m>>>,
}

impl<'m> Lower<'m> {
    pub(super) fn of(m: &'m Builder, unit: Signal<'m>) -> Self {
        let bits = lower_bits(unit.width());
        let half = (bits > 0).then(|| unit.bits(0..bits).named("lower"));
        Self { m, half, asked: RefCell::default() }
    }

    /// Selects from `values`, one for each lower half; `None` may become any value. `signal` makes a signal of a value.
    pub(super) fn choose(&self, values: &[Option<u64>], signal: &dyn Fn(u64) -> Signal<'m>) -> Signal<'m> {
        let by_bit = self.half.into_iter().flat_map(|half| (0..half.width()).map(move |bit| (half, bit)));
        if let Some((half, bit, [zero, one])) =
            by_bit.into_iter().find_map(|(half, bit)| Some((half, bit, halves_by(values, bit)?)))
        {
            return half.bit(bit).mux(signal(one), signal(zero));
        }
        let any = values.iter().copied().flatten().next().unwrap_or(0);
        let values = values.iter().scan(any, |last, value| {
            *last = value.unwrap_or(*last);
            Some(*last)
        });
        let values: Vec<u64> = values.collect();
        let mut distinct: Vec<(u64, Vec<Run>)> = Vec::new();
        for (at, &value) in (0u64..).zip(&values) {
            let of_value = match distinct.iter().position(|(known, _)| *known == value) {
                Some(at) => &mut distinct[at].1,
                None => {
                    distinct.push((value, Vec::new()));
                    &mut distinct.last_mut().expect("it was pushed").1
                }
            };
            match of_value.last_mut() {
                Some(run) if run.last + 1 == at => run.last = at,
                _ => of_value.push(Run { first: at, last: at }),
            }
        }
        // The value that takes the most comparisons is the default.
        let last = values.len() as u64 - 1;
        distinct.sort_by_key(|(_, runs)| runs.iter().map(|run| run.terms(last)).sum::<usize>());
        let (rest, others) = distinct.split_last().expect("a value");
        others.iter().rev().fold(signal(rest.0), |rest, (value, runs)| {
            let is_in = any_of(runs.iter().map(|run| self.is_in(run))).expect("a run");
            is_in.mux(signal(*value), rest)
        })
    }

    /// Whether the lower half is one of a run.
    fn is_in(&self, run: &Run) -> Signal<'m> {
        let half = self.half.expect("there is a lower half to choose by");
        let Run { first, last } = *run;
        let end = 1 << half.width();
        let name = match (first, last + 1) {
            (first, after) if first + 1 == after => format!("lower_is_{first:x}"),
            (0, after) => format!("lower_below_{after:x}"),
            (first, after) if after == end => format!("lower_from_{first:x}"),
            _ => format!("lower_{first:x}_to_{last:x}"),
        };
        let known = self.asked.borrow().get(&name).copied();
        known.unwrap_or_else(|| {
            let below = |end: u64| half.lt(self.m.lit(half.width(), end));
            let is_in = match (first, last + 1) {
                (first, after) if first + 1 == after => half.is(first),
                (0, after) => below(after),
                (first, after) if after == end => !below(first),
                (first, after) => !below(first) & below(after),
            };
            let is_in = is_in.named(&name);
            self.asked.borrow_mut().insert(name, is_in);
            is_in
        })
    }
}

/// The value where a bit of the index is 0, and that where the bit is 1, if there are two values and the bit decides between them.
fn halves_by(values: &[Option<u64>], bit: u32) -> Option<[u64; 2]> {
    let of_half = |half: usize| {
        let of_half = (0..).zip(values).filter(|(at, _): &(usize, _)| at >> bit & 1 == half);
        let mut known = of_half.filter_map(|(_, value)| *value);
        let first = known.next()?;
        known.all(|value| value == first).then_some(first)
    };
    let [zero, one] = [of_half(0)?, of_half(1)?];
    (zero != one).then_some([zero, one])
}

/// Lower halves in a row.
struct Run {
    first: u64,
    last: u64,
}

impl Run {
    /// The number of comparisons for the run; `last` is the last lower half.
    fn terms(&self, last: u64) -> usize {
        let is_at_an_end = self.first == self.last || self.first == 0 || self.last == last;
        if is_at_an_end { 1 } else { 2 }
    }
}
