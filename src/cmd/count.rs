//! `utfhdl count`: prints the numbers of a file of units.

use std::ops::ControlFlow;
use std::path::PathBuf;

use serde_json::json;
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{Codec, Counts, System, Unit};

use super::{Outcome, files, output, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl count utf-8 page.html
  printf 'Z\\303\\274rich' | utfhdl count utf-8 | grep code    code points, of which there are 6
  utfhdl count utf-16 log.bin --units u16be --json | jq .utf_8";

/// Count the units, code points and errors of a file of units, and its units in UTF-8, UTF-16 and UTF-32
///
/// A line has a name and a number, with a tab between. The numbers of units in the three encodings are those of what
/// `utfhdl convert` writes: errors, and code points that Unicode lacks, are U+FFFD there.
///
/// The exit code is 1 if the file is ill-formed. A last line has the offset, the length and the kind of its first error.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System the file is encoded in, with options after commas: utf-8, utf-9,max=7fffffff
    #[arg(value_parser = values::system)]
    system: System,

    /// File to read; standard input if it is missing or -
    file: Option<PathBuf>,

    /// Format of the units in the file [default: u8, u16le or u32le, the first that holds them]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    units: Option<UnitFormat>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Counts as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let counts = match args.system.unit_bits() {
        0..=8 => count::<u8>(&args),
        9..=16 => count::<u16>(&args),
        _ => count::<u32>(&args),
    }?;
    if args.json {
        print_json(&counts)?
    } else {
        print(&counts)?
    }
    Ok(if counts.errors == 0 { Outcome::Well } else { Outcome::Amiss })
}

/// Counts units that are held in `U`.
fn count<U: Unit>(args: &Args) -> anyhow::Result<Counts> {
    let input = files::open(args.file.as_deref())?;
    let (mut decoder, mut counts) = (args.system.decoder(), Counts::default());
    input.each_piece(args.system, args.units, |units: &[U], last| {
        decoder.count(units, &mut counts, last);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counts)
}

fn print(counts: &Counts) -> anyhow::Result<()> {
    let numbers = [
        ("units", counts.units),
        ("code points", counts.code_points),
        ("errors", counts.errors),
        ("utf-8", counts.utf_8),
        ("utf-16", counts.utf_16),
        ("utf-32", counts.utf_32),
    ];
    output::print(|out| {
        numbers.iter().try_for_each(|(name, number)| writeln!(out, "{name}\t{number}"))?;
        counts.first_error.iter().try_for_each(|error| {
            writeln!(out, "first error\t{}\t{}\t{}", error.offset, error.length, error.kind)
        })
    })
}

fn print_json(counts: &Counts) -> anyhow::Result<()> {
    let error = counts
        .first_error
        .map(|error| json!({ "offset": error.offset, "length": error.length, "error": error.kind.name() }));
    output::print_json(&json!({
        "units": counts.units,
        "code_points": counts.code_points,
        "errors": counts.errors,
        "utf_8": counts.utf_8,
        "utf_16": counts.utf_16,
        "utf_32": counts.utf_32,
        "first_error": error,
    }))
}
