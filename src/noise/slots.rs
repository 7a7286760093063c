//! Random slots: code points that the encoder's system has or lacks, errors, groups of limbs, and illegal values of `tuser`.

use rand::{Rng, RngExt};

use super::length_ranges::{LengthRange, length_ranges};
use super::surrogates::surrogate;
use super::units::{around, pick};
use super::writer::slots_of;
use crate::promise::Item;
use utfhdl_codec::System;
use utfhdl_codec::{ErrorKind, Slot};
use utfhdl_hdl::core::Bus;

/// Makes pieces of slots for an encoder. A piece is a few slots that belong together.
pub struct RandomSlots {
    system: System,
    ranges: Vec<LengthRange>,
    /// How many of the ranges are of code points that the system has; these come first.
    own: usize,
    /// The first and last code points of all ranges, and those beside them.
    boundaries: Vec<u128>,
    bus: Bus,
}

impl RandomSlots {
    /// Random slots for an encoder of `system`, on this bus.
    pub fn new(system: System, bus: Bus) -> Self {
        let (mut all, others): (Vec<LengthRange>, Vec<LengthRange>) =
            length_ranges(system).into_iter().partition(|range| range.units > 0);
        let own = all.len();
        all.extend(others);
        if bus == Bus::Short {
            // The code points of the system fit, and those of the last range that it lacks are cut.
            let most = (1 << bus.data_bits()) - 1;
            all.retain(|range| range.first <= most);
            all.iter_mut().for_each(|range| range.last = range.last.min(most));
        }
        let mut boundaries = around(&all);
        boundaries.extend([0x3f, 0xfffd, u32::MAX.into()]);
        boundaries.extend((0..=32).map(|bit| 1 << bit));
        if bus == Bus::Short {
            boundaries.retain(|code_point| code_point >> bus.data_bits() == 0);
        }
        Self { system, ranges: all, own, boundaries: boundaries.into_iter().collect(), bus }
    }

    /// Adds a piece, which may be damaged; if `calm`, the slots of a code point that the system has.
    pub fn piece(&mut self, random: &mut impl Rng, calm: bool, slots: &mut Vec<Item>) {
        let before = slots.len();
        self.draw(random, calm, slots);
        let most = u32::MAX >> (u32::BITS - self.bus.data_bits());
        slots[before..].iter_mut().for_each(|slot| slot.data &= most);
    }

    fn draw(&self, random: &mut impl Rng, calm: bool, slots: &mut Vec<Item>) {
        if self.system == System::Wtf8 && random.random_range(0..4) == 0 {
            // Whether a surrogate can be written depends on the one before it.
            return slots.push(Slot::CodePoint(surrogate(random)).into());
        }
        match random.random_range(0..16) {
            _ if calm => self.in_range(random, self.own, slots),
            // Ranges of code points that the system has and ranges that it lacks, all equally likely.
            0..6 => self.in_range(random, self.ranges.len(), slots),
            6..9 => slots.extend(slots_of(*pick(random, &self.boundaries)).into_iter().map(Item::from)),
            9 => slots.push(Slot::CodePoint(random.random()).into()),
            10 => {
                let kind = *pick(random, &ErrorKind::ALL);
                // An error may have any `tdata`.
                slots.push(Item { data: any_data(random), user: kind.code().into() });
            }
            11 => slots.push(Item { data: any_data(random), user: random.random_range(11..=13) }),
            // Values of `tuser` that would be a head or a limb on the long bus.
            12.. if self.bus == Bus::Short => {
                slots.push(Item { data: any_data(random), user: random.random_range(14..=15) });
            }
            12 | 13 => self.group(random, slots),
            _ => self.broken_group(random, slots),
        }
    }

    /// A code point of one of the first `of` ranges.
    fn in_range(&self, random: &mut impl Rng, of: usize, slots: &mut Vec<Item>) {
        let range = pick(random, &self.ranges[..of]);
        let code_point = random.random_range(range.first..=range.last);
        slots.extend(slots_of(code_point).into_iter().map(Item::from));
    }

    /// A well-formed group of limbs, long or short.
    fn group(&self, random: &mut impl Rng, slots: &mut Vec<Item>) {
        let most = match self.system {
            System::UtfInf8 { .. } => *pick(random, &[2, 3, 3, 4, 4, 5, 10, 40, 200]),
            _ => *pick(random, &[2, 2, 3, 4, 6, 9, 20]),
        };
        let limbs = random.random_range(2..=most);
        slots.push(Slot::Head(limbs).into());
        self.limbs(random, limbs, slots);
    }

    /// `count` limbs, the first not zero.
    fn limbs(&self, random: &mut impl Rng, count: u32, slots: &mut Vec<Item>) {
        for index in 0..count {
            // The first limb has any number of bits.
            let shift = if index == 0 { random.random_range(0..32) } else { 0 };
            let limb = random.random::<u32>() >> shift | u32::from(index == 0);
            slots.push(Slot::Limb(limb).into());
        }
    }

    /// A group that breaks the rules of the bus. The next slots may count as part of the group.
    fn broken_group(&self, random: &mut impl Rng, slots: &mut Vec<Item>) {
        match random.random_range(0..7) {
            // Fewer limbs than announced.
            0 | 1 => {
                let announced = random.random_range(2..9);
                slots.push(Slot::Head(announced).into());
                let there = random.random_range(0..announced);
                self.limbs(random, there, slots);
            }
            // The first limb is zero.
            2 => {
                let announced = random.random_range(2..5);
                slots.push(Slot::Head(announced).into());
                let there = random.random_range(1..=announced);
                let limb = |index| Slot::Limb(if index == 0 { 0 } else { random.random() });
                slots.extend((0..there).map(limb).map(Item::from));
            }
            // Heads that announce too little, or so much that nothing but the header is written.
            3 | 4 => {
                let any = random.random::<u32>() >> random.random_range(0..31);
                let head = *pick(random, &[0, 1, u32::MAX, u32::MAX - 1, 1 << 31, any, any, any]);
                slots.push(Slot::Head(head).into());
                let there = random.random_range(0..4);
                self.limbs(random, there, slots);
            }
            // Heads that cut each other's groups. A head makes an error of the group before it and opens one of its own.
            5 => {
                let count = random.random_range(2..5);
                slots.extend((0..count).map(|_| Item::from(Slot::Head(random.random_range(2..5)))));
            }
            // No head.
            _ => {
                let count = random.random_range(1..4);
                slots.extend((0..count).map(|_| Item::from(Slot::Limb(random.random()))));
            }
        }
    }
}

/// A `tdata` that the core must not look at.
fn any_data(random: &mut impl Rng) -> u32 {
    match random.random_range(0..3) {
        0 => 0xfffd,
        1 => random.random_range(0..0x80),
        _ => random.random(),
    }
}
