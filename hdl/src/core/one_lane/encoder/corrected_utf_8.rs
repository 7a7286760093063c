//! The writer of [`corrected-utf-8`](crate::core::shared::corrected_utf_8).

use super::prefix::PrefixWriter;
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::surrogate;
use crate::core::shared::corrected_utf_8::{
    DIFFERENCE, LowBits, PLANE, PLANE_16, REPLACEMENT, are_skipped, less_offset,
};
use crate::core::shared::forms::SequenceForms;
use crate::netlist::{Builder, Signal};
use crate::stream::Fields;

/// The writer.
pub(super) struct CorrectedUtf8Writer {
    document: bool,
    /// Whether code points that the system skips are private-use characters.
    private: bool,
    /// The writer of units for the difference.
    units: PrefixWriter,
}

impl CorrectedUtf8Writer {
    /// The writer of plain text, or of documents.
    pub(super) fn new(document: bool, private: bool) -> Self {
        Self { document, private, units: PrefixWriter::new(SequenceForms::hunks(8, 6)) }
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

    fn replacement(&self) -> (u64, u64) {
        (REPLACEMENT, 2)
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let (code, stands_for_skipped) = match self.private {
            true => {
                let (code, stands_for_skipped) = with_private(m, code);
                (code, Some(stands_for_skipped))
            }
            false => (code, None),
        };
        let any = |from: u32, to: u32| code.bits(from..to).any();
        let LowBits { from_a0: low_a0, from_10a0: low_10a0, from_110a0: low_110a0, from_2110a0: low_2110a0 } =
            LowBits::of(code);
        let low_2110a0 = low_2110a0.named("low_from_2110a0").note("bits 21 to 0 are 2110A0 or more");
        let low_42110a0 = code.bit(26) & (any(22, 26) | low_2110a0);
        let low_42110a0 = low_42110a0.named("low_from_42110a0").note("bits 26 to 0 are 42110A0 or more");
        let two = (any(8, 32) | low_a0).named("at_least_2");
        let three = (any(12, 32) | code.bit(11) & (any(8, 11) | low_a0)).named("at_least_3");
        let four = (any(17, 32) | low_110a0).named("at_least_4");
        let five = (any(22, 32) | low_2110a0).named("at_least_5");
        let six = (any(27, 32) | low_42110a0).named("at_least_6");
        let start = m.concat([five, three & !five, two & !three | four & !five | six]);

        // With private-use characters, no code point is skipped, and some of those characters are none.
        let skipped = stands_for_skipped.unwrap_or_else(|| (code.bit(7) & !two).named("c1_control"));
        let past_last = (code.bit(31) & (any(27, 31) | low_42110a0)).named("past_last");
        let unfit = match self.private {
            true => skipped | past_last,
            false => skipped | surrogate(code) | past_last,
        };
        let unfit = if self.document { unfit | !any(0, 32) } else { unfit };

        let past_surrogates = (any(16, 32) | code.bits(13..16).all()).named("past_surrogates");
        let borrow =
            (past_surrogates & !low_10a0).named("borrow").note("bits 15 to 0 are less than the subtrahend");
        Fit {
            // The difference has 31 bits, and the top bit of the code point is not needed to find it.
            code: Some(code.bits(0..DIFFERENCE)),
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

    fn stored<'m>(&self, m: &'m Builder, code: Signal<'m>, hints: Option<Signal<'m>>) -> Signal<'m> {
        let mut fields = Fields::of(hints.expect("the event has seven hints"));
        let mut next = |name: &str| fields.next(m.lit(1, 0), name);
        let offset = [
            "offset_4000000",
            "offset_200000",
            "offset_20000",
            "offset_10000",
            "offset_1000",
            "offset_800",
            "offset_a0",
        ]
        .map(&mut next);
        less_offset(m, code, offset)
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

/// The code point with those that the system skips in plane 16; and whether it stands there for a skipped one itself.
fn with_private<'m>(m: &'m Builder, code: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let [is_control, is_surrogate] = are_skipped(code);
    let is_low = (is_control.or_named("low_is_c1") | is_surrogate.or_named("low_is_surrogate"))
        .named("low_is_skipped")
        .note("the bits below a plane are those of a skipped one");
    let plane = code.bits(PLANE..code.width());
    let is_skipped = (is_low & !plane.any()).named("is_skipped");
    let in_plane_16 = (is_low & plane.is(PLANE_16)).named("stands_for_skipped");
    let plane = plane | m.concat([is_skipped, m.lit(4, 0)]).zext(plane.width());
    (m.concat([plane, code.bits(0..PLANE)]).named("code_with_private"), in_plane_16)
}
