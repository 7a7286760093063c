//! The command-line tool: `utfhdl --help` is its manual.

// src/cmd/output.rs does this, without panicking.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cmd;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::run()
}
