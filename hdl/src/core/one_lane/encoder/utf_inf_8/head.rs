//! What a head and the first limb behind it tell about the length of a code point.

use super::format::{LIMB_BITS, LIMB_DIGITS, PLACES};
use crate::core::one_lane::encoder::slot_stage::SlotStage;
use crate::core::shared::code_points::above;
use crate::netlist::{Builder, Signal};

/// What a slot is by itself as a head.
pub(super) struct HeadMarks<'m> {
    place: Signal<'m>,
    within: Option<Signal<'m>>,
    at_edge: Option<Signal<'m>>,
}

impl<'m> HeadMarks<'m> {
    /// The marks of a head that announces `limbs`, in a system of up to `limit` digits.
    pub(super) fn new(m: &'m Builder, limit: u64, limbs: Signal<'m>, stage: SlotStage<'m>) -> Self {
        let (most, digits_over) = (limit / LIMB_DIGITS, limit % LIMB_DIGITS);
        Self {
            place: stage.data("slot_place_reg", place(m, limbs)),
            within: above(limbs, most.into()).map(|above| stage.data("slot_within_reg", !above)),
            at_edge: (digits_over > 0).then(|| stage.data("slot_at_edge_reg", limbs.is(most + 1))),
        }
    }
}

/// What the head of the open group told: registers.
pub(super) struct OpenHead<'m> {
    /// The place of the first limb.
    pub(super) place: Signal<'m>,
    /// As many limbs of eight digits are within the limit; `None` if any number is.
    pub(super) within: Option<Signal<'m>>,
    /// The limbs are within the limit if the first of them begins with enough zero digits; `None` if that never
    /// decides.
    pub(super) at_edge: Option<Signal<'m>>,
}

impl<'m> OpenHead<'m> {
    /// The registers, which load where a head is `taken`.
    pub(super) fn new(m: &'m Builder, marks: HeadMarks<'m>, taken: Signal<'m>) -> Self {
        let on_head = m.stage(taken);
        let place = on_head.data("first_place_reg", marks.place);
        Self {
            place: place.note("place of the first limb: how many limbs follow it in its block"),
            within: marks.within.map(|within| on_head.data("within_reg", within)),
            at_edge: marks.at_edge.map(|at_edge| on_head.data("at_edge_reg", at_edge)),
        }
    }
}

/// Whether a first limb, which is not zero, is within the limit if there is no room for a limb more. `None` if every
/// such limb is.
pub(super) fn within_edge(limit: u64, limb: Signal<'_>) -> Option<Signal<'_>> {
    let digits_over = u32::try_from(limit % LIMB_DIGITS).expect("less than eight");
    (digits_over > 0).then(|| !limb.bits(4 * digits_over..LIMB_BITS).any())
}

/// How many zero digits a limb begins with that is not zero: three bits.
pub(super) fn zero_digits<'m>(m: &'m Builder, limb: Signal<'m>) -> Signal<'m> {
    // If all digits above the last are zero, the last is not.
    let above_last: Vec<Signal> = (1..8)
        .map(|digit| limb.bits(4 * digit..4 * digit + 4).any().named(&format!("digit_{digit}_not_zero")))
        .collect();
    let some = |digit: usize| above_last[digit - 1];
    let upper = (some(4) | some(5) | some(6) | some(7)).named("upper_digits_not_zero");
    let pair = upper.mux(some(7) | some(6), some(3) | some(2));
    let quad = |high: usize| some(high) | !some(high - 1) & some(high - 2);
    let odd = upper.mux(quad(7), quad(3));
    m.concat([!upper, !pair, !odd]).named("zero_digits").note("zero digits in front of a first limb")
}

/// The place of the first of so many limbs: one less than their number, modulo three.
fn place<'m>(m: &'m Builder, limbs: Signal<'m>) -> Signal<'m> {
    // A number modulo three is the sum of its digits to base four, modulo three.
    let mut rests: Vec<Signal> =
        (0..LIMB_BITS / 2).map(|digit| limbs.bits(2 * digit..2 * digit + 2)).collect();
    while rests.len() > 1 {
        let count = rests.len() / 2;
        let pairs = rests.chunks(2).enumerate();
        let sum = |(at, pair): (usize, &[Signal<'m>])| {
            rest(m, pair[0], pair[1]).named(&format!("limbs_modulo_3_{count}_{at}"))
        };
        rests = pairs.map(sum).collect();
    }
    let sum = rests[0];
    m.concat([!sum.any(), sum.bit(1)]).named("place_of_first")
}

/// The sum of two digits to base four modulo three; of the operands, 3 counts as 0.
fn rest<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let arms = (0..16u64).map(|both| ([both], m.lit(2, (both / 4 + both % 4) % u64::from(PLACES))));
    m.concat([a, b]).case_of(arms, m.lit(2, 0))
}
