//! Systems in which every word is a code point or an error by itself: Latin-1, ASCII, UCS-2 and UTF-32. A word is a unit, or the
//! octets of one.

use super::code_points::{OCTET, REPLACEMENT, above, surrogate};
use super::error_kind::ErrorKind;
use crate::core::{ByteOrder, System};
use crate::netlist::Signal;

/// The words of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct Words {
    /// Bits of a word.
    pub(in crate::core) bits: u32,
    /// The last code point.
    pub(in crate::core) last: u32,
    /// The order of the octets of a word, and whether frames open with a byte order mark; `None` if a word is a unit.
    pub(in crate::core) octets: Option<(ByteOrder, bool)>,
}

/// A word, taken as a code point.
pub(in crate::core) struct Single<'m> {
    /// The code point; anything where the word is an error.
    pub(in crate::core) code_point: Signal<'m>,
    /// The possible faults of the word; at most one of them is high.
    pub(in crate::core) faults: Vec<(ErrorKind, Signal<'m>)>,
}

impl Words {
    /// The words of a system; `None` if it has others than these.
    pub(in crate::core) fn of(system: System) -> Option<Self> {
        let (bits, last, octets) = match system {
            System::Latin1 => (8, 0xff, None),
            System::Ascii => (8, 0x7f, None),
            System::Ucs2 => (16, 0xffff, None),
            System::Ucs2Octets { order, bom } => (16, 0xffff, Some((order, bom))),
            System::Utf32 { max } => (32, max.code_point(), None),
            System::Utf32Octets { order, bom, max } => (32, max.code_point(), Some((order, bom))),
            System::Utf8
            | System::Utf8Bom { .. }
            | System::Utf8Rfc2279
            | System::Utf8EightByte
            | System::Utf8SixtyFiveBit
            | System::Hunk(_)
            | System::UtfInf8 { .. }
            | System::Utf9 { .. }
            | System::Utf18
            | System::CorrectedUtf8 { .. }
            | System::Utf16
            | System::Utf16Octets { .. }
            | System::UtfEbcdicI8 { .. }
            | System::Cesu8
            | System::Mutf8
            | System::Wtf8 => return None,
        };
        Some(Self { bits, last, octets })
    }

    /// A word is a unit, so that none is open at the end of a frame.
    pub(in crate::core) fn are_units(&self) -> bool {
        self.octets.is_none()
    }

    /// Bits of a code point.
    pub(in crate::core) fn code_bits(&self) -> u32 {
        u32::BITS - self.last.leading_zeros()
    }

    /// Units of a code point.
    pub(in crate::core) fn units(&self) -> u32 {
        if self.are_units() { 1 } else { self.bits / OCTET }
    }

    /// The code point that is written for errors: U+FFFD, or a question mark in systems that lack it.
    pub(in crate::core) fn replacement(&self) -> u64 {
        if REPLACEMENT <= self.last.into() { REPLACEMENT } else { 0x3f }
    }

    /// Whether surrogates could be code points by their value, and so are errors.
    pub(in crate::core) fn has_surrogates(&self) -> bool {
        self.last > 0xdfff
    }

    /// The kind of a word past the last code point; `None` if there is no such word.
    fn past_last(&self) -> Option<ErrorKind> {
        let kind = if self.bits == 8 { ErrorKind::Invalid } else { ErrorKind::OutOfRange };
        (self.code_bits() < self.bits).then_some(kind)
    }

    /// The kinds of error that words can be.
    pub(in crate::core) fn kinds(&self) -> Vec<ErrorKind> {
        let surrogate = self.has_surrogates().then_some(ErrorKind::Surrogate);
        surrogate.into_iter().chain(self.past_last()).collect()
    }

    /// Classifies `word`. An absent word is no error.
    pub(in crate::core) fn single<'m>(&self, word: Signal<'m>, there: Signal<'m>) -> Single<'m> {
        let code_point = word.bits(0..self.code_bits());
        let past = self.past_last().map(|kind| {
            let past = there & above(word, self.last.into()).expect("a word has more bits");
            let past = match kind {
                ErrorKind::Invalid => past.named("invalid").note("the octet is 80 or more"),
                _ => past.named("past_last").note(&format!("the word is above U+{:X}", self.last)),
            };
            (kind, past)
        });
        let surrogate = self
            .has_surrogates()
            .then(|| (ErrorKind::Surrogate, (there & surrogate(code_point)).named("is_surrogate")));
        Single { code_point, faults: past.into_iter().chain(surrogate).collect() }
    }
}
