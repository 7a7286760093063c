//! The counter of the limbs of a group that are still to come.

use std::sync::Arc;

use crate::netlist::{Builder, Module, Signal};

/// Bits of each part of the counter above the two lowest bits.
const PART_BITS: u32 = 10;

/// A counter that tells the last limb of a group, with the ports `slot_taken`, `is_limb`, `limbs` (32 bits) and
/// `final_limb`.
///
/// A limb counts down; any other slot loads the counter, of which only the number that a head loads matters. That
/// number must not be less than 2, since the counter knows a limb late whether its upper bits are zero. Module name
/// `limb_counter`.
pub(super) fn limb_counter() -> Arc<Module> {
    let m = Builder::new(
        "limb_counter",
        "Counts down the limbs that a head announces, at least two, and tells the last of them. Any slot but a limb \
         loads the counter.",
    );
    m.port_group("Slots");
    let taken = m.input("slot_taken", 1, "a slot is taken");
    let is_limb = m.input("is_limb", 1, "the slot is a limb");
    let limbs = m.input("limbs", 32, "in a head: how many limbs follow");

    // The counter has four parts. The lowest counts at once; each part above counts where the one below has run over,
    // the upper two a limb late. So there is time to see whether a part is zero, and no carry goes far.
    let low = m.reg("low_reg", 2).note("limbs still to come, modulo 4");
    let low_over = m.reg("low_over_reg", 1).note("the low part ran over at the limb last taken");
    low.next_when(taken, is_limb.mux(low.q - m.lit(2, 1), limbs.bits(0..2)));
    low_over.next_when(taken, is_limb & low.q.is(0));
    let part = |at: u32| limbs.bits(2 + at * PART_BITS..2 + (at + 1) * PART_BITS);
    let next_taken = (taken & !(is_limb & low.q.any())).named("next_taken");
    let next_zero = count(&m, "next", part(0), is_limb, taken, next_taken);
    let next_over =
        (low_over.q & next_zero).named("next_over").note("the next part ran over at the limb last taken");
    let middle_taken = (taken & !(is_limb & !next_over)).named("middle_taken");
    let middle_zero = count(&m, "middle", part(1), is_limb, taken, middle_taken);
    let next_ran_over = m.reg("next_over_reg", 1).note("the next part ran over at the limb before that");
    next_ran_over.next_when(taken, is_limb & next_over);
    let middle_over = (next_ran_over.q & middle_zero)
        .named("middle_over")
        .note("the middle part ran over at the limb last taken");
    let upper_taken = (taken & !(is_limb & !middle_over)).named("upper_taken");
    let upper_zero = count(&m, "upper", part(2), is_limb, taken, upper_taken);

    m.output("final_limb", next_zero & middle_zero & upper_zero & low.q.is(1), "a limb would be the last");
    m.built()
}

/// A part of the counter, which counts down or loads `number` where `moves` is high. Gives whether it was zero before
/// the limb last taken.
fn count<'m>(
    m: &'m Builder,
    name: &str,
    number: Signal<'m>,
    is_limb: Signal<'m>,
    taken: Signal<'m>,
    moves: Signal<'m>,
) -> Signal<'m> {
    let bits = number.width();
    let part = m.reg(&format!("{name}_reg"), bits).note("a part of the number of limbs");
    let zero = m.reg(&format!("{name}_zero_reg"), 1).note("the part was zero before the limb last taken");
    // Minus one is all ones. The sum is used for limbs only; with `is_limb` as its operand, sum and multiplexer fit in
    // one LUT a bit.
    let sum = (part.q + is_limb.repeat(bits as usize)).named(&format!("{name}_sum"));
    part.next_when(moves, is_limb.mux(sum, number));
    zero.next_when(taken, is_limb & !part.q.any());
    zero.q
}
