//! The command-line tool: `utfhdl --help` is its manual.

mod cmd;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::run()
}
