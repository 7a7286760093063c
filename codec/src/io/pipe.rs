//! The work that readers and writers have in common: from bytes to units, to other units, to bytes.

use std::io::{self, Read};

use super::io_error;
use crate::units::{UnitFormat, UnitReader, UnitWriter, UnitsError};
use crate::{IllFormed, OnError, Status, System, Transcoder, Unit};

/// How many units are written at once.
const ROOM: usize = 32 * 1024;

/// A file of one system, which is read as bytes of another. The units are held in octets where they fit.
#[derive(Debug)]
pub(super) enum Pipe<R> {
    Octets(PipeOf<R, u8>),
    Words(PipeOf<R, u32>),
}

#[derive(Debug)]
pub(super) struct PipeOf<R, U> {
    reader: UnitReader<R>,
    transcoder: Transcoder,
    writer: UnitWriter<Vec<u8>>,
    units: Vec<U>,
    room: Vec<U>,
}

impl<R: Read> Pipe<R> {
    pub(super) fn new(
        file: R,
        (from, from_format): (System, UnitFormat),
        (to, to_format): (System, UnitFormat),
        on_error: OnError,
    ) -> Result<Pipe<R>, UnitsError> {
        let reader = UnitReader::new(file, from_format, from.unit_bits())?;
        let writer = UnitWriter::new(Vec::new(), to_format, to.unit_bits())?;
        let transcoder = Transcoder::new(from, to, on_error);
        Ok(if from.unit_bits().max(to.unit_bits()) <= u8::BITS {
            Pipe::Octets(PipeOf { reader, transcoder, writer, units: Vec::new(), room: vec![0; ROOM] })
        } else {
            Pipe::Words(PipeOf { reader, transcoder, writer, units: Vec::new(), room: vec![0; ROOM] })
        })
    }

    /// Reads a piece of the file, and appends the bytes that come of it to [`bytes`](Self::bytes). Returns `false` at the end of the
    /// file.
    ///
    /// # Errors
    ///
    /// The error of the file or of its contents. The bytes of the units before it are appended.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        match self {
            Pipe::Octets(pipe) => pipe.read(),
            Pipe::Words(pipe) => pipe.read(),
        }
    }

    /// The bytes that nobody has taken yet.
    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        match self {
            Pipe::Octets(pipe) => pipe.writer.file_mut(),
            Pipe::Words(pipe) => pipe.writer.file_mut(),
        }
    }

    /// The file.
    pub(super) fn file_mut(&mut self) -> &mut R {
        match self {
            Pipe::Octets(pipe) => pipe.reader.file_mut(),
            Pipe::Words(pipe) => pipe.reader.file_mut(),
        }
    }
}

impl<R: Read, U: Unit> PipeOf<R, U> {
    fn read(&mut self) -> io::Result<bool> {
        let read = self.reader.replace(&mut self.units);
        // A sequence that an error of the file cuts short is no error of the text.
        let last = matches!(read, Ok(false));
        self.transcode(last)?;
        if last {
            self.writer.pad().map_err(io_error)?;
        }
        read.map_err(io_error)
    }

    fn transcode(&mut self, last: bool) -> io::Result<()> {
        let mut rest = self.units.as_slice();
        loop {
            let progress = self.transcoder.transcode(rest, &mut self.room, last);
            rest = &rest[progress.read..];
            self.writer.write(&self.room[..progress.written]).map_err(io_error)?;
            match progress.status {
                Status::Finished => return Ok(()),
                Status::OutputFull => {}
                Status::Refused(kind) => {
                    let event = self.transcoder.refused().expect("an event was refused");
                    let error = IllFormed { offset: event.offset, length: event.length, kind };
                    return Err(io::Error::new(io::ErrorKind::InvalidData, error));
                }
            }
        }
    }
}
