//! Seeded noise that looks for trouble: what is well-formed, what is nearly so, and garbage.
//!
//! What a system's code points are is asked of the reference; what is wrong is made from what is right.

mod length_ranges;
mod slots;
mod units;
mod writer;

use std::collections::VecDeque;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::promise::Carries;
use crate::promise::Item;
pub(crate) use length_ranges::{LengthRange, length_ranges};
use slots::RandomSlots;
use units::RandomUnits;
use utfhdl_codec::System;
pub(crate) use writer::slots_of;

/// A stream of so many items. The same seed gives the same stream.
pub struct RandomItems {
    kind: Kind,
    random: ChaCha8Rng,
    /// Items made and not used yet.
    ready: VecDeque<Item>,
    /// What comes is well-formed, with few exceptions, for so many pieces: noise alone would hide what one fault in a frame
    /// does.
    calm: bool,
    spell: u32,
    left: u64,
}

enum Kind {
    Units(Box<RandomUnits>),
    Slots(RandomSlots),
}

/// Pieces until calm and noise may change, at the latest.
const SPELL: u32 = 64;

impl RandomItems {
    /// `count` items for the input of a core of `system`; `to` is what a transcoder writes.
    pub fn new(carries: Carries, system: System, to: Option<System>, count: u64, seed: u64) -> Self {
        let kind = match carries {
            Carries::Units(_) => Kind::Units(Box::new(RandomUnits::new(system, to))),
            Carries::Slots => Kind::Slots(RandomSlots::new(system)),
        };
        Self {
            kind,
            random: ChaCha8Rng::seed_from_u64(seed),
            ready: VecDeque::new(),
            calm: false,
            spell: 0,
            left: count,
        }
    }

    /// Starts anew, as made with this seed, with `count` items.
    pub fn restart(&mut self, count: u64, seed: u64) {
        self.random = ChaCha8Rng::seed_from_u64(seed);
        self.ready.clear();
        self.left = count;
    }

    /// A frame begins: what comes next suits that.
    pub fn open_frame(&mut self) {
        self.spell = 0;
        if let Kind::Units(units) = &self.kind {
            let opening = units.opening(&mut self.random);
            opening.into_iter().rev().for_each(|unit| self.ready.push_front(unit.into()));
        }
    }

    /// Whether there is no further item.
    pub fn is_at_end(&self) -> bool {
        self.left == 0
    }
}

impl Iterator for RandomItems {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.left = self.left.checked_sub(1)?;
        while self.ready.is_empty() {
            if self.spell == 0 {
                (self.calm, self.spell) = (self.random.random(), SPELL);
            }
            self.spell -= 1;
            let calm = self.calm && self.random.random_range(0..8) > 0;
            match &mut self.kind {
                Kind::Units(units) => {
                    let piece = units.piece(&mut self.random, calm);
                    self.ready.extend(piece.iter().map(|&unit| Item::from(unit)));
                }
                Kind::Slots(slots) => slots.piece(&mut self.random, calm, &mut self.ready),
            }
        }
        self.ready.pop_front()
    }
}
