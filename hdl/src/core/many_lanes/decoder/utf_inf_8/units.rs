//! The units of a beat and those before it, in any stage: registers are made where somebody asks.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::limit::DIGIT_BITS;
use crate::core::many_lanes::decoder::pipeline::{Pipeline, delay};
use crate::netlist::{Signal, Stage};

/// The units. Lanes below zero are those before the beat: -1 is the nearest.
pub(super) struct Units<'a, 'm> {
    pipeline: &'a Pipeline<'m>,
    units: Vec<Signal<'m>>,
    valids: Vec<Signal<'m>>,
    before: &'a [Signal<'m>],
    /// The stage in which those before the beat are known.
    history: u32,
    made: RefCell<BTreeMap<(String, i32, u32), Signal<'m>>>,
}

impl<'a, 'm> Units<'a, 'm> {
    pub(super) fn new(
        pipeline: &'a Pipeline<'m>,
        units: Vec<Signal<'m>>,
        valids: Vec<Signal<'m>>,
        before: &'a [Signal<'m>],
        history: u32,
    ) -> Self {
        Self { pipeline, units, valids, before, history, made: RefCell::default() }
    }

    /// What `make` makes of the unit of a lane, in a register of stage `at`. The same name always stands for the same.
    pub(super) fn flag(
        &self,
        name: &str,
        lane: i32,
        at: u32,
        make: impl Fn(Signal<'m>) -> Signal<'m>,
    ) -> Signal<'m> {
        self.flag_of(name, lane, at, &make)
    }

    fn flag_of(&self, name: &str, lane: i32, at: u32, make: &dyn Fn(Signal<'m>) -> Signal<'m>) -> Signal<'m> {
        let (first, unit) = match usize::try_from(lane) {
            Ok(lane) => (1, self.units[lane]),
            Err(_) => (self.history, self.before[(-1 - lane) as usize]),
        };
        assert!(at > first, "lane {lane} is not known before stage {at}");
        self.made(name, lane, at, |full| {
            let made = if at == first + 1 { make(unit) } else { self.flag_of(name, lane, at - 1, make) };
            delay(self.stage(lane), full, made, at - 1, at)
        })
    }

    /// The digit in the unit of a lane, as of a stage.
    pub(super) fn digit(&self, lane: i32, at: u32) -> Signal<'m> {
        self.flag("digit", lane, at, |unit| unit.bits(0..DIGIT_BITS))
    }

    /// There is a unit in the lane, as of a stage.
    pub(super) fn valid(&self, lane: usize, at: u32) -> Signal<'m> {
        match at {
            1 => self.valids[lane],
            _ => self.made("valid", lane as i32, at, |full| {
                delay(self.stage(lane as i32), full, self.valid(lane, at - 1), at - 1, at)
            }),
        }
    }

    fn stage(&self, lane: i32) -> Stage<'m> {
        self.pipeline.stage_at(lane.max(0) as usize)
    }

    /// What `make` makes, once. It is told the name of the registers, to which [`delay`] adds the stage.
    fn made(&self, name: &str, lane: i32, at: u32, make: impl FnOnce(&str) -> Signal<'m>) -> Signal<'m> {
        let key = (name.to_owned(), lane, at);
        let known = self.made.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let full = match lane {
                0.. => format!("tail_{name}_{lane}"),
                _ => format!("tail_{name}_before_{}", -lane),
            };
            let signal = make(&full);
            self.made.borrow_mut().insert(key, signal);
            signal
        })
    }
}

/// FF.
pub(super) fn is_ff(unit: Signal<'_>) -> Signal<'_> {
    unit.all()
}

/// B4.
pub(super) fn is_b4(unit: Signal<'_>) -> Signal<'_> {
    unit.is(0xb4)
}

/// A0 to AF: a digit, where one can stand.
pub(super) fn is_digit(unit: Signal<'_>) -> Signal<'_> {
    unit.bits(4..8).is(0xa)
}

/// 80 to BF.
pub(super) fn is_trailing(unit: Signal<'_>) -> Signal<'_> {
    unit.bits(6..8).is(0b10)
}

/// 80 to 9F.
pub(super) fn is_low_trailing(unit: Signal<'_>) -> Signal<'_> {
    unit.bits(5..8).is(0b100)
}
