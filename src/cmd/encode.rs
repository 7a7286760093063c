//! `utfhdl encode`: writes code points, one a line, as a file of units.

use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Context, bail};
use utfhdl::input::refusal;
use utfhdl_codec::lines::LineReader;
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{OnError, Refused, Slot, System, Whole};

use super::decode::MOST_DIGITS_PRINTED;
use super::encoding::{EncodedFile, report};
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
    /// System to encode in, with options after commas: utf-8, utf-9,max=7fffffff
    #[arg(value_parser = values::system)]
    system: System,

    /// File of lines; standard input if it is missing or -
    file: Option<PathBuf>,

    /// Format of the units in the output [default: u8, u16le or u32le, the first that holds them]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    units: Option<UnitFormat>,

    /// Treatment of errors and of code points that the system does not have
    #[arg(long, value_name = "ON_ERROR", default_value = "replace", value_parser = values::on_error())]
    on_error: OnError,
}

/// How many slots are gathered before they are encoded.
const SLOTS: usize = 1024;

/// Encodes as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let input = files::open(args.file.as_deref())?;
    let out = output::stdout();
    let mut encoded =
        EncodedFile::new(args.system, args.on_error, STANDARD_OUTPUT.to_owned(), out, args.units)?;
    let mut lines = LineReader::new(BufReader::with_capacity(1 << 16, input.file));
    let mut gathered = Gathered::default();
    loop {
        let whole =
            lines.read().map_err(anyhow::Error::from).and_then(|whole| with_digits(whole, lines.number()));
        let is_end = !matches!(whole, Ok(Some(_)));
        if let Ok(Some(whole)) = &whole {
            gathered.push(whole, lines.number());
        }
        if !is_end && gathered.slots.len() < SLOTS {
            continue;
        }
        let last = matches!(whole, Ok(None));
        if let Err(Refused { index, kind }) = encoded.put(&gathered.slots, last)? {
            encoded.finish()?;
            let (slot, line) = gathered.at(index);
            let why = refusal(kind, slot, args.system);
            message(format!("utfhdl: {}: line {line}: {why}", input.name));
            return Ok(Outcome::Amiss);
        }
        gathered.clear();
        if is_end {
            // Units of the lines before a faulty line are still written.
            let errors = encoded.finish()?;
            whole.with_context(|| input.name.clone())?;
            report(errors, args.on_error);
            return Ok(if errors == 0 { Outcome::Well } else { Outcome::Amiss });
        }
    }
}

/// Refuses a line that says how many digits a code point has, and not which.
fn with_digits(whole: Option<Whole>, line: u64) -> anyhow::Result<Option<Whole>> {
    if let Some(Whole::TooLong { digits }) = whole {
        bail!(
            "line {line}: a code point of {digits} digits, of which the line has none: `utfhdl decode` prints up to \
             {MOST_DIGITS_PRINTED} of them, and `utfhdl convert` converts files of longer ones"
        );
    }
    Ok(whole)
}

/// Slots, each with the number of the line that it comes from.
#[derive(Default)]
struct Gathered {
    slots: Vec<Slot>,
    lines: Vec<u64>,
}

impl Gathered {
    fn push(&mut self, whole: &Whole, line: u64) {
        match whole {
            &Whole::CodePoint(code_point) => self.slots.push(Slot::CodePoint(code_point)),
            other => self.slots.extend(other.slots()),
        }
        self.lines.resize(self.slots.len(), line);
    }

    /// The first slot of the line that the slot with this index comes from, and the number of that line.
    fn at(&self, index: usize) -> (Option<Slot>, u64) {
        let line = self.lines.get(index).copied().unwrap_or_default();
        let first = self.lines.partition_point(|&other| other < line);
        (self.slots.get(first).copied(), line)
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.lines.clear();
    }
}
