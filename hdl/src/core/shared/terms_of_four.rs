//! The code points of four octets of `gb18030`. In planes other than the Basic Multilingual one, a code point is a sum of a term for each
//! octet; between the planes and past the last code point, there is none.

use super::code_points::above;
use crate::netlist::{Builder, Signal};

/// Bits of the sum: that of FE 39 FE 39 is past the last code point.
pub(in crate::core) const SUM_BITS: u32 = 21;
/// The first octet of the other planes, and its code point.
const FIRST_OF_PLANES: u64 = 0x90;
const CODE_POINT_OF_PLANES: u64 = 0x1_0000;
/// The first octet of the last code points of the Basic Multilingual Plane.
const LAST_OF_BMP: u64 = 0x84;
/// The first three octets of the last row of that plane, 84 31 A4, and the four octets of U+10FFFF, E3 32 9A 35: of digits, the low
/// four bits.
const LAST_ROW: u128 = 0x8_41a4;
const LAST: u128 = 0xe3_29a5;

/// The terms of some bits of an octet, by a table of logic: a block RAM would be too late for the next sum.
fn terms<'m>(of: Signal<'m>, term: &dyn Fn(u64) -> u64) -> Signal<'m> {
    let terms: Vec<u64> = (0..1 << of.width()).map(term).collect();
    of.lookup(&terms, SUM_BITS)
}

/// The terms of the upper and the lower bits of the first octet.
pub(in crate::core) fn of_first(octet: Signal<'_>) -> [Signal<'_>; 2] {
    let sixteens = terms(octet.bits(4..7), &|sixteens| match sixteens {
        0 => 0,
        _ => CODE_POINT_OF_PLANES + 16 * 12600 * (sixteens - 1),
    });
    let ones = terms(octet.bits(0..4), &|ones| 12600 * ones);
    [sixteens, ones]
}

/// The term of the second octet, a digit.
pub(in crate::core) fn of_second(octet: Signal<'_>) -> Signal<'_> {
    terms(octet.bits(0..4), &|digit| if digit < 10 { 1260 * digit } else { 0 }).named("term_2")
}

/// The term of the third octet.
pub(in crate::core) fn of_third(octet: Signal<'_>) -> Signal<'_> {
    terms(octet.bits(0..7), &|low| 10 * low.saturating_sub(1)).named("term_3")
}

/// Whether four octets have no code point.
#[derive(Clone, Copy)]
pub(in crate::core) struct Faults<'m> {
    /// They are between the planes.
    pub(in crate::core) is_gap: Signal<'m>,
    /// The code point is past the last one.
    pub(in crate::core) is_past: Signal<'m>,
}

/// Whether four octets have no code point.
pub(in crate::core) fn faults<'m>(
    m: &'m Builder,
    [first, second, third, fourth]: [Signal<'m>; 4],
) -> Faults<'m> {
    let row = m.concat([first, second.bits(0..4), third]);
    let is_after_bmp = above(row, LAST_ROW).expect("rows have as many bits").named("is_after_bmp");
    let octets = m.concat([row, fourth.bits(0..4)]);
    let is_past = above(octets, LAST).expect("octets have as many bits").named("is_past");
    Faults { is_gap: (is_after_bmp & !in_planes(first)).named("is_gap"), is_past }
}

/// Whether the first of four octets is that of a plane other than the Basic Multilingual one.
fn in_planes(first: Signal<'_>) -> Signal<'_> {
    first.lit(8, FIRST_OF_PLANES).le(first).named("in_planes")
}

/// Whether the first of four octets is that of the Basic Multilingual Plane.
pub(in crate::core) fn in_bmp(first: Signal<'_>) -> Signal<'_> {
    first.le(first.lit(8, LAST_OF_BMP)).named("in_bmp")
}
