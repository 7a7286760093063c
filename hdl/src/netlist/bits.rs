//! Constants whose width is known at run time only.

use std::fmt;
use std::ops::Range;

/// An unsigned value of a fixed width in bits, at least 1.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    /// Least significant word first; bits past the width are zero.
    words: Vec<u64>,
}

impl Bits {
    /// Zero, `width` bits wide.
    pub fn zero(width: u32) -> Self {
        assert!(width > 0, "a value of width 0 has no meaning in hardware");
        Self { width, words: vec![0; width.div_ceil(64) as usize] }
    }

    /// All ones, `width` bits wide.
    pub fn ones(width: u32) -> Self {
        let mut bits = Self::zero(width);
        bits.words.fill(u64::MAX);
        bits.trim();
        bits
    }

    /// `value` in `width` bits.
    ///
    /// # Panics
    /// If `value` needs more than `width` bits.
    #[track_caller]
    pub fn new(width: u32, value: u64) -> Self {
        let mut bits = Self::zero(width);
        bits.words[0] = value;
        assert!(width >= 64 || value >> width == 0, "the value {value:#x} does not fit in {width} bits");
        bits
    }

    /// The low `width` bits of `words`, least significant word first; missing words are zero.
    pub fn from_words(width: u32, words: &[u64]) -> Self {
        let mut bits = Self::zero(width);
        for (mine, given) in bits.words.iter_mut().zip(words) {
            *mine = *given;
        }
        bits.trim();
        bits
    }

    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value, least significant word first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The value, where it fits in 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.words[1..].iter().all(|&word| word == 0).then_some(self.words[0])
    }

    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Bit `index`, 0 the least significant.
    pub fn bit(&self, index: u32) -> bool {
        assert!(index < self.width, "bit {index} of a value of {} bits", self.width);
        self.words[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Bits `range.start` up to, not including, `range.end`.
    pub(super) fn bits(&self, range: Range<u32>) -> Self {
        let mut bits = Self::zero(range.end - range.start);
        range.clone().for_each(|bit| bits.set(bit - range.start, self.bit(bit)));
        bits
    }

    /// This and `lower` side by side, this in the high bits.
    pub(crate) fn above(&self, lower: &Self) -> Self {
        let mut both = Self::zero(self.width + lower.width);
        (0..lower.width).for_each(|bit| both.set(bit, lower.bit(bit)));
        (0..self.width).for_each(|bit| both.set(lower.width + bit, self.bit(bit)));
        both
    }

    /// Sets bit `index`.
    pub fn set(&mut self, index: u32, value: bool) {
        assert!(index < self.width, "bit {index} of a value of {} bits", self.width);
        let (word, mask) = ((index / 64) as usize, 1 << (index % 64));
        if value { self.words[word] |= mask } else { self.words[word] &= !mask }
    }

    fn trim(&mut self) {
        if !self.width.is_multiple_of(64) {
            *self.words.last_mut().expect("at least one word") &= (1 << (self.width % 64)) - 1;
        }
    }
}

impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.width.div_ceil(4) as usize;
        let text: String = self.words.iter().rev().map(|word| format!("{word:016x}")).collect();
        f.write_str(&text[text.len() - digits..])
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{self:x}", self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_has_as_many_digits_as_the_width_needs() {
        assert_eq!(format!("{:?}", Bits::new(9, 0x1ff)), "9'h1ff");
        assert_eq!(format!("{:?}", Bits::ones(70)), "70'h3fffffffffffffffff");
        assert_eq!(format!("{:?}", Bits::from_words(65, &[1, 3])), "65'h10000000000000001");
    }

    #[test]
    fn bits_are_taken_across_a_words_boundary() {
        let value = Bits::from_words(70, &[0xa000_0000_0000_0005, 0x2b]);
        assert_eq!(value.bits(61..70), Bits::new(9, 0b101_011_101));
        assert_eq!(value.bits(0..3), Bits::new(3, 5));
        assert_eq!(value.bits(61..70).above(&value.bits(0..61)), value);
    }

    #[test]
    #[should_panic(expected = "does not fit in 3 bits")]
    fn a_value_too_wide_is_refused() {
        Bits::new(3, 8);
    }
}
