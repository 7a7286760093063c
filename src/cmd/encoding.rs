//! Parts of commands that write units: an encoder with its file, and messages about errors.

use std::io::Write;

use utfhdl_codec::units::{UnitFormat, UnitWriter, UnitsError};
use utfhdl_codec::{Codec, Encoder, OnError, Refused, Slot, Status, System};

use super::files;
use super::output::message;

/// How many units are written at once.
const ROOM: usize = 16 * 1024;

/// A writer of the units of `system` to `file`, in `format` or in the default format of the system.
pub fn unit_writer<W: Write>(
    file: W,
    system: System,
    format: Option<UnitFormat>,
) -> Result<UnitWriter<W>, UnitsError> {
    let unit_bits = system.unit_bits();
    UnitWriter::new(file, format.unwrap_or(UnitFormat::default_for(unit_bits)), unit_bits)
}

/// An encoder that writes to a file.
pub struct EncodedFile<W> {
    /// The name of the file in errors.
    name: String,
    encoder: Encoder,
    writer: UnitWriter<W>,
    room: Vec<u32>,
}

impl<W: Write> EncodedFile<W> {
    /// An encoder of `system` that writes to `file`, which errors call `name`.
    pub fn new(
        system: System,
        on_error: OnError,
        name: String,
        file: W,
        format: Option<UnitFormat>,
    ) -> anyhow::Result<Self> {
        let writer = unit_writer(file, system, format)?;
        Ok(EncodedFile { name, encoder: system.encoder(on_error), writer, room: vec![0; ROOM] })
    }

    /// Encodes and writes slots; `last` says that they are the last ones. The inner error is what `--on-error strict`
    /// stopped at, by its index in `slots`.
    pub fn put<S: Copy + Into<Slot>>(
        &mut self,
        slots: &[S],
        last: bool,
    ) -> anyhow::Result<Result<(), Refused>> {
        let mut read = 0;
        loop {
            let progress = self.encoder.encode(&slots[read..], &mut self.room, last);
            let written = self.writer.write(&self.room[..progress.written]);
            written.map_err(|error| files::in_file(&self.name, error))?;
            read += progress.read;
            match progress.status {
                Status::Finished => return Ok(Ok(())),
                Status::OutputFull => {}
                Status::Refused(kind) => return Ok(Err(Refused { index: read.saturating_sub(1), kind })),
            }
        }
    }

    /// Ends the file, and gives how many errors and code points without a form there were.
    pub fn finish(self) -> anyhow::Result<u64> {
        self.writer.finish().map_err(|error| files::in_file(&self.name, error))?;
        Ok(self.encoder.errors())
    }
}

/// Says on standard error how many errors there were and what the encoder did about them.
pub fn report(errors: u64, on_error: OnError) {
    let done = if on_error == OnError::Drop { "dropped" } else { "replaced" };
    match errors {
        0 => {}
        1 => message(format!("utfhdl: 1 error or code point without a form was {done}")),
        _ => message(format!("utfhdl: {errors} errors or code points without a form were {done}")),
    }
}
