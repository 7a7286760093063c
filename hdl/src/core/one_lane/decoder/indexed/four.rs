//! The four octets of `gb18030`: a lead, a digit, a lead and a digit.
//!
//! In the Basic Multilingual Plane, tables give the code point: of a row of ten, the first one, or where the ten are not successive, each. In
//! other planes it is a sum, which grows by a term with each octet.

use super::Window;
use crate::core::shared::index_tables::{RowTables, Words};
use crate::core::shared::terms_of_four::{Faults, SUM_BITS, faults, in_bmp, of_first, of_second, of_third};
use crate::netlist::{Builder, Signal};

/// The code point of four octets that end with the unit in the last stage of the window.
pub(super) struct Four<'m> {
    /// `None` where nobody reads code points.
    pub(super) code_point: Option<Signal<'m>>,
    pub(super) faults: Faults<'m>,
}

impl<'m> Four<'m> {
    /// `first` is the first octet, in a register of the state.
    pub(super) fn new(m: &'m Builder, words: Words, window: &Window<'m>, first: Signal<'m>) -> Self {
        let code_point = match words {
            Words::CodePoints => Some(code_point(m, window, in_bmp(first))),
            Words::Presence => None,
        };
        let [third, second] = window.before;
        Self { code_point, faults: faults(m, [first, second, third, window.moved_unit], str::to_owned) }
    }
}

/// The code point of four octets; `in_bmp` says that they are of the Basic Multilingual Plane.
fn code_point<'m>(m: &'m Builder, window: &Window<'m>, in_bmp: Signal<'m>) -> Signal<'m> {
    let Window { first, unit, taken, moved, chosen, unit_1, unit_2, middle, .. } = *window;
    let tables = RowTables::new();
    m.stage_section(
        first + 1,
        "four octets: the row of three, and the sum of what each is in the other planes",
    );
    let row = taken.data("row_reg", tables.row(m, [unit_2, unit_1, unit]).named("row_found"));
    let [sixteens, ones] = of_first(unit);
    let [second, third] = [of_second(unit).named("term_2"), of_third(unit).named("term_3")];
    let sum_1 = taken
        .data("sum_1_reg", sixteens.named("term_of_sixteens") + ones.named("term_of_ones"))
        .note("of the first octet");
    let sum_2 = taken.data("sum_2_reg", sum_1 + second).note("of two octets");
    let sum_3 = taken.data("sum_3_reg", sum_2 + third).note("of three octets");
    let sum = taken.data("sum_4_reg", sum_3 + unit.bits(0..4).zext(SUM_BITS)).note("of four octets");

    m.stage_section(first + 2, "four octets: the code point of a listed row");
    let row = moved.data("row_moved_reg", row);
    // The row in stage 2 is of the three octets before the digit in stage 1.
    let listed = moved.data("listed_row_read_reg", tables.listed(m, row, unit_1).named("listed_row_found"));
    let row = moved.data("row_before_reg", row);
    let sum = moved.data("sum_reg", sum);
    m.stage_section(first + 3, "four octets: the code point");
    let listed = chosen.data("listed_row_reg", listed);
    let is_listed = chosen.data("is_listed_reg", RowTables::is_listed(row));
    let successive = row + middle.bits(0..4).zext(16);
    let successive = chosen.data("successive_reg", successive.named("successive"));
    let sum = chosen.data("sum_chosen_reg", sum);
    let in_bmp = in_bmp.named("in_bmp");
    let of_bmp = is_listed.mux(listed, successive).named("of_bmp").zext(SUM_BITS);
    in_bmp.mux(of_bmp, sum).named("of_four")
}
