//! Files of units: octets, words of 16 or 32 bits, packed bits, octal or hexadecimal text. Reading and writing stream.

mod reader;
mod writer;

use std::io;

use thiserror::Error;

pub use reader::UnitReader;
pub use writer::UnitWriter;

/// The format of a file of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitFormat {
    /// A byte a unit, units of fewer than 8 bits right-aligned; the default up to 8 bits
    U8,
    /// Two bytes a unit, the low one first; the default for 9 and 16 bits
    U16Le,
    /// Two bytes a unit, the high one first
    U16Be,
    /// Four bytes a unit, the low one first; the default for 32 bits
    U32Le,
    /// Four bytes a unit, the high one first
    U32Be,
    /// Units packed without gaps, most significant bits first, zero bits at the end; 8 and 9 bits only
    Packed,
    /// Text, one unit a line in octal digits
    Octal,
    /// Text, one unit a line in hexadecimal digits
    Hex,
}

impl UnitFormat {
    /// All formats.
    pub const ALL: [UnitFormat; 8] = [
        UnitFormat::U8,
        UnitFormat::U16Le,
        UnitFormat::U16Be,
        UnitFormat::U32Le,
        UnitFormat::U32Be,
        UnitFormat::Packed,
        UnitFormat::Octal,
        UnitFormat::Hex,
    ];

    /// The default format for units of `unit_bits` bits: `u8` up to 8 bits, `u16le` up to 16, `u32le` above.
    pub fn default_for(unit_bits: u32) -> UnitFormat {
        match unit_bits {
            0..=8 => UnitFormat::U8,
            9..=16 => UnitFormat::U16Le,
            _ => UnitFormat::U32Le,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            UnitFormat::U8 => "u8",
            UnitFormat::U16Le => "u16le",
            UnitFormat::U16Be => "u16be",
            UnitFormat::U32Le => "u32le",
            UnitFormat::U32Be => "u32be",
            UnitFormat::Packed => "packed",
            UnitFormat::Octal => "octal",
            UnitFormat::Hex => "hex",
        }
    }

    fn check(self, unit_bits: u32) -> Result<(), UnitsError> {
        let fits = match self {
            UnitFormat::U8 => unit_bits <= 8,
            UnitFormat::U16Le | UnitFormat::U16Be => unit_bits <= 16,
            UnitFormat::Packed => matches!(unit_bits, 8 | 9),
            UnitFormat::U32Le | UnitFormat::U32Be | UnitFormat::Octal | UnitFormat::Hex => true,
        };
        if fits { Ok(()) } else { Err(UnitsError::Format { format: self.name(), unit_bits }) }
    }
}

/// The base of the numbers in a file of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Octal,
    Hexadecimal,
}

impl Base {
    /// How many bits a digit has.
    fn bits(self) -> u32 {
        match self {
            Base::Octal => 3,
            Base::Hexadecimal => 4,
        }
    }

    /// The noun for a number in this base, with its article.
    fn number(self) -> &'static str {
        match self {
            Base::Octal => "an octal number",
            Base::Hexadecimal => "a hexadecimal number",
        }
    }
}

/// An error in a file of units.
#[derive(Debug, Error)]
pub enum UnitsError {
    /// Reading or writing failed. The error of the file is the source, so that callers can tell a broken pipe.
    #[error("input or output failed")]
    Io(#[from] io::Error),
    /// The format is not made for units of this width.
    #[error("{format} files cannot hold units of {unit_bits} bits: use {}", UnitFormat::default_for(*unit_bits).name())]
    Format {
        /// The format.
        format: &'static str,
        /// The width of a unit.
        unit_bits: u32,
    },
    /// A unit has more bits than the system's units.
    #[error("byte {offset}: unit {value:#X} has more than {unit_bits} bits")]
    TooWide {
        /// Offset of the unit's first byte, in bytes from the start of the file.
        offset: u64,
        /// The unit as it was read.
        value: u32,
        /// The width it should have.
        unit_bits: u32,
    },
    /// The file ends in the middle of a unit.
    #[error("byte {offset}: the file ends inside a unit")]
    Partial {
        /// Offset of the unit's first byte, in bytes from the start of the file.
        offset: u64,
    },
    /// The bits after the last packed unit are not all zero.
    #[error("byte {offset}: the padding behind the last unit is not zero")]
    Padding {
        /// Offset of the padding, in bytes from the start of the file.
        offset: u64,
    },
    /// A line of text holds no unit.
    #[error("line {line}: {text:?} is not {number} of up to {unit_bits} bits")]
    NoNumber {
        /// The line, counted from 1.
        line: u64,
        /// The line, or the start of it.
        text: String,
        /// The kind of number that was expected: octal or hexadecimal.
        number: &'static str,
        /// The width of a unit.
        unit_bits: u32,
    },
}

#[cfg(test)]
mod tests;
