//! Slices, and the way between them and words.

/// Streams that run at once.
pub const STREAMS: usize = 512;

/// One bit of the design in every stream: stream `s` is bit `s % 64` of word `s / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Slice(pub [u64; STREAMS / 64]);

impl Slice {
    /// 0 in every stream.
    pub const ZERO: Self = Self([0; STREAMS / 64]);
    /// 1 in every stream.
    pub const ONES: Self = Self([u64::MAX; STREAMS / 64]);

    /// The same bit in every stream.
    pub const fn splat(bit: bool) -> Self {
        if bit { Self::ONES } else { Self::ZERO }
    }

    /// The bit of a stream.
    pub fn get(&self, stream: usize) -> bool {
        self.0[stream / 64] >> (stream % 64) & 1 == 1
    }

    /// Sets the bit of a stream.
    pub fn set(&mut self, stream: usize, bit: bool) {
        let (word, mask) = (&mut self.0[stream / 64], 1 << (stream % 64));
        if bit { *word |= mask } else { *word &= !mask }
    }

    /// Whether it is 0 in every stream.
    pub fn is_zero(&self) -> bool {
        self.0 == [0; STREAMS / 64]
    }

    /// The streams in which it is 1, in ascending order.
    pub fn streams(&self) -> impl Iterator<Item = usize> {
        (0..STREAMS).filter(|&stream| self.get(stream))
    }
}

impl Default for Slice {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Turns words into planes: bit `r` of word `c` becomes bit `c` of word `r`, in 64 words. Its own inverse.
///
/// Swaps halves of ever smaller squares (Warren, "Hacker's Delight", section 7-3).
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
    }
}
