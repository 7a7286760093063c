//! Events and slots written as lines.

use std::io::{self, Write};

use super::decimal::Decimal;
use crate::{BrokenGroup, ErrorKind, Event, Gather, Slot, Whole};

/// The format of a line.
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

/// The most bytes of a line, except for code points of 2^32 or more. Copies of fixed lengths may run past its end by up to as
/// many bytes.
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
    buffer: Box<[u8]>,
    /// How many bytes of the buffer are used.
    used: usize,
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
            buffer: vec![0; BUFFER].into(),
            used: 0,
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
        let place = Some((event.offset, event.length));
        match event.what {
            Slot::CodePoint(code_point) if self.gather.is_between_groups() => {
                Ok(self.short(place, Content::CodePoint(code_point))?)
            }
            slot => self.line(place, slot),
        }
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

    /// Writes all buffered lines to the file, and flushes it.
    ///
    /// # Errors
    ///
    /// The error of the file.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.file.flush()
    }

    #[cold]
    fn write_out(&mut self) -> io::Result<()> {
        let used = std::mem::take(&mut self.used);
        self.file.write_all(&self.buffer[..used])
    }

    /// Writes the line that a slot completes, if it does.
    fn line(&mut self, place: Option<(u64, u64)>, slot: Slot) -> Result<(), WriteError> {
        let content = match self.gather.push(slot)? {
            None => return Ok(()),
            Some(Whole::CodePoint(code_point)) => Content::CodePoint(code_point),
            Some(Whole::Error(kind)) => {
                self.errors += 1;
                Content::Error(kind)
            }
            Some(Whole::TooLong { digits }) => Content::Digits(digits),
            Some(Whole::Long(value)) => return Ok(self.long(place, &format!("{value:X}"))?),
        };
        Ok(self.short(place, content)?)
    }

    /// Writes a line of a few bytes.
    #[inline]
    fn short(&mut self, place: Option<(u64, u64)>, content: Content) -> io::Result<()> {
        self.make_room()?;
        let mut line = self.start(place);
        match (line.format, content) {
            (LineFormat::Text, Content::CodePoint(code_point)) => {
                line.put(b"U+");
                line.hexadecimal(code_point);
                line.put(b"\n");
            }
            (LineFormat::Json, Content::CodePoint(code_point)) => {
                line.put(b"\"cp\":\"");
                line.hexadecimal(code_point);
                line.put(b"\"}\n");
            }
            (_, Content::Error(kind)) => line.error(kind),
            (_, Content::Digits(digits)) => line.digits(digits),
        }
        self.used += line.length;
        Ok(())
    }

    /// Writes a line of a code point of any size, given its digits.
    fn long(&mut self, place: Option<(u64, u64)>, digits: &str) -> io::Result<()> {
        self.make_room()?;
        let line = self.start(place);
        let (before, behind) = match line.format {
            LineFormat::Text => ("U+", "\n"),
            LineFormat::Json => ("\"cp\":\"", "\"}\n"),
        };
        self.used += line.length;
        self.write_out()?;
        [before, digits, behind].into_iter().try_for_each(|part| self.file.write_all(part.as_bytes()))
    }

    /// Sees to it that the buffer has room for a line.
    #[inline(always)]
    fn make_room(&mut self) -> io::Result<()> {
        if self.used > BUFFER - 2 * LONGEST_SHORT_LINE { self.write_out() } else { Ok(()) }
    }

    /// Begins a line with what is before the code point or the error.
    #[inline(always)]
    fn start(&mut self, place: Option<(u64, u64)>) -> Line<'_> {
        let mut line = Line { room: &mut self.buffer[self.used..], length: 0, format: self.format };
        match (self.format, place) {
            (LineFormat::Text, None) => {}
            (LineFormat::Text, Some((offset, length))) => {
                self.offset.set(offset);
                line.decimal(&self.offset);
                line.put(b"\t");
                line.length(length, &mut self.length);
                line.put(b"\t");
            }
            (LineFormat::Json, None) => line.put(b"{"),
            (LineFormat::Json, Some((offset, length))) => {
                line.put(b"{\"offset\":");
                self.offset.set(offset);
                line.decimal(&self.offset);
                line.put(b",\"length\":");
                line.length(length, &mut self.length);
                line.put(b",");
            }
        }
        line
    }
}

/// The content of a short line.
enum Content {
    CodePoint(u32),
    Error(ErrorKind),
    Digits(u64),
}

/// A line that is put together in the buffer. Copies are of fixed lengths where speed matters.
struct Line<'a> {
    room: &'a mut [u8],
    length: usize,
    format: LineFormat,
}

impl Line<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, text: &[u8; N]) {
        self.put_some(text, N);
    }

    /// Appends `count` bytes of `text` to the line.
    #[inline(always)]
    fn put_some<const N: usize>(&mut self, text: &[u8; N], count: usize) {
        self.room[self.length..self.length + N].copy_from_slice(text);
        self.length += count;
    }

    fn put_any(&mut self, text: &[u8]) {
        self.room[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    #[inline(always)]
    fn decimal(&mut self, number: &Decimal) {
        let room = self.room[self.length..].first_chunk_mut();
        self.length += number.write(room.expect("the buffer has room for a line"));
    }

    /// The length of a sequence, which mostly has one digit.
    #[inline(always)]
    fn length(&mut self, length: u64, number: &mut Decimal) {
        if length <= 9 {
            self.put(&[b'0' + length as u8]);
        } else {
            number.set(length);
            self.decimal(number);
        }
    }

    #[cold]
    fn error(&mut self, kind: ErrorKind) {
        let (before, behind) = match self.format {
            LineFormat::Text => ("", "\n"),
            LineFormat::Json => ("\"error\":\"", "\"}\n"),
        };
        [before, kind.name(), behind].into_iter().for_each(|part| self.put_any(part.as_bytes()));
    }

    #[cold]
    fn digits(&mut self, digits: u64) {
        let text = match self.format {
            LineFormat::Text => format!("{digits} digits\n"),
            LineFormat::Json => format!("\"digits\":{digits}}}\n"),
        };
        self.put_any(text.as_bytes());
    }

    /// Appends hexadecimal digits to the line, in upper case and without leading zeros.
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
