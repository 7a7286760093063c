//! Words that are written as octets.

use crate::core::ByteOrder;
use crate::netlist::Signal;

/// Bits of an octet.
const OCTET: u32 = 8;
/// The byte order mark.
const MARK: u64 = 0xfeff;

/// How words become octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordOctets {
    pub(super) order: ByteOrder,
    /// Every frame begins with a byte order mark.
    pub(super) bom: bool,
}

impl WordOctets {
    /// The octets before every frame, of words of `bits` bits; `None` if there is no mark.
    pub(super) fn mark(self, bits: u32) -> Option<Vec<u64>> {
        let octets = (0..bits / OCTET).map(|at| MARK >> (at * OCTET) & 0xff);
        self.bom.then(|| match self.order {
            ByteOrder::Big => octets.rev().collect(),
            ByteOrder::Little => octets.collect(),
        })
    }
}

/// The octet of a word at a position, which is the number of octets after it.
pub(super) fn octet<'m>(order: ByteOrder, word: Signal<'m>, position: Signal<'m>) -> Signal<'m> {
    let last = word.width() / OCTET - 1;
    let at = |position: u32| {
        let index = if order == ByteOrder::Big { position } else { last - position };
        word.bits(index * OCTET..(index + 1) * OCTET)
    };
    if last == 1 {
        return position.mux(at(1), at(0));
    }
    position.case_of((1..=last).map(|position| ([position.into()], at(position))), at(0))
}
