//! Standard output and standard error: every command writes to them here, and nowhere else.
//!
//! Standard output is buffered, and an error of it is never lost: a full disk ends a command with exit code 2. A reader
//! that has closed its end of a pipe (`utfhdl decode … | head`) is no error. Standard error has nobody to turn to when it
//! cannot be written, so messages are dropped then.

// The one place that may use the streams themselves.
#![allow(clippy::disallowed_methods)]

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;
use utfhdl_sim::shown::Shown;

use super::closed;

/// The name of standard output in errors.
pub const STANDARD_OUTPUT: &str = "standard output";

/// Bytes that are written at once.
const BUFFER: usize = 1 << 16;

/// A stream that could not be written: standard output, or a device or pipe named on the command line.
///
/// The error is wrapped in an [`io::Error`] and so passes through the libraries that write to the stream.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}: {error}")]
pub struct Unwritable {
    name: String,
    error: io::Error,
}

impl Unwritable {
    /// Whether the reader of the stream has seen enough of it.
    pub fn is_closed_pipe(&self) -> bool {
        self.error.kind() == io::ErrorKind::BrokenPipe
    }

    /// The one that is at the root of `error`, if any.
    pub fn cause_of(error: &anyhow::Error) -> Option<&Unwritable> {
        let io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
        io_errors.filter_map(io::Error::get_ref).find_map(|inner| inner.downcast_ref())
    }
}

/// A buffered stream, whose errors are [`Unwritable`]. What is still in the buffer when the stream is dropped is written,
/// but its errors are lost: [`flush`](Write::flush) it first.
pub struct Stream<W: Write> {
    name: String,
    file: BufWriter<W>,
}

impl<W: Write> Stream<W> {
    /// A stream to `file`, which errors call `name`.
    pub fn new(name: impl Into<String>, file: W) -> Self {
        Stream { name: name.into(), file: BufWriter::with_capacity(BUFFER, file) }
    }

    fn named<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| io::Error::new(error.kind(), Unwritable { name: self.name.clone(), error }))
    }
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        self.named(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.named(flushed)
    }
}

/// The file of standard output.
pub struct Stdout(StdoutLock<'static>);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if closed::was_closed(closed::Stream::Output) {
            return Err(closed::error());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output, for commands that write to it while they work. Whoever takes it flushes it at the end.
pub fn stdout() -> Stream<Stdout> {
    Stream::new(STANDARD_OUTPUT, Stdout(io::stdout().lock()))
}

/// Whether standard output is a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes to standard output all that `write` writes. A reader that closes the pipe is no error: what the command found
/// still decides its exit code.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = stdout();
    forgive_closed_pipe(write(&mut out).and_then(|()| out.flush()))
}

/// Prints `value` as one line of JSON to standard output; see [`print`].
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(|out| {
        serde_json::to_writer(&mut *out, value)?;
        writeln!(out)
    })
}

/// Prints `value` as indented JSON to standard output; see [`print`].
pub fn print_json_indented(value: &impl Serialize) -> anyhow::Result<()> {
    print(|out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    })
}

/// Prints the help or the version that the command line asks for.
pub fn print_help(help: &clap::Error) -> anyhow::Result<()> {
    let is_closed = !help.use_stderr() && closed::was_closed(closed::Stream::Output);
    let printed =
        if is_closed { Err(closed::error()) } else { help.print().and_then(|()| io::stdout().flush()) };
    let named = printed.map_err(|error| {
        io::Error::new(error.kind(), Unwritable { name: STANDARD_OUTPUT.to_owned(), error })
    });
    forgive_closed_pipe(named)
}

fn forgive_closed_pipe(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Writes a message to standard error, on a line of its own. Whatever part of the command line or of a file is in it, a
/// terminal shows it and obeys none of it.
pub fn message(text: impl Display) {
    let lines = text.to_string();
    let lines =
        lines.split('\n').map(|line| line.split('\t').map(Shown::shown).collect::<Vec<_>>().join("\t"));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    // One call, so that messages of several processes don't mix. A failure to write the message cannot be reported anywhere.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Warns of what went wrong beside something worse, which it must not hide.
pub fn warn_of(result: anyhow::Result<()>) {
    if let Err(error) = result {
        message(format!("warning: {error:#}"));
    }
}
