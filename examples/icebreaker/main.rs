//! Writes the Verilog of a design made of two cores and logic of its own: see README.md beside this file.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_sim::scratch::ScratchFile;

mod scrubber;
mod uart;

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
    let header = Header {
        command: format!("cargo run --example icebreaker -- --baud {}", args.baud),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        facts: vec![("Bit".to_owned(), format!("{} cycles", settings.clocks_per_bit))],
    };
    let text = verilog(&design, &header);
    let path = args.output.join(format!("{}.v", scrubber::NAME));
    // A file that is up to date keeps its time, so that make builds nothing that depends on it.
    if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let write = || {
        fs::create_dir_all(&args.output)?;
        let mut file = ScratchFile::beside(&path)?;
        file.write_all(text.as_bytes())?;
        file.persist(&path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}
