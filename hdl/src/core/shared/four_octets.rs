//! The four octets of a pointer of `gb18030`: the sum of the digits of its upper bits and of its lower bits, each by a table.

use std::ops::Range;

use super::code_points::OCTET;
use super::memory_look_up as look_up;
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

/// The sums of the digits of both parts, in registers, without carries.
#[derive(Clone, Copy)]
pub(in crate::core) struct Sums<'m> {
    first: Signal<'m>,
    second: Signal<'m>,
    third: Signal<'m>,
    fourth: Signal<'m>,
}

impl<'m> Digits<'m> {
    /// Reads the digits of pointers, of which there are at most two. The first of two stages has the registers that memory is read into, and
    /// the second one more after them.
    pub(in crate::core) fn read(
        m: &'m Builder,
        pointers: &[Signal<'m>],
        stages: [Stage<'m>; 2],
    ) -> Vec<Self> {
        let upper = |part: u64| {
            let pointer = part << LOW_BITS;
            let first = (pointer / 12600 + FIRST_LEAD) & 0xff;
            (first << 15) | ((pointer / 1260 % 10) << 11) | ((pointer / 10 % LEADS) << 4) | (pointer % 10)
        };
        let lower = |part: u64| ((part / 10) << 4) | (part % 10);
        let upper: Vec<u64> = (0..1 << (POINTER_BITS - LOW_BITS)).map(upper).collect();
        let lower: Vec<u64> = (0..1 << LOW_BITS).map(lower).collect();
        let bits = |bits: Range<u32>| -> Vec<Signal> {
            pointers.iter().map(|pointer| pointer.bits(bits.clone())).collect()
        };
        let upper = look_up::read(m, "upper", &bits(LOW_BITS..POINTER_BITS), &upper, 23, stages);
        let lower = look_up::read(m, "lower", &bits(0..LOW_BITS), &lower, 11, stages);
        let digits = |(upper, lower): (Signal<'m>, Signal<'m>)| {
            let upper = upper.note("first octet, and digits, of the upper bits");
            Self { upper, lower: lower.note("digits of the lower bits") }
        };
        upper.into_iter().zip(lower).map(digits).collect()
    }

    /// Adds the parts digit by digit; `stage` has the registers after the adders. `name` makes names of signals.
    pub(in crate::core) fn sums(self, stage: Stage<'m>, name: impl Fn(&str) -> String) -> Sums<'m> {
        let Self { upper, lower } = self;
        let third =
            (upper.bits(4..11).zext(OCTET) + lower.bits(4..11).zext(OCTET)).named(&name("third_added"));
        let fourth = (upper.bits(0..4).zext(5) + lower.bits(0..4).zext(5)).named(&name("fourth_added"));
        let register = |what: &str, signal| stage.data(&format!("{}_reg", name(what)), signal);
        Sums {
            first: register("first", upper.bits(15..23)),
            second: register("second", upper.bits(11..15)),
            third: register("third_sum", third),
            fourth: register("fourth_sum", fourth),
        }
    }
}

impl<'m> Sums<'m> {
    /// The four octets: the sums with their carries. `name` makes names of signals.
    pub(in crate::core) fn octets(self, m: &'m Builder, name: impl Fn(&str) -> String) -> Signal<'m> {
        let Self { first, second, third, fourth } = self;
        let lit = |bits: u32, value: u64| m.lit(bits, value);
        let carry = lit(5, 10).le(fourth).named(&name("carry_1"));
        let fourth =
            carry.mux(fourth.bits(0..4) - lit(4, 10), fourth.bits(0..4)).named(&name("fourth_digit"));
        let carry_1 = carry;
        let carry = (lit(OCTET, LEADS).le(third) | third.is(LEADS - 1) & carry).named(&name("carry_2"));
        // With a carry, the sum is past the last of the values, of which there are 126.
        let to_octet = carry.mux(lit(OCTET, FIRST_LEAD - LEADS), lit(OCTET, FIRST_LEAD));
        let third = third + to_octet + carry_1.zext(OCTET);
        let second_carries = second.is(9).named(&name("second_carries"));
        let first = first + (carry & second_carries).named(&name("carry_3")).zext(OCTET);
        let second = (second + carry.zext(4)).when(!(carry & second_carries));
        let digit = lit(4, 3);
        m.concat([
            first.named(&name("first_octet")),
            digit,
            second.named(&name("second_digit")),
            third.named(&name("third_octet")),
            digit,
            fourth,
        ])
    }
}
