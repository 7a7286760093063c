//! [`corrected-utf-8`](crate::core::shared::corrected_utf_8).

use super::prefix::Prefix;
use super::shape::{Fit, Shape};
use super::sizes::Source;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::surrogate;
use crate::core::shared::corrected_utf_8::{DIFFERENCE, LowBits, REPLACEMENT, less_offset};
use crate::core::shared::forms::SequenceForms;
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// The system.
pub(super) struct CorrectedUtf8 {
    /// There is no U+0000.
    document: bool,
    /// How units are made of the difference.
    units: Prefix,
}

impl CorrectedUtf8 {
    pub(super) fn new(document: bool, source: Source) -> Self {
        Self { document, units: Prefix::new(SequenceForms::hunks(8, 6), source) }
    }
}

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
            ("has_bit_7", data.bit(7)),
            ("is_surrogate", surrogate(data)),
            ("is_past_surrogates", any(16, 32) | data.bits(13..16).all()),
            ("low_from_10a0", low_10a0),
        ];
        some.into_iter().chain(tests).map(|(name, test)| (name.to_owned(), test)).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        let (is_not_nul, tests) = tests.split_at(usize::from(self.document));
        let &[two, three, four, low_2110a0, from_22, to_25, bit_26, to_30, bit_31, bit_7, is_surrogate, ..] =
            tests
        else {
            unreachable!("those are the tests")
        };
        let low_42110a0 = bit_26 & (to_25 | low_2110a0);
        let low_42110a0 = low_42110a0.named("low_from_42110a0").note("bits 26 to 0 are 42110A0 or more");
        let control = (bit_7 & !two).named("c1_control");
        let past_last = (bit_31 & (to_30 | low_42110a0)).named("past_last");
        let six = bit_31 | to_30 | low_42110a0;
        Fit {
            unfit: any_of(
                [control, is_surrogate, past_last].into_iter().chain(is_not_nul.iter().map(|&some| !some)),
            ),
            longer: vec![Some(two), Some(three), Some(four), Some(from_22 | low_2110a0), Some(six)],
        }
    }

    /// Two flags above the code point: it is above the surrogates, and then its lower half is less than the lower half of the offset.
    fn hinted<'m>(&self, m: &'m Builder, code: Signal<'m>, tests: &[Signal<'m>]) -> Signal<'m> {
        let &[.., past_surrogates, low_10a0] = tests else { unreachable!("those are the tests") };
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
