//! The class of a unit after FF, found out in stage 1.

use super::format::TRAILING_BITS;
use crate::core::one_lane::decoder::prefix::UnitClass;
use crate::core::one_lane::decoder::unit::OneUnitBeat;
use crate::netlist::{Builder, Signal, Stage};

/// The units of a length header before the digits of the length.
const BEFORE_DIGITS: u64 = 0xb4;
/// The upper half of a digit of a length header.
const DIGIT: u64 = 0xa;

/// The unit in stage 2, as the blocks for sequences of FF see it, and the enable of their registers.
#[derive(Clone, Copy)]
pub(super) struct BlockUnit<'m> {
    pub(super) load: Signal<'m>,
    /// The unit is a trailing unit.
    pub(super) trailing: Signal<'m>,
    /// The unit is the first after FF, if a sequence is open.
    pub(super) second: Signal<'m>,
    pub(super) six: SixBits<'m>,
}

/// The six bits of a trailing unit, and their classes.
#[derive(Clone, Copy)]
pub(super) struct SixBits<'m> {
    pub(super) bits: Signal<'m>,
    /// One of the two upper bits is set, one of the middle bits, one of the lower.
    pub(super) top: Signal<'m>,
    pub(super) middle: Signal<'m>,
    pub(super) low: Signal<'m>,
    /// The unit is B4.
    pub(super) is_b4: Signal<'m>,
    /// The unit is A0 to AF, a digit of a length header.
    pub(super) is_digit: Signal<'m>,
    /// The digit modulo three.
    pub(super) modulo_3: Signal<'m>,
}

impl<'m> SixBits<'m> {
    /// Makes the registers of stage 1.
    pub(super) fn new(m: &'m Builder, beat: OneUnitBeat<'m>, class: UnitClass<'m>, stage: Stage<'m>) -> Self {
        m.stage_section(1, "class of a trailing unit after FF");
        let OneUnitBeat { unit, unit_valid, .. } = beat;
        let payload = class.payload.expect("octets have bits below their markers");
        Self {
            bits: payload.bits(0..TRAILING_BITS),
            top: stage.data("top_reg", unit.bits(4..6).any()),
            middle: stage.data("middle_reg", unit.bits(2..4).any()),
            low: stage.data("low_reg", unit.bits(0..2).any()),
            is_b4: stage.data("is_b4_reg", unit.is(BEFORE_DIGITS) & unit_valid),
            is_digit: stage.data("is_digit_reg", unit.bits(4..8).is(DIGIT) & unit_valid),
            modulo_3: stage.data(
                "digit_modulo_3_reg",
                modulo_3(m, unit.bits(0..2), unit.bits(2..4)).named("digit_modulo_3"),
            ),
        }
    }

    /// Some bit is set.
    pub(super) fn any(self) -> Signal<'m> {
        self.top | self.middle | self.low
    }
}

/// The sum of two numbers below four, modulo three. Four is one more than three, so a number modulo three is the
/// sum of its digits to base four.
pub(super) fn modulo_3<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let sums = |rest: u64| (0..16).filter(|pair| (pair / 4 + pair % 4) % 3 == rest).collect::<Vec<u64>>();
    let lit = |value| m.lit(2, value);
    m.concat([a, b]).case([(&sums(1)[..], lit(1)), (&sums(2)[..], lit(2))], lit(0))
}
