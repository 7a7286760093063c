//! Storage octets, seed 000 §3.5.6 and §3.5.7: six bits each. Zero nybbles before the first digit pad the digits
//! to a multiple of three.

use super::format::TRAILING_BITS;
use super::header::Header;
use super::unit::{BlockUnit, modulo_3};
use crate::netlist::{Builder, Signal};

/// Pairs of bits in a storage octet.
const PAIRS: u64 = 3;
/// Bits of the number of pairs in an octet: the greatest number they can hold.
const PAIRS_BITS: u32 = 2;
/// Pairs of bits in a limb.
const LIMB_PAIRS: u64 = 16;
/// Bits of the number of pairs that the next limb needs, pads included: 20 at most.
const NEED_BITS: u32 = 5;

/// The unit's part as a storage octet, if the unit continues its sequence.
pub(super) struct Storage<'m> {
    /// The unit comes after a length header.
    pub(super) inside: Signal<'m>,
    /// The unit has the last bit of a limb.
    pub(super) complete: Signal<'m>,
    /// How many pairs of bits the next limb needs, those of the unit included. At a complete limb it is up to
    /// [`PAIRS`].
    pub(super) need: Signal<'m>,
    /// The pad is not zero.
    pub(super) invalid: Signal<'m>,
    /// The first digit is zero, or less than eight where there are eighteen digits.
    pub(super) overlong: Signal<'m>,
}

impl<'m> Storage<'m> {
    pub(super) fn new(m: &'m Builder, unit: BlockUnit<'m>, header: &Header<'m>) -> Self {
        m.section("Storage octets");
        let BlockUnit { load, six, trailing, .. } = unit;
        let stage = m.stage(load);
        let ends = header.ends;
        let inside = m.reg("storage_reg", 1).note("the unit comes after the length header");
        inside.next_when(load, ends | inside.q & trailing);

        // Sixteen is one more than a multiple of three, so a number modulo three is the sum of its hexadecimal
        // digits. Eighteen is a multiple of three.
        let rest = m.reg("rest_reg", 2).note("the digits of the header so far, modulo three");
        let sum = modulo_3(m, rest.q, six.modulo_3).named("rest_with_digit");
        rest.next_when(load, sum.when(header.digit));

        // The required values of the first two octets, by the number of zero nybbles before the first digit.
        let flag = |name: &str, note: &str, next: Signal<'m>| stage.data(name, next).note(note);
        let (one_pad, two_pads) = (sum.is(2).named("one_pad"), sum.is(1).named("two_pads"));
        let of_18 = flag("first_of_18_reg", "the first octet of 18 digits", ends & header.is_zero);
        let unpadded =
            flag("first_unpadded_reg", "the first of more, without pad", ends & sum.is(0) & !header.is_zero);
        let first_1 = flag("first_pad_1_reg", "the first after one zero nybble", ends & one_pad);
        let first_2 = flag("first_pad_2_reg", "the first, which begins with two", ends & two_pads);
        let zero_so_far = first_1 & trailing & !six.low;
        let second_1 = flag("second_pad_1_reg", "the second, if the digit is zero so far", zero_so_far);
        let second_2 = flag("second_pad_2_reg", "the second after two zero nybbles", first_2 & trailing);

        // The first limb has the digits that the other limbs leave: one to eight.
        let need = m.reg("need_reg", NEED_BITS).note("pairs of bits that the next limb needs");
        let digits = (six.bits.bits(0..3) + m.lit(3, 1)).zext(4) + m.lit(4, 1);
        let pad = m.concat([m.lit(2, 0), two_pads, one_pad]);
        let first_need = m.concat([digits + pad, m.lit(1, 0)]).named("first_need");
        let enough = (!need.q.bits(PAIRS_BITS..NEED_BITS).any()).named("enough");
        let lit = |value| m.lit(NEED_BITS, value);
        let less = need.q + enough.mux(lit(LIMB_PAIRS - PAIRS), lit((1 << NEED_BITS) - PAIRS));
        need.next_when(load, ends.mux(first_need, less));

        let (top, middle, low) = (six.top, six.middle, six.low);
        let bad_first = first_2 & (top | middle | low) | first_1 & (top | middle);
        let invalid = (bad_first | second_2 & top).named("bad_pad");
        let small_first = of_18 & !six.bits.bit(TRAILING_BITS - 1) | unpadded & !(top | middle);
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
