//! `corrected-utf-8`: sequences of UTF-8 of up to six octets, in which no code point has two: what is less than the length
//! at hand can hold is taken off, and so are the C1 controls and the surrogates.

use super::prefix::Prefix;
use super::write::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::surrogate;
use crate::core::shared::forms::SequenceForms;
use crate::netlist::{Builder, Signal};

/// The magic number that opens a document.
const MAGIC: [u64; 8] = [0xef, 0xb7, 0x9d, 0xed, 0xb2, 0xae, 0x00, 0x0a];

/// U+FFFD less what is taken off it, 20 C1 controls, 780 code points of two units, and the surrogates.
const REPLACEMENT: u64 = 0xfffd - 0x10a0;

/// The writer.
pub(super) struct CorrectedUtf8 {
    document: bool,
    /// How units are made of what is left.
    units: Prefix,
}

impl CorrectedUtf8 {
    pub(super) fn new(document: bool) -> Self {
        Self { document, units: Prefix::new(SequenceForms::hunks(8, 6)) }
    }
}

impl Writer for CorrectedUtf8 {
    fn code_bits(&self) -> u32 {
        32
    }

    fn most_units(&self) -> u32 {
        self.units.most_units()
    }

    fn marks_lead(&self) -> bool {
        true
    }

    fn opening(&self) -> Option<[u64; 8]> {
        self.document.then_some(MAGIC)
    }

    fn replacement(&self) -> (u64, u64) {
        (REPLACEMENT, 2)
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let any = |from: u32, to: u32| code.bits(from..to).any();
        let from = |name: &str, found: Signal<'m>| found.named(name);
        // The bounds are sums of powers of two, so each is found from the one below.
        let low_a0 = (code.bit(7) & any(5, 7)).named("low_from_a0").note("of bits 7 to 0");
        let low_10a0 = (any(13, 16) | code.bit(12) & (any(8, 12) | low_a0))
            .named("low_from_10a0")
            .note("of bits 15 to 0");
        let on_16 = (code.bit(16) & low_10a0).named("on_16");
        let on_21 = (code.bit(21) & (any(17, 21) | on_16)).named("on_21");
        let on_26 = (code.bit(26) & (any(22, 26) | on_21)).named("on_26");
        let two = from("at_least_2", any(8, 32) | low_a0);
        let three = from("at_least_3", any(12, 32) | code.bit(11) & (any(8, 11) | low_a0));
        let four = from("at_least_4", any(17, 32) | on_16);
        let five = from("at_least_5", any(22, 32) | on_21);
        let six = from("at_least_6", any(27, 32) | on_26);
        let start = m.concat([five, three & !five, two & !three | four & !five | six]);

        let control = (code.bit(7) & !two).named("c1_control");
        let past_last = (code.bit(31) & (any(27, 31) | on_26)).named("past_last");
        let unfit = control | surrogate(code) | past_last;
        let unfit = if self.document { unfit | !any(0, 32) } else { unfit };

        let past_surrogates = from("past_surrogates", any(16, 32) | code.bits(13..16).all());
        let borrow =
            (past_surrogates & !low_10a0).named("borrow").note("bits 15 to 0 are less than is taken off");
        Fit {
            // What is left has 31 bits, and so many are enough to find it.
            code: Some(code.bits(0..31)),
            start: Some(start),
            hints: Some(m.concat([past_surrogates, borrow])),
            unfit: Some(unfit),
        }
    }

    /// Bits of what is less than the length can hold, in two halves.
    fn hints<'m>(
        &self,
        m: &'m Builder,
        start: Option<Signal<'m>>,
        hints: Option<Signal<'m>>,
    ) -> Option<Signal<'m>> {
        let (start, hints) = (start.expect("a position"), hints.expect("two hints"));
        let (past_surrogates, borrow) = (hints.bit(1), hints.bit(0));
        let three_below = start.is(2) & !past_surrogates;
        let from_4 = start.bit(2) | start.bits(0..2).all();
        let six = start.bit(2) & start.bit(0);
        let high = [six, start.bit(2), from_4 & borrow, from_4 ^ borrow];
        Some(m.concat(high.into_iter().chain([past_surrogates, three_below, start.any()])))
    }

    /// Takes off what is less than the length can hold, in two halves, so that no carry goes far.
    fn stored<'m>(&self, m: &'m Builder, code: Signal<'m>, hints: Option<Signal<'m>>) -> Signal<'m> {
        let hint = |index: u32| hints.expect("seven hints").bit(index);
        let zero = |bits| m.lit(bits, 0);
        let low_off = m.concat([hint(2), hint(1), zero(3), hint(0), zero(1), hint(0), zero(5)]);
        let low = code.bits(0..16) - low_off.named("low_off").zext(16);
        let high_off = m.concat([hint(6), zero(4), hint(5), zero(3), hint(4), hint(3)]);
        let high = code.bits(16..31) - high_off.named("high_off").zext(15);
        m.concat([high.named("high"), low.named("low")])
    }

    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        place: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        self.units.unit(m, code, place)
    }
}
