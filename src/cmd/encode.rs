//! `utfhdl encode`: code points, one a line, to a file of units.

use std::io::BufReader;
use std::path::PathBuf;

use utfhdl_codec::lines::LineReader;
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{OnError, Refused, System, Whole};

use super::encoding::{EncodedFile, refusal, report};
use super::output::{self, STANDARD_OUTPUT, message};
use super::{Outcome, files, values};

const EXAMPLES: &str = "\
Examples:
  printf '20AC\\nU+1F600\\n' | utfhdl encode utf-8
  utfhdl decode utf-8 page.html | utfhdl encode utf-9 --units packed > page.utf9
  utfhdl decode utf-8 page.html --json | jq -c 'select(.cp)' | utfhdl encode utf-8";

/// Encode code points, one a line, as a file of units on standard output
///
/// A line is a code point in hexadecimal, with U+ in front or without, or a line that `utfhdl decode` prints, in either
/// of its formats; offsets and lengths are ignored. Blank lines and lines that start with # are ignored, too. Anything
/// else stops with exit code 2 and the number of the line.
///
/// The exit code is 1 if a line was an error or a code point that the system does not have.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System to encode in, with options behind commas: utf-8, utf-9,max=7fffffff
    #[arg(value_parser = values::system)]
    system: System,

    /// File of lines; standard input if it is missing or -
    file: Option<PathBuf>,

    /// How the units are to stand in the output [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    units: Option<UnitFormat>,

    /// What becomes of errors and of code points that the system does not have
    #[arg(long, value_name = "ON_ERROR", default_value = "replace", value_parser = values::on_error())]
    on_error: OnError,
}

/// Encodes as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let input = files::open(args.file.as_deref())?;
    let mut encoded = EncodedFile::new(
        args.system,
        args.on_error,
        STANDARD_OUTPUT.to_owned(),
        output::stdout(),
        args.units,
    )?;
    let mut lines = LineReader::new(BufReader::with_capacity(1 << 16, input.file));
    loop {
        let whole = lines.read().map_err(|error| files::in_file(&input.name, error))?;
        let slots = whole.as_ref().map_or_else(Vec::new, Whole::slots);
        let last = whole.is_none();
        if let Err(Refused { kind, .. }) = encoded.put(&slots, last)? {
            let why = refusal(kind, slots.first().copied(), args.system);
            message(format!("utfhdl: {}: line {}: {why}", input.name, lines.number()));
            encoded.finish()?;
            return Ok(Outcome::Amiss);
        }
        if last {
            break;
        }
    }
    let (_, errors) = encoded.finish()?;
    report(errors, args.on_error);
    Ok(if errors == 0 { Outcome::Well } else { Outcome::Amiss })
}
