//! Numbers of the format that several stages use.

use crate::core::shared::ports::SLOT_DATA_BITS;

/// Bits of the code point in a trailing unit.
pub(super) const TRAILING_BITS: u32 = 6;
/// Bits of the code point in a unit alone.
pub(super) const SINGLE_BITS: u32 = TRAILING_BITS + 1;
/// Bits of the code point that are kept: a limb, and up to four bits left over after it.
pub(super) const GATHERED_BITS: u32 = SLOT_DATA_BITS + 4;
/// Bits of the number of trailing units still to come, 11 at most.
pub(super) const MISSING_BITS: u32 = 4;
/// Trailing units after FE.
pub(super) const TRAILING_OF_FE: u64 = 6;
/// The fewest digits of a code point with a length header: NUD less NME.
pub(super) const LEAST_DIGITS: u64 = 18;
/// Bits of a hexadecimal digit.
pub(super) const DIGIT_BITS: u32 = 4;

/// The gathered bits that are left over below the bits that go out.
#[derive(Clone, Copy)]
pub(super) enum LeftOver {
    None = 0,
    TwoBits = 1,
    FourBits = 2,
    /// No gathered bits go out, but a number of limbs, or a limb that waited for its head.
    Small = 3,
}
