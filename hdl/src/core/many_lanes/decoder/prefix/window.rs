//! The position of a unit in its sequence, which the few units before it decide.
//!
//! A unit is the n-th trailing unit of a sequence if the n-th unit before it is a lead that asks for at least n, accepts the first of
//! them, and only trailing units are between.
//!
//! ```text
//!  unit            F0  9F  98  80  41        U+1F600 and A
//!  first of 1..3   .   111 .   .   .         9F is the first of three
//!  position        .   1   2   3   .         80: first of 3 two units before, trailing one before, trailing itself
//!  whole           .   .   .   yes .
//! ```

use super::values::Values;
use crate::core::lanes::{At, Cell};

/// Whether the unit is the `n`-th trailing unit of a sequence.
fn is_nth<'m>(cell: &dyn Cell<'m>, values: &Values, n: usize) -> At<'m> {
    let first = cell.of(n - 1, values.first_of(n));
    if n == 1 {
        return first;
    }
    (1..n - 1).fold(first & cell.of(0, &values.trailing), |all, back| all & cell.of(back, &values.trailing))
}

/// Whether the unit is the n-th trailing unit, as in [`is_nth`], and the first one makes the head of a code point with limbs certain.
pub(super) fn is_nth_after_head<'m>(cell: &dyn Cell<'m>, values: &Values, n: usize) -> At<'m> {
    let head = cell.of(n - 1, &values.head);
    if n == 1 { head } else { is_nth(cell, values, n) & head }
}

/// The second trailing unit of a code point with three limbs.
pub(super) fn is_second_of_three_limbs<'m>(cell: &dyn Cell<'m>, values: &Values) -> At<'m> {
    is_nth(cell, values, 2) & cell.of(1, &values.has_third)
}

/// More than `n` trailing units follow the lead that is `n` units before the unit.
pub(super) fn has_more<'m>(cell: &dyn Cell<'m>, values: &Values, n: usize) -> At<'m> {
    cell.of(n - 1, values.first_of(n + 1))
}

/// The position of a unit in a sequence.
pub(super) struct Window<'m> {
    /// For n from 1 on: it is the n-th trailing unit.
    positions: Vec<At<'m>>,
    /// Entry n as in the field above, and more trailing units follow.
    more: Vec<At<'m>>,
}

/// Whether the unit is the `n`-th trailing unit, as a signal with a name.
fn position<'m>(cell: &dyn Cell<'m>, values: &Values, n: usize) -> At<'m> {
    match n {
        1 => is_nth(cell, values, n),
        _ => is_nth(cell, values, n).named(&format!("position_{n}")),
    }
}

impl<'m> Window<'m> {
    /// The position of a unit in sequences with up to `longest` trailing units.
    pub(super) fn new(cell: &dyn Cell<'m>, values: &Values, longest: usize) -> Self {
        Self {
            positions: (1..=longest).map(|n| position(cell, values, n)).collect(),
            more: (1..longest).map(|n| has_more(cell, values, n)).collect(),
        }
    }

    /// Whether a sequence continues after a unit, which is one of its trailing units.
    pub(super) fn open(cell: &dyn Cell<'m>, values: &Values, longest: usize) -> Option<At<'m>> {
        At::any_of((1..longest).map(|n| position(cell, values, n) & has_more(cell, values, n)))
    }

    /// The unit continues the sequence before it.
    pub(super) fn continues(&self) -> At<'m> {
        At::any_of(self.positions.iter().copied()).expect("sequences have trailing units")
    }

    /// The sequence continues after the unit, which is a trailing unit.
    pub(super) fn is_open(&self) -> Option<At<'m>> {
        At::any_of(self.positions.iter().zip(&self.more).map(|(&position, &more)| position & more))
    }

    /// The sequence is whole with the unit, which is a trailing unit.
    pub(super) fn is_whole(&self) -> At<'m> {
        let ends = |(index, &position): (usize, &At<'m>)| match self.more.get(index) {
            Some(&more) => position & !more,
            None => position,
        };
        At::any_of(self.positions.iter().enumerate().map(ends)).expect("sequences have trailing units")
    }

    /// The unit is the n-th trailing unit of a sequence or a later one; for n from 1 on. It is read where a `trailing` unit ends a sequence.
    pub(super) fn reached(&self, trailing: At<'m>) -> Vec<At<'m>> {
        let from = |n: usize| At::any_of(self.positions[n - 1..].iter().copied()).expect("a position");
        let reached = (2..=self.positions.len()).map(|n| from(n).called(&format!("reached_{n}")));
        [trailing].into_iter().chain(reached).collect()
    }
}
