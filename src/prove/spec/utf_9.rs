//! UTF-9, as RFC 4042, §3, defines it: the octets of a code point, the most significant that is not zero first, each in a nonet
//! whose high bit says that others follow.

use super::{OUT_OF_RANGE, OVERLONG, SURROGATE, Slot, Step, Unit};
use crate::prove::bench::Bench;

/// The last code point of Unicode, and the surrogates.
const LAST: u64 = 0x10_FFFF;
const SURROGATES: (u64, u64) = (0xD800, 0xDFFF);

/// Reads a nonet.
pub(super) fn step<'m>(bench: &Bench<'m>, unit: &Unit<'m>) -> Step<'m> {
    let m = bench.m;
    let (octet, goes_on) = (unit.bits.bits(0..8), unit.bits.bit(8));

    // The state: whether a sequence is open, whether it began with a zero octet, and its value. A value past the last code point
    // stays so, whatever follows: it is remembered as the least such value of 21 bits and more.
    let open = m.reg("open_reg", 1).reset(0);
    let padded = m.reg("padded_reg", 1);
    let past = m.reg("past_reg", 1);
    let value = m.reg("value_reg", 21);

    let is_first = !open.q;
    let before = value.q.when(open.q);
    let longer = m.concat([before, octet]);
    let is_past = open.q & past.q | !longer.within(0, LAST);
    let is_padded = is_first.mux(goes_on & octet.is(0), padded.q);

    let is_open = unit.is_there.mux(goes_on, open.q);
    open.next(is_open & !unit.ends);
    padded.next(unit.is_there.mux(is_padded, padded.q));
    past.next(unit.is_there.mux(is_past, past.q));
    value.next(unit.is_there.mux(longer.bits(0..21), value.q));

    let is_surrogate = longer.within(SURROGATES.0, SURROGATES.1) & !is_past;
    let kind = |kind: u64| m.lit(4, kind);
    let no_error = m.lit(4, 0);
    let user = is_padded
        .mux(kind(OVERLONG), is_past.mux(kind(OUT_OF_RANGE), is_surrogate.mux(kind(SURROGATE), no_error)));
    // No nonet cuts a sequence short: each can go on with one.
    let never = m.lit(1, 0);
    Step {
        cut: Slot { is_there: never, user: no_error, value: value.q },
        own: Slot { is_there: unit.is_there & !goes_on, user, value: longer.bits(0..21) },
        open: is_open,
    }
}
