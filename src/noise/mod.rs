//! Random stimulus from a seed: well-formed text, text that is nearly well-formed, and garbage.
//!
//! The reference says which code points a system has and how they are written; ill-formed text is made by damaging that.

mod among;
mod headers;
mod length_ranges;
mod marks;
mod slots;
mod surrogates;
mod units;
mod writer;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::promise::Item;
use among::UnitsAmong;
pub(crate) use length_ranges::{LengthRange, length_ranges};
pub(crate) use marks::MAGIC;
use slots::RandomSlots;
use units::RandomUnits;
use utfhdl_hdl::core::{CoreSpec, Role, System};
pub(crate) use writer::slots_of;

/// A random stream of a given number of items. The same seed gives the same stream.
pub struct RandomItems {
    kind: Kind,
    random: ChaCha8Rng,
    /// Items made; the first `used` have been given out.
    ready: Vec<Item>,
    used: usize,
    /// Whether most of the input is well-formed. In pure noise, the effect of a single error would not show.
    calm: bool,
    /// For how many pieces it stays so.
    spell: u32,
    /// Items that are still to come.
    left: u64,
}

enum Kind {
    Units(Box<RandomUnits>),
    Among(Box<UnitsAmong>),
    Slots(RandomSlots),
}

/// For how many pieces noise, or calm, lasts; a new frame ends it earlier.
const SPELL: u32 = 64;

impl RandomItems {
    /// `count` items for the input of a core of this specification.
    pub fn new(spec: CoreSpec, count: u64, seed: u64) -> Self {
        let units = |to| match spec.system {
            System::Auto(auto) => Kind::Among(Box::new(UnitsAmong::new(auto, to))),
            system => Kind::Units(Box::new(RandomUnits::new(system, to))),
        };
        let kind = match spec.role {
            Role::Decoder | Role::Validator(_) => units(None),
            Role::Transcoder { to } => units(Some(to)),
            Role::Encoder => Kind::Slots(RandomSlots::new(spec.system, spec.bus)),
        };
        Self {
            kind,
            random: ChaCha8Rng::seed_from_u64(seed),
            ready: Vec::new(),
            used: 0,
            calm: false,
            spell: 0,
            left: count,
        }
    }

    /// Starts anew with another seed and `count` items.
    pub fn restart(&mut self, count: u64, seed: u64) {
        self.random = ChaCha8Rng::seed_from_u64(seed);
        self.ready.clear();
        self.used = 0;
        self.left = count;
    }

    /// Begins a frame: the next items suit the beginning of one.
    pub fn open_frame(&mut self) {
        self.spell = 0;
        let opening = match &mut self.kind {
            Kind::Units(units) => units.opening(&mut self.random),
            Kind::Among(units) => {
                // What is left is of the system of the frame before.
                self.used = self.ready.len();
                units.opening(&mut self.random)
            }
            Kind::Slots(_) => return,
        };
        self.ready.splice(..self.used, opening.into_iter().map(Item::from));
        self.used = 0;
    }

    /// Adds a piece, which may have no items.
    fn make_piece(&mut self) {
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
            Kind::Among(units) => {
                let piece = units.piece(&mut self.random, calm);
                self.ready.extend(piece.iter().map(|&unit| Item::from(unit)));
            }
            Kind::Slots(slots) => slots.piece(&mut self.random, calm, &mut self.ready),
        }
    }

    /// Whether all items are given.
    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.left == 0
    }
}

impl Iterator for RandomItems {
    type Item = Item;

    #[inline]
    fn next(&mut self) -> Option<Item> {
        self.left = self.left.checked_sub(1)?;
        while self.used == self.ready.len() {
            self.ready.clear();
            self.used = 0;
            self.make_piece();
        }
        self.used += 1;
        let item = self.ready[self.used - 1];
        match &mut self.kind {
            Kind::Among(units) => Some(Item::from(units.with_number(&mut self.random, item.data))),
            Kind::Units(_) | Kind::Slots(_) => Some(item),
        }
    }
}
