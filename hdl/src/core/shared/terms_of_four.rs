//! The code points of four octets of `gb18030`. In planes other than the Basic Multilingual one, a code point is a sum of a term for each
//! octet; between the planes and past the last code point, there is none.

use super::code_points::above;
use super::four_tables::POINTER_BITS;
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

/// The term of the first octet, 81 to 84, in a pointer of the Basic Multilingual Plane.
pub(in crate::core) fn of_first_in_bmp(octet: Signal<'_>) -> Signal<'_> {
    octet.bits(0..2).lookup(&[3, 0, 1, 2].map(|first| 12600 * first), POINTER_BITS)
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
    terms(octet.bits(0..4), &|digit| if digit < 10 { 1260 * digit } else { 0 })
}

/// The term of the third octet.
pub(in crate::core) fn of_third(octet: Signal<'_>) -> Signal<'_> {
    terms(octet.bits(0..7), &|low| 10 * low.saturating_sub(1))
}

/// Whether four octets have no code point.
#[derive(Clone, Copy)]
pub(in crate::core) struct Faults<'m> {
    /// They are between the planes.
    pub(in crate::core) is_gap: Signal<'m>,
    /// The code point is past the last one.
    pub(in crate::core) is_past: Signal<'m>,
}

/// Whether four octets have no code point. `name` makes names of signals.
pub(in crate::core) fn faults<'m>(
    m: &'m Builder,
    [first, second, third, fourth]: [Signal<'m>; 4],
    name: impl Fn(&str) -> String,
) -> Faults<'m> {
    let row = m.concat([first, second.bits(0..4), third]);
    let named = |signal: Signal<'m>, what: &str| signal.named(&name(what));
    let is_after_bmp = named(above(row, LAST_ROW).expect("rows have as many bits"), "is_after_bmp");
    let octets = m.concat([row, fourth.bits(0..4)]);
    let is_past = named(above(octets, LAST).expect("octets have as many bits"), "is_past");
    let in_planes = named(first.lit(8, FIRST_OF_PLANES).le(first), "in_planes");
    Faults { is_gap: named(is_after_bmp & !in_planes, "is_gap"), is_past }
}

/// Whether the first of four octets is that of the Basic Multilingual Plane.
pub(in crate::core) fn in_bmp(first: Signal<'_>) -> Signal<'_> {
    first.le(first.lit(8, LAST_OF_BMP))
}
