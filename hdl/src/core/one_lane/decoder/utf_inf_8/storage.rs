//! Storage bytes, seed 000 §3.5.6 and §3.5.7: six bits each, in front of the first digit zero nybbles up to a multiple of
//! three digits.

use super::SIX;
use super::header::Header;
use super::unit::{Unit, modulo_3};
use crate::netlist::{Builder, Signal};

/// Pairs of bits in a storage byte.
const PAIRS: u64 = 3;
/// Bits of that number: it is their greatest.
const PAIRS_BITS: u32 = 2;
/// Pairs of bits in a limb.
const LIMB_PAIRS: u64 = 16;
/// Bits of the number of pairs that the next limb needs, with pads 20 at most.
const NEED_BITS: u32 = 5;

pub(super) struct Storage<'m> {
    /// The unit stands behind the header, if it goes on.
    pub(super) inside: Signal<'m>,
    /// The unit has the last bit of a limb.
    pub(super) complete: Signal<'m>,
    /// Pairs of bits that the next limb needs, with the unit's; if complete, up to [`PAIRS`].
    pub(super) need: Signal<'m>,
    /// A pad of other than zeros.
    pub(super) invalid: Signal<'m>,
    /// The first digit is too small: zero, or of eighteen less than eight.
    pub(super) overlong: Signal<'m>,
}

impl<'m> Storage<'m> {
    pub(super) fn new(m: &'m Builder, unit: Unit<'m>, header: &Header<'m>) -> Self {
        m.section("Storage bytes");
        let Unit { load, six, trailing, .. } = unit;
        let ends = header.ends;
        let inside = m.reg("storage_reg", 1).note("behind the header");
        inside.next_when(load, ends | inside.q & trailing);

        // Sixteen is one more than a multiple of three: digits count by their sum. Eighteen is such a multiple.
        let rest = m.reg("rest_reg", 2).note("the digits of the header, modulo three");
        let sum = modulo_3(m, rest.q, six.modulo_3).named("rest_with_digit");
        rest.next_when(load, sum.when(header.digit));

        // What the first two bytes have to be, by the zero nybbles in front.
        let flag = |name: &str, note: &str, next: Signal<'m>| {
            let register = m.reg(name, 1).note(note);
            register.next_when(load, next);
            register.q
        };
        let (pads_1, pads_2) = (sum.is(2), sum.is(1));
        let of_18 = flag("first_of_18_reg", "the first byte of 18 digits", ends & header.is_zero);
        let first_0 = flag("first_unpadded_reg", "of more, no pad", ends & sum.is(0) & !header.is_zero);
        let first_1 = flag("first_pad_1_reg", "a zero nybble in front", ends & pads_1);
        let first_2 = flag("first_pad_2_reg", "two", ends & pads_2);
        let open_1 = first_1 & trailing & !six.low;
        let second_1 = flag("second_pad_1_reg", "the second byte, of a digit that may be zero still", open_1);
        let second_2 =
            flag("second_pad_2_reg", "the second byte behind two zero nybbles", first_2 & trailing);

        // The first limb has what the others leave: one to eight digits.
        let need = m.reg("need_reg", NEED_BITS).note("pairs of bits that the next limb needs");
        let digits = (six.bits.bits(0..3) + m.lit(3, 1)).zext(4) + m.lit(4, 1);
        let pad = m.concat([m.lit(2, 0), pads_2, pads_1]);
        let first_need = m.concat([digits + pad, m.lit(1, 0)]).named("first_need");
        let enough = (!need.q.bits(PAIRS_BITS..NEED_BITS).any()).named("enough");
        let lit = |value| m.lit(NEED_BITS, value);
        let less = need.q + enough.mux(lit(LIMB_PAIRS - PAIRS), lit((1 << NEED_BITS) - PAIRS));
        need.next_when(load, ends.mux(first_need, less));

        let (top, middle, low) = (six.top, six.middle, six.low);
        let bad_first = first_2 & (top | middle | low) | first_1 & (top | middle);
        let invalid = (bad_first | second_2 & top).named("bad_pad");
        let small_first = of_18 & !six.bits.bit(SIX - 1) | first_0 & !(top | middle);
        let small_second = second_1 & !top | second_2 & !(top | middle | low);
        let overlong = (small_first | small_second).named("small_digit");
        Self {
            inside: inside.q,
            complete: (inside.q & enough).named("complete"),
            need: need.q,
            invalid,
            overlong,
        }
    }
}
