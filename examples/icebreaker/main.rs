//! Writes the Verilog of a design made of two cores and logic of its own: see README.md beside this file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

#[path = "../common/mod.rs"]
mod common;
mod scrubber;
mod uart;

use common::write_verilog;

/// Write scrubber.v: text in UTF-8 from a serial line to a serial line, with what is ill-formed replaced
#[derive(Parser)]
#[command(name = "icebreaker")]
struct Args {
    /// Bits a second on the serial lines
    #[arg(long, value_name = "RATE", default_value_t = 115_200)]
    baud: u32,

    /// Folder to write to, made if it is missing
    #[arg(short, value_name = "DIR")]
    output: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("icebreaker: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    let settings = scrubber::Settings::for_rate(args.baud).map_err(anyhow::Error::msg).context("--baud")?;
    let design = scrubber::design(settings)?;
    let command = format!("cargo run --example icebreaker -- --baud {}", args.baud);
    let facts = vec![("Bit".to_owned(), format!("{} cycles", settings.clocks_per_bit))];
    write_verilog(&design, command, facts, &args.output)
}
