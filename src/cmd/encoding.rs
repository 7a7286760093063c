//! An encoder and the file its units go to.

use std::io::Write;

use utfhdl_codec::units::{UnitFormat, UnitWriter};
use utfhdl_codec::{Encoder, ErrorKind, OnError, Refused, Slot, Status, System};

use super::files;
use super::output::message;

/// How many units are written at once.
const ROOM: usize = 16 * 1024;

/// Takes slots, and writes the units they make to a file.
pub struct EncodedFile<W> {
    /// What to call the file in an error.
    name: String,
    encoder: Encoder,
    writer: UnitWriter<W>,
    room: Vec<u16>,
}

impl<W: Write> EncodedFile<W> {
    pub fn new(
        system: System,
        on_error: OnError,
        name: String,
        file: W,
        format: Option<UnitFormat>,
    ) -> anyhow::Result<Self> {
        let format = format.unwrap_or(UnitFormat::default_for(system.unit_bits()));
        let writer = UnitWriter::new(file, format, system.unit_bits())?;
        Ok(EncodedFile { name, encoder: system.encoder(on_error), writer, room: vec![0; ROOM] })
    }

    /// Writes more slots; `last` says that there are no others. The inner error is what `--on-error strict` stops at.
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

    /// Ends the file; tells how many errors and code points without a form there were.
    pub fn finish(self) -> anyhow::Result<(W, u64)> {
        let file = self.writer.finish().map_err(|error| files::in_file(&self.name, error))?;
        Ok((file, self.encoder.errors()))
    }
}

/// What `--on-error strict` says of the slot it stopped at.
pub fn refusal(kind: ErrorKind, slot: Option<Slot>, system: System) -> String {
    match (kind, slot) {
        (ErrorKind::Unencodable, Some(Slot::CodePoint(code_point))) => {
            format!("U+{code_point:X} has no form in {system}")
        }
        (ErrorKind::Unencodable, _) => format!("a code point that has no form in {system}"),
        (kind, _) => kind.to_string(),
    }
}

/// Says on standard error what became of what could not be written.
pub fn report(errors: u64, on_error: OnError) {
    let done = if on_error == OnError::Drop { "dropped" } else { "replaced" };
    match errors {
        0 => {}
        1 => message(format!("utfhdl: 1 error or code point without a form was {done}")),
        _ => message(format!("utfhdl: {errors} errors or code points without a form were {done}")),
    }
}
