//! Code points and errors as text, one a line: what `encode` reads, and `decode` prints.

use std::io::{self, BufRead, Read};

use num_bigint::BigUint;
use serde::Deserialize;
use thiserror::Error;

use utfhdl_codec::Whole;

/// A line may be as long as this, in bytes: sixteen times what `decode` prints.
const LONGEST_LINE: u64 = 1 << 24;

/// What is wrong with a file of lines.
#[derive(Debug, Error)]
pub enum LinesError {
    /// Reading failed.
    #[error("input failed")]
    Io(#[from] io::Error),
    /// A line goes on and on.
    #[error("line {line}: longer than {LONGEST_LINE} bytes")]
    TooLong {
        /// The line, counted from 1.
        line: u64,
    },
    /// A line holds neither a code point nor an error.
    #[error("line {line}: {start:?} is no code point in hexadecimal, and no line of `utfhdl decode`")]
    NoCodePoint {
        /// The line, counted from 1.
        line: u64,
        /// The line, or the start of it.
        start: String,
    },
}

/// Reads lines off a file: a code point in hexadecimal, with U+ in front or without, or what `decode` prints in either of its
/// formats, of which offsets and lengths are passed over.
#[derive(Debug)]
pub struct LineReader<R> {
    file: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> LineReader<R> {
    /// Reads the lines of `file`.
    pub fn new(file: R) -> LineReader<R> {
        LineReader { file, line: Vec::new(), number: 0 }
    }

    /// What the next line says; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// A line that says nothing, with its number, and what the file itself says.
    pub fn read(&mut self) -> Result<Option<Whole>, LinesError> {
        self.read_as(whole)
    }

    /// What the next line says to `parse`, which may know more than [`whole`] does; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_as<T>(&mut self, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, LinesError> {
        self.line.clear();
        if self.file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = self.number;
        if self.line.len() as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            return Err(LinesError::TooLong { line });
        }
        let text = str::from_utf8(&self.line).unwrap_or_default().trim_ascii();
        let start = || String::from_utf8_lossy(&self.line[..self.line.len().min(40)]).trim_ascii().to_owned();
        parse(text).map(Some).ok_or_else(|| LinesError::NoCodePoint { line, start: start() })
    }

    /// The number of the line read last, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// The code point or the error that a line says, if it does.
pub fn whole(line: &str) -> Option<Whole> {
    if line.starts_with('{') { from_json(line) } else { from_text(line) }
}

/// `U+20AC`, `20ac`, or a line of `decode --format text`.
fn from_text(line: &str) -> Option<Whole> {
    let mut fields = line.split('\t');
    let word = match (fields.next()?, fields.next(), fields.next(), fields.next()) {
        (word, None, None, None) => word,
        (offset, Some(length), Some(word), None) => {
            let _: (u64, u64) = (offset.parse().ok()?, length.parse().ok()?);
            word
        }
        _ => return None,
    };
    if let Some(digits) = word.strip_suffix(" digits") {
        return digits.parse().ok().map(|digits| Whole::TooLong { digits });
    }
    code_point(word).or_else(|| word.parse().map(Whole::Error).ok())
}

/// A line of `decode --format jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonLine {
    #[serde(rename = "offset")]
    _offset: Option<u64>,
    #[serde(rename = "length")]
    _length: Option<u64>,
    cp: Option<String>,
    error: Option<String>,
    digits: Option<u64>,
}

fn from_json(line: &str) -> Option<Whole> {
    let line: JsonLine = serde_json::from_str(line).ok()?;
    match (line.cp, line.error, line.digits) {
        (Some(digits), None, None) => code_point(&digits),
        (None, Some(kind), None) => kind.parse().ok().map(Whole::Error),
        (None, None, Some(digits)) => Some(Whole::TooLong { digits }),
        _ => None,
    }
}

fn code_point(word: &str) -> Option<Whole> {
    let digits = word.strip_prefix("U+").or_else(|| word.strip_prefix("u+")).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    match u32::from_str_radix(digits, 16) {
        Ok(code_point) => Some(Whole::CodePoint(code_point)),
        Err(_) => BigUint::parse_bytes(digits.as_bytes(), 16).map(Whole::from),
    }
}
