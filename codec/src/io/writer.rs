//! A file of one system, to which another is written.

use std::io::{self, Read, Write};

use super::default_format;
use super::pipe::Pipe;
use crate::units::{UnitFormat, UnitsError};
use crate::{OnError, System};

/// Writes to a file of one system what is written to the writer in another.
///
/// [`finish`](Self::finish) ends the file: without it, units that wait for the rest of a sequence, and the error of a sequence that is cut
/// short, are lost.
#[derive(Debug)]
pub struct TranscodingWriter<W> {
    pipe: Pipe<Written>,
    file: W,
}

/// The bytes of one call.
#[derive(Debug, Default)]
struct Written {
    bytes: Vec<u8>,
    taken: usize,
}

impl Read for Written {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = (&self.bytes[self.taken..]).read(room)?;
        self.taken += count;
        Ok(count)
    }
}

impl<W: Write> TranscodingWriter<W> {
    /// Writes a file of the system `to` from bytes of `from`, each in the [default format](UnitFormat::default_for) of its units.
    pub fn new(file: W, from: System, to: System, on_error: OnError) -> TranscodingWriter<W> {
        let (from, to) = ((from, default_format(from)), (to, default_format(to)));
        TranscodingWriter::with_formats(file, from, to, on_error).expect("the default formats hold the units")
    }

    /// Writes a file of a system, whose units are in a format, from bytes of another.
    ///
    /// # Errors
    ///
    /// [`UnitsError::Format`] where a format is not made for the units of its system.
    pub fn with_formats(
        file: W,
        from: (System, UnitFormat),
        to: (System, UnitFormat),
        on_error: OnError,
    ) -> Result<TranscodingWriter<W>, UnitsError> {
        Ok(TranscodingWriter { pipe: Pipe::new(Written::default(), from, to, on_error)?, file })
    }

    /// Ends the text, and flushes the file.
    ///
    /// # Errors
    ///
    /// The error of the file; with [`OnError::Strict`], a sequence that the end cuts short.
    pub fn finish(mut self) -> io::Result<W> {
        let read = self.pipe.read();
        self.file.write_all(self.pipe.bytes())?;
        read?;
        self.file.flush()?;
        Ok(self.file)
    }
}

impl<W: Write> Write for TranscodingWriter<W> {
    /// Writes what the bytes of the system `from` complete. With [`OnError::Strict`], the first sequence that cannot be written is
    /// [`InvalidData`](io::ErrorKind::InvalidData), and nothing more is to be written.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.pipe.file_mut();
        written.bytes.clear();
        written.bytes.extend_from_slice(bytes);
        written.taken = 0;
        while self.pipe.file_mut().taken < bytes.len() {
            let read = self.pipe.read();
            self.file.write_all(self.pipe.bytes())?;
            self.pipe.bytes().clear();
            read?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
