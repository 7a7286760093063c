//! The writer of `utf-9`: a unit is an octet of the code point, the most significant that is not zero first, and a
//! ninth bit that says whether more follow.

use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::{OCTET, REPLACEMENT, past_last, surrogate};
use crate::netlist::{Builder, Signal};

/// The writer of code points up to `max`.
pub(super) struct Utf9Writer {
    pub(super) max: u32,
}

impl Writer for Utf9Writer {
    fn code_bits(&self) -> u32 {
        u32::BITS - self.max.leading_zeros()
    }

    fn most_units(&self) -> u32 {
        self.code_bits().div_ceil(OCTET)
    }

    fn replacement(&self) -> (u64, u64) {
        (REPLACEMENT, 1)
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
        // There are up to four octets. In the position of the first, the upper bit is set from three octets on, the
        // lower bit for two and for four.
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
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let (code, position) =
            (code.expect("units hold octets"), position.expect("there are longer sequences").position);
        let octet = |at: u32| code.bits(at * OCTET..(at * OCTET + OCTET).min(code.width())).zext(OCTET);
        let others = (1..self.most_units()).map(|at| ([at.into()], octet(at)));
        m.concat([position.any(), position.case_of(others, octet(0)).named("octet")])
    }
}
