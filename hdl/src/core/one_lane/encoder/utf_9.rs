//! `utf-9`: octets of the code point, the most significant that is not zero first; a ninth bit says that more follow.

use super::write::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::{past_last, surrogate};
use crate::netlist::{Builder, Signal};

/// Bits of an octet.
const OCTET: u32 = 8;

/// The writer of code points up to `max`.
pub(super) struct Utf9 {
    pub(super) max: u32,
}

impl Writer for Utf9 {
    fn code_bits(&self) -> u32 {
        u32::BITS - self.max.leading_zeros()
    }

    fn most_units(&self) -> u32 {
        self.code_bits().div_ceil(OCTET)
    }

    fn replacement(&self) -> (u64, u64) {
        (0xfffd, 1)
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let mut longer: Option<Signal> = None;
        let mut octets = Vec::new();
        for count in (2..=self.most_units()).rev() {
            let octet = code.bits((count - 1) * OCTET..(count * OCTET).min(code.width())).any();
            let at_least = longer.map_or(octet, |longer| octet | longer);
            longer = Some(at_least.named(&format!("at_least_{count}")));
            octets.extend(longer);
        }
        // Up to four octets: from the third on the upper bit is set, and the lower for the second and the fourth.
        let (upper, second) = (octets[octets.len() - 2], octets[octets.len() - 1]);
        let fourth = (octets.len() == 3).then(|| octets[0]);
        let lower = second & !upper;
        let start = m.concat([upper, fourth.map_or(lower, |fourth| lower | fourth)]);
        let unfit = [Some(surrogate(code)), past_last(code, self.max.into())];
        let unfit = unfit.into_iter().flatten().reduce(|a, b| a | b);
        Fit { code: Some(code), start: Some(start), hints: None, unfit }
    }

    fn unit<'m>(
        &self,
        m: &'m Builder,
        code: Option<Signal<'m>>,
        place: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let (code, position) = (code.expect("octets"), place.expect("more than one").position);
        let octet = |at: u32| code.bits(at * OCTET..(at * OCTET + OCTET).min(code.width())).zext(OCTET);
        let others = (1..self.most_units()).map(|at| ([at.into()], octet(at)));
        m.concat([position.any(), position.case_of(others, octet(0)).named("octet")])
    }
}
