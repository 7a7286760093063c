//! `corrected-utf-8`: sequences of UTF-8 of up to six octets, in which no code point has two. A sequence holds the code point less an
//! offset: the number of code points that shorter sequences hold, and of C1 controls and surrogates below.

use super::prefix::Prefix;
use super::shape::{Fit, Shape};
use super::sizes::Source;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::surrogate;
use crate::core::shared::forms::SequenceForms;
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// Bits of what a sequence holds. The top bit of a code point is not needed to find that.
const DIFFERENCE: u32 = 31;
/// U+FFFD less its offset: 128 code points of one unit, 2048 of two, 32 C1 controls and 2048 surrogates.
const REPLACEMENT: u64 = 0xfffd - 0x10a0;

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

    /// The bounds between lengths are sums of powers of two, so that each comparison is made of the one with the bound below.
    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let any = |from: u32, to: u32| data.bits(from..to).any();
        let low_a0 = (data.bit(7) & any(5, 7)).named("low_from_a0").note("bits 7 to 0 are A0 or more");
        let low_10a0 = any(13, 16) | (data.bit(12) & (any(8, 12) | low_a0));
        let low_10a0 = low_10a0.named("low_from_10a0").note("bits 15 to 0 are 10A0 or more");
        let low_110a0 =
            (data.bit(16) & low_10a0).named("low_from_110a0").note("bits 16 to 0 are 110A0 or more");
        let low_2110a0 = data.bit(21) & (any(17, 21) | low_110a0);
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

    /// Subtracts the offset in two halves, so that no carry goes far.
    fn less_offset<'m>(&self, m: &'m Builder, code: Signal<'m>, longer: &[Signal<'m>]) -> Signal<'m> {
        let mut fields = Fields::of(code.bits(DIFFERENCE..code.width()));
        let borrow = fields.next(m.lit(1, 0), "borrows");
        let past_surrogates = fields.next(m.lit(1, 0), "is_past_surrogates");
        let &[_, two, three, four, five, six] = longer else { unreachable!("so many units") };
        let three_below = three & !four & !past_surrogates;
        let zero = |bits| m.lit(bits, 0);
        // 1000, 800, A0, and the borrow between the halves.
        let low_offset = m.concat([past_surrogates, three_below, zero(3), two, zero(1), two, zero(5)]);
        let low = code.bits(0..16) - low_offset.named("low_offset").zext(16);
        // 4000000, 200000, 20000, 10000.
        let upper = [six, zero(4), five, zero(3), four & borrow, four ^ borrow];
        let high_offset = m.concat(upper);
        let high = code.bits(16..DIFFERENCE) - high_offset.named("high_offset").zext(DIFFERENCE - 16);
        m.concat([high.named("high"), low.named("low")])
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m> {
        self.units.unit(m, code, number, longer)
    }
}
