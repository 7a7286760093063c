//! Words that are written as octets.

use crate::core::ByteOrder;
use crate::netlist::Signal;

/// Bits of an octet.
pub(super) const OCTET: u32 = 8;

/// The octets of a word of `bits` bits, the first one first.
pub(super) fn octets(order: ByteOrder, word: u64, bits: u32) -> Vec<u64> {
    let octets = (0..bits / OCTET).map(|at| word >> (at * OCTET) & 0xff);
    match order {
        ByteOrder::Big => octets.rev().collect(),
        ByteOrder::Little => octets.collect(),
    }
}

/// An octet of a word, by its number from the end.
pub(super) fn octet<'m>(order: ByteOrder, word: Signal<'m>, number: usize) -> Signal<'m> {
    let number = number as u32;
    let at = match order {
        ByteOrder::Big => number,
        ByteOrder::Little => word.width() / OCTET - 1 - number,
    };
    word.bits(at * OCTET..(at + 1) * OCTET)
}
