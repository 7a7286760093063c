//! The writer of CESU-8, Unicode Technical Report #26, and of the modified UTF-8 of Java: UTF-8 of up to three octets,
//! with six octets for a supplementary code point, three for each surrogate.

use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::LAST_OF_UNICODE;
use crate::core::shared::code_points::{past_last, surrogate};
use crate::netlist::{Builder, Signal};

/// The lead of surrogates.
const LEAD_OF_SURROGATES: u64 = 0xed;

/// The writer.
pub(super) struct Cesu8Writer {
    /// U+0000 has two octets.
    pub(super) long_nul: bool,
}

impl Writer for Cesu8Writer {
    fn code_bits(&self) -> u32 {
        21
    }

    fn most_units(&self) -> u32 {
        6
    }

    fn marks_lead(&self) -> bool {
        true
    }

    fn replacement(&self) -> (u64, u64) {
        (0xfffd, 2)
    }

    /// The stored form of a code point: a flag for a pair; the upper four bits of the pair's number, which is the code
    /// point less 10000; and the last 16 bits.
    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let above = code.bits(16..21);
        let pair = above.any().named("pair").note("the code point is a pair of surrogates");
        let three = (pair | code.bits(11..16).any()).named("at_least_3");
        let two = (three | code.bits(7..11).any()).named("at_least_2");
        let two = if self.long_nul {
            (two | !code.bits(0..7).any()).named("at_least_2_or_nul").note("U+0000 has two octets")
        } else {
            two
        };
        let top = (above.bits(0..4) - m.lit(4, 1)).named("pair_top").note("upper bits of what a pair holds");
        Fit {
            code: Some(m.concat([pair, top, code.bits(0..16)]).named("stored")),
            start: Some(m.concat([pair, three & !pair, two & !three | pair])),
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
        let (code, position) =
            (code.expect("units hold bits"), position.expect("there are longer sequences"));
        let lead = position.lead.expect("lead units are marked");
        let pair = code.bit(20);
        let marker = |bits: u32, marker: u64, name: &str| m.lit(bits, marker).named(name);
        let trailing_marker = marker(2, 0b10, "TRAILING");
        let lead_of_2 = marker(3, 0b110, "LEAD_OF_2");
        let lead_of_3 = marker(4, 0b1110, "LEAD_OF_3");
        let surrogates = marker(8, LEAD_OF_SURROGATES, "LEAD_OF_SURROGATES");
        let second_of_high = marker(4, 0b1010, "SECOND_OF_HIGH");
        let second_of_low = marker(4, 0b1011, "SECOND_OF_LOW");
        let trailing = |low: u32| m.concat([trailing_marker, code.bits(low..low + 6)]);
        let low_surrogate = m.concat([second_of_low, code.bits(6..10)]);
        let third = lead.mux(m.concat([lead_of_3, code.bits(12..16)]), surrogates);
        let second = m.concat([lead_of_2, code.bits(6..11)]);
        let second = lead.mux(second, pair.mux(low_surrogate, trailing(6)));
        let first = lead.mux(m.concat([m.lit(1, 0), code.bits(0..7)]), trailing(0));
        let arms = [
            ([5], surrogates),
            ([4], m.concat([second_of_high, code.bits(16..20)])),
            ([3], trailing(10)),
            ([2], third),
            ([1], second),
        ];
        position.position.case_of(arms, first)
    }
}
