//! How a unit stands to the few units before it, which is all that decides a sequence.
//!
//! A unit is the n-th trailing unit of a sequence if the n-th unit before it is a lead that asks for so many, accepts the
//! first of them, and only trailing units stand between.

use crate::core::many_lanes::decoder::logic::any_of;
use crate::netlist::Signal;

/// What is known of a unit and those before it.
pub(super) struct Near<'m> {
    /// The unit is a trailing unit.
    pub(super) trailing: Signal<'m>,
    /// Of the unit and those before it, the nearest first: it is a trailing unit that the lead before it accepts.
    pub(super) fits: Vec<Signal<'m>>,
    /// Of the units before it, the nearest first: it is a trailing unit.
    pub(super) trailing_before: Vec<Signal<'m>>,
    /// Of the n-th unit before it, from 2 on: if it is a lead, it asks for n trailing units at least.
    pub(super) asks: Vec<Signal<'m>>,
    /// Of the n-th unit before it, from 1 on: for n + 1 at least.
    pub(super) asks_more: Vec<Signal<'m>>,
}

impl<'m> Near<'m> {
    /// The unit is the n-th trailing unit of a sequence whose first one is `first`.
    pub(super) fn is_nth(&self, n: usize, first: Signal<'m>) -> Signal<'m> {
        if n == 1 {
            return first;
        }
        let between = self.trailing_before.iter().take(n - 2).copied();
        [self.asks[n - 2], self.trailing].into_iter().chain(between).fold(first, |a, b| a & b)
    }
}

/// How the unit stands in a sequence.
pub(super) struct Window<'m> {
    /// For n from 1 on: it is the n-th trailing unit.
    positions: Vec<Signal<'m>>,
    asks_more: Vec<Signal<'m>>,
}

impl<'m> Window<'m> {
    pub(super) fn new(near: &Near<'m>) -> Self {
        let position = |(index, &first): (usize, &Signal<'m>)| match index {
            0 => first,
            _ => near.is_nth(index + 1, first).named(&format!("position_{}", index + 1)),
        };
        let positions = near.fits.iter().enumerate().map(position).collect();
        Self { positions, asks_more: near.asks_more.clone() }
    }

    /// The unit goes on with the sequence before it.
    pub(super) fn goes_on(&self) -> Signal<'m> {
        any_of(self.positions.iter().copied()).expect("sequences have trailing units")
    }

    /// The sequence goes on behind the unit, which is a trailing unit.
    pub(super) fn is_open(&self) -> Option<Signal<'m>> {
        any_of(self.positions.iter().zip(&self.asks_more).map(|(&position, &more)| position & more))
    }

    /// The sequence is whole with the unit, and has `least` trailing units or more; for each from 1 on.
    pub(super) fn whole(&self) -> Vec<Signal<'m>> {
        let mut whole: Vec<Signal> = Vec::new();
        for (index, &position) in self.positions.iter().enumerate().rev() {
            let ends = match self.asks_more.get(index) {
                Some(&more) => position & !more,
                None => position,
            };
            let longer = whole.last().copied();
            let is = longer.map_or(ends, |longer| longer | ends);
            whole.push(is.named(&format!("whole_{}", index + 1)));
        }
        whole.reverse();
        whole
    }
}
