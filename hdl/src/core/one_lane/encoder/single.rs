//! The writer of systems in which every code point is a unit, or a word of octets: Latin-1, ASCII and UTF-32.

use super::words::{self, WordOctets};
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::shared::code_points::{past_last, surrogate};
use crate::netlist::{Builder, Signal};

/// Bits of a word of octets.
const WORD: u32 = 32;
/// Octets of a word.
const OCTETS: u32 = 4;
/// The replacement, and the one of systems that lack it.
const REPLACEMENT: u64 = 0xfffd;
const QUESTION_MARK: u64 = 0x3f;

/// The writer of code points up to `last`.
pub(super) struct SingleWriter {
    pub(super) last: u32,
    pub(super) unit_bits: u32,
    /// How words of 32 bits become octets; `None` if units are code points.
    pub(super) octets: Option<WordOctets>,
}

impl Writer for SingleWriter {
    fn code_bits(&self) -> u32 {
        u32::BITS - self.last.leading_zeros()
    }

    fn most_units(&self) -> u32 {
        if self.octets.is_some() { OCTETS } else { 1 }
    }

    fn starts_differ(&self) -> bool {
        false
    }

    fn replacement(&self) -> (u64, u64) {
        let has = REPLACEMENT <= self.last.into();
        (if has { REPLACEMENT } else { QUESTION_MARK }, u64::from(self.most_units()) - 1)
    }

    fn opening(&self) -> Option<Vec<u64>> {
        self.octets.and_then(|octets| octets.mark(WORD))
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        let surrogate = (self.last > 0xdfff).then(|| surrogate(code));
        let unfit = [past_last(code, self.last.into()), surrogate];
        Fit {
            code: Some(code),
            start: self.octets.map(|_| m.lit(2, u64::from(OCTETS) - 1)),
            hints: None,
            unfit: unfit.into_iter().flatten().reduce(|a, b| a | b),
        }
    }

    fn unit<'m>(
        &self,
        _: &'m Builder,
        code: Option<Signal<'m>>,
        position: Option<UnitPosition<'m>>,
    ) -> Signal<'m> {
        let code = code.expect("units hold bits");
        match (self.octets, position) {
            (Some(octets), Some(position)) => {
                words::octet(octets.order, code.zext(WORD).named("word"), position.position)
            }
            _ if code.width() == self.unit_bits => code,
            _ => code.zext(self.unit_bits),
        }
    }
}
