//! The length of a code point of `utf-inf-8`, from its head and first limb.

use crate::netlist::{Builder, Signal};

/// Bits of a limb.
pub(in crate::core) const LIMB_BITS: u32 = 32;
/// Hexadecimal digits of a limb.
pub(in crate::core) const LIMB_DIGITS: u64 = 8;
/// Places of a block: three limbs are 96 bits, and so are sixteen units.
pub(in crate::core) const PLACES: u32 = 3;

/// Whether a first limb, which is not zero, is within the limit if there is no room for a limb more. `None` if every
/// such limb is.
pub(in crate::core) fn within_edge(limit: u64, limb: Signal<'_>) -> Option<Signal<'_>> {
    let digits_over = u32::try_from(limit % LIMB_DIGITS).expect("a remainder modulo eight is small");
    (digits_over > 0).then(|| !limb.bits(4 * digits_over..LIMB_BITS).any())
}

/// How many zero digits a limb begins with that is not zero: three bits.
pub(in crate::core) fn zero_digits<'m>(m: &'m Builder, limb: Signal<'m>) -> Signal<'m> {
    // If all digits above the last are zero, the last is not.
    let above_last: Vec<Signal> = (1..8)
        .map(|digit| limb.bits(4 * digit..4 * digit + 4).any().named(&format!("digit_{digit}_not_zero")))
        .collect();
    let some = |digit: usize| above_last[digit - 1];
    let upper = (some(4) | some(5) | some(6) | some(7)).named("upper_digits_not_zero");
    let pair = upper.mux(some(7) | some(6), some(3) | some(2));
    let quad = |high: usize| some(high) | !some(high - 1) & some(high - 2);
    let odd = upper.mux(quad(7), quad(3));
    m.concat([!upper, !pair, !odd]).named("zero_digits").note("zero digits before a first limb")
}

/// The form of sums modulo three: logic, or tables of constants. Yosys makes memories of such tables, and moves the register of the digits from the
/// inputs of a memory to its outputs. The path that begins at the register is then shorter, and the path that ends there longer.
#[derive(Clone, Copy)]
pub(in crate::core) enum Sums {
    Logic,
    Tables,
}

/// The place of the first of `limbs` limbs: their number less one, modulo three.
pub(in crate::core) fn place<'m>(m: &'m Builder, limbs: Signal<'m>, sums: Sums) -> Signal<'m> {
    // A number modulo three is the sum of its digits to base four, modulo three.
    let mut rests: Vec<Signal> =
        (0..LIMB_BITS / 2).map(|digit| limbs.bits(2 * digit..2 * digit + 2)).collect();
    while rests.len() > 1 {
        let count = rests.len() / 2;
        let pairs = rests.chunks(2).enumerate();
        let sum = |(at, pair): (usize, &[Signal<'m>])| {
            let rest = match sums {
                Sums::Logic => rest,
                Sums::Tables => rest_of_table,
            };
            rest(m, pair[0], pair[1]).named(&format!("limbs_modulo_3_{count}_{at}"))
        };
        rests = pairs.map(sum).collect();
    }
    let sum = rests[0];
    m.concat([!sum.any(), sum.bit(1)]).named("place_of_first")
}

/// The sum of two digits to base four modulo three; of the operands, 3 counts as 0.
fn rest<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let is =
        |digit: Signal<'m>, rest: u64| if rest == 0 { digit.is(0) | digit.is(3) } else { digit.is(rest) };
    let sum_is = |sum: u64| {
        let pairs = (0..3).map(|first| is(a, first) & is(b, (3 + sum - first) % 3));
        pairs.reduce(|one, other| one | other).expect("three pairs")
    };
    m.concat([sum_is(2), sum_is(1)])
}

/// [`rest`] as a table.
fn rest_of_table<'m>(m: &'m Builder, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let arms = (0..16u64).map(|both| ([both], m.lit(2, (both / 4 + both % 4) % u64::from(PLACES))));
    m.concat([a, b]).case_of(arms, m.lit(2, 0))
}
