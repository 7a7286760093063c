//! The numbers of a stream, and its first error.

use thiserror::Error;

use crate::bulk::skip::Tally;
use crate::{ErrorKind, Event, SURROGATES, Slot};

/// An ill-formed sequence of a stream: an [`Event`] that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("offset {offset}: {kind}")]
pub struct IllFormed {
    /// Offset of the sequence's first unit, in units from the start of the stream.
    pub offset: u64,
    /// How many units the sequence has.
    pub length: u64,
    /// The kind of error.
    pub kind: ErrorKind,
}

impl IllFormed {
    /// The error that an event is, if it is one.
    pub fn of_event(event: Event) -> Option<IllFormed> {
        let Event { offset, length, what: Slot::Error(kind) } = event else { return None };
        Some(IllFormed { offset, length, kind })
    }
}

/// The numbers of a stream, or of several: how long it is in units and in code points, and how long it would be in other
/// encodings.
///
/// The lengths in UTF-8, UTF-16 and UTF-32 are those of what an encoder with [`OnError::Replace`](crate::OnError::Replace) writes,
/// without a byte order mark. Errors, and code points that Unicode lacks, are U+FFFD there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Units of the stream, its mark and its errors included.
    pub units: u64,
    /// Code points: well-formed sequences, of which a few of `big5` are two code points.
    pub code_points: u64,
    /// Ill-formed sequences.
    pub errors: u64,
    /// The first ill-formed sequence.
    pub first_error: Option<IllFormed>,
    /// Octets in UTF-8.
    pub utf_8: u64,
    /// Units of 16 bits in UTF-16.
    pub utf_16: u64,
    /// Units of 32 bits in UTF-32.
    pub utf_32: u64,
}

/// The code point that is written in place of errors.
const REPLACEMENT: u32 = 0xFFFD;

impl Counts {
    /// Counts an event of a decoder, all but its units: a group of slots counts with its last event.
    #[inline]
    pub fn add(&mut self, event: Event) {
        match event.what {
            Slot::CodePoint(code_point) => self.code_point(code_point),
            _ if event.length == 0 => {}
            Slot::Head(_) | Slot::Limb(_) => {
                self.code_points += 1;
                self.length_of(REPLACEMENT);
            }
            Slot::Error(_) => {
                self.errors += 1;
                self.first_error = self.first_error.or(IllFormed::of_event(event));
                self.length_of(REPLACEMENT);
            }
        }
    }

    /// Counts what a code point is in the three encodings.
    #[inline]
    fn length_of(&mut self, code_point: u32) {
        let is_unicode = code_point <= 0x10_FFFF && !SURROGATES.contains(&code_point.into());
        let code_point = if is_unicode { code_point } else { REPLACEMENT };
        self.utf_8 += match code_point {
            0..=0x7F => 1,
            0x80..=0x7FF => 2,
            0x800..=0xFFFF => 3,
            _ => 4,
        };
        self.utf_16 += 1 + u64::from(code_point > 0xFFFF);
        self.utf_32 += 1;
    }
}

impl Tally for Counts {
    #[inline(always)]
    fn code_point(&mut self, code_point: u32) {
        self.code_points += 1;
        self.length_of(code_point);
    }

    #[inline(always)]
    fn block(&mut self, code_points: impl ExactSizeIterator<Item = u32>) {
        let count = code_points.len() as u64;
        // Sums of octets, for the sake of vector instructions.
        let longer = |code_point: u32| u8::from(code_point > 0x7F) + u8::from(code_point > 0x7FF);
        let longer: u8 = code_points.map(longer).sum();
        self.code_points += count;
        self.utf_8 += count + u64::from(longer);
        self.utf_16 += count;
        self.utf_32 += count;
    }

    #[inline(always)]
    fn utf_8(&mut self, octets: &[u8]) {
        let (mut code_points, mut pairs) = (0, 0);
        // No sum of a chunk is more than an octet holds.
        for chunk in octets.chunks(128) {
            let ones = |is: fn(u8) -> bool| -> u8 { chunk.iter().map(|&octet| u8::from(is(octet))).sum() };
            code_points += u64::from(ones(|octet| octet & 0xC0 != 0x80));
            pairs += u64::from(ones(|octet| octet >= 0xF0));
        }
        self.code_points += code_points;
        self.utf_8 += octets.len() as u64;
        self.utf_16 += code_points + pairs;
        self.utf_32 += code_points;
    }
}
