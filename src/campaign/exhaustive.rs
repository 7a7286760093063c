//! Every input of so many units, in order: the input's number is its units, the first in the high bits.
//!
//! The 512 inputs of a block differ in their last units only, so the bits of the units are known without looking at each.
//! What is expected is asked of the reference, and it is asked no question twice: the units that a group of inputs begins
//! with are read once, and of what follows only counts where that leaves the reference. Where it is equal to one that was
//! asked before, it has the same answer: both are values, and a decoder sees nothing but itself and its input.

use std::collections::HashMap;
use std::rc::Rc;

use utfhdl_hdl::core::OnError;
use utfhdl_sim::batch::{STREAMS, Slice};

use super::expected::{Item, Reference};
use super::record::{Group, Planes, Record};
use super::results::Counts;
use crate::system::System;

/// Answers that are kept; more would not stay near the processor.
const MOST_ANSWERS: usize = 8192;

/// The number of inputs of so many units.
pub fn inputs(units: usize, unit_bits: u32) -> u64 {
    1 << (units as u32 * unit_bits)
}

/// Fills records with blocks of inputs.
pub struct Exhaustive {
    units: usize,
    unit_bits: u32,
    /// Units that differ within a group.
    tail: usize,
    /// The reference behind the first units of the group at hand, one more unit each.
    path: Vec<Step>,
    /// The units that the path has read.
    prefix: Vec<u16>,
    answers: HashMap<Reference, Rc<Answer>>,
}

/// Where the reference stands after some units, and what it has said.
#[derive(Clone)]
struct Step {
    reference: Reference,
    items: Vec<Item>,
    counts: Counts,
}

/// What the reference says behind some prefix, for all that may follow.
struct Answer {
    /// The items that the last units add, of all inputs of the group.
    items: Vec<Planes>,
    counts: Counts,
}

impl Exhaustive {
    /// Every input of `units` units of `system`.
    pub fn new(system: System, on_error: OnError, units: usize) -> Self {
        let unit_bits = u32::from(system.unit_bits());
        let tail = (STREAMS.ilog2() / unit_bits).min(units as u32) as usize;
        let reference = Reference::new(system.decoder(), on_error);
        let start = Step { reference, items: Vec::new(), counts: Counts::default() };
        Self { units, unit_bits, tail, path: vec![start], prefix: Vec::new(), answers: HashMap::new() }
    }

    /// The units of an input.
    pub fn units_of(&self, input: u64) -> Vec<u16> {
        units_of(input, self.units, self.unit_bits)
    }

    /// Fills a record with the inputs from `first` on, a multiple of 512; gives what is in them. Where there are fewer inputs
    /// than streams, they are there over and over, and counted once.
    pub fn fill(&mut self, first: u64, record: &mut Record) -> Counts {
        self.fill_units(first, record);
        let size = 1 << (self.tail as u32 * self.unit_bits);
        let prefixes = inputs(self.units - self.tail, self.unit_bits);
        let mut counts = Counts::default();
        for index in 0..STREAMS / size {
            let prefix = first / size as u64 + index as u64;
            let group = Group { size, index };
            let of_group = self.fill_items(prefix % prefixes, group, record);
            if prefix < prefixes {
                counts.add(&of_group, 1);
            }
        }
        counts
    }

    fn fill_units(&self, first: u64, record: &mut Record) {
        for unit in 0..self.units {
            *record.ends(unit) = Slice::splat(unit + 1 == self.units);
            for bit in 0..self.unit_bits as usize {
                let at = (self.units - 1 - unit) * self.unit_bits as usize + bit;
                *record.unit_bit(unit, bit) = counter_bit(first, at);
            }
        }
    }

    /// Fills in what is expected of a group.
    fn fill_items(&mut self, prefix: u64, group: Group, record: &mut Record) -> Counts {
        self.follow(units_of(prefix, self.units - self.tail, self.unit_bits));
        let answer = self.answer(group.size);
        let step = self.path.last().expect("the path has a start");
        for index in 0..record.item_count() {
            match step.items.get(index) {
                Some(item) => record.set_item(index, group, *item),
                None => match answer.items.get(index - step.items.len()) {
                    Some(planes) => record.set_item_planes(index, group, planes),
                    None => record.set_item(index, group, Item(0)),
                },
            }
        }
        let mut counts = answer.counts;
        counts.add(&step.counts, group.size as u64);
        counts
    }

    /// Leads the reference along these units; what it has read of them already, it need not read again.
    fn follow(&mut self, units: Vec<u16>) {
        let same = self.prefix.iter().zip(&units).take_while(|(old, new)| old == new).count();
        self.path.truncate(same + 1);
        for &unit in &units[same..] {
            let mut step = self.path.last().expect("the path has a start").clone();
            step.reference.read(unit, false, &mut step.items, &mut step.counts);
            self.path.push(step);
        }
        self.prefix = units;
    }

    /// What the reference says behind the path, from memory if it has been asked.
    fn answer(&mut self, size: usize) -> Rc<Answer> {
        let reference = &self.path.last().expect("the path has a start").reference;
        if let Some(answer) = self.answers.get(reference) {
            return Rc::clone(answer);
        }
        let answer = Rc::new(self.ask(reference, size));
        if self.answers.len() == MOST_ANSWERS {
            self.answers.clear();
        }
        let reference = self.path.last().expect("the path has a start").reference.clone();
        self.answers.insert(reference, Rc::clone(&answer));
        answer
    }

    /// Asks the reference about every tail.
    fn ask(&self, reference: &Reference, size: usize) -> Answer {
        let mut counts = Counts::default();
        let answers: Vec<Vec<Item>> = (0..size as u64)
            .map(|tail| {
                let (mut reference, mut items) = (reference.clone(), Vec::new());
                let units = units_of(tail, self.tail, self.unit_bits);
                for (index, &unit) in units.iter().enumerate() {
                    reference.read(unit, index + 1 == self.tail, &mut items, &mut counts);
                }
                items
            })
            .collect();
        let most = answers.iter().map(Vec::len).max().unwrap_or(0);
        let item = |index: usize| {
            let words: Vec<u64> =
                answers.iter().map(|items| items.get(index).map_or(0, |item| item.0)).collect();
            Planes::new(&words)
        };
        Answer { items: (0..most).map(item).collect(), counts }
    }
}

/// The units of a number of so many units, the first in the high bits.
pub fn units_of(number: u64, units: usize, unit_bits: u32) -> Vec<u16> {
    let unit = |at: usize| (number >> (at as u32 * unit_bits) & ((1 << unit_bits) - 1)) as u16;
    (0..units).rev().map(unit).collect()
}

/// A bit of the numbers from `first` on, a multiple of 512, in each stream.
fn counter_bit(first: u64, bit: usize) -> Slice {
    const IN_A_WORD: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match bit {
        0..6 => Slice([IN_A_WORD[bit]; STREAMS / 64]),
        6..9 => Slice(std::array::from_fn(|word| if word >> (bit - 6) & 1 == 1 { u64::MAX } else { 0 })),
        _ => Slice::splat(first >> bit & 1 == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_count_up() {
        let first = 512 * 0x3_1415;
        for stream in [0, 1, 63, 64, 300, 511] {
            let number =
                (0..32).map(|bit| u64::from(counter_bit(first, bit).get(stream)) << bit).sum::<u64>();
            assert_eq!(number, first + stream as u64);
        }
    }

    #[test]
    fn the_first_unit_is_in_the_high_bits() {
        assert_eq!(units_of(0xf490_8081, 4, 8), [0xf4, 0x90, 0x80, 0x81]);
        assert_eq!(units_of(0b10110_00001, 2, 5), [0b10110, 0b00001]);
    }
}
