//! Plain code points as rows of digits of one length: the octets of `utf-16le` and `utf-32be`, or the nonets of `utf-18`.
//!
//! The loops over a block have the number of digits, their width and their order as constants, so that the compiler makes
//! vector instructions of them.

use super::{BLOCK, PlainUnits, Run, WholeSequences};
use crate::{ByteOrder, Unit};

/// The plain code points of a system as digits.
pub(crate) trait Digits {
    /// The number of digits of a code point: 1 where a plain unit is the code point.
    const COUNT: usize;
    /// The width of a digit in bits.
    const BITS: u32;
}

/// A plain unit that is the code point.
pub(crate) struct OneUnit;
/// Units of `COUNT` digits, each `BITS` wide.
pub(crate) struct DigitsOf<const COUNT: usize, const BITS: u32>;

impl Digits for OneUnit {
    const COUNT: usize = 1;
    const BITS: u32 = u32::BITS;
}

impl<const COUNT: usize, const BITS: u32> Digits for DigitsOf<COUNT, BITS> {
    const COUNT: usize = COUNT;
    const BITS: u32 = BITS;
}

/// The index of the digit with weight `place`.
#[inline(always)]
fn index<D: Digits, const BIG: bool>(place: usize) -> usize {
    if BIG { D::COUNT - 1 - place } else { place }
}

/// The code point that units stand for, if they are [digits](are_digits).
#[inline(always)]
pub(super) fn joined<D: Digits, const BIG: bool, U: Unit>(units: &[U]) -> u32 {
    if D::COUNT == 1 {
        return units[0].into();
    }
    let digit = |place| units[index::<D, BIG>(place)].into() << (D::BITS * place as u32);
    (0..D::COUNT).fold(0, |code_point, place| code_point | digit(place))
}

/// Whether no unit is wider than a digit.
#[inline(always)]
fn are_digits<D: Digits, U: Unit>(units: &[U]) -> bool {
    D::COUNT == 1 || units.iter().fold(0, |bits, &unit| bits | unit.into()) >> D::BITS == 0
}

/// Writes a code point as digits.
#[inline(always)]
fn split<D: Digits, const BIG: bool, V: Unit>(code_point: u32, room: &mut [V]) {
    if D::COUNT == 1 {
        room[0] = V::of_low_bits(code_point);
        return;
    }
    for place in 0..D::COUNT {
        let digit = code_point >> (D::BITS * place as u32) & ((1 << D::BITS) - 1);
        room[index::<D, BIG>(place)] = V::of_low_bits(digit);
    }
}

/// Copies plain code points after the run, up to the first other code point or nearly to the end of a buffer. Returns the
/// number of code points after the last whole block.
#[inline(always)]
pub(super) fn copy_plain<F: WholeSequences, T: WholeSequences, U: Unit, V: Unit>(
    (from, to): (F, T),
    plain: PlainUnits,
    input: &[U],
    output: &mut [V],
    run: &mut Run,
) -> usize {
    use ByteOrder::{Big, Little};
    match (from.order(), to.order()) {
        (Big, Big) => copy_ordered::<F::Plain, T::Plain, true, true, U, V>(plain, input, output, run),
        (Big, Little) => copy_ordered::<F::Plain, T::Plain, true, false, U, V>(plain, input, output, run),
        (Little, Big) => copy_ordered::<F::Plain, T::Plain, false, true, U, V>(plain, input, output, run),
        (Little, Little) => copy_ordered::<F::Plain, T::Plain, false, false, U, V>(plain, input, output, run),
    }
}

#[inline(always)]
fn copy_ordered<F: Digits, T: Digits, const FROM_BIG: bool, const TO_BIG: bool, U: Unit, V: Unit>(
    plain: PlainUnits,
    input: &[U],
    output: &mut [V],
    run: &mut Run,
) -> usize {
    loop {
        // The first block code point by code point: most runs of plain ones are short.
        let (block, room) = (&input[run.read..], &mut output[run.written..]);
        let pairs = block.chunks_exact(F::COUNT).zip(room.chunks_exact_mut(T::COUNT)).take(BLOCK);
        let mut count = 0;
        for (units, room) in pairs {
            if !is_plain::<F, FROM_BIG, U>(plain, units) {
                break;
            }
            split::<T, TO_BIG, V>(joined::<F, FROM_BIG, U>(units), room);
            count += 1;
        }
        run.read += count * F::COUNT;
        run.written += count * T::COUNT;
        if count < BLOCK {
            return count;
        }
        let (input, output) = (&input[run.read..], &mut output[run.written..]);
        let copied = copy_blocks::<F, T, FROM_BIG, TO_BIG, U, V>(plain, input, output);
        run.read += copied * F::COUNT;
        run.written += copied * T::COUNT;
    }
}

/// Whether units are a plain code point.
#[inline(always)]
pub(super) fn is_plain<D: Digits, const BIG: bool, U: Unit>(plain: PlainUnits, units: &[U]) -> bool {
    are_digits::<D, U>(units) & plain.holds(joined::<D, BIG, U>(units))
}

/// Copies whole blocks of plain code points, and gives how many code points. A function of its own, since vector instructions
/// come of it only where nothing else is in the loop.
#[inline(never)]
fn copy_blocks<F: Digits, T: Digits, const FROM_BIG: bool, const TO_BIG: bool, U: Unit, V: Unit>(
    plain: PlainUnits,
    input: &[U],
    output: &mut [V],
) -> usize {
    let blocks = input.chunks_exact(BLOCK * F::COUNT).zip(output.chunks_exact_mut(BLOCK * T::COUNT));
    let mut copied = 0;
    for (block, room) in blocks {
        let units = block.chunks_exact(F::COUNT);
        // Without an early exit.
        if !units.clone().fold(true, |all, units| all & is_plain::<F, FROM_BIG, U>(plain, units)) {
            break;
        }
        for (units, room) in units.zip(room.chunks_exact_mut(T::COUNT)) {
            split::<T, TO_BIG, V>(joined::<F, FROM_BIG, U>(units), room);
        }
        copied += BLOCK;
    }
    copied
}
