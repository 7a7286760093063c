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

    /// The bits in which its digits differ, the least significant first.
    fn varying(&self) -> Vec<u32> {
        let first = self.digits[0];
        (0..FOUR).filter(|bit| self.digits.iter().any(|digit| (digit ^ first) >> bit & 1 == 1)).collect()
    }

    /// Those bits of a digit.
    fn varying_of(&self, digit: u64) -> u64 {
        let bits = self.varying();
        bits.iter().enumerate().map(|(at, bit)| (digit >> bit & 1) << at).sum()
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
    /// The unit is none that a header can have here; where errors are told. Elsewhere, whatever follows makes no slot.
    pub(super) invalid: Option<Signal<'m>>,
}

impl<'m> Header<'m> {
    pub(super) fn new(
        m: &'m Builder,
        unit: Unit<'m>,
        opener: Signal<'m>,
        digits: u64,
        drops_errors: bool,
    ) -> Self {
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
        // Sums of `left` are never made to be looked at: what looks at them looks at `left`.
        let left_is = |value: u64| left.q.is(value & ((1 << count_bits) - 1));
        let b4_left_is = |value: u64| left_is(value.wrapping_sub(1));
        let b4_at_limit = b4_left_is(limit.count() - 1);
        let varying = limit.varying();
        let bound = (!varying.is_empty()).then(|| {
            let register = m.reg("bound_reg", varying.len() as u32);
            register.note("the limit's next digit: the bits in which its digits differ")
        });
        let bits: [Bound<'m>; FOUR as usize] = std::array::from_fn(|bit| {
            let at = varying.iter().position(|&varying| varying == bit as u32);
            match at.zip(bound) {
                Some((at, bound)) => Bound::Varies(bound.q.bit(at as u32)),
                None => Bound::Is(limit.digits[0] >> bit & 1 == 1),
            }
        });
        let full = m.reg("at_limit_reg", 1).note("no room for another digit");
        let steps_left = is_b4.mux(b4_left, next_left);
        left.next_when(load, opener.mux(m.lit(count_bits, 0), steps_left));
        full.next_when(load, opener.mux(m.lit(1, (limit.count() == 1).into()), b4_at_limit));
        let stays = tight.q & equals(value, &bits);
        let is_tight = is_b4.mux(at_start & b4_at_limit, stays & is_digit & !last.q);
        tight.next_when(load, opener.mux(m.lit(1, (limit.count() == 1).into()), is_tight));
        if let Some(bound) = bound {
            // The digit behind this unit: after B4 the first of so many more, after a digit the next.
            let behind_b4 = limit_digit(m, &limit, b4_left_is);
            let behind_first = limit_digit(m, &limit, |value| left_is(value + 1));
            let behind_other = limit_digit(m, &limit, |value| left_is(value + 2));
            let next = is_b4.mux(behind_b4, at_start.mux(behind_first, behind_other));
            let only = m.lit(next.width(), limit.varying_of(limit.digits[0]));
            bound.next_when(load, opener.mux(only, next));
        }

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
        let too_long = match exceeds(value, &bits) {
            Some(above) => b4_bad | is_digit & (tight.q & above).named("past_limit"),
            None => b4_bad,
        };
        let too_long = too_long.named("too_long");
        let invalid =
            (!drops_errors).then(|| (takes & !is_digit & !(at_start & is_b4)).named("header_invalid"));
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
}

/// Of the digit of the limit with so many behind it as `behind` says, the bits in which its digits differ.
fn limit_digit<'m>(m: &'m Builder, limit: &Limit, behind: impl Fn(u64) -> Signal<'m>) -> Signal<'m> {
    let bits = |digit| m.lit(limit.varying().len() as u32, limit.varying_of(digit));
    let mut chosen = bits(limit.digits[0]);
    for (at, &digit) in limit.digits.iter().enumerate().skip(1) {
        chosen = behind(at as u64).mux(bits(digit), chosen);
    }
    chosen
}

/// A bit of the limit's next digit.
#[derive(Clone, Copy)]
enum Bound<'m> {
    /// It is the same in all its digits.
    Is(bool),
    Varies(Signal<'m>),
}

/// Whether a digit is greater than the bound: by the highest bit in which they differ, in less depth than a carry. `None` if it
/// can't be.
fn exceeds<'m>(digit: Signal<'m>, bound: &[Bound<'m>]) -> Option<Signal<'m>> {
    let bits = (0..).map(|at| digit.bit(at));
    bound.iter().zip(bits).fold(None, |below: Option<Signal<'m>>, (bound, bit)| match *bound {
        Bound::Is(true) => below.map(|below| bit & below),
        Bound::Is(false) => Some(below.map_or(bit, |below| bit | below)),
        Bound::Varies(bound) => Some(below.map_or(bit & !bound, |below| bit.ne(bound).mux(bit, below))),
    })
}

/// Whether a digit is the bound.
fn equals<'m>(digit: Signal<'m>, bound: &[Bound<'m>]) -> Signal<'m> {
    let bits = (0..).map(|at| digit.bit(at));
    let equal = bound.iter().zip(bits).map(|(bound, bit)| match *bound {
        Bound::Is(true) => bit,
        Bound::Is(false) => !bit,
        Bound::Varies(bound) => bit.eq(bound),
    });
    equal.reduce(|all, one| all & one).expect("a digit has bits")
}
