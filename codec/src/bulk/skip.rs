//! Well-formed sequences that are counted, or only passed over.

use super::digits::{self, Digits};
use super::utf_8::valid_up_to;
use super::{PlainUnits, Stride, WholeSequences, plain_units};
use crate::{ByteOrder, Unit};

/// How many plain code points are tested and counted at once. Twice as many is the most that [`Tally::block`] takes.
const BLOCK: usize = 64;

/// The plain code points of systems that also have those from U+E000 to U+FFFF as a unit, or as the digits of one.
const WORDS: PlainUnits = PlainUnits::new(0, 0xD800);

/// Whether a code point of such a system is one unit, or the digits of one.
#[inline(always)]
fn is_word(code_point: u32) -> bool {
    code_point <= 0xFFFF && code_point.wrapping_sub(0xD800) >= 0x800
}

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
        _ if F::Plain::COUNT == 1 => skip_units(from, units, tally),
        _ => match from.order() {
            ByteOrder::Big => skip_digits::<F, true, U>(from, units, tally),
            ByteOrder::Little => skip_digits::<F, false, U>(from, units, tally),
        },
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

/// Passes over sequences of a system whose plain code points are a unit each.
fn skip_units<U: Unit>(from: impl WholeSequences, units: &[U], tally: &mut impl Tally) -> usize {
    let has_words = from.plain() == WORDS;
    let plain = plain_units(from).of_type();
    let are_words = |block: &[U; BLOCK]| block.iter().fold(true, |all, &unit| all & is_word(unit.into()));
    let is_counted = |block: &&[U; BLOCK]| plain.holds_all(block) || has_words && are_words(block);
    skip(from, units, tally, |units: &[U], tally| {
        let Some(block) = units.first_chunk::<BLOCK>().filter(is_counted) else { return 0 };
        tally.block(block.iter().map(|&unit| unit.into()));
        BLOCK
    })
}

/// Passes over sequences of a system whose plain code points are several units each.
fn skip_digits<F: WholeSequences, const BIG: bool, U: Unit>(
    from: F,
    units: &[U],
    tally: &mut impl Tally,
) -> usize {
    let plain = from.plain();
    let is_counted = |units: &[U]| {
        let code_point = digits::joined::<F::Plain, BIG, U>(units);
        let is_plain = if plain == WORDS { is_word(code_point) } else { plain.holds(code_point) };
        digits::are_digits::<F::Plain, U>(units) & is_plain
    };
    skip(from, units, tally, |units, tally| {
        let Some(block) = units.get(..BLOCK * F::Plain::COUNT) else { return 0 };
        let code_points = block.chunks_exact(F::Plain::COUNT);
        // Without an early exit, for the sake of vector instructions.
        if !code_points.clone().fold(true, |all, units| all & is_counted(units)) {
            return 0;
        }
        tally.block(code_points.map(digits::joined::<F::Plain, BIG, U>));
        block.len()
    })
}

/// Passes over blocks, by `block`, which returns how many units there were in one, and over single sequences.
#[inline(always)]
fn skip<U: Unit, T: Tally>(
    from: impl WholeSequences,
    units: &[U],
    tally: &mut T,
    block: impl Fn(&[U], &mut T) -> usize,
) -> usize {
    let mut read = 0;
    let mut stride = Stride::default();
    loop {
        loop {
            match block(&units[read..], tally) {
                0 => break,
                count => read += count,
            }
            stride = Stride::default();
        }
        for _ in 0..stride.next() {
            let Some((code_point, length)) = from.read(&units[read..]) else { return read };
            tally.code_point(code_point);
            read += length;
        }
    }
}
