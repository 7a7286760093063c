//! Well-formed sequences that are counted, or only passed over.

use super::digits::{self, Digits, Plain, with_digits};
use super::utf_8::valid_up_to;
use super::{Stride, WholeSequences};
use crate::Unit;

/// How many plain code points are tested and counted at once. Twice as many is the most that [`Tally::block`] takes.
const BLOCK: usize = 64;

/// How many octets of UTF-8 are tested before they are counted: few enough to stay in the first-level cache.
const PIECE: usize = 16 * 1024;

/// The receiver of the code points that a run has passed over.
pub(crate) trait Tally {
    /// Takes a code point.
    fn code_point(&mut self, code_point: u32);

    /// Takes up to 127 code points below U+10000, none of them a surrogate.
    fn block(&mut self, code_points: impl ExactSizeIterator<Item = u32>);

    /// Takes well-formed UTF-8.
    fn utf_8(&mut self, octets: &[u8]);
}

/// No receiver.
impl Tally for () {
    #[inline(always)]
    fn code_point(&mut self, _code_point: u32) {}

    #[inline(always)]
    fn block(&mut self, _code_points: impl ExactSizeIterator<Item = u32>) {}

    #[inline(always)]
    fn utf_8(&mut self, _octets: &[u8]) {}
}

/// Passes over sequences at the front of `units`, and returns how many units they have.
pub(crate) fn skip_run<F: WholeSequences, U: Unit>(from: F, units: &[U], tally: &mut impl Tally) -> usize {
    match U::octets(units) {
        Some(octets) if F::IS_UTF_8 => skip_utf_8(octets, tally),
        _ => with_digits!(from.layout(), D => skip::<D, U>(from, units, tally)),
    }
}

fn skip_utf_8(octets: &[u8], tally: &mut impl Tally) -> usize {
    let mut read = 0;
    loop {
        let rest = &octets[read..];
        let piece = &rest[..rest.len().min(PIECE)];
        let valid = valid_up_to(piece);
        tally.utf_8(&piece[..valid]);
        read += valid;
        // A piece may end within a sequence.
        if valid == 0 || valid + 4 <= piece.len() {
            return read;
        }
    }
}

/// Passes over blocks of plain code points, and over single sequences.
fn skip<D: Digits, U: Unit>(from: impl WholeSequences, units: &[U], tally: &mut impl Tally) -> usize {
    let plain = Plain::new(from.plain());
    let mut read = 0;
    let mut stride = Stride::default();
    loop {
        while let Some(block) = units[read..].get(..BLOCK * D::COUNT)
            && plain.holds_all::<D>(block)
        {
            tally.block(block.chunks_exact(D::COUNT).map(digits::joined::<D, U>));
            read += block.len();
            stride = Stride::default();
        }
        for _ in 0..stride.next() {
            let Some((code_point, length)) = from.read(&units[read..]) else { return read };
            tally.code_point(code_point);
            read += length;
        }
    }
}
