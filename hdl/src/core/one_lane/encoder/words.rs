//! Words that are written as octets.

use crate::core::ByteOrder;
use crate::core::shared::code_points::OCTET;
use crate::netlist::Signal;

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
