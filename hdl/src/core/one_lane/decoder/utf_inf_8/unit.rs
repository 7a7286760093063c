//! What a unit is behind FF, told in stage 1.

use super::SIX;
use crate::core::one_lane::decoder::OneUnitBeat;
use crate::core::one_lane::decoder::prefix::Class;
use crate::netlist::{Builder, Signal, Stage};

/// What stands before the last digits of a length header.
const BEFORE: u64 = 0xb4;
/// The top half of a digit of a length header.
const DIGIT: u64 = 0xa;

/// What the unit is, as far as the blocks look at it, and when their registers load.
#[derive(Clone, Copy)]
pub(super) struct Unit<'m> {
    pub(super) load: Signal<'m>,
    /// It may go on with what is open: it is a trailing unit.
    pub(super) trailing: Signal<'m>,
    /// The unit before it was FF, if one is open.
    pub(super) second: Signal<'m>,
    pub(super) six: Six<'m>,
}

/// The six bits of a trailing unit, and what they say.
#[derive(Clone, Copy)]
pub(super) struct Six<'m> {
    pub(super) bits: Signal<'m>,
    /// Some of the two bits at the top, in the middle, and at the bottom is set.
    pub(super) top: Signal<'m>,
    pub(super) middle: Signal<'m>,
    pub(super) low: Signal<'m>,
    /// It is B4.
    pub(super) is_b4: Signal<'m>,
    /// It is A0 to AF.
    pub(super) is_digit: Signal<'m>,
    /// If so, the digit modulo three.
    pub(super) modulo_3: Signal<'m>,
}

impl<'m> Six<'m> {
    pub(super) fn new(m: &'m Builder, beat: OneUnitBeat<'m>, class: Class<'m>, stage: Stage<'m>) -> Self {
        m.section("Stage 1: what a trailing unit is behind FF");
        let OneUnitBeat { unit, unit_valid, .. } = beat;
        let payload = class.payload.expect("octets have bits below their markers");
        Self {
            bits: payload.bits(0..SIX),
            top: stage.data("top_reg", unit.bits(4..SIX).any()),
            middle: stage.data("middle_reg", unit.bits(2..4).any()),
            low: stage.data("low_reg", unit.bits(0..2).any()),
            is_b4: stage.data("is_b4_reg", unit.is(BEFORE) & unit_valid),
            is_digit: stage.data("is_digit_reg", unit.bits(4..8).is(DIGIT) & unit_valid),
            modulo_3: stage.data("digit_modulo_3_reg", modulo_3(m, unit.bits(0..2), unit.bits(2..4))),
        }
    }

    /// Some bit is set.
    pub(super) fn any(self) -> Signal<'m> {
        self.top | self.middle | self.low
    }
}

/// The sum of two numbers below four, modulo three.
pub(super) fn modulo_3<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let sums = |rest: u64| (0..16).filter(|pair| (pair / 4 + pair % 4) % 3 == rest).collect::<Vec<u64>>();
    let lit = |value| m.lit(2, value);
    m.concat([a, b]).case([(&sums(1)[..], lit(1)), (&sums(2)[..], lit(2))], lit(0))
}
