//! Text files of code points and errors, one a line: the lines that `utfhdl decode` prints and `utfhdl encode` reads.

mod decimal;
mod json;
mod line;
mod reader;
mod writer;

use std::io;

use thiserror::Error;

pub use line::whole;
pub use reader::LineReader;
pub use writer::{LineFormat, LineWriter, WriteError};

/// The most bytes of a line that is read: sixteen times what `decode` prints for the longest code point.
const LONGEST_LINE: usize = 1 << 24;

/// An error in a file of lines.
#[derive(Debug, Error)]
pub enum LinesError {
    /// Reading the file failed.
    #[error("input failed")]
    Io(#[from] io::Error),
    /// A line is longer than the reader holds.
    #[error("line {line}: longer than {LONGEST_LINE} bytes, which no code point needs")]
    TooLong {
        /// The line, counted from 1.
        line: u64,
    },
    /// A line holds neither a code point nor an error.
    #[error(
        "line {line}: {start:?} is neither a code point in hexadecimal, such as 20AC or U+20AC, nor a line that `utfhdl decode` prints"
    )]
    NoCodePoint {
        /// The line, counted from 1.
        line: u64,
        /// The line, or the start of it.
        start: String,
    },
}

#[cfg(test)]
mod tests;
