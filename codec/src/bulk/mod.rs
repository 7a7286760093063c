//! Fast paths for text as it mostly is: well-formed sequences that lie in one piece, of code points below 2^32.
//!
//! The reference reads a stream unit by unit, by the [`Grammar`](crate::grammar::Grammar) of its system, and takes slots one
//! by one. The functions of this module do a run of sequences at once. They may stop anywhere between two sequences and for
//! any reason: an ill-formed sequence, the end of the input, little room, a code point that the system does not have. The
//! caller then continues with the reference for one step, so that all that is not plain text, and every error, is decided by
//! the reference alone. The tests hold a run to be what the reference makes of the same units.
//!
//! Each system has one file, with its [`WholeSequences`].

pub(crate) mod cesu_8;
pub(crate) mod corrected_utf_8;
pub(crate) mod digits;
pub(crate) mod multi_octet;
pub(crate) mod none;
pub(crate) mod one_octet;
pub(crate) mod points;
pub(crate) mod prefix;
pub(crate) mod scsu;
pub(crate) mod skip;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod utf_1;
pub(crate) mod utf_16;
pub(crate) mod utf_18;
pub(crate) mod utf_32;
pub(crate) mod utf_7;
pub(crate) mod utf_8;
pub(crate) mod utf_9;
pub(crate) mod utf_ebcdic;
pub(crate) mod utf_ebcdic_i8;
mod wide;

use crate::{Event, Slot, Unit};
use digits::Layout;

/// The most units of a sequence that [`WholeSequences::write`] writes.
pub(crate) const LONGEST: usize = 8;

/// How many plain units are tested at once: of 16 bits they fill a vector register, and the compiler makes vector
/// instructions of the loops over a block.
const BLOCK: usize = 8;

/// A system whose sequences are read and written whole.
pub(crate) trait WholeSequences: Copy {
    /// Whether the sequences are those of `utf-8`.
    const IS_UTF_8: bool = false;

    /// The plain code points, which are at most U+FFFF: three octets in UTF-8, and a unit in UTF-16.
    fn plain(self) -> PlainUnits;

    /// How plain code points are written.
    #[inline(always)]
    fn layout(self) -> Layout {
        Layout::Unit
    }

    /// The code point and the length of the sequence at the front of `units`. `None` if the sequence is ill-formed,
    /// incomplete, or unknown to this fast path.
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)>;

    /// Writes the sequence of a code point to the front of `room`, and returns its length. `None` if the system lacks the
    /// code point, or this fast path does not know its sequence. The contents of `room` after the sequence have no
    /// meaning.
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize>;

    /// Reads sequences off the front of `units` as code points. It may stop before the last of them.
    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        points::read(self, units, code_points)
    }

    /// Reads sequences off the front of `octets` and writes those of `utf-8`, without code points between. It may stop before the last of
    /// them, and does so at the first where a system has no such way.
    fn read_as_utf_8(self, _octets: &[u8], _room: &mut [u8]) -> Run {
        Run::default()
    }

    /// Reads sequences of `utf-8` off the front of `octets` and writes those of the same code points, without code points between. It may stop
    /// where [`read_as_utf_8`](Self::read_as_utf_8) may.
    fn write_from_utf_8(self, _octets: &[u8], _room: &mut [u8]) -> Run {
        Run::default()
    }

    /// Writes the sequences of the code points at the front of `code_points`. It may stop before the last of them. The contents of
    /// `units` after the last sequence have no meaning.
    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        points::write(self, code_points, units)
    }
}

/// The plain code points of a system that are a unit each.
#[inline(always)]
fn plain_units<S: WholeSequences>(sequences: S) -> PlainUnits {
    if sequences.layout() == Layout::Unit { sequences.plain() } else { PlainUnits::NONE }
}

/// A range of code points without the surrogates; see [`WholeSequences::plain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainUnits {
    first: u32,
    count: u32,
}

impl PlainUnits {
    /// No unit.
    pub(crate) const NONE: PlainUnits = PlainUnits { first: 0, count: 0 };

    /// The code points from `first` up to, and not including, `end`, but surrogates.
    pub(crate) const fn new(first: u32, end: u32) -> PlainUnits {
        PlainUnits { first, count: end.saturating_sub(first) }
    }

    /// The units that are plain in both of two systems.
    pub(crate) fn common(self, other: PlainUnits) -> PlainUnits {
        let end = (self.first + self.count).min(other.first + other.count);
        PlainUnits::new(self.first.max(other.first), end)
    }

    #[inline(always)]
    fn holds(self, unit: u32) -> bool {
        (unit.wrapping_sub(self.first) < self.count) & !is_surrogate(unit)
    }

    /// Converts the range to units of type `U`.
    #[inline(always)]
    fn of_type<U: Unit>(self) -> PlainUnitsOf<U> {
        PlainUnitsOf {
            first: U::of_low_bits(self.first),
            span: U::of_low_bits(self.count.saturating_sub(1).min(U::MOST)),
            is_empty: self.count == 0 || self.first > U::MOST,
        }
    }
}

#[inline(always)]
fn is_surrogate(code_point: u32) -> bool {
    code_point & !0x7FF == 0xD800
}

/// [`PlainUnits`] in the arithmetic of a type of units.
#[derive(Clone, Copy)]
struct PlainUnitsOf<U> {
    first: U,
    /// The last unit minus the first.
    span: U,
    is_empty: bool,
}

impl<U: Unit> PlainUnitsOf<U> {
    #[inline(always)]
    fn holds(self, unit: U) -> bool {
        !self.is_empty && (unit.distance_from(self.first) <= self.span) & !is_surrogate(unit.into())
    }

    #[inline(always)]
    fn holds_all<const COUNT: usize>(self, units: &[U; COUNT]) -> bool {
        // Without an early exit, for the sake of vector instructions.
        units.iter().fold(true, |all, &unit| all & self.holds(unit))
    }
}

/// How much of its input and output a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl core::ops::Add for Run {
    type Output = Run;

    fn add(self, next: Run) -> Run {
        Run { read: self.read + next.read, written: self.written + next.written }
    }
}

/// How many sequences are read one by one before a block of plain units is looked for again: the more the longer there was
/// none, so that text that has none does not pay for the search.
#[derive(Clone, Copy)]
struct Stride(usize);

impl Stride {
    #[inline(always)]
    fn next(&mut self) -> usize {
        let now = self.0;
        self.0 = (2 * now).min(8 * BLOCK);
        now
    }
}

impl Default for Stride {
    fn default() -> Stride {
        Stride(BLOCK)
    }
}

/// Reads sequences off the front of `units`, which starts with a sequence at `offset` of the stream.
#[inline]
pub(crate) fn read_run<U: Unit, E: From<Event>>(
    from: impl WholeSequences,
    offset: u64,
    units: &[U],
    events: &mut [E],
) -> Run {
    let plain = plain_units(from).of_type();
    let event = |read: usize, length: usize, code_point: u32| {
        let (offset, length) = (offset + read as u64, length as u64);
        E::from(Event { offset, length, what: Slot::CodePoint(code_point) })
    };
    let mut run = Run::default();
    let mut stride = Stride::default();
    loop {
        while let Some(block) = units[run.read..].first_chunk::<BLOCK>()
            && let Some(room) = events[run.written..].first_chunk_mut::<BLOCK>()
            && plain.holds_all(block)
        {
            for (index, (room, &unit)) in room.iter_mut().zip(block).enumerate() {
                *room = event(run.read + index, 1, unit.into());
            }
            run.read += BLOCK;
            run.written += BLOCK;
            stride = Stride::default();
        }
        for _ in 0..stride.next() {
            let Some(room) = events.get_mut(run.written) else { return run };
            let Some((code_point, length)) = from.read(&units[run.read..]) else { return run };
            *room = event(run.read, length, code_point);
            run.read += length;
            run.written += 1;
        }
    }
}

/// Writes the sequences of the code points at the front of `slots`.
#[inline]
pub(crate) fn write_run<S: Copy + Into<Slot>, V: Unit>(
    to: impl WholeSequences,
    slots: &[S],
    units: &mut [V],
) -> Run {
    let plain = plain_units(to);
    let mut run = Run::default();
    let mut stride = Stride::default();
    loop {
        while let Some(block) = slots[run.read..].first_chunk::<BLOCK>()
            && let Some(room) = units[run.written..].first_chunk_mut::<BLOCK>()
            && write_plain(plain, block, room)
        {
            run.read += BLOCK;
            run.written += BLOCK;
            stride = Stride::default();
        }
        for _ in 0..stride.next() {
            let Some(room) = units[run.written..].first_chunk_mut() else { return run };
            let Some(&slot) = slots.get(run.read) else { return run };
            let Slot::CodePoint(code_point) = slot.into() else { return run };
            let Some(length) = to.write(code_point, room) else { return run };
            run.read += 1;
            run.written += length;
        }
    }
}

/// Writes a block of code points that are plain units, and tells whether they all are.
#[inline(always)]
fn write_plain<S: Copy + Into<Slot>, V: Unit>(
    plain: PlainUnits,
    slots: &[S; BLOCK],
    room: &mut [V; BLOCK],
) -> bool {
    let mut all = true;
    for (&slot, room) in slots.iter().zip(room) {
        let code_point = match slot.into() {
            Slot::CodePoint(code_point) => code_point,
            _ => u32::MAX,
        };
        *room = V::of_low_bits(code_point);
        all &= plain.holds(code_point);
    }
    all
}
