//! Words that are written as octets.

use crate::core::ByteOrder;
pub(super) use crate::core::shared::code_points::OCTET;
pub(super) use crate::core::shared::opening::octets;
use crate::netlist::Signal;

/// An octet of a word, by its number from the end.
pub(super) fn octet<'m>(order: ByteOrder, word: Signal<'m>, number: usize) -> Signal<'m> {
    let number = number as u32;
    let at = match order {
        ByteOrder::Big => number,
        ByteOrder::Little => word.width() / OCTET - 1 - number,
    };
    word.bits(at * OCTET..(at + 1) * OCTET)
}
