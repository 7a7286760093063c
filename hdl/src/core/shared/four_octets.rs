//! The four octets of a pointer of `gb18030`: the sum of the digits of its upper bits and of its lower bits, each by a table.

use super::code_points::OCTET;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of a pointer of four octets.
pub(in crate::core) const POINTER_BITS: u32 = 21;
/// Bits below those that the first table has.
const LOW_BITS: u32 = 10;
/// The third octet has so many values.
const LEADS: u64 = 126;
const FIRST_LEAD: u64 = 0x81;

/// The digits of the two parts of a pointer, in registers: read from tables.
#[derive(Clone, Copy)]
pub(in crate::core) struct Digits<'m> {
    upper: Signal<'m>,
    lower: Signal<'m>,
}

impl<'m> Digits<'m> {
    /// Reads the digits of a pointer; `stage` has the registers after the tables.
    pub(in crate::core) fn read(pointer: Signal<'m>, stage: Stage<'m>) -> Self {
        let upper = |part: u64| {
            let pointer = part << LOW_BITS;
            let first = (pointer / 12600 + FIRST_LEAD) & 0xff;
            (first << 15) | ((pointer / 1260 % 10) << 11) | ((pointer / 10 % LEADS) << 4) | (pointer % 10)
        };
        let lower = |part: u64| ((part / 10) << 4) | (part % 10);
        let upper: Vec<u64> = (0..1 << (POINTER_BITS - LOW_BITS)).map(upper).collect();
        let lower: Vec<u64> = (0..1 << LOW_BITS).map(lower).collect();
        let upper = pointer.bits(LOW_BITS..POINTER_BITS).lookup(&upper, 23).named("upper_found");
        let lower = pointer.bits(0..LOW_BITS).lookup(&lower, 11).named("lower_found");
        let upper = stage.data("upper_reg", upper).note("first octet, and digits, of the upper bits");
        Self { upper, lower: stage.data("lower_reg", lower).note("digits of the lower bits") }
    }

    /// The four octets: the sum of both, digit by digit.
    pub(in crate::core) fn octets(self, m: &'m Builder) -> Signal<'m> {
        let Self { upper, lower } = self;
        let lit = |bits: u32, value: u64| m.lit(bits, value);
        let sum = (upper.bits(0..4).zext(5) + lower.bits(0..4).zext(5)).named("last_sum");
        let carry = lit(5, 10).le(sum).named("carry_1");
        let fourth = carry.mux(sum.bits(0..4) - lit(4, 10), sum.bits(0..4)).named("fourth_digit");
        let sum = upper.bits(4..11).zext(OCTET) + lower.bits(4..11).zext(OCTET) + carry.zext(OCTET);
        let sum = sum.named("third_sum");
        let carry = lit(OCTET, LEADS).le(sum).named("carry_2");
        // With a carry, the sum is past the last of the values, of which there are 126.
        let third = sum + carry.mux(lit(OCTET, FIRST_LEAD - LEADS), lit(OCTET, FIRST_LEAD));
        let second = (upper.bits(11..15) + carry.zext(4)).named("second_sum");
        let carry = second.is(10).named("carry_3");
        let first = upper.bits(15..23) + carry.zext(OCTET);
        let digit = lit(4, 3);
        m.concat([
            first.named("first_octet"),
            digit,
            second.when(!carry),
            third.named("third_octet"),
            digit,
            fourth,
        ])
    }
}
