//! The writer of `corrected-utf-8`: sequences of UTF-8 of up to six octets, in which no code point has two. A sequence
//! holds the code point less an offset: the number of code points that shorter sequences hold, and of C1 controls and
//! surrogates below.

use super::prefix::PrefixWriter;
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::surrogate;
use crate::core::shared::forms::SequenceForms;
use crate::core::shared::magic_number::MAGIC;
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// U+FFFD less its offset: 128 code points of one unit, 2048 of two, 32 C1 controls and 2048 surrogates.
const REPLACEMENT: u64 = 0xfffd - 0x10a0;

/// The writer.
pub(super) struct CorrectedUtf8Writer {
    document: bool,
    /// The writer of units for the difference.
    units: PrefixWriter,
}

impl CorrectedUtf8Writer {
    /// The writer of plain text, or of documents.
    pub(super) fn new(document: bool) -> Self {
        Self { document, units: PrefixWriter::new(SequenceForms::hunks(8, 6)) }
    }
}

impl Writer for CorrectedUtf8Writer {
    fn code_bits(&self) -> u32 {
        32
    }

    fn most_units(&self) -> u32 {
        self.units.most_units()
    }

    fn marks_lead(&self) -> bool {
        true
    }

    fn opening(&self) -> Option<Vec<u64>> {
        self.document.then(|| MAGIC.to_vec())
    }

    fn replacement(&self) -> (u64, u64) {
        (REPLACEMENT, 2)
    }

    /// The bounds between lengths are sums of powers of two, so that each comparison reuses the comparison with the
    /// bound below.
    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let any = |from: u32, to: u32| code.bits(from..to).any();
        let low_a0 = (code.bit(7) & any(5, 7)).named("low_from_a0").note("bits 7 to 0 are A0 or more");
        let low_10a0 = any(13, 16) | code.bit(12) & (any(8, 12) | low_a0);
        let low_10a0 = low_10a0.named("low_from_10a0").note("bits 15 to 0 are 10A0 or more");
        let low_110a0 = code.bit(16) & low_10a0;
        let low_110a0 = low_110a0.named("low_from_110a0").note("bits 16 to 0 are 110A0 or more");
        let low_2110a0 = code.bit(21) & (any(17, 21) | low_110a0);
        let low_2110a0 = low_2110a0.named("low_from_2110a0").note("bits 21 to 0 are 2110A0 or more");
        let low_42110a0 = code.bit(26) & (any(22, 26) | low_2110a0);
        let low_42110a0 = low_42110a0.named("low_from_42110a0").note("bits 26 to 0 are 42110A0 or more");
        let two = (any(8, 32) | low_a0).named("at_least_2");
        let three = (any(12, 32) | code.bit(11) & (any(8, 11) | low_a0)).named("at_least_3");
        let four = (any(17, 32) | low_110a0).named("at_least_4");
        let five = (any(22, 32) | low_2110a0).named("at_least_5");
        let six = (any(27, 32) | low_42110a0).named("at_least_6");
        let start = m.concat([five, three & !five, two & !three | four & !five | six]);

        let control = (code.bit(7) & !two).named("c1_control");
        let past_last = (code.bit(31) & (any(27, 31) | low_42110a0)).named("past_last");
        let unfit = control | surrogate(code) | past_last;
        let unfit = if self.document { unfit | !any(0, 32) } else { unfit };

        let past_surrogates = (any(16, 32) | code.bits(13..16).all()).named("past_surrogates");
        let borrow =
            (past_surrogates & !low_10a0).named("borrow").note("bits 15 to 0 are less than the subtrahend");
        Fit {
            // The difference has 31 bits, and the top bit of the code point is not needed to find it.
            code: Some(code.bits(0..31)),
            start: Some(start),
            hints: Some(m.concat([past_surrogates, borrow]).named("offset_hints")),
            unfit: Some(unfit),
        }
    }

    /// The bits of the offset, with the borrow between its halves in them: 4000000, 200000, 20000, 10000, 1000, 800,
    /// A0.
    fn hints<'m>(
        &self,
        m: &'m Builder,
        start: Option<Signal<'m>>,
        hints: Option<Signal<'m>>,
    ) -> Option<Signal<'m>> {
        let (start, hints) =
            (start.expect("sequences differ in length"), hints.expect("the fit has two hints"));
        let mut fields = Fields::of(hints);
        let past_surrogates = fields.next(m.lit(1, 0), "is_past_surrogates");
        let borrow = fields.next(m.lit(1, 0), "borrows");
        let three_below = start.is(2) & !past_surrogates;
        let from_4 = (start.bit(2) | start.bits(0..2).all()).named("at_least_4_units");
        let six = start.bit(2) & start.bit(0);
        let upper = [six, start.bit(2), from_4 & borrow, from_4 ^ borrow];
        Some(m.concat(upper.into_iter().chain([past_surrogates, three_below, start.any()])))
    }

    /// Subtracts the offset in two halves, so that no carry goes far.
    fn stored<'m>(&self, m: &'m Builder, code: Signal<'m>, hints: Option<Signal<'m>>) -> Signal<'m> {
        let mut fields = Fields::of(hints.expect("the event has seven hints"));
        let mut next = |name: &str| fields.next(m.lit(1, 0), name);
        let [o_4000000, o_200000, o_20000, o_10000, o_1000, o_800, o_a0] = [
            "offset_4000000",
            "offset_200000",
            "offset_20000",
            "offset_10000",
            "offset_1000",
            "offset_800",
            "offset_a0",
        ]
        .map(&mut next);
        let zero = |bits| m.lit(bits, 0);
        let low_offset = m.concat([o_1000, o_800, zero(3), o_a0, zero(1), o_a0, zero(5)]);
        let low = code.bits(0..16) - low_offset.named("low_offset").zext(16);
        let high_offset = m.concat([o_4000000, zero(4), o_200000, zero(3), o_20000, o_10000]);
        let high = code.bits(16..31) - high_offset.named("high_offset").zext(15);
        m.concat([high.named("high"), low.named("low")])
    }

    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        self.units.unit(m, code, position)
    }
}
