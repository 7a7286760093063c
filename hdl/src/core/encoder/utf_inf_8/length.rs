//! How long a code point is: what its head and its first limb tell.

use super::{LIMB, PLACES};
use crate::core::encoder::cut::Cut;
use crate::core::encoder::unfit::above;
use crate::core::system::FEWEST_DIGITS;
use crate::netlist::{Builder, Signal};

/// Hexadecimal digits of a limb.
const DIGITS: u64 = 8;

/// What the head of a group tells, from the slot behind it on.
pub(super) struct Heads<'m> {
    /// The place of its first limb: how many of its block follow.
    pub(super) place: Signal<'m>,
    /// So many limbs of eight digits are within the limit, where any number is not.
    pub(super) within: Option<Signal<'m>>,
    /// They are within if the first limb starts with enough zero digits.
    pub(super) at_edge: Option<Signal<'m>>,
    /// Its number of limbs, as far as it counts.
    limbs: Signal<'m>,
}

/// What a slot is as a head.
pub(super) struct Head<'m> {
    place: Signal<'m>,
    within: Option<Signal<'m>>,
    at_edge: Option<Signal<'m>>,
}

/// Tells what `limbs`, of a head, come to.
pub(super) fn head<'m>(m: &'m Builder, limit: u64, limbs: Signal<'m>, cut: Cut<'m>) -> Head<'m> {
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

/// Takes in `head`, of so many limbs, where `taken` is high.
pub(super) fn heads<'m>(
    m: &'m Builder,
    limit: u64,
    (head, limbs): (Head<'m>, Signal<'m>),
    taken: Signal<'m>,
) -> Heads<'m> {
    let register = |name: &str, next: Signal<'m>| {
        let register = m.reg(name, next.width());
        register.next_when(taken, next);
        register.q
    };
    let bits = (u64::BITS - ((limit - FEWEST_DIGITS) >> 3).leading_zeros()).max(1);
    Heads {
        place: register("first_place_reg", head.place).note("limbs that follow the first in its block"),
        within: head.within.map(|within| register("within_reg", within)),
        at_edge: head.at_edge.map(|at_edge| register("at_edge_reg", at_edge)),
        limbs: register("limbs_reg", limbs.bits(0..bits)).note("of the head last taken"),
    }
}

/// What is known of a code point two cycles after its first limb was taken, until the next first limb is.
pub(super) struct Length<'m> {
    /// Its digits less those that are least (NME).
    pub(super) digits: Signal<'m>,
    /// The position of the first unit that its first limb is in.
    pub(super) start: Signal<'m>,
}

/// Tells the length from the `zeros` in front of the first limb, which is taken where `taken` is high.
pub(super) fn length<'m>(
    m: &'m Builder,
    heads: &Heads<'m>,
    zeros: Signal<'m>,
    taken: Signal<'m>,
) -> Length<'m> {
    m.section("Length of a code point that is written as it comes");
    let first_taken = m.reg("first_taken_reg", 1).reset(0).note("the first limb was taken just now");
    let first_zeros = m.reg("first_zeros_reg", 3).note("zero digits in front of it");
    first_taken.next(taken);
    first_zeros.next_when(taken, zeros);
    // Eight digits a limb, less the zeros in front and eighteen: 8 (limbs - 3) + 6 - zeros.
    let bits = heads.limbs.width();
    let borrow = first_zeros.q.all();
    let off: Vec<Signal> = [borrow, !borrow, !borrow].into_iter().rev().take(bits as usize).collect();
    let off = m.concat(off.into_iter().rev()).zext(bits);
    let start = m.reg("first_start_reg", 4).note("units that follow the first that it is in");
    let digits = m.reg("length_reg", bits + 3).note("digits less eighteen");
    start.next_when(first_taken.q, block_start(m, heads.place, first_zeros.q));
    let low = m.lit(3, 6) - first_zeros.q;
    digits.next_when(first_taken.q, m.concat([heads.limbs - off.named("limbs_off"), low]));
    Length { digits: digits.q, start: start.q }
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
fn block_start<'m>(m: &'m Builder, place: Signal<'m>, zero_digits: Signal<'m>) -> Signal<'m> {
    let start = |both: u64| {
        let digits = DIGITS * (both / DIGITS + 1) - both % DIGITS;
        2 * digits.div_ceil(3) - 1
    };
    let arms = (0..DIGITS * u64::from(PLACES)).map(|both| ([both], m.lit(4, start(both))));
    m.concat([place, zero_digits]).case_of(arms, m.lit(4, 0)).named("first_block_start")
}
