//! Operations on values of any width, which are words, least significant first, with zeros past the width.

use std::cmp::Ordering;

use utfhdl_hdl::netlist::{BinaryOp, ReduceOp};

/// How many words hold `width` bits.
pub(super) fn words_of(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The position of a value in an array of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The first of them.
    pub first: u32,
    /// Width of the value in bits.
    pub width: u32,
}

impl Span {
    /// All of them.
    pub fn range(self) -> std::ops::Range<usize> {
        let first = self.first as usize;
        first..first + words_of(self.width)
    }
}

/// Whether two values of the same width differ. Most have one word, for which this is faster than a comparison of
/// slices.
pub(super) fn differ(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a != b)
}

/// Copies `width` bits, from bit `low` of `from` on, to where `to` holds zeros, from its bit `at` on.
pub(super) fn copy_bits(to: &mut [u64], at: u32, from: &[u64], low: u32, width: u32) {
    let mut done = 0;
    while done < width {
        let (source, target) = (low + done, at + done);
        // The run of bits that lie in one word on both sides.
        let count = (64 - source % 64).min(64 - target % 64).min(width - done);
        let bits = from[source as usize / 64] >> (source % 64) & (u64::MAX >> (64 - count));
        to[target as usize / 64] |= bits << (target % 64);
        done += count;
    }
}

/// Computes `a op b` into `to`, which has `width` bits and holds zeros.
pub(super) fn binary(op: BinaryOp, a: &[u64], b: &[u64], to: &mut [u64], width: u32) {
    let bitwise = |to: &mut [u64], f: fn(u64, u64) -> u64| {
        to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (&a, &b))| *to = f(a, b));
    };
    match op {
        BinaryOp::And => bitwise(to, |a, b| a & b),
        BinaryOp::Or => bitwise(to, |a, b| a | b),
        BinaryOp::Xor => bitwise(to, |a, b| a ^ b),
        BinaryOp::Add => add(a, b.iter().copied(), 0, to, width),
        // a - b is a plus the complement of b plus 1; bits past the width are cut off.
        BinaryOp::Sub => add(a, b.iter().map(|&b| !b), 1, to, width),
        BinaryOp::Eq => to[0] = u64::from(a == b),
        BinaryOp::Ne => to[0] = u64::from(a != b),
        BinaryOp::Lt => to[0] = u64::from(compare(a, b) == Ordering::Less),
        BinaryOp::Le => to[0] = u64::from(compare(a, b) != Ordering::Greater),
        BinaryOp::Shl => {
            if let Some(amount) = amount_below(b, width) {
                copy_bits(to, amount, a, 0, width - amount);
            }
        }
        BinaryOp::Shr => {
            if let Some(amount) = amount_below(b, width) {
                copy_bits(to, 0, a, amount, width - amount);
            }
        }
    }
}

/// Complements `a`, which has `width` bits, into `to`.
pub(super) fn not(a: &[u64], to: &mut [u64], width: u32) {
    to.iter_mut().zip(a).for_each(|(to, &a)| *to = !a);
    trim(to, width);
}

/// All `width` bits of `a` to one.
pub(super) fn reduce(op: ReduceOp, a: &[u64], width: u32) -> bool {
    let ones: u32 = a.iter().map(|word| word.count_ones()).sum();
    match op {
        ReduceOp::And => ones == width,
        ReduceOp::Or => ones != 0,
        ReduceOp::Xor => ones % 2 == 1,
    }
}

fn add(a: &[u64], b: impl Iterator<Item = u64>, carry: u128, to: &mut [u64], width: u32) {
    let mut carry = carry;
    for (to, (&a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
        let sum = u128::from(a) + u128::from(b) + carry;
        *to = sum as u64;
        carry = sum >> 64;
    }
    trim(to, width);
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// The amount of a shift, unless it shifts out every bit.
fn amount_below(amount: &[u64], width: u32) -> Option<u32> {
    let high = amount[1..].iter().any(|&word| word != 0);
    (!high && amount[0] < u64::from(width)).then_some(amount[0] as u32)
}

/// Clears the bits past the width.
fn trim(words: &mut [u64], width: u32) {
    if !width.is_multiple_of(64) {
        words[width as usize / 64] &= u64::MAX >> (64 - width % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(op: BinaryOp, a: [u64; 2], b: [u64; 2], width: u32) -> [u64; 2] {
        let mut to = [0; 2];
        binary(op, &a, &b, &mut to, width);
        to
    }

    #[test]
    fn carries_and_borrows_cross_words_and_end_at_the_width() {
        assert_eq!(of(BinaryOp::Add, [u64::MAX, 0], [1, 0], 70), [0, 1]);
        assert_eq!(of(BinaryOp::Add, [u64::MAX, 63], [1, 0], 70), [0, 0]);
        assert_eq!(of(BinaryOp::Sub, [0, 1], [1, 0], 70), [u64::MAX, 0]);
        assert_eq!(of(BinaryOp::Sub, [0, 0], [1, 0], 70), [u64::MAX, 63]);
    }

    #[test]
    fn high_words_decide_a_comparison() {
        assert_eq!(of(BinaryOp::Lt, [9, 1], [0, 2], 128)[0], 1);
        assert_eq!(of(BinaryOp::Lt, [0, 2], [9, 1], 128)[0], 0);
        assert_eq!(of(BinaryOp::Lt, [7, 2], [7, 2], 128)[0], 0);
        assert_eq!(of(BinaryOp::Le, [7, 2], [7, 2], 128)[0], 1);
    }

    #[test]
    fn shifts_move_bits_between_words_and_out() {
        assert_eq!(of(BinaryOp::Shl, [3, 0], [63, 0], 70), [1 << 63, 1]);
        assert_eq!(of(BinaryOp::Shl, [3, 0], [69, 0], 70), [0, 1 << 5]);
        assert_eq!(of(BinaryOp::Shl, [3, 0], [70, 0], 70), [0, 0]);
        assert_eq!(of(BinaryOp::Shr, [0, 0x21], [64, 0], 70), [0x21, 0]);
        assert_eq!(of(BinaryOp::Shr, [0, 0x21], [1, 0], 70), [1 << 63, 0x10]);
        assert_eq!(of(BinaryOp::Shr, [0, 0x21], [0, 1], 70), [0, 0]);
    }

    #[test]
    fn bits_are_copied_across_words_at_both_ends() {
        let mut to = [0; 3];
        copy_bits(&mut to, 60, &[0b10 << 62, 0x6b9], 62, 12);
        // The low ten bits of 0x6b9 (0b10_1011_1001) above the 0b10: four bits end one word, eight begin the next.
        assert_eq!(to, [0b0110 << 60, 0b1010_1110, 0]);
    }

    #[test]
    fn all_ones_are_as_many_as_the_width() {
        assert!(reduce(ReduceOp::And, &[u64::MAX, 3], 66));
        assert!(!reduce(ReduceOp::And, &[u64::MAX, 3], 67));
        assert!(reduce(ReduceOp::Or, &[0, 1], 66));
        assert!(reduce(ReduceOp::Xor, &[3, 1], 66));
    }
}
