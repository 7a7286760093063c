//! The digits of the length, between the opener and the code point.

use super::{BLOCK_START, UNIT};
use crate::netlist::{Builder, Signal};

/// What stands in front of the digits of the length, one less of it than there are digits.
const BEFORE: u64 = 0xb4;
/// Under it stands a digit of the length.
const DIGIT: u64 = 0xa0;
/// Under it stand bits of the code point, in a trailing unit.
const TRAILING: u64 = 0x80;

/// The digits of the length, as a pass that is to come and as one that is written. Its units are trailing ones: each has a
/// digit, or stands in front of them.
pub(super) struct Digits<'m> {
    length: Signal<'m>,
    /// For each digit, whether it and all before it are zero; not for the last.
    zero: Vec<Signal<'m>>,
    /// There is one digit.
    pub(super) one: Signal<'m>,
}

impl<'m> Digits<'m> {
    pub(super) fn new(m: &'m Builder, length: Signal<'m>) -> Self {
        let count = length.width().div_ceil(4);
        let mut zero: Vec<Signal> = Vec::new();
        for at in (1..count).rev() {
            let any = length.bits(4 * at..(4 * at + 4).min(length.width())).any();
            let behind = zero.last().map_or(!any, |&before| before & !any);
            zero.push(behind.named(&format!("no_digit_{at}")));
        }
        zero.push(m.lit(1, 0));
        zero.reverse();
        let one = zero.get(1).map_or_else(|| m.lit(1, 1), |&zero| zero);
        Self { length, zero, one }
    }

    /// The number of positions of whatever is written.
    pub(super) fn positions(&self) -> u32 {
        (2 * self.zero.len() as u32 - 1).max(BLOCK_START as u32 + 1)
    }

    /// Whether the first unit of the pass is at a position: there are two units for every digit but the last.
    pub(super) fn starts_at(&self, m: &'m Builder, position: u64) -> Signal<'m> {
        let at = usize::try_from(position / 2).expect("at most 16 positions");
        if position % 2 == 1 || at >= self.zero.len() {
            return m.lit(1, 0);
        }
        let ends_before = self.zero.get(at + 1).copied();
        let digit_here = (at > 0).then(|| !self.zero[at]);
        [ends_before, digit_here].into_iter().flatten().reduce(|a, b| a & b).unwrap_or_else(|| m.lit(1, 1))
    }

    /// The unit that has the digit `at`, or where that and all before it are `zero`, stands in front of the digits.
    fn unit(&self, m: &'m Builder, at: usize, zero: Signal<'m>) -> Signal<'m> {
        let from = 4 * at as u32;
        let digit = self.length.bits(from..(from + 4).min(self.length.width())).zext(4);
        zero.mux(m.lit(UNIT, BEFORE), m.concat([m.lit(4, DIGIT >> 4), digit]))
    }

    /// Whether the pass is written, and what is in the unit beside bits of the code point; `first` where another pass is
    /// loaded. `at` has a bit for each position.
    pub(super) fn markers(
        &self,
        m: &'m Builder,
        at: Signal<'m>,
        (advance, load, now): (Signal<'m>, Signal<'m>, Signal<'m>),
        first: Signal<'m>,
    ) -> (Signal<'m>, Signal<'m>) {
        let written = m.reg("digits_now_reg", 1).note("the length is being written");
        written.next_when(load, now);
        let marker = m.reg("marker_reg", UNIT).note("what is in the unit beside bits of the code point");
        let first_digit = self.unit(m, 0, !self.one);
        let first = now.mux(first_digit, first);
        // The first unit is not decided by these, so that they may come late.
        let zero = m
            .reg("no_digits_reg", self.zero.len() as u32)
            .note("digits of the length of which all before are zero, too");
        zero.next(m.concat(self.zero.iter().rev().copied()));
        let following = (1..at.width()).map(|position| {
            let digit = position - 1;
            let unit = if digit < zero.q.width() {
                self.unit(m, digit as usize, zero.q.bit(digit))
            } else {
                m.lit(UNIT, BEFORE)
            };
            unit.when(at.bit(position))
        });
        let following = following.reduce(|a, b| a | b).expect("sixteen positions").named("digit_behind");
        let trailing = m.lit(UNIT, TRAILING) | following.when(written.q);
        marker.next_when(advance, load.mux(first, trailing));
        (written.q, marker.q)
    }
}
