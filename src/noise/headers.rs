//! Length headers of `utf-inf-8`, seed 000 §3.5: their digits, B4 and A0 to AF, where they are wrong, or where none belong.

use rand::{Rng, RngExt};

const FF: u32 = 0xff;
const B4: u32 = 0xb4;
const FIRST_DIGIT: u32 = 0xa0;
const LAST_DIGIT: u32 = 0xaf;
/// The digits of a code point whose header says zero.
const LEAST_DIGITS: u64 = 18;

/// Adds a header with a count at the limit of a system or any other, followed by a few octets, or by those of some limbs. The header may be broken.
pub(super) fn broken(random: &mut impl Rng, limit: u64, piece: &mut Vec<u32>) {
    let count = count(random, limit - LEAST_DIGITS);
    let digits = digits_of(count);
    // Sometimes one B4 or Ax is too many or too few.
    let flaw = random.random_range(0..8_u32);
    let before = if flaw == 0 { digits } else { digits - 1 };
    let shown = if flaw == 1 { digits + 1 } else { digits };
    let digit = |index: u32| FIRST_DIGIT | (count.unbounded_shr(4 * index) & 0xf) as u32;
    piece.push(FF);
    piece.extend(std::iter::repeat_n(B4, before as usize));
    piece.extend((0..shown).rev().map(digit));
    match flaw {
        // The second octet after FF, or a later one, becomes one that no header has there.
        2 => {
            piece.truncate(piece.len() - shown as usize);
            piece.push(random.random_range(0xb0..=0xbf));
        }
        // The header is broken off, and what follows looks like the rest of one.
        3 => {
            piece.truncate(random.random_range(1..piece.len()));
            piece.push(random.random_range(0x80..=0xbf));
            let behind = piece.len();
            piece.resize(behind + random.random_range(0..16), 0x80);
            misplaced(random, &mut piece[behind..]);
        }
        _ => (),
    }
    // Many octets after the header make limbs, which a core counts.
    let most = if random.random() { 64 } else { 8 };
    let behind = random.random_range(0..most);
    let first = if random.random_range(0..4) == 0 { 0x80 } else { random.random_range(0x80..0xc0) };
    piece.extend((0..behind).map(|index| if index == 0 { first } else { random.random_range(0x80..0xc0) }));
}

/// A number of digits less eighteen; `most` is the greatest that the system allows.
fn count(random: &mut impl Rng, most: u64) -> u64 {
    match random.random_range(0..7) {
        0 => most + random.random_range(0..3),
        1 => most.saturating_sub(random.random_range(0..3)),
        // A bit of a count near the limit is another one.
        2 => (most + random.random_range(0..3)) ^ 1 << random.random_range(0..4 * digits_of(most)),
        3 => random.random::<u64>() >> random.random_range(24..64),
        4 => 1 << random.random_range(0..40),
        5 => random.random_range(0..=most),
        // A core that counts limbs down from such a number borrows from upper digits.
        _ => random.random_range(0..=most) & u64::MAX << (4 * random.random_range(0..digits_of(most))),
    }
}

/// Hexadecimal digits of a count.
fn digits_of(count: u64) -> u32 {
    (u64::BITS - count.leading_zeros()).div_ceil(4).max(1)
}

/// Replaces the first sixteen octets by those of headers, each without its FF.
pub(super) fn misplaced(random: &mut impl Rng, octets: &mut [u32]) {
    let mut digits = 0;
    for octet in octets.iter_mut().take(16) {
        (*octet, digits) = match digits {
            0 => (B4, random.random_range(0..12)),
            _ => (LAST_DIGIT, digits - 1),
        };
    }
}
