//! `utf-9`: a unit is an octet of the code point, and a ninth bit that says whether more follow.

use super::shape::{Fit, Shape, some_bits};
use super::words::OCTET;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::{past_last, surrogate};
use crate::netlist::{Builder, Signal};

/// Code points up to `max`.
pub(super) struct Utf9 {
    pub(super) max: u32,
}

impl Shape for Utf9 {
    fn unit_bits(&self) -> u32 {
        OCTET + 1
    }

    fn most_units(&self) -> usize {
        self.code_bits().div_ceil(OCTET) as usize
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        (0xfffd, vec![0x1ff, 0xfd])
    }

    fn code_bits(&self) -> u32 {
        u32::BITS - self.max.leading_zeros()
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let bits = self.code_bits();
        let code = data.bits(0..bits);
        let octets = (1..self.most_units() as u32)
            .map(|at| (format!("has_octet_{at}"), code.bits(at * OCTET..((at + 1) * OCTET).min(bits)).any()));
        let past = past_last(code, self.max.into());
        let unfit = [("past_last", past), ("surrogate", Some(surrogate(code)))];
        let unfit = unfit.into_iter().filter_map(|(name, test)| Some((name.to_owned(), test?)));
        octets.chain(unfit).chain(some_bits(data, bits..data.width())).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        let (octets, unfit) = tests.split_at(self.most_units() - 1);
        Fit {
            unfit: any_of(unfit.iter().copied()),
            longer: (0..octets.len()).map(|from| any_of(octets[from..].iter().copied())).collect(),
        }
    }

    fn unit<'m>(&self, m: &'m Builder, code: Signal<'m>, number: usize, _: &[Signal<'m>]) -> Signal<'m> {
        let low = number as u32 * OCTET;
        let octet = code.bits(low..(low + OCTET).min(code.width())).zext(OCTET);
        m.concat([m.lit(1, u64::from(number > 0)), octet])
    }
}
