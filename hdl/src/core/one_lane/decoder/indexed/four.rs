//! The four octets of `gb18030`: a lead, a digit, a lead and a digit.
//!
//! In the Basic Multilingual Plane, tables give the code point: of a row of ten, the first one, or where the ten are not successive, each. In
//! other planes it is a sum, which grows by a term with each octet.

use super::Window;
use crate::core::shared::code_points::above;
use crate::core::shared::index_tables::{RowTables, Words};
use crate::netlist::{Builder, Signal};

/// Bits of the sum: that of FE 39 FE 39 is past the last code point.
const SUM_BITS: u32 = 21;
/// The first octet of the other planes, and its code point.
const FIRST_OF_PLANES: u64 = 0x90;
const CODE_POINT_OF_PLANES: u64 = 0x1_0000;
/// The first octet of the last code points of the Basic Multilingual Plane.
const LAST_OF_BMP: u64 = 0x84;
/// The first three octets of the last row of that plane, 84 31 A4, and the four octets of U+10FFFF, E3 32 9A 35: of digits, the low
/// four bits.
const LAST_ROW: u128 = 0x8_41a4;
const LAST: u128 = 0xe3_29a5;

/// The code point of four octets that end with the unit in the last stage of the window.
pub(super) struct Four<'m> {
    /// `None` where nobody reads code points.
    pub(super) code_point: Option<Signal<'m>>,
    /// The four octets have none: they are between the planes.
    pub(super) is_gap: Signal<'m>,
    /// The code point is past the last one.
    pub(super) is_past: Signal<'m>,
}

impl<'m> Four<'m> {
    /// `first` is the first octet, in a register of the state.
    pub(super) fn new(m: &'m Builder, words: Words, window: &Window<'m>, first: Signal<'m>) -> Self {
        let code_point = match words {
            Words::CodePoints => Some(code_point(m, window, first)),
            Words::Presence => None,
        };
        let [third, second] = window.before;
        let row = m.concat([first, second.bits(0..4), third]);
        let is_after_bmp = above(row, LAST_ROW).expect("rows have as many bits").named("is_after_bmp");
        let octets = m.concat([row, window.moved_unit.bits(0..4)]);
        let is_past = above(octets, LAST).expect("octets have as many bits").named("is_past");
        Self { code_point, is_gap: (is_after_bmp & !in_planes(m, first)).named("is_gap"), is_past }
    }
}

/// Whether the first of four octets is that of a plane other than the Basic Multilingual one.
fn in_planes<'m>(m: &'m Builder, first: Signal<'m>) -> Signal<'m> {
    m.lit(8, FIRST_OF_PLANES).le(first).named("in_planes")
}

/// The code point of four octets.
fn code_point<'m>(m: &'m Builder, window: &Window<'m>, first: Signal<'m>) -> Signal<'m> {
    let Window { unit, taken, moved, chosen, unit_1, unit_2, middle, .. } = *window;
    let tables = RowTables::new();
    m.stage_section(1, "four octets: the row of three, and the sum of what each is in the other planes");
    let row = taken.data("row_reg", tables.row(m, [unit_2, unit_1, unit]).named("row_found"));
    let terms = |of: Signal<'m>, term: &dyn Fn(u64) -> u64| {
        let terms: Vec<u64> = (0..1 << of.width()).map(term).collect();
        of.lookup(&terms, SUM_BITS)
    };
    // The tables of 16 words and of 8 are logic: a block RAM would be too late for the next sum.
    let sixteens = terms(unit.bits(4..7), &|sixteens| match sixteens {
        0 => 0,
        _ => CODE_POINT_OF_PLANES + 16 * 12600 * (sixteens - 1),
    });
    let ones = terms(unit.bits(0..4), &|ones| 12600 * ones);
    let second = terms(unit.bits(0..4), &|digit| if digit < 10 { 1260 * digit } else { 0 }).named("term_2");
    let third = terms(unit.bits(0..7), &|low| 10 * low.saturating_sub(1)).named("term_3");
    let sum_1 = taken
        .data("sum_1_reg", sixteens.named("term_of_sixteens") + ones.named("term_of_ones"))
        .note("of the first octet");
    let sum_2 = taken.data("sum_2_reg", sum_1 + second).note("of two octets");
    let sum_3 = taken.data("sum_3_reg", sum_2 + third).note("of three octets");
    let sum = taken.data("sum_4_reg", sum_3 + unit.bits(0..4).zext(SUM_BITS)).note("of four octets");

    m.stage_section(2, "four octets: the code point of a listed row");
    let row = moved.data("row_moved_reg", row);
    // The row in stage 2 is of the three octets before the digit in stage 1.
    let listed = moved.data("listed_read_reg", tables.listed(m, row, unit_1).named("listed_found"));
    let row = moved.data("row_before_reg", row);
    let sum = moved.data("sum_reg", sum);
    m.stage_section(3, "four octets: the code point");
    let listed = chosen.data("listed_reg", listed);
    let is_listed = chosen.data("is_listed_reg", RowTables::is_listed(row));
    let successive = row + middle.bits(0..4).zext(16);
    let successive = chosen.data("successive_reg", successive.named("successive"));
    let sum = chosen.data("sum_chosen_reg", sum);
    let in_bmp = first.le(m.lit(8, LAST_OF_BMP)).named("in_bmp");
    let of_bmp = is_listed.mux(listed, successive).named("of_bmp").zext(SUM_BITS);
    in_bmp.mux(of_bmp, sum).named("of_four")
}
