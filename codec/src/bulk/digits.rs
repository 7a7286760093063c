//! Plain code points as rows of digits, all rows of one length: two octets in `utf-16le`, four in `utf-32be`, two nonets in `utf-18`. In
//! systems whose units are as wide as a code point, a row is one unit.
//!
//! The loops over a block have the number of digits, their width and their order as constants, so that the compiler makes
//! vector instructions of them.

use super::wide::widely;
use super::{PlainUnits, PlainUnitsOf, Run};
use crate::{ByteOrder, Unit};

/// How the plain code points of a system are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A unit is the code point.
    Unit,
    /// Two octets are the code point.
    TwoOctets(ByteOrder),
    /// Four octets are the code point.
    FourOctets(ByteOrder),
    /// Two nonets are the code point, the high one first.
    TwoNonets,
}

/// A [`Layout`] as constants.
pub(crate) trait Digits {
    /// The number of digits of a code point.
    const COUNT: usize;
    /// The width of a digit in bits.
    const BITS: u32;
    /// Whether the digit of the greatest weight comes first.
    const BIG: bool;
}

/// Code points of `COUNT` digits, each `BITS` wide.
pub(crate) struct DigitsOf<const COUNT: usize, const BITS: u32, const BIG: bool>;

impl<const COUNT: usize, const BITS: u32, const BIG: bool> Digits for DigitsOf<COUNT, BITS, BIG> {
    const COUNT: usize = COUNT;
    const BITS: u32 = BITS;
    const BIG: bool = BIG;
}

/// Does something with the [`Digits`] of a [`Layout`].
macro_rules! with_digits {
    ($layout:expr, $digits:ident => $do:expr) => {{
        use $crate::ByteOrder::{Big, Little};
        use $crate::bulk::digits::{DigitsOf, Layout};
        match $layout {
            Layout::Unit => {
                type $digits = DigitsOf<1, 32, true>;
                $do
            }
            Layout::TwoOctets(Big) => {
                type $digits = DigitsOf<2, 8, true>;
                $do
            }
            Layout::TwoOctets(Little) => {
                type $digits = DigitsOf<2, 8, false>;
                $do
            }
            Layout::FourOctets(Big) => {
                type $digits = DigitsOf<4, 8, true>;
                $do
            }
            Layout::FourOctets(Little) => {
                type $digits = DigitsOf<4, 8, false>;
                $do
            }
            Layout::TwoNonets => {
                type $digits = DigitsOf<2, 9, true>;
                $do
            }
        }
    }};
}
pub(super) use with_digits;

/// The index of the digit with weight `place`.
#[inline(always)]
fn index<D: Digits>(place: usize) -> usize {
    if D::BIG { D::COUNT - 1 - place } else { place }
}

/// The code point that units stand for, if they are [digits](are_digits).
#[inline(always)]
pub(super) fn joined<D: Digits, U: Unit>(units: &[U]) -> u32 {
    if D::COUNT == 1 {
        return units[0].into();
    }
    if let Some(octets) = U::octets(units)
        && let Some(code_point) = joined_octets::<D>(octets)
    {
        return code_point;
    }
    let digit = |place| units[index::<D>(place)].into() << (D::BITS * place as u32);
    (0..D::COUNT).fold(0, |code_point, place| code_point | digit(place))
}

/// Whether no unit is wider than a digit.
#[inline(always)]
fn are_digits<D: Digits, U: Unit>(units: &[U]) -> bool {
    D::COUNT == 1 || units.iter().fold(0, |bits, &unit| bits | unit.into()) >> D::BITS == 0
}

/// Writes a code point as digits.
#[inline(always)]
pub(super) fn split<D: Digits, V: Unit>(code_point: u32, room: &mut [V]) {
    if D::COUNT == 1 {
        room[0] = V::of_low_bits(code_point);
        return;
    }
    if let Some(octets) = V::octets_mut(room)
        && split_octets::<D>(code_point, octets)
    {
        return;
    }
    for place in 0..D::COUNT {
        let digit = code_point >> (D::BITS * place as u32) & ((1 << D::BITS) - 1);
        room[index::<D>(place)] = V::of_low_bits(digit);
    }
}

/// Does what [`joined`] does for two or four octets, by one access to memory, for the sake of vector instructions.
#[inline(always)]
fn joined_octets<D: Digits>(octets: &[u8]) -> Option<u32> {
    match (D::COUNT, D::BITS) {
        (2, 8) => octets.first_chunk().map(|&word| match D::BIG {
            true => u16::from_be_bytes(word).into(),
            false => u16::from_le_bytes(word).into(),
        }),
        (4, 8) => octets.first_chunk().map(|&word| match D::BIG {
            true => u32::from_be_bytes(word),
            false => u32::from_le_bytes(word),
        }),
        _ => None,
    }
}

/// Does what [`split`] does for two or four octets, by one access to memory. Returns whether it did.
#[inline(always)]
fn split_octets<D: Digits>(code_point: u32, room: &mut [u8]) -> bool {
    match (D::COUNT, D::BITS) {
        (2, 8) => {
            let word = code_point as u16;
            room[..2].copy_from_slice(&if D::BIG { word.to_be_bytes() } else { word.to_le_bytes() });
            true
        }
        (4, 8) => {
            room[..4].copy_from_slice(&if D::BIG {
                code_point.to_be_bytes()
            } else {
                code_point.to_le_bytes()
            });
            true
        }
        _ => false,
    }
}

/// The plain code points of a system in the arithmetic of a type of units.
#[derive(Clone, Copy)]
pub(super) struct Plain<U> {
    code_points: PlainUnits,
    /// In the arithmetic of 16 bits, of which a vector register holds twice as many.
    words: PlainUnitsOf<u16>,
    units: PlainUnitsOf<U>,
}

impl<U: Unit> Plain<U> {
    pub(super) fn new(plain: PlainUnits) -> Plain<U> {
        Plain { code_points: plain, words: plain.of_type(), units: plain.of_type() }
    }

    /// Whether units are all plain code points. There is no early exit, for the sake of vector instructions.
    #[inline(always)]
    pub(super) fn holds_all<D: Digits>(self, units: &[U]) -> bool {
        if D::COUNT == 1 {
            return units.iter().fold(true, |all, &unit| all & self.units.holds(unit));
        }
        let is_plain = |units: &[U]| {
            let code_point = joined::<D, U>(units);
            let is_held = match D::COUNT as u32 * D::BITS {
                u16::BITS => self.words.holds(code_point as u16),
                _ => self.code_points.holds(code_point),
            };
            are_digits::<D, U>(units) & is_held
        };
        units.chunks_exact(D::COUNT).fold(true, |all, units| all & is_plain(units))
    }
}

/// How many plain code points are copied at once.
const BLOCK: usize = u32::BITS as usize;

widely! {
    /// Copies plain code points of one layout to another, up to the first that is not plain or nearly to an end.
    pub(super) fn copy = copy_blocks<F: Digits, T: Digits, U: Unit, V: Unit>
        (plain: PlainUnits, input: &[U], output: &mut [V]) -> Run
}

#[inline(always)]
fn copy_blocks<F: Digits, T: Digits, U: Unit, V: Unit>(
    plain: PlainUnits,
    input: &[U],
    output: &mut [V],
) -> Run {
    let plain = Plain::new(plain);
    let mut copied = 0;
    for (block, room) in input.chunks_exact(BLOCK * F::COUNT).zip(output.chunks_exact_mut(BLOCK * T::COUNT)) {
        let units = block.chunks_exact(F::COUNT);
        // All of the block is written; units after the end of the run have no meaning.
        for (units, room) in units.clone().zip(room.chunks_exact_mut(T::COUNT)) {
            split::<T, V>(joined::<F, U>(units), room);
        }
        if plain.holds_all::<F>(block) {
            copied += BLOCK;
            continue;
        }
        // Without a branch that a processor could guess wrong.
        let others = units
            .enumerate()
            .fold(0_u32, |others, (index, units)| others | u32::from(!plain.holds_all::<F>(units)) << index);
        copied += others.trailing_zeros() as usize;
        break;
    }
    Run { read: copied * F::COUNT, written: copied * T::COUNT }
}
