//! Counts the limbs of a sequence with a length header.
//!
//! The NME + 18 digits of a code point make 3 + NME / 8 limbs, or 4 + NME / 8 if NME % 8 is 7. The number NME / 8 is
//! counted down first, then the rest. Two limbs are several units apart, so there is time to count in small steps: a
//! limb is counted one unit late, and the test of the upper number for zero comes another unit later.

use super::format::{DIGIT_BITS, LEAST_DIGITS};
use super::header::Header;
use super::storage::Storage;
use super::unit::BlockUnit;
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, Signal, Stage};

/// Half of the bits of a slot: no carry runs through more.
const HALF: u32 = SLOT_DATA_BITS / 2;
/// Digits in a limb, as a power of two.
const LOG_DIGITS: u32 = 3;

/// The limbs after a length header.
pub(super) struct LimbCount<'m> {
    /// The unit has the last bit of a limb.
    pub(super) complete: Signal<'m>,
    /// The complete limb is the last.
    pub(super) last: Signal<'m>,
    /// The bits left over after a complete limb: a [`LeftOver`](super::format::LeftOver).
    pub(super) left_over: Signal<'m>,
    /// The number of limbs less three or four; `None` if the header cannot ask for more.
    upper: Option<Signal<'m>>,
    /// The number of limbs is four more than the upper number, not three.
    four_more: Signal<'m>,
}

impl<'m> LimbCount<'m> {
    /// The limbs of code points of up to `most_digits` digits.
    pub(super) fn new(
        m: &'m Builder,
        unit: BlockUnit<'m>,
        header: &Header<'m>,
        storage: &Storage<'m>,
        most_digits: u64,
    ) -> Self {
        m.section("Limbs after a length header");
        let BlockUnit { load, six, second, .. } = unit;
        let stage = m.stage(load);
        let digit = six.bits.bits(0..DIGIT_BITS);
        let first = m.reg("first_limb_reg", 1).note("no limb is complete yet");
        first.next_when(load, header.ends | first.q & !storage.complete);
        let counts = (storage.complete & !first.q).named("counts").note("a limb is complete, not the first");

        let most = (most_digits - LEAST_DIGITS) >> LOG_DIGITS;
        let upper = (most > 0).then(|| {
            let bits = u64::BITS - most.leading_zeros();
            let upper =
                m.reg("upper_reg", bits).note("NME / 8, then the limbs still to come but the last few");
            let shifted = (bits > 1).then(|| {
                let width = LOG_DIGITS.min(bits - 1);
                let low = stage.data("rest_of_8_reg", digit.bits(0..width).when(six.is_digit));
                let low = low.note("NME % 8, as far as it is to be shifted into NME / 8");
                match bits - 1 - width {
                    0 => low,
                    kept => m.concat([upper.q.bits(0..kept), low]),
                }
            });
            let is_zero = stage.data("upper_is_zero_reg", !upper.q.any());
            let less = (counts & !is_zero).named("less");
            let next = storage.inside.mux(
                counted_down(m, unit, upper.q, less, storage),
                m.concat(shifted.into_iter().chain([digit.bit(LOG_DIGITS)])),
            );
            // After FF the digit is the first, with no digit above it.
            let next = if bits > 1 { next.named("next_upper") } else { next };
            let above = (bits > 1).then(|| next.bits(1..bits).when(!second));
            upper.next_when(load, m.concat(above.into_iter().chain([next.bit(0)])));
            (upper.q, is_zero)
        });
        let is_7 = digit.bits(0..LOG_DIGITS).all().named("is_7").note("NME % 8 is 7");
        let tail = m.reg("tail_reg", 2).note("limbs still to come after those of the upper number");
        let upper_is_zero = upper.map_or(m.lit(1, 1), |(_, is_zero)| is_zero);
        let counted =
            stage.data("tail_counts_reg", counts & upper_is_zero).note("one of the last limbs is complete");
        let tail_less = tail.q - counted.zext(2);
        tail.next_when(load, header.ends.mux(m.concat([m.lit(1, 1), is_7]), tail_less));
        let last = (counts & upper_is_zero & tail.q.is(1)).named("last_limb");
        Self {
            complete: storage.complete,
            last,
            left_over: !storage.need.bits(0..2),
            upper: upper.map(|(upper, _)| upper),
            four_more: tail.q.bit(0),
        }
    }

    /// The number of limbs, two stages after the end of the header; without meaning while it is `unused`.
    pub(super) fn number(&self, m: &'m Builder, unused: Signal<'m>, stage: Stage<'m>) -> Signal<'m> {
        // Three or four are added. Where the sum is unused, ones are added above them, so that adder and multiplexer
        // share LUTs.
        let ones = |bits: u32| unused.repeat(bits as usize);
        let four = stage.data("slot_four_reg", self.four_more);
        let three = stage.data("slot_three_reg", !self.four_more);
        let rest = |bits: u32| m.concat([ones(bits - 3), four, three, three]);
        let Some(upper) = self.upper else { return rest(SLOT_DATA_BITS) };
        if upper.width() <= HALF {
            return upper.zext(SLOT_DATA_BITS) + rest(SLOT_DATA_BITS);
        }
        // The carry into the upper half is known a cycle before.
        let (low, high) = (upper.bits(0..HALF), upper.bits(HALF..upper.width()));
        let carry = low.bits(2..HALF).all() & (self.four_more | low.bits(0..2).any());
        let carry = stage.data("slot_carry_reg", carry.named("count_carries"));
        m.concat([high.zext(HALF) + m.concat([ones(HALF - 1), carry]), low + rest(HALF)])
    }
}

/// One less than `upper`, a unit after `less`; anything outside storage octets.
fn counted_down<'m>(
    m: &'m Builder,
    unit: BlockUnit<'m>,
    upper: Signal<'m>,
    less: Signal<'m>,
    storage: &Storage<'m>,
) -> Signal<'m> {
    let stage = m.stage(unit.load);
    let lowest = upper.bit(0) ^ stage.data("less_reg", less).note("a limb of the upper number is complete");
    if upper.width() == 1 {
        return lowest;
    }
    let above = upper.bits(1..upper.width());
    let stays = stage.data("upper_stays_reg", !less | upper.bit(0)).note("the lowest bit does not borrow");
    // Minus one is all ones; where there is nothing to borrow, a carry adds one. In a header the sum is not used, so
    // that adder and multiplexer share LUTs.
    let minus_one = storage.inside.repeat(above.width() as usize);
    m.concat([above + minus_one + stays.zext(above.width()), lowest]).named("counted_down")
}
