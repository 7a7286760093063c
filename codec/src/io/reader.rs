//! A file of one system, read as one of another.

use std::io::{self, Read};

use super::default_format;
use super::pipe::Pipe;
use crate::units::{UnitFormat, UnitsError};
use crate::{OnError, System};

/// Reads a file of one system as one of another.
#[derive(Debug)]
pub struct TranscodingReader<R> {
    pipe: Pipe<R>,
    /// How many of the pipe's bytes are taken.
    taken: usize,
    has_ended: bool,
    /// The error after the bytes at hand.
    error: Option<io::Error>,
}

impl<R: Read> TranscodingReader<R> {
    /// Reads a file of the system `from` as one of `to`, each in the [default format](UnitFormat::default_for) of its units.
    pub fn new(file: R, from: System, to: System, on_error: OnError) -> TranscodingReader<R> {
        let (from, to) = ((from, default_format(from)), (to, default_format(to)));
        TranscodingReader::with_formats(file, from, to, on_error).expect("the default formats hold the units")
    }

    /// Reads a file of a system, whose units are in a format, as one of another.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where a format is not made for the units of its system.
    pub fn with_formats(
        file: R,
        from: (System, UnitFormat),
        to: (System, UnitFormat),
        on_error: OnError,
    ) -> Result<TranscodingReader<R>, UnitsError> {
        Ok(TranscodingReader {
            pipe: Pipe::new(file, from, to, on_error)?,
            taken: 0,
            has_ended: false,
            error: None,
        })
    }
}

impl<R: Read> Read for TranscodingReader<R> {
    /// Reads bytes of the system `to`. With [`OnError::Strict`], the first sequence that cannot be written is
    /// [`InvalidData`](io::ErrorKind::InvalidData), after the bytes before it, and the file ends there.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let bytes = self.pipe.bytes();
            let rest = &bytes[self.taken..];
            if !rest.is_empty() || room.is_empty() {
                let count = rest.len().min(room.len());
                room[..count].copy_from_slice(&rest[..count]);
                self.taken += count;
                return Ok(count);
            }
            bytes.clear();
            self.taken = 0;
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.has_ended {
                return Ok(0);
            }
            match self.pipe.read() {
                Ok(goes_on) => self.has_ended = !goes_on,
                Err(error) => {
                    self.has_ended = true;
                    self.error = Some(error);
                }
            }
        }
    }
}
