//! `utfhdl decode`: the events of a file of units, one a line.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;
use utfhdl::engines::EngineKind;
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{Event, Gather, Slot, System, Whole};

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
/// with tabs between. Decoding never stops at an error and never loses a unit: the lines tile the file.
///
/// The exit code is 1 if the file was ill-formed anywhere.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System the file is encoded in, with options behind commas: utf-8, utf-9,max=7fffffff
    #[arg(value_parser = values::system)]
    system: System,

    /// File to read; standard input if it is missing or -
    file: Option<PathBuf>,

    /// How the units stand in the file [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    units: Option<UnitFormat>,

    /// What decodes: reference (software), or an engine that runs the core: native, verilator, rust-hdl
    ///
    /// A core knows neither offsets nor lengths: its lines have none.
    #[arg(long, value_name = "E", default_value = "reference")]
    engine: EngineChoice,

    #[command(flatten)]
    shape: Shape,

    /// What a line looks like
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Short for --format jsonl
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Offset, length, and U+20AC or the kind of error, with tabs between
    Text,
    /// A JSON object: {"offset":0,"length":4,"cp":"1F600"} or {"offset":9,"length":1,"error":"overlong"}
    Jsonl,
}

/// Decodes as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let format = if args.json { Format::Jsonl } else { args.format };
    let mut printer = Printer::new(output::stdout(), format);
    match args.engine {
        EngineChoice::Reference if args.shape != Shape::default() => {
            bail!(
                "--lanes and --axis are for engines that run a core: add --engine native, or leave them out"
            )
        }
        EngineChoice::Reference => decode_with_reference(&args, &mut printer)?,
        EngineChoice::Engine(kind) => decode_with_core(&args, kind, &mut printer)?,
    }
    printer.finish()
}

fn decode_with_reference(args: &Args, printer: &mut Printer<impl Write>) -> anyhow::Result<()> {
    let input = files::open(args.file.as_deref())?;
    let name = input.name.clone();
    let mut reader = input.units(args.system, args.units)?;
    let mut decoder = args.system.decoder();
    let mut units = Vec::new();
    loop {
        units.clear();
        let read = reader.read(&mut units);
        // At a fault in the file, what stands in front of it is still told, and as the end of nothing.
        let last = matches!(read, Ok(false));
        let mut rest = units.as_slice();
        while let Some(event) = decoder.next(&mut rest, last) {
            printer.event(event)?;
        }
        printer.flush()?;
        if !read.map_err(|error| files::in_file(&name, error))? {
            return Ok(());
        }
    }
}

/// Runs the file through the core, as one frame.
fn decode_with_core(args: &Args, kind: EngineKind, printer: &mut Printer<impl Write>) -> anyhow::Result<()> {
    let decoder = CoreDecoder::start(args.system, args.shape, kind)?;
    let input = files::open(args.file.as_deref())?;
    let name = input.name.clone();
    decoder.decode(name, input.units(args.system, args.units)?, |slot| printer.slot(None, slot))
}

/// Prints whole code points and errors as lines, and keeps in mind whether there were errors.
pub struct Printer<W> {
    out: W,
    format: Format,
    gather: Gather,
    amiss: bool,
}

/// Code points of more hexadecimal digits are printed as their number of digits.
const MOST_DIGITS_PRINTED: u64 = 1 << 20;

impl<W: Write> Printer<W> {
    /// Prints to `out`, which should be buffered.
    pub fn new(out: W, format: Format) -> Printer<W> {
        Printer { out, format, gather: Gather::with_limit(MOST_DIGITS_PRINTED), amiss: false }
    }

    /// Takes an event of the reference.
    pub fn event(&mut self, event: Event) -> anyhow::Result<()> {
        self.slot(Some((event.offset, event.length)), event.what)
    }

    /// Takes a slot, with the offset and the length of its sequence from whoever knows them.
    pub fn slot(&mut self, place: Option<(u64, u64)>, slot: Slot) -> anyhow::Result<()> {
        if let Some(whole) = self.gather.push(slot)? {
            self.line(place, &whole)?;
        }
        Ok(())
    }

    fn line(&mut self, place: Option<(u64, u64)>, whole: &Whole) -> io::Result<()> {
        self.amiss |= matches!(whole, Whole::Error(_));
        match self.format {
            Format::Text => self.text(place, whole),
            Format::Jsonl => self.json(place, whole),
        }
    }

    fn text(&mut self, place: Option<(u64, u64)>, whole: &Whole) -> io::Result<()> {
        if let Some((offset, length)) = place {
            write!(self.out, "{offset}\t{length}\t")?;
        }
        match whole {
            Whole::CodePoint(code_point) => writeln!(self.out, "U+{code_point:X}"),
            Whole::Long(code_point) => writeln!(self.out, "U+{code_point:X}"),
            Whole::TooLong { digits } => writeln!(self.out, "{digits} digits"),
            Whole::Error(kind) => writeln!(self.out, "{kind}"),
        }
    }

    fn json(&mut self, place: Option<(u64, u64)>, whole: &Whole) -> io::Result<()> {
        self.out.write_all(b"{")?;
        if let Some((offset, length)) = place {
            write!(self.out, r#""offset":{offset},"length":{length},"#)?;
        }
        match whole {
            Whole::CodePoint(code_point) => writeln!(self.out, r#""cp":"{code_point:X}"}}"#),
            Whole::Long(code_point) => writeln!(self.out, r#""cp":"{code_point:X}"}}"#),
            Whole::TooLong { digits } => writeln!(self.out, r#""digits":{digits}}}"#),
            Whole::Error(kind) => writeln!(self.out, r#""error":"{kind}"}}"#),
        }
    }

    /// Hands on what is printed so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the output, and tells whether all was well.
    pub fn finish(mut self) -> anyhow::Result<Outcome> {
        self.flush()?;
        Ok(if self.amiss { Outcome::Amiss } else { Outcome::Well })
    }
}
