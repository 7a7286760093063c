//! The greatest NME that the system allows: NUD less eighteen, in hexadecimal digits.

/// The fewest digits of a code point with a length header: NUD less NME.
pub(super) const LEAST_DIGITS: u64 = 18;
/// Bits of a hexadecimal digit, and the greatest.
pub(super) const DIGIT_BITS: u32 = 4;
const GREATEST: u64 = 0xf;

/// Bits of the greatest NME that a system can allow: three limbs and one for eight digits are counted in 32 bits.
pub(super) const MOST_BITS: u32 = 35;

/// The limit.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    /// The digits of the limit, the most significant first; at least one.
    pub(super) digits: Vec<u64>,
}

impl Limit {
    /// The limit of a system with code points of up to `digits` digits.
    pub(super) fn new(digits: u64) -> Self {
        let most = digits - LEAST_DIGITS;
        let count = (u64::BITS - most.leading_zeros()).div_ceil(DIGIT_BITS).max(1);
        Self { digits: (0..count).rev().map(|at| most >> (DIGIT_BITS * at) & GREATEST).collect() }
    }

    /// The most digits that a header may have.
    pub(super) fn count(&self) -> usize {
        self.digits.len()
    }

    /// The number of B4s before a header with as many digits as the limit.
    pub(super) fn most_befores(&self) -> u64 {
        self.count() as u64 - 1
    }

    /// The places in which a digit can be greater than that of the limit.
    pub(super) fn places_to_exceed(&self) -> Vec<usize> {
        (0..self.count()).filter(|&at| self.digits[at] < GREATEST).collect()
    }

    /// Bits of the pairs of bits of a code point, less one, and a sign.
    pub(super) fn pairs_bits(&self) -> u32 {
        let most = self.digits.iter().fold(0, |most, digit| most << DIGIT_BITS | digit) + LEAST_DIGITS + 2;
        u64::BITS - (2 * most).leading_zeros() + 1
    }
}
