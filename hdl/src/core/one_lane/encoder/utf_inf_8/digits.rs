//! The digits of the length, which are written between the opener and the code point.

use super::format::{BLOCK_START, UNIT_BITS};
use crate::netlist::{Builder, Signal};

/// The unit before the digits of the length. A header has one of these less than digits.
const BEFORE: u64 = 0xb4;
/// A unit with a digit of the length, which is 0 here.
const DIGIT: u64 = 0xa0;
/// A trailing unit, in which the bits of the code point are 0 here.
const TRAILING: u64 = 0x80;

/// The digits of the length, as a pass that is to come and as the current pass. Each of the pass's units holds a digit,
/// or comes before the digits; all of them look like trailing units.
pub(super) struct Digits<'m> {
    length: Signal<'m>,
    /// For each digit, whether that digit and all before it are zero; low for the last.
    zero: Vec<Signal<'m>>,
    /// The length has one digit.
    pub(super) one: Signal<'m>,
}

/// When the registers of the units' markers load.
#[derive(Clone, Copy)]
pub(super) struct MarkerLoads<'m> {
    /// The output takes a unit.
    pub(super) advance: Signal<'m>,
    /// A pass is loaded.
    pub(super) load: Signal<'m>,
    /// The pass is the digits of the length.
    pub(super) digits: Signal<'m>,
}

/// The parts of units that are no bits of the code point: registers.
pub(super) struct Markers<'m> {
    /// The length is being written.
    pub(super) writes_length: Signal<'m>,
    /// The bits of the unit that are not of the code point.
    pub(super) marker: Signal<'m>,
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

    /// The number of positions that a pass of any kind may have.
    pub(super) fn positions(&self) -> u32 {
        (2 * self.zero.len() as u32 - 1).max(BLOCK_START as u32 + 1)
    }

    /// Whether the first unit of the pass is at a position: each digit but the last has two units, and the last has
    /// one.
    pub(super) fn starts_at(&self, m: &'m Builder, position: u64) -> Signal<'m> {
        let at = usize::try_from(position / 2).expect("at most 16 positions");
        if position % 2 == 1 || at >= self.zero.len() {
            return m.lit(1, 0);
        }
        let ends_before = self.zero.get(at + 1).copied();
        let digit_here = (at > 0).then(|| !self.zero[at]);
        [ends_before, digit_here].into_iter().flatten().reduce(|a, b| a & b).unwrap_or_else(|| m.lit(1, 1))
    }

    /// The unit with the digit `at`, or, if that and all digits before it are `zero`, the unit before the digits.
    fn unit(&self, m: &'m Builder, at: usize, zero: Signal<'m>) -> Signal<'m> {
        let from = 4 * at as u32;
        let digit = self.length.bits(from..(from + 4).min(self.length.width())).zext(4);
        zero.mux(m.lit(UNIT_BITS, BEFORE), m.concat([m.lit(4, DIGIT >> 4), digit]))
    }

    /// The markers of all units. `at` has a bit for each position; `first` is the marker of the first unit if another
    /// pass is loaded.
    pub(super) fn markers(
        &self,
        m: &'m Builder,
        at: Signal<'m>,
        loads: MarkerLoads<'m>,
        first: Signal<'m>,
    ) -> Markers<'m> {
        let MarkerLoads { advance, load, digits } = loads;
        let writes_length = m.stage(load).data("digits_now_reg", digits).note("the length is being written");
        let first = digits.mux(self.unit(m, 0, !self.one), first);
        // The first unit does not depend on these, so that they may be a cycle late.
        let zero = m
            .reg("no_digits_reg", self.zero.len() as u32)
            .note("digits of the length that are zero, and all before them, too");
        zero.next(m.concat(self.zero.iter().rev().copied()));
        let following = (1..at.width()).map(|position| {
            let digit = position - 1;
            let unit = if digit < zero.q.width() {
                self.unit(m, digit as usize, zero.q.bit(digit))
            } else {
                m.lit(UNIT_BITS, BEFORE)
            };
            unit.when(at.bit(position))
        });
        let following = following.reduce(|a, b| a | b).expect("sixteen positions").named("next_of_length");
        let trailing = m.lit(UNIT_BITS, TRAILING) | following.when(writes_length);
        let marker = m.stage(advance).data("marker_reg", load.mux(first, trailing));
        Markers { writes_length, marker: marker.note("bits of the unit that are not of the code point") }
    }
}
