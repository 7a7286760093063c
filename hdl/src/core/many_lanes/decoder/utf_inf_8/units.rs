//! The units of a beat and those before it, and facts about them: registers are made where somebody asks.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::limit::DIGIT_BITS;
use crate::core::lanes::{At, Lanes};
use crate::netlist::{Signal, Stage};

/// The units. Lanes below zero are those before the beat: -1 is the nearest.
pub(in crate::core::many_lanes) struct Units<'m> {
    units: Lanes<'m>,
    valids: Lanes<'m>,
    before: Vec<At<'m>>,
    known: RefCell<BTreeMap<(String, i32), At<'m>>>,
}

impl<'m> Units<'m> {
    /// The units of a beat, whether lanes hold one, and the units before the beat, the nearest first.
    pub(in crate::core::many_lanes) fn new(units: Lanes<'m>, valids: Lanes<'m>, before: &[At<'m>]) -> Self {
        Self { units, valids, before: before.to_vec(), known: RefCell::default() }
    }

    /// The registers of a lane.
    pub(in crate::core::many_lanes) fn registers(&self, lane: usize) -> Stage<'m> {
        self.units[lane].registers()
    }

    /// There is a unit in the lane.
    pub(in crate::core::many_lanes) fn valid(&self, lane: usize) -> At<'m> {
        self.valids[lane]
    }

    /// The result of `make` for the unit of a lane, from the stage after the unit on. A name always belongs to one function.
    pub(in crate::core::many_lanes) fn fact(
        &self,
        name: &str,
        lane: i32,
        make: impl Fn(Signal<'m>) -> Signal<'m>,
    ) -> At<'m> {
        let key = (name.to_owned(), lane);
        let known = self.known.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let (unit, full) = match usize::try_from(lane) {
                Ok(at) => (self.units[at], format!("{name}_of_lane_{lane}")),
                Err(_) => (self.before[(-1 - lane) as usize], format!("{name}_of_unit_{}_before", -lane)),
            };
            let fact = unit.map(make).registered(&full);
            self.known.borrow_mut().insert(key, fact);
            fact
        })
    }

    /// The digit in a unit.
    pub(in crate::core::many_lanes) fn digit(&self, lane: i32) -> At<'m> {
        self.fact("digit", lane, |unit| unit.bits(0..DIGIT_BITS))
    }

    /// FF.
    pub(in crate::core::many_lanes) fn is_ff(&self, lane: i32) -> At<'m> {
        self.fact("is_ff", lane, Signal::all)
    }

    /// B4.
    pub(in crate::core::many_lanes) fn is_b4(&self, lane: i32) -> At<'m> {
        self.fact("is_b4", lane, |unit| unit.is(0xb4))
    }

    /// A0: the digit zero.
    pub(in crate::core::many_lanes) fn is_a0(&self, lane: i32) -> At<'m> {
        self.fact("is_a0", lane, |unit| unit.is(0xa0))
    }

    /// A0 to AF: a digit, where one can be.
    pub(in crate::core::many_lanes) fn is_digit(&self, lane: i32) -> At<'m> {
        self.fact("is_digit", lane, |unit| unit.bits(4..8).is(0xa))
    }

    /// 80 to BF.
    pub(in crate::core::many_lanes) fn is_trailing(&self, lane: i32) -> At<'m> {
        self.fact("is_trailing", lane, |unit| unit.bits(6..8).is(0b10))
    }

    /// 80 to 9F.
    pub(in crate::core::many_lanes) fn is_low_trailing(&self, lane: i32) -> At<'m> {
        self.fact("is_low_trailing", lane, |unit| unit.bits(5..8).is(0b100))
    }

    /// The six bits of a trailing unit are zeros.
    pub(in crate::core::many_lanes) fn is_zero(&self, lane: i32) -> At<'m> {
        self.fact("is_zero", lane, |unit| !unit.bits(0..6).any())
    }

    /// The upper two of the six bits are not both zero.
    pub(in crate::core::many_lanes) fn has_top(&self, lane: i32) -> At<'m> {
        self.fact("has_top", lane, |unit| unit.bits(4..6).any())
    }
}
