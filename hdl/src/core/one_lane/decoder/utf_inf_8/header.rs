//! The length header, seed 000 §3.5. NME, the number of digits less eighteen, has `d` hexadecimal digits. The
//! header is B4 `d - 1` times, then these digits in A0 to AF.

use super::format::{DIGIT_BITS, LEAST_DIGITS, TRAILING_BITS};
use super::unit::{BlockUnit, SixBits};
use crate::netlist::{Builder, Reg, Signal};

/// The greatest NME that a system allows.
struct Limit {
    /// The limit's digits, the least significant first; at least one.
    digits: Vec<u64>,
}

impl Limit {
    /// The limit of a system with code points of up to `digits` digits.
    fn new(digits: u64) -> Self {
        let most = digits - LEAST_DIGITS;
        let count = (u64::BITS - most.leading_zeros()).div_ceil(DIGIT_BITS).max(1);
        Self { digits: (0..count).map(|at| most >> (DIGIT_BITS * at) & 0xf).collect() }
    }

    /// The most digits that a header may have.
    fn count(&self) -> u64 {
        self.digits.len() as u64
    }

    /// Whether a header of one digit is the longest.
    fn is_one_digit(&self) -> bool {
        self.count() == 1
    }

    /// The bits in which the digits of the limit differ from each other, the least significant first.
    fn varying(&self) -> Vec<u32> {
        let first = self.digits[0];
        (0..DIGIT_BITS)
            .filter(|bit| self.digits.iter().any(|digit| (digit ^ first) >> bit & 1 == 1))
            .collect()
    }

    /// The varying bits of a digit.
    fn varying_of(&self, digit: u64) -> u64 {
        let bits = self.varying();
        bits.iter().enumerate().map(|(at, bit)| (digit >> bit & 1) << at).sum()
    }

    /// The varying bits of one of the limit's digits: of the digit that has `n` digits below it, if `behind(n)` is
    /// 1.
    fn digit<'m>(&self, m: &'m Builder, behind: impl Fn(u64) -> Signal<'m>) -> Signal<'m> {
        let bits = |digit| m.lit(self.varying().len() as u32, self.varying_of(digit));
        let mut chosen = bits(self.digits[0]);
        for (at, &digit) in self.digits.iter().enumerate().skip(1) {
            chosen = behind(at as u64).mux(bits(digit), chosen);
        }
        chosen
    }

    /// The varying bits of the limit's digit for the next unit: after B4 the first digit of a header of this length, after a digit the
    /// next one. `left_is(n)`: `n` digits are left.
    fn next_digit<'m>(
        &self,
        m: &'m Builder,
        is_b4: Signal<'m>,
        at_start: Signal<'m>,
        left_is: impl Fn(u64) -> Signal<'m>,
    ) -> Signal<'m> {
        let after_b4 = self.digit(m, |value| left_is(value.wrapping_sub(1)));
        let after_first = self.digit(m, |value| left_is(value + 1));
        let after_other = self.digit(m, |value| left_is(value + 2));
        is_b4.mux(after_b4, at_start.mux(after_first, after_other))
    }
}

/// The unit's part in a length header, if the unit continues its sequence.
pub(super) struct Header<'m> {
    /// The unit is part of a header.
    pub(super) takes: Signal<'m>,
    /// The unit is a digit of the header.
    pub(super) digit: Signal<'m>,
    /// The unit ends the header.
    pub(super) ends: Signal<'m>,
    /// NME is zero; only where the unit ends the header.
    pub(super) is_zero: Signal<'m>,
    /// The unit is a zero where the first of several digits must be.
    pub(super) overlong: Signal<'m>,
    /// The header can only mean more digits than the limit.
    pub(super) too_long: Signal<'m>,
    /// The unit is not allowed at this position of a header. `None` in a core that drops errors, where the units
    /// that follow make no slot anyway.
    pub(super) invalid: Option<Signal<'m>>,
}

impl<'m> Header<'m> {
    pub(super) fn new(
        m: &'m Builder,
        unit: BlockUnit<'m>,
        opener: Signal<'m>,
        digits: u64,
        drops_errors: bool,
    ) -> Self {
        m.section("Length header");
        let limit = Limit::new(digits);
        let BlockUnit { load, second, six, .. } = unit;
        let stage = m.stage(load);
        let before = m.reg("before_reg", 1).note("the unit comes after FF and one B4 or more");
        let length = m.reg("length_reg", 1).note("the unit comes after the first of several digits");
        let count_bits = (u64::BITS - limit.count().leading_zeros()).max(1);
        let left = m
            .reg("digits_left_reg", count_bits)
            .note("digits of the header still to come; after B4, one less than that");
        let SixBits { is_b4, is_digit, .. } = six;
        let value = six.bits.bits(0..DIGIT_BITS);
        let at_start = (second | before.q).named("at_start").note("B4 is allowed here");

        // In a header as long as the limit's, each digit is compared with the limit's until one is less.
        let one = m.lit(count_bits, 1);
        let next_left = at_start.mux(left.q, left.q - one).named("next_left");
        let b4_left = left.q + one;
        let last = m.reg("last_digit_reg", 1).note("a digit in this place is the last");
        let tight = m.reg("tight_reg", 1).note("the digits so far are those of the limit");
        // A sum is not compared with a constant: `digits_left_reg` is compared with another constant.
        let left_is = |value: u64| left.q.is(value & ((1 << count_bits) - 1));
        let b4_left_is = |value: u64| left_is(value.wrapping_sub(1));
        let b4_at_limit = b4_left_is(limit.count() - 1)
            .named("b4_at_limit")
            .note("with this B4, the header has as many digits as the limit");
        let bound = Bound::new(m, &limit);
        let steps_left = is_b4.mux(b4_left, next_left);
        left.next_when(load, opener.mux(m.lit(count_bits, 0), steps_left));
        let is_one_digit = m.lit(1, limit.is_one_digit().into());
        let full = stage.data("at_limit_reg", opener.mux(is_one_digit, b4_at_limit));
        let full = full.note("the header has as many digits as the limit");
        let stays_tight = tight.q & bound.equals(value);
        let is_tight = is_b4.mux(at_start & b4_at_limit, stays_tight & is_digit & !last.q);
        tight.next_when(load, opener.mux(is_one_digit, is_tight));
        if let Some(register) = bound.register {
            let next = limit.next_digit(m, is_b4, at_start, left_is);
            let only = m.lit(next.width(), limit.varying_of(limit.digits[0]));
            register.next_when(load, opener.mux(only, next));
        }

        let digit = (is_digit & (second | before.q | length.q)).named("digit");
        let one_left = before.q & left.q.is(1);
        // After the digit of a header of one digit there is none.
        let one_left = if limit.is_one_digit() { one_left } else { one_left | length.q & left.q.is(2) };
        last.next_when(load, opener | is_digit & one_left);
        let ends = (is_digit & last.q).named("header_ends");
        before.next_when(load, at_start & is_b4);
        length.next_when(load, (before.q | length.q & !last.q) & is_digit);
        let zero = (!(six.middle | six.low)).named("digit_is_zero");
        let takes = (second & six.bits.bit(TRAILING_BITS - 1)) | before.q | length.q;
        let overlong = (before.q & is_digit & zero).named("leading_zero");
        let b4_bad = at_start & is_b4 & full;
        let too_long = match bound.is_exceeded_by(value) {
            Some(above) => b4_bad | is_digit & (tight.q & above).named("past_limit"),
            None => b4_bad,
        };
        let too_long = too_long.named("too_long");
        let takes = takes.named("header");
        let invalid =
            (!drops_errors).then(|| (takes & !is_digit & !(at_start & is_b4)).named("header_invalid"));
        Self {
            takes,
            digit,
            ends,
            is_zero: (second & zero).named("nme_is_zero"),
            overlong,
            too_long,
            invalid,
        }
    }
}

/// The limit's digit at the place of the unit.
struct Bound<'m> {
    /// The bits in which the limit's digits differ; `None` if they are all the same.
    register: Option<Reg<'m>>,
    /// The digit's bits, the least significant first.
    bits: [BoundBit<'m>; DIGIT_BITS as usize],
}

/// A bit of the limit's digit.
#[derive(Clone, Copy)]
enum BoundBit<'m> {
    /// The bit is the same in all digits of the limit.
    Fixed(bool),
    Varies(Signal<'m>),
}

impl<'m> Bound<'m> {
    fn new(m: &'m Builder, limit: &Limit) -> Self {
        let varying = limit.varying();
        let register = (!varying.is_empty()).then(|| {
            let register = m.reg("bound_reg", varying.len() as u32);
            register.note("the limit's digit at this place: the bits that are not always the same")
        });
        let bits = std::array::from_fn(|bit| {
            let at = varying.iter().position(|&varying| varying == bit as u32);
            match at.zip(register) {
                Some((at, register)) => BoundBit::Varies(register.q.bit(at as u32)),
                None => BoundBit::Fixed(limit.digits[0] >> bit & 1 == 1),
            }
        });
        Self { register, bits }
    }

    /// Whether a digit is greater than the bound; `None` if none is. The highest bit in which they differ decides,
    /// which takes fewer levels than a carry.
    fn is_exceeded_by(&self, digit: Signal<'m>) -> Option<Signal<'m>> {
        let bits = (0..).map(|at| digit.bit(at));
        self.bits.iter().zip(bits).fold(None, |below: Option<Signal<'m>>, (bound, bit)| match *bound {
            BoundBit::Fixed(true) => below.map(|below| bit & below),
            BoundBit::Fixed(false) => Some(below.map_or(bit, |below| bit | below)),
            BoundBit::Varies(bound) => {
                Some(below.map_or(bit & !bound, |below| bit.ne(bound).mux(bit, below)))
            }
        })
    }

    /// Whether a digit is the bound.
    fn equals(&self, digit: Signal<'m>) -> Signal<'m> {
        let bits = (0..).map(|at| digit.bit(at));
        let equal = self.bits.iter().zip(bits).map(|(bound, bit)| match *bound {
            BoundBit::Fixed(true) => bit,
            BoundBit::Fixed(false) => !bit,
            BoundBit::Varies(bound) => bit.eq(bound),
        });
        equal.reduce(|all, one| all & one).expect("a digit has bits")
    }
}
