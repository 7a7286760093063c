//! Adaptors between systems and files. An [`EventReader`] decodes a file, a [`TranscodingReader`] reads a file of one system as
//! a file of another, and a [`TranscodingWriter`] writes such a file.
//!
//! Memory is constant. Errors of files keep their kind; what is wrong with their contents is
//! [`InvalidData`](std::io::ErrorKind::InvalidData), with a [`UnitsError`] or an [`IllFormed`](crate::IllFormed) as its source.
//!
//! ```
//! use std::io::{Read, Write};
//! use utfhdl_codec::io::{TranscodingReader, TranscodingWriter};
//! use utfhdl_codec::{OnError, System};
//!
//! let [utf_16, utf_8]: [System; 2] = ["utf-16le,bom=on".parse()?, System::Utf8];
//! let mut writer = TranscodingWriter::new(Vec::new(), utf_8, utf_16, OnError::Strict);
//! writer.write_all("A€".as_bytes())?;
//! let file = writer.finish()?;
//! assert_eq!(file, b"\xFF\xFEA\0\xAC\x20");
//!
//! let mut text = String::new();
//! TranscodingReader::new(file.as_slice(), utf_16, utf_8, OnError::Replace).read_to_string(&mut text)?;
//! assert_eq!(text, "A€");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod events;
mod pipe;
mod reader;
mod writer;

use std::io;

pub use events::EventReader;
pub use reader::TranscodingReader;
pub use writer::TranscodingWriter;

use crate::System;
use crate::units::{UnitFormat, UnitsError};

/// The error of a file of units as an error of a file.
fn io_error(error: UnitsError) -> io::Error {
    match error {
        UnitsError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}

/// The default format of a system's units.
fn default_format(system: System) -> UnitFormat {
    UnitFormat::default_for(system.unit_bits())
}
