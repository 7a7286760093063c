//! The counter of the limbs of a group that are still to come.

use std::sync::Arc;

use crate::netlist::{Builder, Module};

/// Bits of the lower part, which counts limb by limb.
const LOW_BITS: u32 = 4;
/// Bits of a digit of the upper part.
const DIGIT_BITS: u32 = 2;
/// Bits of a number of limbs.
const BITS: u32 = 32;
/// Bits of half of the digits.
const HALF_BITS: u32 = (BITS - LOW_BITS) / 2;

/// A counter that tells the last limb of a group, with the ports `slot_taken`, `is_limb`, `is_head`, `limbs` (32 bits) and
/// `final_limb`.
///
/// A limb counts down. Any other slot loads the counter, though only the number of a head matters. Module name `limb_counter`.
///
/// The low four bits count each limb. When they go from 0 to 15, one is subtracted from the upper 28 bits, which takes up to fifteen limbs. The
/// upper bits are a ring of fourteen digits: each limb moves the ring by one digit, and the borrow is subtracted from the digit that moves from
/// the low end to the high end. A subtractor of two bits is enough, and there is no carry chain.
pub(super) fn limb_counter() -> Arc<Module> {
    let m = Builder::new(
        "limb_counter",
        "Counts down the limbs that a head announces, and tells the last of them. Any slot but a limb loads the counter. The bits above the \
         lowest four are a ring of 14 digits of two bits. While the lowest four bits go from 15 to 1, the ring turns once, and each digit passes \
         the place where a borrow is subtracted.",
    );
    m.port_group("Slots");
    let taken = m.input("slot_taken", 1, "a slot is taken");
    let is_limb = m.input("is_limb", 1, "the slot is a limb");
    let is_head = m.input("is_head", 1, "the slot is a head");
    let limbs = m.input("limbs", BITS, "in a head: how many limbs follow");

    let low = m.reg("low_reg", LOW_BITS).note("limbs still to come, modulo 16");
    let lower = m
        .reg("lower_digits_reg", HALF_BITS)
        .note("sixteens of limbs still to come: the seven digits at the low end of the ring");
    let upper = m.reg("upper_digits_reg", HALF_BITS).note("the seven digits at the high end");
    let moves = m.reg("moves_reg", 1).note("the next limb moves the digits");
    let borrow = m.reg("borrow_reg", 1).note("one is still to be subtracted from the digits");
    let above = m.reg("above_reg", 1).note("what is left in the digits is not zero");

    let runs_over = low.q.is(0).named("runs_over");
    low.next_when(taken, is_limb.mux(low.q - m.lit(LOW_BITS, 1), limbs.bits(0..LOW_BITS)));

    // In each turn, fourteen of sixteen limbs move the digits; before the low bits run over for the first time, none does.
    moves.next_when(taken, is_limb & (runs_over | moves.q & !low.q.is(2)));
    let digit = lower.q.bits(0..DIGIT_BITS);
    let less = (digit - borrow.q.zext(DIGIT_BITS)).named("digit_less");
    let (loaded_lower, loaded_upper) =
        (limbs.bits(LOW_BITS..LOW_BITS + HALF_BITS), limbs.bits(LOW_BITS + HALF_BITS..BITS));
    let turned_lower = m.concat([upper.q.bits(0..DIGIT_BITS), lower.q.bits(DIGIT_BITS..HALF_BITS)]);
    let turned_upper = m.concat([less, upper.q.bits(DIGIT_BITS..HALF_BITS)]);
    // Two enables, which differ only in slots after which the digits do not matter. A single net to all digits would be one of the longest.
    let lower_taken = (taken & !(is_limb & !moves.q)).named("lower_taken");
    let upper_taken = (taken & (is_head | is_limb & moves.q)).named("upper_taken");
    lower.next_when(lower_taken, is_limb.mux(turned_lower, loaded_lower));
    upper.next_when(upper_taken, is_limb.mux(turned_upper, loaded_upper));
    borrow.next_when(taken, runs_over | borrow.q & !digit.any());
    let any_above = (!runs_over & (above.q | moves.q & less.any())).named("any_above");
    above.next_when(taken, is_limb.mux(any_above, limbs.bits(LOW_BITS..BITS).any()));

    m.output("final_limb", !above.q & low.q.is(1), "a limb would be the last");
    m.built()
}
