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
    if let Some(octets) = U::octets(units)
        && let Some(code_point) = joined_octets::<D, BIG>(octets)
    {
        return code_point;
    }
    let digit = |place| units[index::<D, BIG>(place)].into() << (D::BITS * place as u32);
    (0..D::COUNT).fold(0, |code_point, place| code_point | digit(place))
}

/// Whether no unit is wider than a digit.
#[inline(always)]
pub(super) fn are_digits<D: Digits, U: Unit>(units: &[U]) -> bool {
    D::COUNT == 1 || units.iter().fold(0, |bits, &unit| bits | unit.into()) >> D::BITS == 0
}

/// Writes a code point as digits.
#[inline(always)]
fn split<D: Digits, const BIG: bool, V: Unit>(code_point: u32, room: &mut [V]) {
    if D::COUNT == 1 {
        room[0] = V::of_low_bits(code_point);
        return;
    }
    if let Some(octets) = V::octets_mut(room)
        && split_octets::<D, BIG>(code_point, octets)
    {
        return;
    }
    for place in 0..D::COUNT {
        let digit = code_point >> (D::BITS * place as u32) & ((1 << D::BITS) - 1);
        room[index::<D, BIG>(place)] = V::of_low_bits(digit);
    }
}

/// Does what [`joined`] does for two or four octets, by one access to memory, for the sake of vector instructions.
#[inline(always)]
fn joined_octets<D: Digits, const BIG: bool>(octets: &[u8]) -> Option<u32> {
    match (D::COUNT, D::BITS) {
        (2, 8) => octets.first_chunk().map(|&word| match BIG {
            true => u16::from_be_bytes(word).into(),
            false => u16::from_le_bytes(word).into(),
        }),
        (4, 8) => octets.first_chunk().map(|&word| match BIG {
            true => u32::from_be_bytes(word),
            false => u32::from_le_bytes(word),
        }),
        _ => None,
    }
}

/// Does what [`split`] does for two or four octets, by one access to memory. Returns whether it did.
#[inline(always)]
fn split_octets<D: Digits, const BIG: bool>(code_point: u32, room: &mut [u8]) -> bool {
    match (D::COUNT, D::BITS) {
        (2, 8) => {
            let word = code_point as u16;
            room[..2].copy_from_slice(&if BIG { word.to_be_bytes() } else { word.to_le_bytes() });
            true
        }
        (4, 8) => {
            room[..4].copy_from_slice(&if BIG { code_point.to_be_bytes() } else { code_point.to_le_bytes() });
            true
        }
        _ => false,
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
        // Most runs of plain code points are short. All of the first block is written; units after the end of the run have no
        // meaning.
        let Some(block) = input[run.read..].get(..BLOCK * F::COUNT) else { return 0 };
        let Some(room) = output[run.written..].get_mut(..BLOCK * T::COUNT) else { return 0 };
        let units = block.chunks_exact(F::COUNT);
        let count = super::first(units.clone().map(|units| !is_plain::<F, FROM_BIG, U>(plain, units)));
        for (units, room) in units.zip(room.chunks_exact_mut(T::COUNT)) {
            split::<T, TO_BIG, V>(joined::<F, FROM_BIG, U>(units), room);
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
fn is_plain<D: Digits, const BIG: bool, U: Unit>(plain: PlainUnits, units: &[U]) -> bool {
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
