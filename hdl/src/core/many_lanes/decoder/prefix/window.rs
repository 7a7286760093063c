//! How a unit stands to the few units before it, which is all that decides a sequence.
//!
//! A unit is the n-th trailing unit of a sequence if the n-th unit before it is a lead that asks for so many, accepts the
//! first of them, and only trailing units stand between.

use crate::core::many_lanes::logic::any_of;
use crate::netlist::Signal;

/// What is known of a unit and those before it.
pub(super) struct Near<'m> {
    /// The unit is a trailing unit.
    pub(super) trailing: Signal<'m>,
    /// Of the units before it, the nearest first: it is a trailing unit.
    pub(super) trailing_before: Vec<Signal<'m>>,
    /// For n from 1 on, of the unit n - 1 before it (of itself, for 1): it is the first trailing unit of a sequence with n trailing units
    /// at least.
    pub(super) first_of: Vec<Signal<'m>>,
    /// Of the same units: of a sequence with n + 1 at least.
    pub(super) first_of_more: Vec<Signal<'m>>,
}

impl<'m> Near<'m> {
    /// The unit is the n-th trailing unit of a sequence.
    fn is_nth(&self, n: usize) -> Signal<'m> {
        let first = self.first_of[n - 1];
        if n == 1 {
            return first;
        }
        self.trailing_before.iter().take(n - 2).fold(first & self.trailing, |all, &between| all & between)
    }

    /// The same, where the first trailing unit is `first` too.
    pub(super) fn is_nth_behind(&self, n: usize, first: Signal<'m>) -> Signal<'m> {
        if n == 1 { first } else { self.is_nth(n) & first }
    }
}

/// How the unit stands in a sequence.
pub(super) struct Window<'m> {
    /// For n from 1 on: it is the n-th trailing unit.
    positions: Vec<Signal<'m>>,
    first_of_more: Vec<Signal<'m>>,
}

impl<'m> Window<'m> {
    pub(super) fn new(near: &Near<'m>) -> Self {
        let position = |n: usize| match n {
            1 => near.is_nth(n),
            _ => near.is_nth(n).named(&format!("position_{n}")),
        };
        let positions = (1..=near.first_of.len()).map(position).collect();
        Self { positions, first_of_more: near.first_of_more.clone() }
    }

    /// The unit goes on with the sequence before it.
    pub(super) fn goes_on(&self) -> Signal<'m> {
        any_of(self.positions.iter().copied()).expect("sequences have trailing units")
    }

    /// The sequence goes on behind the unit, which is a trailing unit.
    pub(super) fn is_open(&self) -> Option<Signal<'m>> {
        any_of(self.positions.iter().zip(&self.first_of_more).map(|(&position, &more)| position & more))
    }

    /// The sequence is whole with the unit, and has `least` trailing units or more; for each from 1 on.
    pub(super) fn whole(&self) -> Vec<Signal<'m>> {
        let mut whole: Vec<Signal> = Vec::new();
        for (index, &position) in self.positions.iter().enumerate().rev() {
            let ends = match self.first_of_more.get(index) {
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
