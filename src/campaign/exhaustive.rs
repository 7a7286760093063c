//! Every frame of a given number of symbols, in order: the frame's number is its symbols, the first in the high bits. A
//! symbol is a unit, or the number of a [telling](space::telling) slot. With several lanes, the bits above the symbols are
//! the number of the way in which the frame [lies](AllCuts) in the lanes.
//!
//! The frames of a group differ in their last symbols only: in a few symbols, or, if a symbol has more than 512 values, in
//! part of the values of the last one. The reference gives the expected output. It reads the common beginning of a group
//! once. The output of the rest of each frame depends only on the reference's state after that, and on how the frame lies in
//! the lanes, so answers are remembered by state.

use std::collections::HashMap;
use std::rc::Rc;

use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::batch::STREAMS;

use super::answer::Answer;
use super::bench::Lane;
use super::cuts::{AllCuts, Cuts, FILLER};
use super::expected::{Expected, Oracle};
use super::patterns::Patterns;
use super::record::{Group, Planes, Record};
use super::space;
use crate::promise::{Caret, Counts, Item, Reference};

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
    /// The symbols that the frames of the current group begin with.
    prefix: Vec<u32>,
    /// The state of the reference before the prefix, and after each symbol of it.
    path: Vec<PrefixState>,
    /// The state of the reference before a frame.
    start: PrefixState,
    /// Indexed by the first tail of a group, then by the state before it.
    answers: HashMap<u64, HashMap<State, Rc<Answer>>>,
    kept: usize,
    /// How frames lie in the lanes; how those of the current group do, and the number of that.
    all_cuts: AllCuts,
    cuts: Cuts,
    cuts_number: u64,
    /// The patterns in time of the frames of the block last filled in.
    pub patterns: Patterns,
}

/// The data that the answers to the last symbols depend on: the state of the reference, the open beat, the place of the next slot, and how the frame
/// lies in the lanes.
type State = (Reference, Vec<Item>, Caret, u64);

/// The symbols of frames.
struct Symbols {
    bits: u32,
    /// The slots by their number; empty where symbols are units.
    slots: Vec<Item>,
}

/// The state of the reference after the first symbols of a frame, and the results of these symbols.
#[derive(Clone)]
struct PrefixState {
    oracle: Oracle,
    expected: Expected,
    counts: Counts,
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
        let (oracle, expected, counts) = (Oracle::new(core), Expected::default(), Counts::default());
        let start = PrefixState { oracle, expected, counts };
        Self {
            symbols,
            lane,
            length,
            tail,
            size,
            base: 0,
            tails,
            prefix: Vec::new(),
            path: vec![start.clone()],
            start,
            answers: HashMap::new(),
            kept: 0,
            cuts: all_cuts.get(0),
            cuts_number: 0,
            all_cuts,
            patterns: Patterns::default(),
        }
    }

    /// The beats of a frame by its number.
    pub fn frame(&self, number: u64) -> Vec<Vec<Item>> {
        let of_one_way = frames(self.length, self.symbols.bits);
        let cuts = self.all_cuts.get(number / of_one_way);
        cuts.beats(self.symbols.items(number % of_one_way, self.length))
    }

    /// Forgets the patterns, and the answers that name them.
    pub fn forget(&mut self) {
        self.forget_answers();
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
        self.prefix.clear();
        self.path.truncate(1);
        let mut state = self.start.clone();
        for unit in 0..self.cuts.fillers {
            let PrefixState { oracle, expected, counts } = &mut state;
            oracle.push(FILLER, self.cuts.beat_ends[unit], false, expected, counts);
        }
        self.path[0] = state;
    }

    /// Makes the tails from this number on those of the current group.
    fn set_base(&mut self, base: u64) {
        if base != self.base {
            self.base = base;
            self.tails = planes_of_tails(&self.symbols, self.lane, self.tail, base, self.size);
        }
    }

    fn fill_group(&mut self, prefix: u64, group: Group, record: &mut Record) -> Counts {
        self.follow(split(prefix, self.length - self.tail, self.symbols.bits));
        let fillers = self.cuts.fillers;
        for unit in 0..record.unit_count() {
            group.splat(record.ends(unit), unit + 1 == fillers + self.length);
            if let Some(beat_ends) = record.beat_ends(unit) {
                group.splat(beat_ends, self.cuts.beat_ends.get(unit) == Some(&true));
            }
        }
        (0..fillers).for_each(|unit| record.set_unit(unit, group, self.lane.word(FILLER)));
        for (unit, &symbol) in (fillers..).zip(&self.prefix) {
            record.set_unit(unit, group, self.lane.word(self.symbols.item(symbol)));
        }
        for (unit, planes) in (fillers + self.prefix.len()..).zip(&self.tails) {
            record.set_unit_planes(unit, group, planes);
        }
        let answer = self.answer();
        let state = self.path.last().expect("the path has a start");
        answer.put(&state.expected, group, record, &mut self.patterns);
        let mut counts = answer.counts;
        counts.add(&state.counts, group.size as u64);
        counts
    }

    /// Lets the reference read these symbols, from the first that differs from those of the group before.
    fn follow(&mut self, symbols: Vec<u32>) {
        let same = self.prefix.iter().zip(&symbols).take_while(|(old, new)| old == new).count();
        self.path.truncate(same + 1);
        for (at, &symbol) in symbols.iter().enumerate().skip(same) {
            let mut state = self.path.last().expect("the path has a start").clone();
            let PrefixState { oracle, expected, counts } = &mut state;
            let beat_ends = self.cuts.beat_ends[self.cuts.fillers + at];
            oracle.push(self.symbols.item(symbol), beat_ends, false, expected, counts);
            self.path.push(state);
        }
        self.prefix = symbols;
    }

    /// The reference's answer to each tail after the prefix, remembered if the state is known.
    fn answer(&mut self) -> Rc<Answer> {
        let oracle = &self.path.last().expect("the path has a start").oracle;
        let state = (oracle.reference.clone(), oracle.open_beat.clone(), oracle.caret, self.cuts_number);
        let known = self.answers.get(&self.base).and_then(|answers| answers.get(&state));
        if let Some(answer) = known {
            return Rc::clone(answer);
        }
        let first = self.cuts.fillers + self.length - self.tail;
        let answer = Answer::new(self.size, &mut self.patterns, |tail, expected, counts| {
            let mut oracle = oracle.clone();
            let items = self.symbols.items(self.base + tail as u64, self.tail);
            for (unit, item) in items.into_iter().enumerate() {
                let beat_ends = self.cuts.beat_ends[first + unit];
                oracle.push(item, beat_ends, unit + 1 == self.tail, expected, counts);
            }
        });
        let answer = Rc::new(answer);
        if self.kept == MOST_ANSWERS {
            self.forget_answers();
        }
        self.kept += 1;
        self.answers.entry(self.base).or_default().insert(state, Rc::clone(&answer));
        answer
    }

    fn forget_answers(&mut self) {
        self.answers.clear();
        self.kept = 0;
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
    let symbol = |at: usize| (number >> (at as u32 * bits) & ((1 << bits) - 1)) as u32;
    (0..length).rev().map(symbol).collect()
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
