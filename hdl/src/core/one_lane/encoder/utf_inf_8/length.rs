//! How long a code point is: what its head and its first limb tell.

use super::events::Event;
use super::passes::Passes;
use super::{LIMB, PLACES};
use crate::core::one_lane::encoder::slot_stage::SlotStage;
use crate::core::shared::code_points::above;
use crate::core::system::FEWEST_DIGITS;
use crate::netlist::{Builder, Signal};

/// Hexadecimal digits of a limb.
const DIGITS: u64 = 8;

/// Bits of each of the parts that the fours of limbs count down in.
const PART_BITS: u32 = 6;

/// What the head of a group tells, from the slot behind it on.
pub(super) struct Heads<'m> {
    /// The place of its first limb: how many of its block follow.
    pub(super) place: Signal<'m>,
    /// So many limbs of eight digits are within the limit, where any number is not.
    pub(super) within: Option<Signal<'m>>,
    /// They are within if the first limb starts with enough zero digits.
    pub(super) at_edge: Option<Signal<'m>>,
}

/// What a slot is as a head.
pub(super) struct Head<'m> {
    place: Signal<'m>,
    within: Option<Signal<'m>>,
    at_edge: Option<Signal<'m>>,
}

/// Tells what `limbs`, of a head, come to.
pub(super) fn head<'m>(m: &'m Builder, limit: u64, limbs: Signal<'m>, cut: SlotStage<'m>) -> Head<'m> {
    let (most, digits_over) = (limit / DIGITS, limit % DIGITS);
    Head {
        place: cut.data("slot_place_reg", place(m, limbs)),
        within: above(limbs, most.into()).map(|above| cut.data("slot_within_reg", !above)),
        at_edge: (digits_over > 0).then(|| cut.data("slot_at_edge_reg", limbs.is(most + 1))),
    }
}

/// Whether a first limb, which is not zero, is within the limit where the limbs behind it are the most that it has room
/// for; where such a limb is not always.
pub(super) fn within_edge(limit: u64, limb: Signal<'_>) -> Option<Signal<'_>> {
    let digits_over = u32::try_from(limit % DIGITS).expect("less than eight");
    (digits_over > 0).then(|| !limb.bits(4 * digits_over..LIMB).any())
}

/// Takes in `head` where `taken` is high.
pub(super) fn heads<'m>(m: &'m Builder, head: Head<'m>, taken: Signal<'m>) -> Heads<'m> {
    let register = |name: &str, next: Signal<'m>| {
        let register = m.reg(name, next.width());
        register.next_when(taken, next);
        register.q
    };
    Heads {
        place: register("first_place_reg", head.place).note("limbs that follow the first in its block"),
        within: head.within.map(|within| register("within_reg", within)),
        at_edge: head.at_edge.map(|at_edge| register("at_edge_reg", at_edge)),
    }
}

/// The digits of a code point that is written as it comes, less those that are least (NME).
pub(super) struct Length<'m> {
    /// From the cycle behind the opener's load on, until another opener's.
    pub(super) digits: Signal<'m>,
}

/// Tells the length of a code point of up to `limit` digits from the number of limbs in the `beat` of its head, and from the
/// event of its first limb, where that is `next` and its opener is loaded in `load`.
pub(super) fn length<'m>(
    m: &'m Builder,
    limit: u64,
    beat: Event<'m>,
    next: &Passes<'m>,
    load: Signal<'m>,
) -> Length<'m> {
    // Where eighteen digits are the most, they are the fewest, too.
    let Some(head) = beat.head else { return Length { digits: m.lit(3, 0) } };
    m.section("Length of a code point that is written as it comes");
    let bits = (u64::BITS - ((limit - FEWEST_DIGITS) >> 3).leading_zeros()).max(1);
    let limbs = m.reg("limbs_reg", bits).note("of the head last taken");
    limbs.next_when((beat.valid & head & !next.holds).named("head_here"), beat.data.bits(0..bits));
    // Eight digits a limb, less the zeros in front and eighteen: 8 (limbs - 3) + 6 - zeros. That is four limbs less, and one
    // more unless there are seven zeros. Fours of limbs count down in parts; which of them are zero, and so pass the count
    // on, is known a cycle before it matters, and whether there is one less, too.
    let low = limbs.q.bits(0..bits.min(2));
    let one_more = !beat.one_digit();
    let less = (bits > 2).then(|| {
        let less = m.reg("fours_less_reg", 1).note("of its limbs, there is one four less");
        less.next_when(next.free, !(low.all() & one_more));
        less.q
    });
    let mut digits = vec![m.lit(3, 6) - next.zeros, low + (!next.one_digit).zext(low.width())];
    let mut passes_on = less;
    let mut from = 2;
    while let Some(less) = passes_on.filter(|_| from < bits) {
        let to = (from + PART_BITS).min(bits);
        let part = limbs.q.bits(from..to);
        digits.push(part - less.zext(part.width()));
        if to < bits {
            let zero = m.reg(&format!("limbs_{from}_zero_reg"), 1);
            zero.next(!part.any());
            passes_on = Some(less & zero.q);
        }
        from = to;
    }
    digits.reverse();
    let length = m.reg("length_reg", bits + 3).note("digits less eighteen");
    length.next_when(load & next.opener, m.concat(digits));
    Length { digits: length.q }
}

/// The place of the first of so many limbs: one less than their number, modulo three.
fn place<'m>(m: &'m Builder, limbs: Signal<'m>) -> Signal<'m> {
    // A digit to base four is its own rest, but for 3, and the rest of a number is that of the sum of its digits.
    let mut rests: Vec<Signal> = (0..LIMB / 2).map(|digit| limbs.bits(2 * digit..2 * digit + 2)).collect();
    while rests.len() > 1 {
        rests = rests.chunks(2).map(|pair| rest(m, pair[0], pair[1])).collect();
    }
    let sum = rests[0];
    m.concat([!sum.any(), sum.bit(1)]).named("place_of_first")
}

/// The sum of two digits to base four modulo three, where 3 is a 0 too.
fn rest<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let arms = (0..16u64).map(|both| ([both], m.lit(2, (both / 4 + both % 4) % u64::from(PLACES))));
    m.concat([a, b]).case_of(arms, m.lit(2, 0))
}

/// How many zero digits a limb that is not zero starts with, three bits.
pub(super) fn zero_digits<'m>(m: &'m Builder, limb: Signal<'m>) -> Signal<'m> {
    let some: Vec<Signal> = (0..8).map(|digit| limb.bits(4 * digit..4 * digit + 4).any()).collect();
    let upper = some[4] | some[5] | some[6] | some[7];
    let pair = upper.mux(some[7] | some[6], some[3] | some[2]);
    let quad = |high: usize| some[high] | !some[high - 1] & some[high - 2];
    let odd = upper.mux(quad(7), quad(3));
    m.concat([!upper, !pair, !odd]).named("zero_digits").note("of the limb, in front")
}

/// The position of the first unit of a first block, by the place of its first limb and the zero digits in front of that.
pub(super) fn block_start<'m>(m: &'m Builder, place: Signal<'m>, zero_digits: Signal<'m>) -> Signal<'m> {
    let start = |both: u64| {
        let digits = DIGITS * (both / DIGITS + 1) - both % DIGITS;
        2 * digits.div_ceil(3) - 1
    };
    let arms = (0..DIGITS * u64::from(PLACES)).map(|both| ([both], m.lit(4, start(both))));
    m.concat([place, zero_digits]).case_of(arms, m.lit(4, 0)).named("first_block_start")
}
