//! [`corrected-utf-8`](crate::core::shared::corrected_utf_8).

use super::prefix::Prefix;
use super::shape::{Fit, Shape};
use super::sizes::Source;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::surrogate;
use crate::core::shared::corrected_utf_8::{
    DIFFERENCE, LowBits, PLANE, PLANE_16, REPLACEMENT, are_skipped, less_offset,
};
use crate::core::shared::forms::SequenceForms;
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// The system.
pub(super) struct CorrectedUtf8 {
    /// There is no U+0000.
    document: bool,
    /// Code points that the system skips are private-use characters.
    private: bool,
    /// How units are made of the difference.
    units: Prefix,
}

impl CorrectedUtf8 {
    pub(super) fn new(document: bool, private: bool, source: Source) -> Self {
        Self { document, private, units: Prefix::new(SequenceForms::hunks(8, 6), source) }
    }

    /// The tests of a code point that the system may skip.
    fn tests_of_skipped<'m>(&self, data: Signal<'m>) -> Vec<(&'static str, Signal<'m>)> {
        if !self.private {
            return vec![("has_bit_7", data.bit(7)), ("is_surrogate", surrogate(data))];
        }
        let plane = data.bits(PLANE..data.width());
        let [is_control, is_surrogate] = are_skipped(data);
        vec![
            ("low_is_skipped", is_control | is_surrogate),
            ("has_plane", plane.any()),
            ("in_plane_16", plane.is(PLANE_16)),
        ]
    }
}

/// Tests but for those of U+0000 and of code points that the system may skip.
const COMMON_TESTS: usize = 11;

impl Shape for CorrectedUtf8 {
    fn unit_bits(&self) -> u32 {
        self.units.unit_bits()
    }

    fn most_units(&self) -> usize {
        self.units.most_units()
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        // The code point is above the surrogates, and its lower half is not less than that of the offset.
        (0xfffd | 1 << DIFFERENCE, self.units.units(REPLACEMENT))
    }

    fn code_bits(&self) -> u32 {
        DIFFERENCE
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let any = |from: u32, to: u32| data.bits(from..to).any();
        let LowBits { from_a0: low_a0, from_10a0: low_10a0, from_110a0: low_110a0, from_2110a0: low_2110a0 } =
            LowBits::of(data);
        let some = self.document.then(|| ("is_not_nul", any(0, 32)));
        let tests = [
            ("at_least_2", any(8, 32) | low_a0),
            ("at_least_3", any(12, 32) | (data.bit(11) & (any(8, 11) | low_a0))),
            ("at_least_4", any(17, 32) | low_110a0),
            ("low_from_2110a0", low_2110a0),
            ("has_bits_from_22", any(22, 32)),
            ("has_bits_22_to_25", any(22, 26)),
            ("has_bit_26", data.bit(26)),
            ("has_bits_27_to_30", any(27, 31)),
            ("has_bit_31", data.bit(31)),
            ("is_past_surrogates", any(16, 32) | data.bits(13..16).all()),
            ("low_from_10a0", low_10a0),
        ];
        let tests = some.into_iter().chain(tests).chain(self.tests_of_skipped(data));
        tests.map(|(name, test)| (name.to_owned(), test)).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        let (is_not_nul, tests) = tests.split_at(usize::from(self.document));
        let (tests, of_skipped) = tests.split_at(COMMON_TESTS);
        let &[two, three, four, low_2110a0, from_22, to_25, bit_26, to_30, bit_31, ..] = tests else {
            unreachable!("those are the tests")
        };
        let (unfit, lengths) = match *of_skipped {
            [is_low, has_plane, in_plane_16] => {
                // As private-use characters of plane 16, code points that are skipped have four octets.
                let is_skipped = (is_low & !has_plane).named("is_skipped");
                let stands = (is_low & in_plane_16).named("stands_for_skipped");
                (stands, [two, three, four].map(|longer| longer | is_skipped))
            }
            [bit_7, is_surrogate] => {
                let control = (bit_7 & !two).named("c1_control");
                (control | is_surrogate, [two, three, four])
            }
            _ => unreachable!("those are the tests"),
        };
        let [two, three, four] = lengths;
        let low_42110a0 = bit_26 & (to_25 | low_2110a0);
        let low_42110a0 = low_42110a0.named("low_from_42110a0").note("bits 26 to 0 are 42110A0 or more");
        let past_last = (bit_31 & (to_30 | low_42110a0)).named("past_last");
        let six = bit_31 | to_30 | low_42110a0;
        Fit {
            unfit: any_of([unfit, past_last].into_iter().chain(is_not_nul.iter().map(|&some| !some))),
            longer: vec![Some(two), Some(three), Some(four), Some(from_22 | low_2110a0), Some(six)],
        }
    }

    /// Two flags above the code point: it is above the surrogates, and then its lower half is less than the lower half of the offset.
    fn hinted<'m>(&self, m: &'m Builder, code: Signal<'m>, tests: &[Signal<'m>]) -> Signal<'m> {
        let tests = &tests[usize::from(self.document)..];
        let &[past_surrogates, low_10a0, ref of_skipped @ ..] = &tests[COMMON_TESTS - 2..] else {
            unreachable!("those are the tests")
        };
        let (past_surrogates, code) = match *of_skipped {
            [is_low, has_plane, _] => {
                let moves = (is_low & !has_plane).named("moves_to_plane_16");
                let plane = m.concat([moves, m.lit(PLANE + PLANE_16.ilog2(), 0)]).zext(code.width());
                ((past_surrogates | moves).named("past_surrogates"), code | plane)
            }
            _ => (past_surrogates, code),
        };
        let borrow = (past_surrogates & !low_10a0)
            .named("borrow")
            .note("bits 15 to 0 are less than what is subtracted from them");
        m.concat([borrow, past_surrogates, code])
    }

    fn has_offsets(&self) -> bool {
        true
    }

    fn less_offset<'m>(&self, m: &'m Builder, code: Signal<'m>, longer: &[Signal<'m>]) -> Signal<'m> {
        let mut fields = Fields::of(code.bits(DIFFERENCE..code.width()));
        let borrow = fields.next(m.lit(1, 0), "borrows");
        let past_surrogates = fields.next(m.lit(1, 0), "is_past_surrogates");
        let &[_, two, three, four, five, six] = longer else { unreachable!("so many units") };
        let three_below = three & !four & !past_surrogates;
        let offset = [six, five, four & borrow, four ^ borrow, past_surrogates, three_below, two];
        less_offset(m, code, offset)
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m> {
        self.units.unit(m, code, number, longer)
    }
}
