//! Systems in which every code point is a unit, or a word of octets: Latin-1, ASCII and UTF-32.

use super::shape::{Fit, Shape};
use super::words::{OCTET, octet, octets};
use crate::core::ByteOrder;
use crate::core::many_lanes::logic::any_of;
use crate::core::shared::code_points::{past_last, surrogate};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal};

/// Bits of a word of octets.
const WORD: u32 = 32;
/// The replacement, and the one of systems that lack it.
const REPLACEMENT: u64 = 0xfffd;
const QUESTION_MARK: u64 = 0x3f;

/// Code points up to `last`.
pub(super) struct Single {
    pub(super) last: u32,
    pub(super) unit_bits: u32,
    /// How words become octets; `None` if units are code points.
    pub(super) order: Option<ByteOrder>,
}

impl Shape for Single {
    fn unit_bits(&self) -> u32 {
        if self.order.is_some() { OCTET } else { self.unit_bits }
    }

    fn most_units(&self) -> usize {
        if self.order.is_some() { (WORD / OCTET) as usize } else { 1 }
    }

    fn replacement(&self) -> (u64, Vec<u64>) {
        let code_point = if REPLACEMENT <= self.last.into() { REPLACEMENT } else { QUESTION_MARK };
        (code_point, self.order.map_or(vec![code_point], |order| octets(order, code_point, WORD)))
    }

    fn code_bits(&self) -> u32 {
        u32::BITS - self.last.leading_zeros()
    }

    fn tests<'m>(&self, _: &'m Builder, data: Signal<'m>) -> Vec<(String, Signal<'m>)> {
        let code = data.bits(0..self.code_bits());
        let too_wide = data.bits(self.code_bits()..SLOT_DATA_BITS).any();
        let past = past_last(code, self.last.into()).map(|past| ("past_last".to_owned(), past));
        let surrogate = (self.last > 0xdfff).then(|| ("surrogate".to_owned(), surrogate(code)));
        [Some(("too_wide".to_owned(), too_wide)), past, surrogate].into_iter().flatten().collect()
    }

    fn fit<'m>(&self, _: &'m Builder, tests: &[Signal<'m>]) -> Fit<'m> {
        Fit { unfit: any_of(tests.iter().copied()), longer: vec![None; self.most_units() - 1] }
    }

    fn unit<'m>(&self, _: &'m Builder, code: Signal<'m>, number: usize, _: &[Signal<'m>]) -> Signal<'m> {
        match self.order {
            Some(order) => octet(order, code.zext(WORD), number),
            None => code.zext(self.unit_bits),
        }
    }
}
