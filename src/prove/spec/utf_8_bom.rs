//! UTF-8 whose frames may open with a byte order mark, as the Unicode Standard describes it: §23.8, "Byte Order Mark (BOM)". The mark, the
//! sequence of U+FEFF at the start of a frame, is no text.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::{Machine, Slot, State, Step, Unit, utf_8};

/// The machine. The bit above the position of UTF-8 says that a slot has been made of the frame, or that the mark has been read.
pub(super) const MACHINE: Machine = {
    let open_bits = utf_8::MACHINE.position_bits;
    Machine { open_bits, ..Machine::new(open_bits + 1, 21, step) }
};

/// Reads an octet.
fn step<'m>(m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let open_bits = MACHINE.open_bits;
    let has_begun = state.position.bit(open_bits);
    let inner = utf_8::step(m, State { position: state.position.bits(0..open_bits), ..state }, unit);
    let own = inner.own;
    let begins: Signal<'m> = has_begun | inner.cut.is_there | own.is_there;
    let is_mark = !has_begun & !inner.cut.is_there & !own.user.any() & own.value.is(0xFEFF);
    Step {
        cut: inner.cut,
        own: Slot { is_there: own.is_there & !is_mark, ..own },
        next: State { position: m.concat([begins, inner.next.position]), ..inner.next },
    }
}
