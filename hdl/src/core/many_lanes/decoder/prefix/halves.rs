//! The table of units by their upper halves, without the lowest bit of these: that bit, and then the lower half, decide within a row.
//!
//! A table by all bits of a unit is sums of products of eight literals and more, in which synthesis finds no shallow logic. Here an
//! output bit depends on the three upper bits, and in a row on a choice between two functions of the lower half: two levels of LUTs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::shape::Shape;
use super::table::{Class, Entry, entries};
use crate::core::many_lanes::logic::{any_of, blocks};
use crate::netlist::{Builder, Pattern, Signal, Stage};

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

/// A unit whose class is looked up.
pub(super) struct Unit<'m> {
    input: Signal<'m>,
    /// The registers that load the unit before its class is looked up, where the look-up takes two stages.
    registers: Option<Stage<'m>>,
    /// The upper bits, by which the table is looked up.
    pub(super) upper: Signal<'m>,
    /// The registers of bits below the upper ones. A bit that nothing reads has none.
    bits: RefCell<BTreeMap<u32, Signal<'m>>>,
}

impl<'m> Unit<'m> {
    pub(super) fn new(input: Signal<'m>, registers: Option<Stage<'m>>) -> Self {
        let upper = input.bits(row_bits(input.width())..input.width());
        let upper = registers.map_or(upper, |registers| registers.data("upper_reg", upper));
        Self { input, registers, upper, bits: RefCell::default() }
    }

    pub(super) fn width(&self) -> u32 {
        self.input.width()
    }

    /// One bit.
    pub(super) fn bit(&self, index: u32) -> Signal<'m> {
        let Some(registers) = self.registers else { return self.input.bit(index) };
        if let Some(index) = index.checked_sub(row_bits(self.width())) {
            return self.upper.bit(index);
        }
        let register = || registers.data(&format!("unit_{index}_reg"), self.input.bit(index));
        *self.bits.borrow_mut().entry(index).or_insert_with(register)
    }

    /// Bits `range.start` up to, not including, `range.end`.
    pub(super) fn bits(&self, range: Range<u32>) -> Signal<'m> {
        match self.registers {
            Some(registers) => registers.builder().concat(range.rev().map(|index| self.bit(index))),
            None => self.input.bits(range),
        }
    }

    /// The result of `test`, a comparison of the input: in a register if the look-up takes two stages.
    fn tested(&self, name: &str, test: Signal<'m>) -> Signal<'m> {
        match self.registers {
            Some(registers) => registers.data(&format!("{name}_reg"), test),
            None => test.named(name),
        }
    }
}

/// The lower half of a unit, and its comparisons with constants. If the look-up takes two stages, registers hold the comparisons, and the "half" is all
/// bits below the upper ones.
pub(super) struct Lower<'a, 'm> {
    m: &'m Builder,
    unit: &'a Unit<'m>,
    half: Option<Signal<'m>>,
    asked: RefCell<BTreeMap<String, Signal<'m>>>,
}

impl<'a, 'm> Lower<'a, 'm> {
    pub(super) fn of(m: &'m Builder, unit: &'a Unit<'m>) -> Self {
        let bits_of = if unit.registers.is_some() { row_bits } else { lower_bits };
        let bits = bits_of(unit.width());
        let half = (bits > 0).then(|| unit.input.bits(0..bits).named("lower"));
        Self { m, unit, half, asked: RefCell::default() }
    }

    /// One bit of the half, by the name of the half where that has one.
    fn bit(&self, index: u32) -> Signal<'m> {
        match (self.unit.registers, self.half) {
            (None, Some(half)) => half.bit(index),
            _ => self.unit.bit(index),
        }
    }

    /// Whether registers hold the comparisons, so that the look-up reads them at no cost in depth.
    pub(super) fn is_tested_ahead(&self) -> bool {
        self.unit.registers.is_some()
    }

    /// Selects from `values`, one for each lower half; `None` may become any value. `signal` makes a signal of a value.
    pub(super) fn choose(&self, values: &[Option<u64>], signal: &dyn Fn(u64) -> Signal<'m>) -> Signal<'m> {
        let mut bits = 0..self.half.map_or(0, Signal::width);
        if let Some((bit, [zero, one])) = bits.find_map(|bit| Some((bit, halves_by(values, bit)?))) {
            return self.bit(bit).mux(signal(one), signal(zero));
        }
        let values = without_gaps(values);
        let mut distinct: Vec<(u64, Vec<Run>)> = Vec::new();
        for &value in &values {
            if distinct.iter().all(|(known, _)| *known != value) {
                distinct.push((value, runs(values.iter().map(|other| *other == value))));
            }
        }
        // The value that takes the most comparisons is the default.
        let last = values.len() as u64 - 1;
        distinct.sort_by_key(|(_, runs)| Run::terms_of(runs, last));
        let (rest, others) = distinct.split_last().expect("a value");
        others.iter().rev().fold(signal(rest.0), |rest, (value, runs)| {
            let is_in = self.is_in_any(runs).expect("a run");
            is_in.mux(signal(*value), rest)
        })
    }

    /// Selects from `values`, numbers of `width` bits, as [`choose`](Self::choose) does, but each bit by comparisons of its own: one choice deep.
    pub(super) fn choose_bits(&self, values: &[Option<u64>], width: u32) -> Signal<'m> {
        let values = without_gaps(values);
        let last = values.len() as u64 - 1;
        if values.iter().all(|value| *value == values[0]) {
            return self.m.lit(width, values[0]);
        }
        self.m.concat((0..width).rev().map(|bit| {
            let [zeros, ones] = [0, 1].map(|is| runs(values.iter().map(|value| value >> bit & 1 == is)));
            match Run::terms_of(&zeros, last) < Run::terms_of(&ones, last) {
                true => self.is_in_any(&zeros).map_or(self.m.lit(1, 1), |is_in| !is_in),
                false => self.is_in_any(&ones).unwrap_or(self.m.lit(1, 0)),
            }
        }))
    }

    /// Whether the lower half is one of some runs, if there are any.
    fn is_in_any(&self, runs: &[Run]) -> Option<Signal<'m>> {
        any_of(runs.iter().map(|run| self.is_in(run)))
    }

    /// Whether the lower half is one of a run.
    fn is_in(&self, run: &Run) -> Signal<'m> {
        let half = self.half.expect("there is a lower half to choose by");
        let Run { first, last } = *run;
        let end = 1 << half.width();
        if self.is_tested_ahead() && first > 0 && last + 1 == end && first < last {
            // The register of the complement serves both.
            return !self.is_in(&Run { first: 0, last: first - 1 });
        }
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
                _ if self.is_tested_ahead() => self.is_in_blocks(half, run),
                (first, after) if first + 1 == after => half.is(first),
                (0, after) => below(after),
                (first, after) if after == end => !below(first),
                (first, after) => !below(first) & below(after),
            };
            let is_in = self.unit.tested(&name, is_in);
            self.asked.borrow_mut().insert(name, is_in);
            is_in
        })
    }

    /// Whether `half` is one of a run, by equality of its upper bits: a `<` of more than four bits would become a carry chain. Masks leave out
    /// the low bits, not slices, for some systems need no low bit at all, and every bit of an input has to be read.
    fn is_in_blocks(&self, half: Signal<'m>, run: &Run) -> Signal<'m> {
        let width = half.width();
        let test = |&(low, block): &(u32, u64)| match low {
            0 => half.is(block),
            _ => (half & self.m.lit(width, (1 << width) - (1 << low))).is(block << low),
        };
        let blocks = blocks(width, &|value| (run.first..=run.last).contains(&value));
        any_of(blocks.iter().map(test)).expect("a run has values")
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

/// The values, where a value that may be any is a copy of the value before it.
fn without_gaps(values: &[Option<u64>]) -> Vec<u64> {
    let mut last = values.iter().copied().flatten().next().unwrap_or(0);
    let known = |value: &Option<u64>| {
        last = value.unwrap_or(last);
        last
    };
    values.iter().map(known).collect()
}

/// The runs of lower halves for which `is` yields `true`.
fn runs(is: impl Iterator<Item = bool>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, _) in (0..).zip(is).filter(|(_, is)| *is) {
        match runs.last_mut() {
            Some(run) if run.last + 1 == at => run.last = at,
            _ => runs.push(Run { first: at, last: at }),
        }
    }
    runs
}

/// Lower halves in a row.
struct Run {
    first: u64,
    last: u64,
}

impl Run {
    /// The number of comparisons for the runs; `last` is the last lower half.
    fn terms_of(runs: &[Self], last: u64) -> usize {
        let is_at_an_end = |run: &Self| run.first == run.last || run.first == 0 || run.last == last;
        runs.iter().map(|run| if is_at_an_end(run) { 1 } else { 2 }).sum()
    }
}
