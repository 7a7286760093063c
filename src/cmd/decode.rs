//! `utfhdl decode`: prints the code points and errors of a file of units, one a line.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;
use utfhdl::engines::EngineKind;
use utfhdl_codec::lines::{LineFormat, LineWriter};
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{Codec, Event, Slot, System};

use super::core::{CoreDecoder, EngineChoice, Shape};
use super::{Outcome, files, output, values};

const EXAMPLES: &str = "\
Examples:
  printf '\\342\\202\\254\\300' | utfhdl decode utf-8      the euro sign, then an overlong lead unit
  utfhdl decode utf-8 page.html --json | jq -c 'select(.error)'
  utfhdl decode utf-9,max=7fffffff tape.bin --units packed
  printf '401\\n403\\n60\\n' | utfhdl decode utf-9 --units octal";

/// Decode a file of units: one line for every code point and every error
///
/// A line has the offset and the length of the sequence in units, and its code point or the kind of its error,
/// with tabs between. Decoding does not stop at errors, and every unit of the file belongs to one line.
///
/// The exit code is 1 if the file was ill-formed anywhere.
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

    /// Decoder: reference (software), or an engine that runs the core: native, verilator, rust-hdl
    ///
    /// A core does not know offsets and lengths, so lines from a core have none.
    #[arg(long, value_name = "E", default_value = "reference")]
    engine: EngineChoice,

    #[command(flatten)]
    shape: Shape,

    /// Format of a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Short for --format jsonl
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Offset, length, and U+20AC or the kind of error, with tabs between
    Text,
    /// A JSON object: {"offset":0,"length":4,"cp":"1F600"} or {"offset":9,"length":1,"error":"overlong"}
    Jsonl,
}

/// Code points of more hexadecimal digits are printed as their number of digits.
pub(super) const MOST_DIGITS_PRINTED: u64 = 1 << 20;

/// How many events are decoded before they are printed: few enough to stay in the first-level cache.
const EVENTS: usize = 512;

/// Decodes as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let format = match args.format {
        Format::Text if !args.json => LineFormat::Text,
        Format::Text | Format::Jsonl => LineFormat::Json,
    };
    let mut lines = LineWriter::new(output::stdout(), format, MOST_DIGITS_PRINTED);
    let decoded = match args.engine {
        EngineChoice::Reference if args.shape != Shape::default() => {
            bail!(
                "--lanes and --axis are for engines that run a core: add --engine native, or leave them out"
            )
        }
        EngineChoice::Reference => decode_with_reference(&args, &mut lines),
        EngineChoice::Engine(kind) => decode_with_core(&args, kind, &mut lines),
    };
    // Lines before a fault are still printed.
    lines.flush()?;
    decoded?;
    Ok(if lines.errors() == 0 { Outcome::Well } else { Outcome::Amiss })
}

fn decode_with_reference(args: &Args, lines: &mut LineWriter<impl Write>) -> anyhow::Result<()> {
    let input = files::open(args.file.as_deref())?;
    let mut decoder = args.system.decoder();
    let mut events = [Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; EVENTS];
    input.each_piece(args.system, args.units, |units: &[u32], last| {
        let mut rest = units;
        loop {
            let progress = decoder.decode(rest, &mut events, last);
            rest = &rest[progress.read..];
            events[..progress.written].iter().try_for_each(|&event| lines.event(event))?;
            if progress.finished {
                break;
            }
        }
        // Whoever types the input, or follows a log, sees what it is right away.
        lines.flush()?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Runs the file through the core, as one frame.
fn decode_with_core(args: &Args, kind: EngineKind, lines: &mut LineWriter<impl Write>) -> anyhow::Result<()> {
    let decoder = CoreDecoder::start(args.system, args.shape, kind)?;
    let input = files::open(args.file.as_deref())?;
    let name = input.name.clone();
    let units = input.units(args.system, args.units)?;
    decoder.decode(name, units, |slot| Ok(lines.slot(slot)?))
}
