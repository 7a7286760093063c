//! UTF-9, as RFC 4042, §3, defines it: the octets of a code point, the most significant that is not zero first, each in a nonet
//! whose high bit says that others follow.

use utfhdl_hdl::netlist::Builder;

use super::{
    LAST_OF_UNICODE, Machine, OUT_OF_RANGE, OVERLONG, SURROGATE, SURROGATES, Slot, State, Step, Unit,
};

/// The machine. The position says that a sequence is open. The value has the bits of the code point, a bit that says that it is past
/// the last code point, and a bit that says that the sequence began with a zero octet. Both bits keep their value to the end of the
/// sequence.
pub(super) const UNICODE: Machine =
    Machine::new(1, 21 + 2, |m, state, unit| step(m, 21, LAST_OF_UNICODE, state, unit))
        .with_slots_of_any_length();

/// The machine with the code points of UCS-4.
pub(super) const UCS_4: Machine =
    Machine::new(1, 31 + 2, |m, state, unit| step(m, 31, 0x7FFF_FFFF, state, unit))
        .with_slots_of_any_length();

/// Reads a nonet; code points have `value_bits`, and end with `last`.
fn step<'m>(m: &'m Builder, value_bits: u32, last: u64, state: State<'m>, unit: &Unit<'m>) -> Step<'m> {
    let (octet, goes_on) = (unit.bits.bits(0..8), unit.bits.bit(8));
    let is_open = state.position;
    let (value, past, padded) =
        (state.value.bits(0..value_bits), state.value.bit(value_bits), state.value.bit(value_bits + 1));

    let longer = m.concat([value.when(is_open), octet]);
    let is_past = is_open & past | !longer.within(0, last);
    let is_padded = is_open.mux(padded, goes_on & octet.is(0));

    let is_surrogate = longer.within(SURROGATES.0, SURROGATES.1) & !is_past;
    let kind = |kind: u64| m.lit(4, kind);
    let no_error = m.lit(4, 0);
    let user = is_padded
        .mux(kind(OVERLONG), is_past.mux(kind(OUT_OF_RANGE), is_surrogate.mux(kind(SURROGATE), no_error)));
    // No nonet cuts a sequence short: each can continue with one.
    let never = m.lit(1, 0);
    let longer = longer.bits(0..value_bits);
    Step {
        cut: Slot { is_there: never, user: no_error, value },
        own: Slot { is_there: unit.is_there & !goes_on, user, value: longer },
        next: State { position: goes_on, value: m.concat([is_padded, is_past, longer]) },
    }
}
