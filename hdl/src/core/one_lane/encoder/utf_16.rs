//! The writer of UTF-16: a word, or a pair of surrogates, the high one first. A word is a unit, or two octets.

use super::words;
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::ByteOrder;
use crate::core::shared::code_points::{
    HIGH, LAST_OF_UNICODE, LOW, REPLACEMENT, SURROGATE_DATA, past_last, surrogate,
};
use crate::netlist::{Builder, Signal};

/// Bits of a word.
const WORD: u32 = 16;

/// The writer.
pub(super) struct Utf16Writer {
    /// How words become octets; `None` if units are words.
    pub(super) order: Option<ByteOrder>,
}

impl Writer for Utf16Writer {
    fn code_bits(&self) -> u32 {
        21
    }

    fn most_units(&self) -> u32 {
        if self.order.is_some() { 4 } else { 2 }
    }

    fn replacement(&self) -> (u64, u64) {
        (REPLACEMENT, if self.order.is_some() { 1 } else { 0 })
    }

    /// The stored form of a code point: a flag for a pair; the upper four bits of the pair's number, which is the code
    /// point less 10000; and the last 16 bits.
    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let above = code.bits(WORD..21);
        let pair = above.any().named("pair").note("the code point is a pair of surrogates");
        let top = (above.bits(0..4) - m.lit(4, 1)).named("pair_top").note("upper bits of what a pair holds");
        let start = if self.order.is_some() { m.concat([pair, m.lit(1, 1)]) } else { pair };
        Fit {
            code: Some(m.concat([pair, top, code.bits(0..WORD)]).named("stored")),
            start: Some(start),
            hints: None,
            unfit: past_last(code, LAST_OF_UNICODE.into()).map(|past| past | surrogate(code)),
        }
    }

    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let (code, position) = (code.expect("words hold bits"), position.expect("there are pairs").position);
        let (pair, low) = (code.bit(20), code.bits(0..SURROGATE_DATA));
        let marker = |marker, name: &str| m.lit(WORD - SURROGATE_DATA, marker).named(name);
        let high_marker = marker(HIGH, "HIGH_SURROGATE").note("D800 without its last ten bits");
        let low_marker = marker(LOW, "LOW_SURROGATE").note("DC00 without its last ten bits");
        let high_word = m.concat([high_marker, code.bits(SURROGATE_DATA..20)]);
        let above = pair.mux(low_marker, code.bits(SURROGATE_DATA..WORD));
        let first_of_pair = position.bit(position.width() - 1);
        let word = first_of_pair.mux(high_word, m.concat([above, low]));
        match self.order {
            Some(order) => words::octet(order, word.named("word"), position.bit(0)),
            None => word,
        }
    }
}
