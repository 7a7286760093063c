//! Lines read from a file.

use std::io::{self, BufRead};

use super::line::whole_of_bytes;
use super::{LONGEST_LINE, LinesError};
use crate::Whole;

/// How many bytes of a faulty line an error quotes.
const QUOTED: usize = 40;

/// Reads a file of lines. See [`whole`](super::whole) for what a line can be; blank lines, and lines that start with `#`, are passed over.
///
/// The reader holds one line, of at most 16 MiB.
#[derive(Debug)]
pub struct LineReader<R> {
    file: R,
    /// The start of a line that the file's buffer has not in one piece.
    start: Vec<u8>,
    number: u64,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of `file`, whose buffer should have some ten kilobytes.
    pub fn new(file: R) -> LineReader<R> {
        LineReader { file, start: Vec::new(), number: 0 }
    }

    /// The code point or the error on the next line; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// [`LinesError`] says which line is faulty, or why the file could not be read.
    pub fn read(&mut self) -> Result<Option<Whole>, LinesError> {
        self.read_bytes_as(whole_of_bytes)
    }

    /// Parses the next line, trimmed of blanks, with `parse`; `None` at the end of the file. This reads lines that
    /// [`whole`](super::whole) does not know. A line for which `parse` returns `None` is an error.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_as<T>(&mut self, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, LinesError> {
        self.read_bytes_as(|line| parse(str::from_utf8(line).ok()?))
    }

    /// The number of the line read last, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    fn read_bytes_as<T>(&mut self, parse: impl Fn(&[u8]) -> Option<T>) -> Result<Option<T>, LinesError> {
        loop {
            let buffer = match self.file.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let is_file_end = buffer.is_empty();
            let newline = buffer.iter().position(|&byte| byte == b'\n');
            let Some(end) = newline.or(is_file_end.then_some(0)) else {
                self.start.extend_from_slice(buffer);
                let used = buffer.len();
                self.file.consume(used);
                if self.start.len() >= LONGEST_LINE {
                    return Err(LinesError::TooLong { line: self.number + 1 });
                }
                continue;
            };
            if is_file_end && self.start.is_empty() {
                return Ok(None);
            }
            let line = if self.start.is_empty() {
                &buffer[..end]
            } else {
                self.start.extend_from_slice(&buffer[..end]);
                &self.start
            };
            self.number += 1;
            let parsed = parse_line(line, self.number, &parse);
            self.start.clear();
            self.file.consume(if is_file_end { 0 } else { end + 1 });
            if let Some(parsed) = parsed? {
                return Ok(Some(parsed));
            }
        }
    }
}

/// Parses a line with `parse`; `None` if the line is blank or a comment.
fn parse_line<T>(
    line: &[u8],
    number: u64,
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<Option<T>, LinesError> {
    let trimmed = line.trim_ascii();
    if matches!(trimmed, [] | [b'#', ..]) {
        return Ok(None);
    }
    parse(trimmed).map(Some).ok_or_else(|| {
        let start = &trimmed[..trimmed.len().min(QUOTED)];
        LinesError::NoCodePoint { line: number, start: String::from_utf8_lossy(start).into_owned() }
    })
}
