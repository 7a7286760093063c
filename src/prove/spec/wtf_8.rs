//! WTF-8, as Simon Sapin, "The WTF-8 encoding", defines it: generalised UTF-8 without surrogate pairs. The low surrogate of a pair is
//! the error.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::tables::GENERALISED_UTF_8;
use super::utf_16::{HIGH, LOW};
use super::{Machine, SURROGATE, Slot, State, Step, Unit};

/// The machine. The bit above the position of generalised UTF-8 says that a high surrogate ends directly before the open sequence.
pub(super) const MACHINE: Machine = {
    let open_bits = GENERALISED_UTF_8.position_bits();
    let inner = GENERALISED_UTF_8.machine(step);
    Machine { position_bits: open_bits + 1, open_bits, ..inner }
};

/// Reads an octet.
fn step<'m>(m: &'m Builder, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let open_bits = MACHINE.open_bits;
    let after_high = state.position.bit(open_bits);
    let open = state.position.bits(0..open_bits);
    let inner = GENERALISED_UTF_8.step(m, State { position: open, ..state }, unit);
    let own = inner.own;
    let value_in = |(first, last)| !own.user.any() & own.value.within(first, last);
    // A sequence that is cut short is between the two.
    let is_pair = after_high & !inner.cut.is_there & value_in(LOW);
    let is_high: Signal<'m> = own.is_there.mux(value_in(HIGH), after_high & !inner.cut.is_there);
    let user = is_pair.mux(m.lit(4, SURROGATE), own.user);
    let position = m.concat([is_high, inner.next.position]);
    Step { cut: inner.cut, own: Slot { user, ..own }, next: State { position, ..inner.next } }
}
