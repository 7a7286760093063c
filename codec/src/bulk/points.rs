//! Code points between two systems: sequences are read as code points, some hundred at once, and these are written as the other
//! system has them. Neither of the two loops depends on both systems, and a processor guesses the branches of each by itself.

use super::digits::{self, Digits, Layout, Plain, with_digits};
use super::wide::widely;
use super::{LONGEST, PlainUnits, Run, WholeSequences, utf_8};
use crate::Unit;

/// The most code points that are read before they are written.
pub(crate) const POINTS: usize = 512;

/// How many code points are read after plain text. In text that is mostly plain, plain text resumes after a single other code point.
const FEW_POINTS: usize = 2;

/// How many plain code points make the next code points [few](FEW_POINTS). Where plain text is shorter, as between the accents of French,
/// leaving and entering it costs more than reading it with the rest.
const LONG: usize = 128;

/// How many code points are read before they are written. They double as long as there is no plain text. Where text is full of errors, or of code
/// points that the other system lacks, few are read in vain.
pub(crate) fn next_most(most: usize, plain: usize) -> usize {
    if plain >= LONG { FEW_POINTS } else { (2 * most).min(POINTS) }
}

/// How many plain code points are tested at once.
const BLOCK: usize = 16;

/// How many code points have room in `units` units, whatever their sequences are.
pub(crate) fn room(units: usize) -> usize {
    units / LONGEST
}

/// The plain code points of a system, and how it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainText {
    code_points: PlainUnits,
    layout: Layout,
    is_utf_8: bool,
}

impl PlainText {
    pub(crate) fn of<S: WholeSequences>(sequences: S) -> PlainText {
        PlainText { code_points: sequences.plain(), layout: sequences.layout(), is_utf_8: S::IS_UTF_8 }
    }

    /// Whether the sequences are those of `utf-8`.
    pub(crate) fn is_utf_8(self) -> bool {
        self.is_utf_8
    }

    /// Copies text that is plain in both systems from the front of `input`, up to the first code point that is not, or nearly to
    /// an end.
    pub(crate) fn copy<U: Unit, V: Unit>(self, to: PlainText, input: &[U], output: &mut [V]) -> Run {
        if self.is_utf_8
            && to.is_utf_8
            && let Some(from) = U::octets(input)
            && let Some(to) = V::octets_mut(output)
        {
            let count = utf_8::copy(from, to);
            return Run { read: count, written: count };
        }
        let plain = self.code_points.common(to.code_points);
        with_digits!(self.layout, F => with_digits!(to.layout, T => digits::copy::<F, T, U, V>(plain, input, output)))
    }
}

/// Reads sequences off the front of `units`: blocks of plain ones at once, and others one by one.
#[inline(always)]
pub(super) fn read<S: WholeSequences, U: Unit>(from: S, units: &[U], code_points: &mut [u32]) -> Run {
    with_digits!(from.layout(), D => read_digits::<D, U>(from, units, code_points))
}

widely! {
    /// Does what [`read`] does, where vector instructions matter.
    pub(super) fn read_widely = read<S: WholeSequences, U: Unit>(from: S, units: &[U], code_points: &mut [u32]) -> Run
}

#[inline(always)]
fn read_digits<D: Digits, U: Unit>(from: impl WholeSequences, units: &[U], code_points: &mut [u32]) -> Run {
    let plain = Plain::new(from.plain());
    let mut run = Run::default();
    loop {
        while let Some(block) = units[run.read..].get(..BLOCK * D::COUNT)
            && let Some(room) = code_points[run.written..].first_chunk_mut::<BLOCK>()
            && plain.holds_all::<D>(block)
        {
            for (units, room) in block.chunks_exact(D::COUNT).zip(room) {
                *room = digits::joined::<D, U>(units);
            }
            run.read += block.len();
            run.written += BLOCK;
        }
        for _ in 0..BLOCK {
            let Some(room) = code_points.get_mut(run.written) else { return run };
            let Some((code_point, length)) = from.read(&units[run.read..]) else { return run };
            *room = code_point;
            run.read += length;
            run.written += 1;
        }
    }
}

/// Writes the sequences of the code points at the front of `code_points`: blocks of plain ones at once, and others one by one.
#[inline(always)]
pub(super) fn write<S: WholeSequences, V: Unit>(to: S, code_points: &[u32], units: &mut [V]) -> Run {
    with_digits!(to.layout(), D => write_digits::<D, V>(to, code_points, units))
}

widely! {
    /// Does what [`write`] does, where vector instructions matter.
    pub(super) fn write_widely = write<S: WholeSequences, V: Unit>(to: S, code_points: &[u32], units: &mut [V]) -> Run
}

#[inline(always)]
fn write_digits<D: Digits, V: Unit>(to: impl WholeSequences, code_points: &[u32], units: &mut [V]) -> Run {
    let plain = to.plain().of_type::<u32>();
    let mut run = Run::default();
    loop {
        while let Some(block) = code_points[run.read..].first_chunk::<BLOCK>()
            && let Some(room) = units[run.written..].get_mut(..BLOCK * D::COUNT)
            && plain.holds_all(block)
        {
            for (&code_point, room) in block.iter().zip(room.chunks_exact_mut(D::COUNT)) {
                digits::split::<D, V>(code_point, room);
            }
            run.read += BLOCK;
            run.written += BLOCK * D::COUNT;
        }
        for _ in 0..BLOCK {
            let Some(room) = units[run.written..].first_chunk_mut() else { return run };
            let Some(&code_point) = code_points.get(run.read) else { return run };
            let Some(length) = to.write(code_point, room) else { return run };
            run.read += 1;
            run.written += length;
        }
    }
}
