//! Every frame of a given number of symbols, in order: the frame's number is its symbols, the first in the high bits. A
//! symbol is a unit, or the number of a [telling](space::telling) slot. With several lanes, the bits above the symbols are
//! the number of the way in which the frame [lies](AllCuts) in the lanes.
//!
//! The frames of a group differ in their last symbols only: in a few symbols, or, if a symbol has more than 512 values, in
//! part of the values of the last one. The reference gives the expected output, [step by step](States) that of the common
//! beginning of a group. The output of the rest of each frame depends only on the reference's state after that, and on how the frame lies in
//! the lanes, so answers are remembered by state. What the record shows of a group is that of the group before it in the same streams,
//! mostly; so only the differences are written.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::batch::STREAMS;

use super::answer::{Answer, Output};
use super::bench::Lane;
use super::cuts::{AllCuts, Cuts, FILLER};
use super::expected::{Expected, Oracle};
use super::patterns::Patterns;
use super::record::{Group, Planes, Record};
use super::space;
use super::states::States;
use crate::promise::{Counts, Item};

/// Answers that are kept; more would not stay in the caches of the processor.
const MOST_ANSWERS: usize = 8192;

/// Bits of a symbol of the frames for a core.
pub fn symbol_bits(core: &Core) -> u32 {
    match core.spec.role {
        Role::Encoder => space::TELLING_BITS,
        Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => core.spec.system.unit_bits(),
    }
}

/// The number of frames of `symbols` symbols.
pub fn frames(symbols: usize, symbol_bits: u32) -> u64 {
    1 << (symbols as u32 * symbol_bits)
}

/// Fills records with blocks of frames.
pub struct Exhaustive {
    symbols: Symbols,
    lane: Lane,
    /// Symbols of a frame.
    length: usize,
    /// The last of them, which differ within a group.
    tail: usize,
    /// Frames of a group: one for each tail, or 512 if there are more.
    size: usize,
    /// The number of the first tail of the current group. It is 0 unless there are more tails than frames of a group.
    base: u64,
    /// The units of the tails of the current group, unit by unit.
    tails: Vec<Planes>,
    /// The symbols that the frames of the current group begin with, and their output.
    prefix: Vec<u32>,
    expected: Expected,
    /// The place before the prefix, and after each symbol of it.
    path: Vec<Place>,
    states: States,
    /// The reference before a frame.
    start: Oracle,
    /// The answers by the first tail of a group, and by the state before that tail.
    answers: FxHashMap<(u64, usize), Rc<Answer>>,
    /// For each group of a block, what the record shows of it.
    shown: Vec<Shown>,
    /// How frames lie in the lanes; how those of the current group do, and the number of that.
    all_cuts: AllCuts,
    cuts: Cuts,
    cuts_number: u64,
    /// The patterns in time of the frames of the block last filled in.
    pub patterns: Patterns,
}

/// The symbols of frames.
struct Symbols {
    bits: u32,
    /// The slots by their number; empty where symbols are units.
    slots: Vec<Item>,
}

/// A place in the symbols of a frame.
#[derive(Clone, Copy)]
struct Place {
    state: usize,
    /// How many beats and ticks the symbols before it make.
    beats: usize,
    ticks: usize,
    /// The results of these symbols.
    counts: Counts,
}

/// What a record shows of a group. By default, nothing is known of it.
#[derive(Clone, Default)]
struct Shown {
    /// The words of the fillers and of the prefix.
    units: Vec<u64>,
    /// The number of the first tail, once the units of the tails are there, and the ends of frames and beats.
    base: Option<u64>,
    /// The expected output.
    output: Output,
}

impl Symbols {
    fn of(core: &Core) -> Self {
        let slots = match core.spec.role {
            Role::Encoder => space::telling(core.spec.system),
            Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => Vec::new(),
        };
        Self { bits: symbol_bits(core), slots }
    }

    fn item(&self, symbol: u32) -> Item {
        self.slots.get(symbol as usize).copied().unwrap_or(Item { data: symbol, user: 0 })
    }

    fn items(&self, number: u64, length: usize) -> Vec<Item> {
        split(number, length, self.bits).into_iter().map(|symbol| self.item(symbol)).collect()
    }
}

impl Exhaustive {
    /// Every frame of `length` symbols for `core`.
    pub fn new(core: &Core, length: usize) -> Self {
        let (symbols, lane) = (Symbols::of(core), Lane::of(core).0);
        let tail = ((STREAMS.ilog2() / symbols.bits).max(1) as usize).min(length);
        let size = frames(tail, symbols.bits).min(STREAMS as u64) as usize;
        let tails = planes_of_tails(&symbols, lane, tail, 0, size);
        let all_cuts = AllCuts::new(core.spec.lanes as usize, length);
        let start = Oracle::new(core);
        let mut new = Self {
            symbols,
            lane,
            length,
            tail,
            size,
            base: 0,
            tails,
            prefix: Vec::new(),
            expected: Expected::default(),
            path: Vec::new(),
            states: States::new(start.clone()),
            start,
            answers: FxHashMap::default(),
            shown: vec![Shown::default(); STREAMS / size],
            cuts: all_cuts.get(0),
            cuts_number: 0,
            all_cuts,
            patterns: Patterns::default(),
        };
        new.begin();
        new
    }

    /// The beats of a frame by its number.
    pub fn frame(&self, number: u64) -> Vec<Vec<Item>> {
        let of_one_way = frames(self.length, self.symbols.bits);
        let cuts = self.all_cuts.get(number / of_one_way);
        cuts.beats(self.symbols.items(number % of_one_way, self.length))
    }

    /// Forgets the patterns, and the answers that name them.
    pub fn forget(&mut self) {
        self.answers.clear();
        self.shown.fill(Shown::default());
        self.patterns = Patterns::default();
    }

    /// Fills a record with the frames from `first` on, a multiple of 512; returns their counts. If there are fewer frames
    /// than streams, frames are repeated, and counted once.
    pub fn fill(&mut self, first: u64, record: &mut Record) -> Counts {
        let tails = frames(self.tail, self.symbols.bits);
        let of_one_way = frames(self.length, self.symbols.bits);
        let total = of_one_way * self.all_cuts.count();
        let mut counts = Counts::default();
        for index in 0..STREAMS / self.size {
            let number = first + (index * self.size) as u64;
            self.lie(number % total / of_one_way);
            let in_range = number % of_one_way;
            self.set_base(in_range % tails);
            let group = Group { size: self.size, index };
            let of_group = self.fill_group(in_range / tails, group, record);
            if number < total {
                counts.add(&of_group, 1);
            }
        }
        counts
    }

    /// Has the frames lie in the lanes in another way, by its number.
    fn lie(&mut self, number: u64) {
        if self.cuts_number == number {
            return;
        }
        (self.cuts, self.cuts_number) = (self.all_cuts.get(number), number);
        self.shown.fill(Shown::default());
        self.begin();
    }

    /// Goes to the place before the prefix, and forgets all others.
    fn begin(&mut self) {
        let (mut oracle, mut counts) = (self.start.clone(), Counts::default());
        self.expected.clear();
        for unit in 0..self.cuts.fillers {
            oracle.push(FILLER, self.cuts.beat_ends[unit], false, &mut self.expected, &mut counts);
        }
        self.states = States::new(oracle);
        self.answers.clear();
        self.prefix.clear();
        let Expected { beats, ticks } = &self.expected;
        self.path = vec![Place { state: States::START, beats: beats.len(), ticks: ticks.len(), counts }];
    }

    /// Makes the tails from this number on those of the current group.
    fn set_base(&mut self, base: u64) {
        if base != self.base {
            self.base = base;
            self.tails = planes_of_tails(&self.symbols, self.lane, self.tail, base, self.size);
        }
    }

    fn fill_group(&mut self, prefix: u64, group: Group, record: &mut Record) -> Counts {
        self.follow(prefix);
        let answer = self.answer();
        let fillers = self.cuts.fillers;
        let shown = &mut self.shown[group.index];
        if shown.base.is_none() {
            for unit in 0..record.unit_count() {
                group.splat(record.ends(unit), unit + 1 == fillers + self.length);
                if let Some(beat_ends) = record.beat_ends(unit) {
                    group.splat(beat_ends, self.cuts.beat_ends.get(unit) == Some(&true));
                }
            }
        }
        if shown.base != Some(self.base) {
            for (unit, planes) in (fillers + self.prefix.len()..).zip(&self.tails) {
                record.set_unit_planes(unit, group, planes);
            }
            shown.base = Some(self.base);
        }
        let prefix = self.prefix.iter().map(|&symbol| self.symbols.item(symbol));
        let units = std::iter::repeat_n(FILLER, fillers).chain(prefix);
        for (unit, item) in units.enumerate() {
            let word = self.lane.word(item);
            match shown.units.get_mut(unit) {
                Some(old) => record.change_unit(unit, group, std::mem::replace(old, word), word),
                None => {
                    record.set_unit(unit, group, word);
                    shown.units.push(word);
                }
            }
        }
        answer.put(&self.expected, group, record, &mut self.patterns, &mut shown.output);
        let mut counts = answer.counts;
        counts.add(&self.path.last().expect("the path has a start").counts, group.size as u64);
        counts
    }

    /// Lets the reference read the symbols of a prefix, from the first that differs from those of the group before.
    fn follow(&mut self, prefix: u64) {
        if self.states.is_full() {
            self.begin();
        }
        let length = self.length - self.tail;
        let symbol = |at: usize| symbol(prefix, length - 1 - at, self.symbols.bits);
        let same = (0..length).take_while(|&at| self.prefix.get(at) == Some(&symbol(at))).count();
        self.prefix.truncate(same);
        self.path.truncate(same + 1);
        let mut place = self.path[same];
        self.expected.beats.truncate(place.beats);
        self.expected.ticks.truncate(place.ticks);
        for at in same..length {
            let (symbol, beat_ends) = (symbol(at), self.cuts.beat_ends[self.cuts.fillers + at]);
            let step = self.states.step(place.state, symbol, self.symbols.item(symbol), at, beat_ends);
            place.state = step.next;
            place.counts.add(&step.counts, 1);
            self.expected.add(&step.expected);
            (place.beats, place.ticks) = (self.expected.beats.len(), self.expected.ticks.len());
            self.path.push(place);
            self.prefix.push(symbol);
        }
    }

    /// The reference's answer to each tail after the prefix, remembered if the state is known.
    fn answer(&mut self) -> Rc<Answer> {
        let state = self.path.last().expect("the path has a start").state;
        if let Some(answer) = self.answers.get(&(self.base, state)) {
            return Rc::clone(answer);
        }
        let first = self.cuts.fillers + self.length - self.tail;
        let oracle = self.states.oracle(state);
        let answer = Answer::new(self.size, &mut self.patterns, |tail, expected, counts| {
            let mut oracle = oracle.clone();
            let items = self.symbols.items(self.base + tail as u64, self.tail);
            for (unit, item) in items.into_iter().enumerate() {
                let beat_ends = self.cuts.beat_ends[first + unit];
                oracle.push(item, beat_ends, unit + 1 == self.tail, expected, counts);
            }
        });
        let answer = Rc::new(answer);
        if self.answers.len() == MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert((self.base, state), Rc::clone(&answer));
        answer
    }
}

/// The units of `size` tails from the number `base` on, unit by unit.
fn planes_of_tails(symbols: &Symbols, lane: Lane, tail: usize, base: u64, size: usize) -> Vec<Planes> {
    let tails: Vec<Vec<Item>> =
        (base..base + size as u64).map(|number| symbols.items(number, tail)).collect();
    let unit_of_tails =
        |unit: usize| Planes::new(&tails.iter().map(|tail| lane.word(tail[unit])).collect::<Vec<u64>>());
    (0..tail).map(unit_of_tails).collect()
}

/// The symbols of a frame's number, the first in the high bits.
fn split(number: u64, length: usize, bits: u32) -> Vec<u32> {
    (0..length).rev().map(|at| symbol(number, at, bits)).collect()
}

/// One of the symbols of a frame's number, the last of which has the index 0.
fn symbol(number: u64, at: usize, bits: u32) -> u32 {
    (number >> (at as u32 * bits) & ((1 << bits) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_unit_is_in_the_high_bits() {
        assert_eq!(split(0xf490_8081, 4, 8), [0xf4, 0x90, 0x80, 0x81]);
        assert_eq!(split(0b10110_00001, 2, 5), [0b10110, 0b00001]);
    }
}
