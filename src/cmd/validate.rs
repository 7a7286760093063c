//! `utfhdl validate`: says whether a file of units is well-formed, and where it is not.

use std::ops::ControlFlow;
use std::path::PathBuf;

use utfhdl_codec::lines::{LineFormat, LineWriter};
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{Codec, Event, Slot, System, Unit};

use super::output::Unwritable;
use super::{Outcome, files, output, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl validate utf-8 page.html && echo well-formed
  printf 'ok\\300' | utfhdl validate utf-8                  an overlong lead unit at offset 2
  utfhdl validate utf-16le,bom=on log.txt --all --json | jq .offset";

/// Look for the first ill-formed sequence of a file of units
///
/// A well-formed file prints nothing. Of one that is not, the first error is printed as `utfhdl decode` prints it: the
/// offset and the length of the sequence in units, and the kind of error, with tabs between. The rest of the file is not
/// read.
///
/// The exit code is 1 if the file is ill-formed.
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

    /// Print every error, not only the first
    #[arg(long)]
    all: bool,

    /// Print errors as JSON: {"offset":9,"length":1,"error":"overlong"}
    #[arg(long)]
    json: bool,
}

/// Validates as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    match args.system.unit_bits() {
        0..=8 => validate::<u8>(&args),
        9..=16 => validate::<u16>(&args),
        _ => validate::<u32>(&args),
    }
}

/// Validates units that are held in `U`.
fn validate<U: Unit>(args: &Args) -> anyhow::Result<Outcome> {
    let input = files::open(args.file.as_deref())?;
    let format = if args.json { LineFormat::Json } else { LineFormat::Text };
    let mut lines = LineWriter::new(output::stdout(), format, 0);
    let mut decoder = args.system.decoder();
    let read = input.each_piece(args.system, args.units, |mut units: &[U], last| {
        while let Some(error) = decoder.next_error(&mut units, last) {
            let (offset, length, what) = (error.offset, error.length, Slot::Error(error.kind));
            lines.event(Event { offset, length, what })?;
            if !args.all {
                return Ok(ControlFlow::Break(()));
            }
        }
        // Whoever follows a log sees its errors right away.
        lines.flush()?;
        Ok(ControlFlow::Continue(()))
    });
    match read.and(lines.flush().map_err(anyhow::Error::from)) {
        // A reader that has seen enough changes nothing of what was found.
        Err(error) if Unwritable::cause_of(&error).is_some_and(Unwritable::is_closed_pipe) => {}
        other => other?,
    }
    Ok(if lines.errors() == 0 { Outcome::Well } else { Outcome::Amiss })
}
