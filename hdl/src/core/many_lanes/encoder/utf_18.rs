//! `utf-18`: two nonets, for planes 0, 1, 2 and 14; plane 14 takes the values that plane 3 would have.

use super::shape::{Fit, Shape, some_bits};
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::{NONET, REPLACEMENT, surrogate};
use crate::netlist::{Builder, Signal};

const CODE_POINT: u32 = 20;

/// `utf-18`.
pub(super) struct Utf18;

impl Shape for Utf18 {
    fn unit_bits(&self) -> u32 {
        NONET
    }

    fn most_units(&self) -> usize {
        2
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        (REPLACEMENT, vec![REPLACEMENT >> NONET, REPLACEMENT & ((1 << NONET) - 1)])
    }

    fn code_bits(&self) -> u32 {
        CODE_POINT
    }

    /// Plane 14 takes the upper two bits of plane 3.
    fn stored<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Signal<'m> {
        m.concat([code.bit(17), code.bit(16) | code.bit(19), code.bits(0..16)])
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let code = data.bits(0..CODE_POINT);
        let plane = code.bits(16..CODE_POINT);
        let past_2 = plane.bits(2..4).any() | plane.bits(0..2).all();
        let tests = [("no_plane", past_2 & !plane.is(14)), ("surrogate", surrogate(code))];
        let tests = tests.map(|(name, test)| (name.to_owned(), test)).into_iter();
        tests.chain(some_bits(data, CODE_POINT..data.width())).collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        Fit { unfit: any_of(tests.iter().copied()), longer: vec![None] }
    }

    fn unit<'m>(&self, _: &'m Builder, code: Signal<'m>, number: usize, _: &[Signal<'m>]) -> Signal<'m> {
        let low = number as u32 * NONET;
        code.bits(low..low + NONET)
    }
}
