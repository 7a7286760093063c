//! The code points of four octets of `gb18030`: in the Basic Multilingual Plane from the pointer by tables, in others the sum of a term for each
//! octet.

use crate::core::shared::four_tables::{self, FourTables, POINTER_BITS};
use crate::core::shared::memory_look_up::TablePorts;
use crate::core::shared::terms_of_four::{SUM_BITS, in_bmp, of_first, of_first_in_bmp, of_second, of_third};
use crate::netlist::{Builder, Signal, Stage};

/// Stages from the octets to their code point.
pub(super) const LATENCY: u32 = 2 + four_tables::LATENCY;

/// The code points of four octets each of stage `at`, in registers [`LATENCY`] stages later. They read the same tables: at most two.
pub(super) fn code_points<'m>(
    m: &'m Builder,
    fours: &[[Signal<'m>; 4]],
    at: u32,
    stage: Stage<'m>,
) -> Vec<Signal<'m>> {
    let ports = TablePorts { count: fours.len(), stage, at };

    m.stage_section(at, "four octets: the terms of their sum");
    let terms = fours.iter().enumerate().map(|(port, &[first, second, third, fourth])| {
        let digit = fourth.bits(0..4);
        let [sixteens, ones] = of_first(first);
        let [sixteens, ones] = [(sixteens, "term_of_sixteens"), (ones, "term_of_ones")]
            .map(|(term, what)| term.named(&ports.name(what, port)));
        let [second, third] = [(of_second(second), "term_2"), (of_third(third), "term_3")]
            .map(|(term, what)| term.named(&ports.name(what, port)));
        let first_in_bmp = of_first_in_bmp(first).named(&ports.name("term_in_bmp", port));
        (
            ports.register("first_and_last", 1, port, first_in_bmp + digit.zext(POINTER_BITS)),
            ports.register("sum_of_first", 1, port, sixteens + ones),
            ports.register("sum_of_others", 1, port, second + third),
            ports.register("is_other_1", 1, port, !in_bmp(first)),
            ports.register("digit_1", 1, port, digit),
        )
    });
    let terms: Vec<_> = terms.collect();

    m.stage_section(at + 1, "four octets: the pointer, and the sum of other planes");
    let sums = terms.into_iter().enumerate().map(|(port, (in_bmp, first, others, is_other, digit))| {
        let pointer = ports.register("pointer", 2, port, in_bmp + others.bits(0..POINTER_BITS));
        let sum = ports.register("sum_2", 2, port, first + others);
        (
            pointer,
            sum,
            ports.register("is_other_2", 2, port, is_other),
            ports.register("digit_2", 2, port, digit),
        )
    });
    let sums: Vec<_> = sums.collect();

    m.stage_section(at + 2, "four octets: the code point of another plane");
    let others = sums.iter().enumerate().map(|(port, &(_, sum, is_other, digit))| {
        let sum = ports.register("sum_3", 3, port, sum + digit.zext(SUM_BITS));
        let is_other = ports.register("is_other_3", 3, port, is_other);
        let delayed = |what: &str, signal| {
            (4..=5)
                .fold(signal, |signal, after| ports.register(&format!("{what}_{after}"), after, port, signal))
        };
        [delayed("sum", sum), delayed("is_other", is_other)]
    });
    let others: Vec<_> = others.collect();
    let pointers: Vec<_> = sums.iter().map(|&(pointer, ..)| pointer).collect();
    FourTables::new().code_points(m, &pointers, &others, at + 2, stage)
}
