//! Systems in which every word is a code point or an error by itself: Latin-1, ASCII, character sets by table, UCS-2 and UTF-32. A word is
//! a unit, or the octets of one.

use super::code_points::{OCTET, REPLACEMENT, above, surrogate};
use super::error_kind::ErrorKind;
use super::octet_table::OctetTable;
use crate::core::{ByteOrder, System, Table, decoded_only, software_only};
use crate::netlist::{Builder, Signal};

/// The words of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) struct Words {
    /// Bits of a word.
    pub(in crate::core) bits: u32,
    /// The last code point.
    pub(in crate::core) last: u32,
    /// The order of the octets of a word, and whether frames open with a byte order mark; `None` if a word is a unit.
    pub(in crate::core) octets: Option<(ByteOrder, bool)>,
    /// The table that has the code points; `None` if they are the words.
    pub(in crate::core) table: Option<Table>,
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
        let mut of_table = None;
        let (bits, last, octets) = match system {
            System::Table(table) => {
                of_table = Some(table);
                (8, OctetTable::of(table).last(), None)
            }
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
            | decoded_only!()
            | software_only!()
            | System::Cesu8
            | System::Mutf8
            | System::Wtf8
            | System::MultiOctet(_)
            | System::Auto(_) => return None,
        };
        Some(Self { bits, last, octets, table: of_table })
    }

    /// A word is a unit, so that none is open at the end of a frame.
    pub(in crate::core) fn are_units(&self) -> bool {
        self.octets.is_none()
    }

    /// Bits of a code point.
    pub(in crate::core) fn code_bits(&self) -> u32 {
        (u32::BITS - self.last.leading_zeros()).max(1)
    }

    /// The table that has the code points; `None` if they are the words.
    pub(in crate::core) fn table(&self) -> Option<OctetTable> {
        self.table.map(OctetTable::of)
    }

    /// Units of a code point.
    pub(in crate::core) fn units(&self) -> u32 {
        if self.are_units() { 1 } else { self.bits / OCTET }
    }

    /// The word that is written for errors: of U+FFFD, or of a question mark in systems that lack it.
    pub(in crate::core) fn replacement(&self) -> u64 {
        if let Some(table) = self.table() {
            return table.replacement().into();
        }
        if REPLACEMENT <= self.last.into() { REPLACEMENT } else { 0x3f }
    }

    /// Whether surrogates could be code points by their value, and so are errors.
    pub(in crate::core) fn has_surrogates(&self) -> bool {
        self.table.is_none() && self.last > 0xdfff
    }

    /// The kind of a word past the last code point; `None` if there is no such word.
    fn past_last(&self) -> Option<ErrorKind> {
        if let Some(table) = self.table() {
            return table.has_gaps().then_some(ErrorKind::Invalid);
        }
        let kind = if self.bits == 8 { ErrorKind::Invalid } else { ErrorKind::OutOfRange };
        (self.code_bits() < self.bits).then_some(kind)
    }

    /// The kinds of error that words can be.
    pub(in crate::core) fn kinds(&self) -> Vec<ErrorKind> {
        let surrogate = self.has_surrogates().then_some(ErrorKind::Surrogate);
        surrogate.into_iter().chain(self.past_last()).collect()
    }

    /// Whether a word is U+000A; `None` if none is.
    pub(in crate::core) fn is_line_feed<'m>(&self, word: Signal<'m>) -> Option<Signal<'m>> {
        self.table().map_or_else(|| Some(word.is(0xa)), |table| table.is_line_feed(word))
    }

    /// Classifies `word`. An absent word is no error.
    pub(in crate::core) fn single<'m>(&self, word: Signal<'m>, there: Signal<'m>) -> Single<'m> {
        if let Some(table) = self.table() {
            return Single { code_point: table.code_point(word), faults: self.faults(word, there) };
        }
        let code_point = word.bits(0..self.code_bits());
        Single { code_point, faults: self.faults_of(word, code_point, there) }
    }

    /// The possible faults of `word`; at most one of them is high. An absent word is no error.
    pub(in crate::core) fn faults<'m>(
        &self,
        word: Signal<'m>,
        there: Signal<'m>,
    ) -> Vec<(ErrorKind, Signal<'m>)> {
        let Some(table) = self.table() else {
            return self.faults_of(word, word.bits(0..self.code_bits()), there);
        };
        let note = "the octet has no code point";
        let is_gap = table.is_gap(word).map(|is_gap| (there & is_gap).named("invalid").note(note));
        is_gap.map(|is_gap| (ErrorKind::Invalid, is_gap)).into_iter().collect()
    }

    /// The faults of a word that is its own code point.
    fn faults_of<'m>(
        &self,
        word: Signal<'m>,
        code_point: Signal<'m>,
        there: Signal<'m>,
    ) -> Vec<(ErrorKind, Signal<'m>)> {
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
        past.into_iter().chain(surrogate).collect()
    }
}

/// The offset of a word's first unit, from that of its last, whose low bits say which unit of the word it is.
pub(in crate::core) fn of_word<'m>(m: &'m Builder, offset: Signal<'m>, word: u32) -> Signal<'m> {
    if word == 0 { offset } else { m.concat([offset.bits(word..offset.width()), m.lit(word, 0)]) }
}
