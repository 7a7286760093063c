//! Events and slots written as lines.

use std::io::{self, Write};

use super::decimal::{self, Decimal};
use crate::{BrokenGroup, ErrorKind, Event, Gather, Slot, Whole};

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineFormat {
    /// Offset, length, and `U+20AC` or the kind of error, with tabs between
    Text,
    /// A JSON object: `{"offset":0,"length":4,"cp":"1F600"}` or `{"offset":9,"length":1,"error":"overlong"}`
    Json,
}

/// Why a line could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file could not be written. The error of the file is the source, so that callers can tell a broken pipe.
    #[error("output failed")]
    Io(#[from] io::Error),
    /// The slots break the rules of the UCS stream.
    #[error(transparent)]
    Group(#[from] BrokenGroup),
}

/// How many bytes are written to the file at once.
const BUFFER: usize = 128 * 1024;

/// The most bytes of a line, but for those of code points of 2^32 or more.
const LONGEST_SHORT_LINE: usize = 128;

/// Writes a line for every code point and every error. [`LineReader`](super::LineReader) reads them again.
///
/// Lines wait in a buffer of 128 KiB until [`flush`](Self::flush).
#[derive(Debug)]
pub struct LineWriter<W> {
    file: W,
    format: LineFormat,
    gather: Gather,
    errors: u64,
    buffer: Vec<u8>,
    offset: Decimal,
    length: Decimal,
}

impl<W: Write> LineWriter<W> {
    /// A writer of lines to `file`. Of code points of more than `most_digits` hexadecimal digits, lines tell only how many
    /// digits there are.
    pub fn new(file: W, format: LineFormat, most_digits: u64) -> LineWriter<W> {
        LineWriter {
            file,
            format,
            gather: Gather::with_limit(most_digits),
            errors: 0,
            buffer: Vec::with_capacity(BUFFER),
            offset: Decimal::zero(),
            length: Decimal::zero(),
        }
    }

    /// Writes an event, with its offset and length.
    ///
    /// # Errors
    ///
    /// [`WriteError`] says whether the file or the event is at fault.
    #[inline]
    pub fn event(&mut self, event: Event) -> Result<(), WriteError> {
        self.line(Some((event.offset, event.length)), event.what)
    }

    /// Writes a slot of which offset and length are not known.
    ///
    /// # Errors
    ///
    /// As [`event`](Self::event).
    pub fn slot(&mut self, slot: Slot) -> Result<(), WriteError> {
        self.line(None, slot)
    }

    /// How many errors there were among the slots.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Writes the lines so far to the file, and flushes it.
    ///
    /// # Errors
    ///
    /// What the file says.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.file.flush()
    }

    fn write_out(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        written
    }

    #[inline]
    fn line(&mut self, place: Option<(u64, u64)>, slot: Slot) -> Result<(), WriteError> {
        match self.gather.push(slot)? {
            None => {}
            Some(Whole::CodePoint(code_point)) => self.short(place, Content::CodePoint(code_point)),
            Some(Whole::Error(kind)) => {
                self.errors += 1;
                self.short(place, Content::Error(kind));
            }
            Some(Whole::TooLong { digits }) => self.short(place, Content::Digits(digits)),
            Some(Whole::Long(value)) => self.long(place, &format!("{value:X}")),
        }
        if self.buffer.len() >= BUFFER - LONGEST_SHORT_LINE {
            self.write_out()?;
        }
        Ok(())
    }

    /// A line of a few bytes, put together in place.
    #[inline]
    fn short(&mut self, place: Option<(u64, u64)>, content: Content) {
        let mut line = Line { text: [0; LONGEST_SHORT_LINE], length: 0 };
        self.start(place, &mut line);
        match (self.format, content) {
            (LineFormat::Text, Content::CodePoint(code_point)) => {
                line.put(b"U+");
                line.hexadecimal(code_point);
            }
            (LineFormat::Text, Content::Error(kind)) => line.put_any(kind.name().as_bytes()),
            (LineFormat::Text, Content::Digits(digits)) => {
                line.put_any(digits.to_string().as_bytes());
                line.put(b" digits");
            }
            (LineFormat::Json, Content::CodePoint(code_point)) => {
                line.put(b"\"cp\":\"");
                line.hexadecimal(code_point);
                line.put(b"\"}");
            }
            (LineFormat::Json, Content::Error(kind)) => {
                line.put(b"\"error\":\"");
                line.put_any(kind.name().as_bytes());
                line.put(b"\"}");
            }
            (LineFormat::Json, Content::Digits(digits)) => {
                line.put(b"\"digits\":");
                line.put_any(digits.to_string().as_bytes());
                line.put(b"}");
            }
        }
        line.put(b"\n");
        self.buffer.extend_from_slice(&line.text[..line.length]);
    }

    /// A line of a code point of any size, of which the digits are given.
    fn long(&mut self, place: Option<(u64, u64)>, digits: &str) {
        let mut line = Line { text: [0; LONGEST_SHORT_LINE], length: 0 };
        self.start(place, &mut line);
        self.buffer.extend_from_slice(&line.text[..line.length]);
        let (before, behind) = match self.format {
            LineFormat::Text => ("U+", "\n"),
            LineFormat::Json => ("\"cp\":\"", "\"}\n"),
        };
        for part in [before, digits, behind] {
            self.buffer.extend_from_slice(part.as_bytes());
        }
    }

    /// What is in front of the code point or the error.
    #[inline]
    fn start(&mut self, place: Option<(u64, u64)>, line: &mut Line) {
        let is_json = self.format == LineFormat::Json;
        if is_json {
            line.put(b"{");
        }
        let Some((offset, length)) = place else { return };
        self.offset.set(offset);
        self.length.set(length);
        if is_json {
            line.put(b"\"offset\":");
            line.decimal(&self.offset);
            line.put(b",\"length\":");
            line.decimal(&self.length);
            line.put(b",");
        } else {
            line.decimal(&self.offset);
            line.put(b"\t");
            line.decimal(&self.length);
            line.put(b"\t");
        }
    }
}

/// What a short line says.
enum Content {
    CodePoint(u32),
    Error(ErrorKind),
    Digits(u64),
}

/// A line that is put together. Copies are of fixed lengths, which is what makes them fast.
struct Line {
    text: [u8; LONGEST_SHORT_LINE],
    length: usize,
}

impl Line {
    #[inline(always)]
    fn put<const N: usize>(&mut self, text: &[u8; N]) {
        self.put_some(text, N);
    }

    /// Puts `count` bytes of `text` behind the line.
    #[inline(always)]
    fn put_some<const N: usize>(&mut self, text: &[u8; N], count: usize) {
        self.text[self.length..self.length + N].copy_from_slice(text);
        self.length += count;
    }

    fn put_any(&mut self, text: &[u8]) {
        self.text[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    #[inline(always)]
    fn decimal(&mut self, number: &Decimal) {
        let (digits, count) = number.digits();
        self.put_some::<{ decimal::MOST }>(digits, count);
    }

    /// Puts hexadecimal digits behind the line, in upper case and without leading zeros.
    #[inline(always)]
    fn hexadecimal(&mut self, number: u32) {
        let bits = u32::BITS - (number | 1).leading_zeros();
        let count = bits.div_ceil(4);
        // The digits stand left in eight bytes: each nibble gets a byte, and all become digits at once.
        let nibbles = u64::from(number << (u32::BITS - 4 * count));
        let nibbles = (nibbles << 16 | nibbles) & 0x0000_FFFF_0000_FFFF;
        let nibbles = (nibbles << 8 | nibbles) & 0x00FF_00FF_00FF_00FF;
        let nibbles = (nibbles << 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F;
        let is_letter = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
        let digits = nibbles + 0x3030_3030_3030_3030 + is_letter * u64::from(b'A' - b'0' - 10);
        self.put_some(&digits.to_be_bytes(), count as usize);
    }
}
