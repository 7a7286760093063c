//! Finds the string literals of a JSON text with a simulated design, or writes the Verilog of the design: see README.md beside this file.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use utfhdl_sim::native::Native;

#[path = "../common/mod.rs"]
mod common;
mod run;
mod strings;

use common::write_verilog;
use run::Stall;
use strings::mark;

/// Print the string literals of a JSON text, a line each, as a simulated design of eight octets a cycle finds them
///
/// The exit code is 1 if JSON allows none of this: a control character in a literal, a literal without end, or ill-formed UTF-8.
#[derive(Parser)]
#[command(name = "json_strings")]
struct Args {
    /// File to read [default: standard input]
    file: Option<PathBuf>,

    /// Write json_strings.v to this folder, made if it is missing, and read nothing
    #[arg(short, value_name = "DIR", conflicts_with = "file")]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.output {
        Some(folder) => write(folder).map(|()| true),
        None => print(args.file.as_deref()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("json_strings: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Writes the Verilog.
fn write(folder: &Path) -> anyhow::Result<()> {
    write_verilog(&strings::design()?, "cargo run --example json_strings --".to_owned(), vec![], folder)
}

/// Prints the literals; gives whether all is as JSON has it.
fn print(file: Option<&Path>) -> anyhow::Result<bool> {
    let mut text = Vec::new();
    match file {
        Some(path) => text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?,
        None => {
            io::stdin().read_to_end(&mut text).context("cannot read standard input")?;
        }
    }
    let mut engine = Native::new(&strings::design()?)?;
    let found = run::run(&mut engine, &[&text], Stall::default)?.remove(0);

    let mut out = String::new();
    for marked in &found.code_points {
        if marked.marks & mark::IN_STRING != 0 {
            out.push(char::from_u32(marked.code_point).expect("a decoder makes characters"));
        }
        if marked.marks & mark::CLOSES != 0 {
            out.push('\n');
        }
    }
    if found.is_open {
        out.push('\n');
    }
    print_all(&out).context("cannot write standard output")?;

    let mut is_well = true;
    for (bit, what) in
        [(mark::CONTROL, "control characters within a literal"), (mark::ILL_FORMED, "ill-formed sequences")]
    {
        let count = found.code_points.iter().filter(|marked| marked.marks & bit != 0).count();
        if count > 0 {
            eprintln!("json_strings: {what}: {count}");
            is_well = false;
        }
    }
    if found.is_open {
        eprintln!("json_strings: the text ends within a literal");
    }
    Ok(is_well && !found.is_open)
}

/// Writes to standard output. A reader who has seen enough is no error.
// Only the command line itself has a module for this.
#[allow(clippy::disallowed_methods)]
fn print_all(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
