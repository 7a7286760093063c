//! UTF-16: a word, or a pair of surrogates. A word is a unit, or two octets.

use super::shape::{Fit, Shape, some_bits};
use super::words::{OCTET, octet, octets};
use crate::core::ByteOrder;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::{
    HIGH, LAST_OF_UNICODE, LOW, REPLACEMENT, SURROGATE_DATA, past_last, surrogate,
};
use crate::netlist::{Builder, Signal};

const CODE_POINT: u32 = 21;
/// Bits of a word.
const WORD: u32 = 16;

/// UTF-16.
pub(super) struct Utf16 {
    /// How words become octets; `None` if units are words.
    pub(super) order: Option<ByteOrder>,
}

impl Utf16 {
    fn units_of_word(&self) -> usize {
        if self.order.is_some() { 2 } else { 1 }
    }
}

/// The stored bits of a code point of up to 21 bits, which may be a pair of surrogates: the upper four bits of the code point less 10000, which a
/// pair holds; and the low 16 bits of the code point.
pub(super) fn stored_pair<'m>(m: &'m Builder, code: Signal<'m>) -> Signal<'m> {
    m.concat([code.bits(WORD..WORD + 4) - m.lit(4, 1), code.bits(0..WORD)])
}

impl Shape for Utf16 {
    fn unit_bits(&self) -> u32 {
        if self.order.is_some() { OCTET } else { WORD }
    }

    fn most_units(&self) -> usize {
        2 * self.units_of_word()
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        (REPLACEMENT, self.order.map_or(vec![REPLACEMENT], |order| octets(order, REPLACEMENT, WORD)))
    }

    fn code_bits(&self) -> u32 {
        CODE_POINT
    }

    fn stored<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        stored_pair(m, code)
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let code = data.bits(0..CODE_POINT);
        let past = past_last(code, LAST_OF_UNICODE.into()).expect("a code point has more bits");
        let tests = [
            ("is_pair", code.bits(WORD..CODE_POINT).any()),
            ("past_last", past),
            ("surrogate", surrogate(code)),
        ];
        let tests = tests.map(|(name, test)| (name.to_owned(), test)).into_iter();
        tests.chain(some_bits(data, CODE_POINT..data.width())).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        let word = self.units_of_word();
        Fit {
            unfit: any_of(tests[1..].iter().copied()),
            longer: (1..2 * word).map(|units| (units >= word).then_some(tests[0])).collect(),
        }
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m> {
        let bits = WORD - SURROGATE_DATA;
        let is_pair = longer[self.units_of_word()];
        let middle = code.bits(SURROGATE_DATA..WORD);
        let word = match number / self.units_of_word() {
            0 => m.concat([is_pair.mux(m.lit(bits, LOW), middle), code.bits(0..SURROGATE_DATA)]),
            _ => m.concat([m.lit(bits, HIGH), code.bits(SURROGATE_DATA..code.width())]),
        };
        match self.order {
            Some(order) => octet(order, word, number % self.units_of_word()),
            None => word,
        }
    }
}
