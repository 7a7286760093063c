//! The number of limbs of a sequence with a length header, and the one at hand.
//!
//! NUD digits, NME and eighteen, make 3 + NME / 8 limbs, and one more where NME % 8 is 7. The number NME / 8 is counted down
//! first, then the rest. Between two limbs are units enough to do that one by one: a limb is counted a unit late, and of a
//! number as wide, that it is zero is told a unit later still.

use super::Unit;
use super::header::{Header, LEAST_DIGITS};
use super::storage::Storage;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal, Stage};

/// Bits of a digit of the header.
const FOUR: u32 = 4;
/// Half of the bits of a slot: a carry runs through no more.
const HALF: u32 = SLOT_DATA_BITS / 2;
/// Digits in a limb, as a power of two.
const LOG_DIGITS: u32 = 3;

pub(super) struct Limbs<'m> {
    /// The unit has the last bit of a limb.
    pub(super) complete: Signal<'m>,
    /// It is the last limb.
    pub(super) last: Signal<'m>,
    /// If complete: what is left over behind it, a [`Cut`].
    pub(super) cut: Signal<'m>,
    /// Limbs but three or four, if the header may say more; and whether there are four.
    upper: Option<Signal<'m>>,
    one_more: Signal<'m>,
}

impl<'m> Limbs<'m> {
    /// For code points of up to `most_digits` digits.
    pub(super) fn new(
        m: &'m Builder,
        unit: Unit<'m>,
        header: &Header<'m>,
        storage: &Storage<'m>,
        most_digits: u64,
    ) -> Self {
        m.section("Limbs behind a length header");
        let Unit { load, six, second, .. } = unit;
        let digit = six.bits.bits(0..FOUR);
        let first = m.reg("first_limb_reg", 1).note("no limb is complete yet");
        first.next_when(load, header.ends | first.q & !storage.complete);
        let counts = (storage.complete & !first.q).named("counts");

        let most = (most_digits - LEAST_DIGITS) >> LOG_DIGITS;
        let upper = (most > 0).then(|| {
            let bits = u64::BITS - most.leading_zeros();
            let upper =
                m.reg("upper_reg", bits).note("NME / 8, then limbs still to come but the last two or three");
            let before = (bits > 1).then(|| {
                let width = LOG_DIGITS.min(bits - 1);
                let low = m.reg("rest_of_8_reg", width).note("NME % 8, as far as it is to be shifted");
                low.next_when(load, digit.bits(0..width).when(six.is_digit));
                match bits - 1 - width {
                    0 => low.q,
                    kept => m.concat([upper.q.bits(0..kept), low.q]),
                }
            });
            let empty = m.reg("upper_is_zero_reg", 1);
            empty.next_when(load, !upper.q.any());
            let less = (counts & !empty.q).named("less");
            let next = storage.inside.mux(
                counted_down(m, unit, upper.q, less, storage),
                m.concat(before.into_iter().chain([digit.bit(LOG_DIGITS)])),
            );
            // Behind FF the digit is the first.
            let above = (bits > 1).then(|| next.bits(1..bits).when(!second));
            upper.next_when(load, m.concat(above.into_iter().chain([next.bit(0)])));
            (upper.q, empty.q)
        });
        let is_7 = digit.bits(0..LOG_DIGITS).all().named("is_7");
        let tail = m.reg("tail_reg", 2).note("limbs still to come behind those");
        let empty = upper.map_or(m.lit(1, 1), |(_, empty)| empty);
        let counted = m.reg("tail_counts_reg", 1).note("one of those to be counted");
        counted.next_when(load, counts & empty);
        let tail_less = tail.q - counted.q.zext(2);
        tail.next_when(load, header.ends.mux(m.concat([m.lit(1, 1), is_7]), tail_less));
        let last = (counts & empty & tail.q.is(1)).named("last_limb");
        Self {
            complete: storage.complete,
            last,
            cut: !storage.need.bits(0..2),
            upper: upper.map(|(upper, _)| upper),
            one_more: tail.q.bit(0),
        }
    }

    /// The number of limbs, two stages behind the end of the header; without meaning where `unused`.
    pub(super) fn count(&self, m: &'m Builder, unused: Signal<'m>, stage: Stage<'m>) -> Signal<'m> {
        // Three, or four. Where the sum does not matter ones stand above: so adder and multiplexer share their LUTs.
        let ones = |bits: u32| unused.repeat(bits as usize);
        let four = stage.data("slot_four_reg", self.one_more);
        let three = stage.data("slot_three_reg", !self.one_more);
        let rest = |bits: u32| m.concat([ones(bits - 3), four, three, three]);
        let Some(upper) = self.upper else { return rest(SLOT_DATA_BITS) };
        if upper.width() <= HALF {
            return upper.zext(SLOT_DATA_BITS) + rest(SLOT_DATA_BITS);
        }
        // What is carried into the upper half is known a cycle before.
        let (low, high) = (upper.bits(0..HALF), upper.bits(HALF..upper.width()));
        let carry = low.bits(2..HALF).all() & (self.one_more | low.bits(0..2).any());
        let carry = stage.data("slot_carry_reg", carry.named("count_carries"));
        m.concat([high.zext(HALF) + m.concat([ones(HALF - 1), carry]), low + rest(HALF)])
    }
}

/// One less, a unit after `less`, behind a header; elsewhere anything.
fn counted_down<'m>(
    m: &'m Builder,
    unit: Unit<'m>,
    upper: Signal<'m>,
    less: Signal<'m>,
    storage: &Storage<'m>,
) -> Signal<'m> {
    let lowest = m.reg("less_reg", 1).note("a limb to be counted here");
    lowest.next_when(unit.load, less);
    let lowest = upper.bit(0) ^ lowest.q;
    if upper.width() == 1 {
        return lowest;
    }
    let above = upper.bits(1..upper.width());
    let stays = m.reg("upper_stays_reg", 1).note("without a borrow from the lowest bit");
    stays.next_when(unit.load, !less | upper.bit(0));
    // Minus one, and one as the carry where it stays. In a header the sum does not matter: so adder and multiplexer share
    // their LUTs.
    let minus_one = storage.inside.repeat(above.width() as usize);
    m.concat([above + minus_one + stays.q.zext(above.width()), lowest]).named("counted_down")
}
