//! Slices, the elements of records: a [`Slice`] is one bit of the design in every stream. [`transpose`] converts between
//! slices and words.

use std::ops::BitOrAssign;

/// Streams that run at once.
pub const STREAMS: usize = 512;

/// Words of a slice.
const WORDS: usize = STREAMS / 64;

/// One bit of the design in every stream: stream `s` is bit `s % 64` of word `s / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Slice(pub [u64; WORDS]);

impl Slice {
    /// 0 in every stream.
    pub const ZERO: Self = Self([0; WORDS]);
    /// 1 in every stream.
    pub const ONES: Self = Self([u64::MAX; WORDS]);

    /// A slice with the same bit in every stream.
    pub const fn splat(bit: bool) -> Self {
        if bit { Self::ONES } else { Self::ZERO }
    }

    /// The bit of a stream.
    #[inline]
    pub fn get(&self, stream: usize) -> bool {
        self.0[stream / 64] >> (stream % 64) & 1 == 1
    }

    /// Sets the bit of a stream.
    #[inline]
    pub fn set(&mut self, stream: usize, bit: bool) {
        let (word, mask) = (&mut self.0[stream / 64], 1 << (stream % 64));
        if bit { *word |= mask } else { *word &= !mask }
    }

    /// Whether the bit is 0 in every stream.
    pub fn is_zero(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The streams in which the bit is 1, in ascending order.
    #[inline]
    pub fn streams(&self) -> Streams {
        Streams { words: self.0, at: 0 }
    }

    /// Sets the bit to 0 in the streams in which it is 1 in `other`.
    #[inline]
    pub fn remove(&mut self, other: &Slice) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Sets the bit to 0 in the streams in which it is not `bit` in `other`.
    #[inline]
    pub fn retain(&mut self, other: &Slice, bit: bool) {
        let complement = if bit { 0 } else { u64::MAX };
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other ^ complement);
    }

    /// The bit, if it is the same in every stream.
    #[inline]
    pub fn common(&self) -> Option<bool> {
        let (and, or) = self.0.iter().fold((u64::MAX, 0), |(and, or), word| (and & word, or | word));
        match (and, or) {
            (_, 0) => Some(false),
            (u64::MAX, _) => Some(true),
            _ => None,
        }
    }
}

impl BitOrAssign<&Slice> for Slice {
    #[inline]
    fn bitor_assign(&mut self, other: &Slice) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

/// Streams of a slice, in ascending order; see [`Slice::streams`].
#[derive(Clone, Debug)]
pub struct Streams {
    /// The words, without the streams that have been given already.
    words: [u64; WORDS],
    /// The first word that may not be 0.
    at: usize,
}

impl Iterator for Streams {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while let Some(word) = self.words.get_mut(self.at) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.at * 64 + bit);
            }
            self.at += 1;
        }
        None
    }
}

impl Default for Slice {
    fn default() -> Self {
        Self::ZERO
    }
}

/// How many slices the records of a cycle have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

/// Exchanges rows and columns of a square of 64 by 64 bits, which turns words into planes: bit `r` of word `c` becomes bit `c` of word `r`. The function is its own inverse.
///
/// The halves of ever smaller squares are swapped (Warren, "Hacker's Delight", section 7-3).
pub fn transpose(square: &mut [u64; 64]) {
    let (mut size, mut mask) = (32, u64::MAX >> 32);
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            let swapped = (square[row] >> size ^ square[row + size]) & mask;
            square[row] ^= swapped << size;
            square[row + size] ^= swapped;
            row = (row + size + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_moves_across_the_diagonal() {
        for (row, column) in [(0, 0), (0, 63), (63, 0), (5, 40), (33, 32)] {
            let mut square = [0; 64];
            square[row] = 1 << column;
            let mut expected = [0; 64];
            expected[column] = 1 << row;
            transpose(&mut square);
            assert_eq!(square, expected, "row {row}, column {column}");
        }
    }

    #[test]
    fn streams_are_bits_of_words() {
        let mut slice = Slice::ZERO;
        [3, 64, 511].into_iter().for_each(|stream| slice.set(stream, true));
        assert_eq!(slice.streams().collect::<Vec<_>>(), [3, 64, 511]);
        assert_eq!((slice.0[0], slice.0[1], slice.0[7]), (8, 1, 1 << 63));
        slice.set(64, false);
        assert!(!slice.get(64) && slice.get(511) && !slice.is_zero());
        assert_eq!(Slice::ONES.streams().collect::<Vec<_>>(), (0..STREAMS).collect::<Vec<_>>());
        assert_eq!(Slice::ZERO.streams().next(), None);
    }

    #[test]
    fn slices_are_sets_of_streams() {
        let of = |streams: &[usize]| {
            let mut slice = Slice::ZERO;
            streams.iter().for_each(|stream| slice.set(*stream, true));
            slice
        };
        let mut set = of(&[1, 70, 511]);
        set |= &of(&[2, 70]);
        assert_eq!(set, of(&[1, 2, 70, 511]));
        set.remove(&of(&[2, 3]));
        assert_eq!(set, of(&[1, 70, 511]));
        set.retain(&of(&[1, 511]), true);
        assert_eq!(set, of(&[1, 511]));
        set.retain(&of(&[1]), false);
        assert_eq!(set, of(&[511]));
        assert_eq!(
            (set.common(), Slice::ONES.common(), Slice::ZERO.common()),
            (None, Some(true), Some(false))
        );
    }
}
