//! The marks that a validator owes for each unit, found from the events of the software decoder.
//!
//! Units are read one by one. An error that is reported at a unit either has that unit in it, so the unit ends the error (`bad`), or is
//! over before the unit (`cut`).

use utfhdl_codec::{Codec as _, Decoder, ErrorKind, Event, Slot, System};
use utfhdl_hdl::core::{BitField, Verdict};

use super::counts::Counts;

/// U+000A.
const LINE_FEED: Slot = Slot::CodePoint(0xa);

/// Bits of the kind of an error.
const KIND_BITS: u32 = 4;

/// Finds the marks of the units of frames. Two that are equal give the same marks to any further units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Marker {
    verdict: Verdict,
    reader: Reader,
    /// Reads the same units where a magic number or byte order mark is text like any other, which begins and may end a line.
    plain: Option<Reader>,
    /// Whether lines end where they do in `plain`. In octets of words, a byte order mark decides what ends a line.
    has_plain_lines: bool,
    /// Units of the frame that were read.
    read: u64,
}

/// A decoder, and how far its events go.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reader {
    decoder: Decoder,
    /// Units of the frame in events that are complete.
    covered: u64,
}

impl Reader {
    fn new(system: System) -> Self {
        Self { decoder: system.decoder(), covered: 0 }
    }

    /// Reads the unit at an offset of the frame and passes on its events. Returns whether the unit begins a code point or an error.
    fn read(&mut self, unit: u32, at: u64, last: bool, mut each: impl FnMut(Event)) -> bool {
        let mut units = &[unit][..];
        let mut begins = false;
        while let Some(event) = self.decoder.next(&mut units, last) {
            begins |= event.offset == at;
            // The events of heads and limbs have no length, except the last.
            if event.length > 0 {
                self.covered = event.offset + event.length;
            }
            each(event);
        }
        let begins = begins || self.covered == at;
        self.covered = if last { 0 } else { self.covered };
        begins
    }

    /// Ends the frame on a beat without units.
    fn end(&mut self, mut each: impl FnMut(Event)) {
        while let Some(event) = self.decoder.next::<u32>(&mut &[][..], true) {
            each(event);
        }
        self.covered = 0;
    }
}

impl Marker {
    pub(super) fn new(system: System, verdict: Verdict) -> Self {
        let plain = match system {
            System::Utf8Bom { .. } => System::Utf8,
            System::CorrectedUtf8 { .. } => System::CorrectedUtf8 { document: false, private: false },
            System::Ucs2Octets { order, .. } => System::Ucs2Octets { order, bom: false },
            System::Utf32Octets { order, max, .. } => System::Utf32Octets { order, bom: false, max },
            system => system,
        };
        let has_plain_lines = matches!(system, System::Utf8Bom { .. } | System::CorrectedUtf8 { .. });
        let plain = (plain != system).then(|| Reader::new(plain));
        Self { verdict, reader: Reader::new(system), plain, has_plain_lines, read: 0 }
    }

    /// The marks of the next unit, which may be the last of its frame.
    pub(super) fn unit(&mut self, unit: u32, last: bool, counts: &mut Counts) -> u16 {
        let at = self.read;
        let (mut cut, mut bad, mut ends_line) = (0, 0, false);
        let mut begins = self.reader.read(unit, at, last, |event| {
            counts.count(event.what);
            ends_line |= event.what == LINE_FEED;
            if let Slot::Error(kind) = event.what {
                let has_unit = event.offset + event.length > at;
                // Two errors can come before a unit that breaks four octets. The mark of the unit's own error then stands for the later one.
                let error = if has_unit || cut > 0 { &mut bad } else { &mut cut };
                assert_eq!(*error, 0, "a unit makes one such error certain at most");
                *error = kind.code().into();
            }
        });
        if let Some(plain) = &mut self.plain {
            let mut ends_plain_line = false;
            begins = plain.read(unit, at, last, |event| ends_plain_line |= event.what == LINE_FEED);
            ends_line = if self.has_plain_lines { ends_plain_line } else { ends_line };
        }
        self.read = if last { 0 } else { at + 1 };
        self.word(cut, bad, begins, ends_line)
    }

    /// The marks of the end of a frame on a beat without units.
    pub(super) fn end(&mut self, counts: &mut Counts) -> u16 {
        let mut errors = Vec::new();
        self.reader.end(|event| {
            counts.count(event.what);
            if let Slot::Error(kind) = event.what {
                errors.push(kind.code().into());
            }
        });
        assert!(errors.len() <= 2, "the end of a frame makes two errors certain at most");
        let error = |index: usize| errors.get(index).copied().unwrap_or(0);
        if let Some(plain) = &mut self.plain {
            plain.end(|_| {});
        }
        self.read = 0;
        self.word(error(0), error(1), false, false)
    }

    /// The bits of a lane of `m_axis_tuser`.
    fn word(&self, cut: u16, bad: u16, begins: bool, ends_line: bool) -> u16 {
        let Verdict { kinds, start, newline } = self.verdict;
        let (mut word, mut bits) = match kinds {
            true => (cut | bad << KIND_BITS, 2 * KIND_BITS),
            false => (u16::from(cut > 0) | u16::from(bad > 0) << 1, 2),
        };
        for (is_there, mark) in [(start, begins), (newline, ends_line)] {
            if is_there {
                word |= u16::from(mark) << bits;
                bits += 1;
            }
        }
        word
    }
}

/// Marks in words, each with a space in front: ` cut start`, ` bad:invalid`.
pub fn in_words(verdict: Verdict, marks: u16) -> String {
    let field = |field: BitField| {
        let value = marks >> field.low & ((1 << field.bits) - 1);
        let kind = ErrorKind::from_code(value as u8).filter(|_| field.bits > 1);
        match (value, kind) {
            (0, _) => String::new(),
            (_, Some(kind)) => format!(" {}:{kind}", field.name),
            (_, None) => format!(" {}", field.name),
        }
    };
    verdict.fields().into_iter().map(field).collect()
}
