//! The length header, seed 000 §3.5: B4 as often as there are digits less one, then the hexadecimal digits of the number of
//! digits less eighteen, in A0 to AF.

use super::{SIX, Six, Unit};
use crate::netlist::{Builder, Signal};

/// NUD less NME.
pub(super) const LEAST_DIGITS: u64 = 18;
/// Bits of a digit.
const FOUR: u32 = 4;

/// The greatest NME, by its digits.
struct Limit {
    /// The least significant first, at least one.
    digits: Vec<u64>,
}

impl Limit {
    fn new(digits: u64) -> Self {
        let most = digits - LEAST_DIGITS;
        let count = (u64::BITS - most.leading_zeros()).div_ceil(FOUR).max(1);
        Self { digits: (0..count).map(|at| most >> (FOUR * at) & 0xf).collect() }
    }

    /// The most digits a header may have.
    fn count(&self) -> u64 {
        self.digits.len() as u64
    }
}

pub(super) struct Header<'m> {
    /// The unit is part of a header, if it goes on.
    pub(super) takes: Signal<'m>,
    /// The unit is a digit of the header, if it goes on.
    pub(super) digit: Signal<'m>,
    /// The unit ends the header, if it goes on.
    pub(super) ends: Signal<'m>,
    /// With the end: NME is zero.
    pub(super) is_zero: Signal<'m>,
    /// The unit is a zero where the first of several digits must stand.
    pub(super) overlong: Signal<'m>,
    /// The header can only mean more digits than allowed.
    pub(super) too_long: Signal<'m>,
    /// The unit is none that a header can have here.
    invalid: Signal<'m>,
}

impl<'m> Header<'m> {
    pub(super) fn new(m: &'m Builder, unit: Unit<'m>, opener: Signal<'m>, digits: u64) -> Self {
        m.section("Length header");
        let limit = Limit::new(digits);
        let Unit { load, second, six, .. } = unit;
        let before = m.reg("before_reg", 1).note("behind FF and one B4 or more");
        let length = m.reg("length_reg", 1).note("behind the first of several digits");
        let count_bits = (u64::BITS - limit.count().leading_zeros()).max(1);
        let left =
            m.reg("digits_left_reg", count_bits).note("digits still to come; behind B4, as many less one");
        let Six { is_b4, is_digit, .. } = six;
        let value = six.bits.bits(0..FOUR);
        let at_start = (second | before.q).named("at_start").note("B4 may stand here");

        // Of headers as long as the limit's, each digit is held against the limit's until one is less.
        let next_left = at_start.mux(left.q, left.q - m.lit(count_bits, 1)).named("next_left");
        let b4_left = left.q + m.lit(count_bits, 1);
        let last = m.reg("last_digit_reg", 1).note("a digit is the last");
        let tight = m.reg("tight_reg", 1).note("the digits so far are those of the limit");
        let bound = m.reg("bound_reg", FOUR).note("the limit's next digit");
        let at_limit = |left: Signal<'m>| left.is(limit.count() - 1);
        let above = exceeds(m, value, bound.q);
        let digit_too_long = (tight.q & above).named("past_limit");
        let full = m.reg("at_limit_reg", 1).note("no room for another digit");
        let steps_left = is_b4.mux(b4_left, next_left);
        left.next_when(load, opener.mux(m.lit(count_bits, 0), steps_left));
        full.next_when(load, opener.mux(m.lit(1, (limit.count() == 1).into()), at_limit(b4_left)));
        let stays = tight.q & value.eq(bound.q);
        let is_tight = is_b4.mux(at_start & at_limit(b4_left), stays & is_digit & !last.q);
        tight.next_when(load, opener.mux(m.lit(1, (limit.count() == 1).into()), is_tight));
        let digit_at = |left: Signal<'m>| limit_digit(m, &limit, left);
        // The digit behind this unit: after B4 the first of so many more, after a digit the next.
        let next = is_b4.mux(digit_at(b4_left), digit_at(next_left - m.lit(count_bits, 1)));
        bound.next_when(load, opener.mux(m.lit(FOUR, limit.digits[0]), next));

        let digit = (is_digit & (second | before.q | length.q)).named("digit");
        let one_left = before.q & left.q.is(1);
        // A single digit has none behind it.
        let one_left = if limit.count() > 1 { one_left | length.q & left.q.is(2) } else { one_left };
        last.next_when(load, opener | is_digit & one_left);
        let ends = (is_digit & last.q).named("header_ends");
        before.next_when(load, at_start & is_b4);
        length.next_when(load, (before.q | length.q & !last.q) & is_digit);
        let zero = !(six.middle | six.low);
        let takes = (second & six.bits.bit(SIX - 1)) | before.q | length.q;
        let overlong = (before.q & is_digit & zero).named("leading_zero");
        let b4_bad = at_start & is_b4 & full.q;
        let digit_bad = is_digit & digit_too_long;
        let too_long = (b4_bad | digit_bad).named("too_long");
        let invalid = (takes & !is_digit & !(at_start & is_b4)).named("header_invalid");
        Self {
            takes: takes.named("header"),
            digit,
            ends,
            is_zero: second & zero,
            overlong,
            too_long,
            invalid,
        }
    }

    /// The unit does not go on with the header.
    pub(super) fn wrong(&self) -> Signal<'m> {
        self.overlong | self.too_long | self.invalid
    }
}

/// The digit of the limit with so many behind it.
fn limit_digit<'m>(m: &'m Builder, limit: &Limit, left: Signal<'m>) -> Signal<'m> {
    let mut chosen = m.lit(FOUR, limit.digits[0]);
    for (at, &digit) in limit.digits.iter().enumerate().skip(1) {
        chosen = left.is(at as u64).mux(m.lit(FOUR, digit), chosen);
    }
    chosen
}

/// Whether a number is greater than another of its width: by the highest bit in which they differ, in less depth than a carry.
fn exceeds<'m>(m: &'m Builder, number: Signal<'m>, other: Signal<'m>) -> Signal<'m> {
    (0..number.width()).fold(m.lit(1, 0), |below, at| {
        let (bit, others) = (number.bit(at), other.bit(at));
        bit.ne(others).mux(bit, below)
    })
}
