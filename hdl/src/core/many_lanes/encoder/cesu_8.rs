//! CESU-8, and the modified UTF-8 of Java: UTF-8 of up to three octets, in which a supplementary code point has six: three of a high surrogate and
//! three of a low surrogate.

use super::shape::{Fit, Shape, some_bits};
use super::utf_16::stored_pair;
use super::words::OCTET;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::LAST_OF_UNICODE;
use crate::core::shared::code_points::{past_last, surrogate};
use crate::netlist::{Builder, Signal};

const CODE_POINT: u32 = 21;
/// The lead of surrogates.
const LEAD_OF_SURROGATES: u64 = 0xed;

/// CESU-8.
pub(super) struct Cesu8 {
    /// U+0000 has two octets.
    pub(super) long_nul: bool,
}

impl Shape for Cesu8 {
    fn unit_bits(&self) -> u32 {
        OCTET
    }

    fn most_units(&self) -> usize {
        6
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        (0xfffd, vec![0xef, 0xbf, 0xbd])
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
        let nul = self.long_nul.then(|| ("is_low_nul", !code.bits(0..7).any()));
        let tests = [
            ("has_bits_of_2", code.bits(7..11).any()),
            ("has_bits_of_3", code.bits(11..16).any()),
            ("is_pair", code.bits(16..CODE_POINT).any()),
        ];
        let unfit = [("past_last", past), ("surrogate", surrogate(code))];
        let tests = tests.into_iter().chain(nul).chain(unfit).map(|(name, test)| (name.to_owned(), test));
        tests.chain(some_bits(data, CODE_POINT..data.width())).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        let [two, three, pair, ref others @ ..] = *tests else { unreachable!("those are the tests") };
        let (nul, unfit) = others.split_at(usize::from(self.long_nul));
        let longer_than_2 = (three | pair).named("at_least_3");
        let longer_than_1 = any_of([two, longer_than_2].into_iter().chain(nul.iter().copied()));
        Fit {
            unfit: any_of(unfit.iter().copied()),
            longer: vec![longer_than_1, Some(longer_than_2), Some(pair), Some(pair), Some(pair)],
        }
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, longer: &[Signal<'m>]) -> Signal<'m> {
        let trailing = |low: u32| m.concat([m.lit(2, 0b10), code.bits(low..low + 6)]);
        let surrogates = m.lit(OCTET, LEAD_OF_SURROGATES);
        let is_pair = longer[3];
        match number {
            0 => longer[1].mux(trailing(0), m.concat([m.lit(1, 0), code.bits(0..7)])),
            1 => {
                let of_2 = m.concat([m.lit(3, 0b110), code.bits(6..11)]);
                let of_low = m.concat([m.lit(4, 0b1011), code.bits(6..10)]);
                longer[2].mux(is_pair.mux(of_low, trailing(6)), of_2)
            }
            2 => is_pair.mux(surrogates, m.concat([m.lit(4, 0b1110), code.bits(12..16)])),
            3 => trailing(10),
            4 => m.concat([m.lit(4, 0b1010), code.bits(16..code.width())]),
            _ => surrogates,
        }
    }
}
