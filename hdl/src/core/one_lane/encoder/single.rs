//! The writer of systems in which every code point is a unit, or a word of octets: Latin-1, ASCII,
//! character sets by table, UCS-2 and UTF-32.

use super::words;
use super::writer::{Fit, UnitPosition, Writer};
use crate::core::ByteOrder;
use crate::core::shared::code_points::{past_last, surrogate};
use crate::core::shared::octet_table::Octet;
use crate::core::shared::single::Words;
use crate::netlist::{Builder, Signal};

/// The writer of these words.
pub(super) struct SingleWriter(pub(super) Words);

impl SingleWriter {
    /// How words become octets; `None` if units are code points.
    fn order(&self) -> Option<ByteOrder> {
        self.0.octets.map(|(order, _)| order)
    }
}

impl Writer for SingleWriter {
    fn code_bits(&self) -> u32 {
        self.0.code_bits()
    }

    fn most_units(&self) -> u32 {
        self.0.units()
    }

    fn starts_differ(&self) -> bool {
        false
    }

    fn replacement(&self) -> (u64, u64) {
        (self.0.replacement(), u64::from(self.most_units()) - 1)
    }

    fn fit<'m>(&self, m: &'m Builder, code: Signal<'m>) -> Fit<'m> {
        if let Some(table) = self.0.table() {
            let Octet { octet, is_mapped } = table.octet(m.concat(table.in_page(code)));
            return Fit { code: Some(octet), start: None, hints: None, unfit: Some(!is_mapped) };
        }
        let surrogate = self.0.has_surrogates().then(|| surrogate(code));
        let unfit = [past_last(code, self.0.last.into()), surrogate];
        Fit {
            code: Some(code),
            start: self.0.octets.map(|_| {
                let last = self.most_units() - 1;
                m.lit(u32::BITS - last.leading_zeros(), last.into())
            }),
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
        match (self.order(), position) {
            (Some(order), Some(position)) => {
                words::octet(order, widened(code, self.0.bits).named("word"), position.position)
            }
            _ => widened(code, self.0.bits),
        }
    }
}

/// A code point in a word of `bits` bits.
fn widened(code: Signal<'_>, bits: u32) -> Signal<'_> {
    if code.width() == bits { code } else { code.zext(bits) }
}
