//! The code point of four octets of `gb18030`, all of one stage: in the Basic Multilingual Plane by tables of rows of ten, in others the sum of
//! a term for each octet.

use crate::core::shared::index_tables::RowTables;
use crate::core::shared::terms_of_four::{SUM_BITS, in_bmp, of_first, of_second, of_third};
use crate::netlist::{Builder, Signal, Stage};

/// Stages from the octets to their code point.
pub(super) const LATENCY: u32 = 4;

/// The code point of four octets of stage `at`, in registers [`LATENCY`] stages later.
pub(super) fn code_point<'m>(
    m: &'m Builder,
    [first, second, third, fourth]: [Signal<'m>; 4],
    at: u32,
    stage: Stage<'m>,
) -> Signal<'m> {
    let tables = RowTables::new();
    m.stage_section(at, "the row of three octets, and the sum of what each is in the other planes");
    let next = |after: u32| stage.at(at + after);
    let row = next(1).data("row_reg", tables.row(m, [first, second, third]).named("row_found"));
    let [sixteens, ones] = of_first(first);
    let of_first =
        next(1).data("sum_of_first_reg", sixteens.named("term_of_sixteens") + ones.named("term_of_ones"));
    let of_others = next(1).data("sum_of_others_reg", of_second(second) + of_third(third));
    let in_bmp = next(1).data("in_bmp_1_reg", in_bmp(first));
    let digit = next(1).data("digit_1_reg", fourth.bits(0..4));

    m.stage_section(at + 1, "the sum");
    let row = next(2).data("row_moved_reg", row);
    let sum = next(2).data("sum_2_reg", of_first + of_others);
    let in_bmp = next(2).data("in_bmp_2_reg", in_bmp);
    let digit = next(2).data("digit_2_reg", digit);

    m.stage_section(at + 2, "the code point of a listed row");
    let listed = next(3).data("listed_reg", tables.listed(m, row, digit).named("listed_found"));
    let is_listed = next(3).data("is_listed_reg", RowTables::is_listed(row));
    let successive = next(3).data("successive_reg", (row + digit.zext(16)).named("successive"));
    let sum = next(3).data("sum_3_reg", sum + digit.zext(SUM_BITS));
    let in_bmp = next(3).data("in_bmp_3_reg", in_bmp);

    m.stage_section(at + 3, "the code point");
    let of_bmp = is_listed.mux(listed, successive).named("of_bmp").zext(SUM_BITS);
    next(4).data("code_point_reg", in_bmp.mux(of_bmp, sum))
}
