//! `utfhdl convert`: a file of one system to a file of another.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;
use utfhdl::engines::EngineKind;
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{Event, OnError, Refused, Slot, System};

use super::core::{CoreDecoder, EngineChoice, Shape};
use super::encoding::{EncodedFile, refusal, report};
use super::output::{self, STANDARD_OUTPUT, Stream, message};
use super::{Outcome, files, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl convert --from utf-8 --to utf-18 page.html page.utf18
  utfhdl convert --from utf-9 --from-units packed --to utf-8 tape.bin - | less
  utfhdl convert --from utf-8 --to utf-8 --on-error strict page.html checked.html";

/// Convert a file of units from one system to another
///
/// OUT is written beside its place and moved there at the end, so nothing ever sees half of it, and IN and OUT may be
/// the same file. Files of corrected-utf-8 are documents, with the magic number in front, unless document=off says
/// otherwise.
///
/// The exit code is 1 if something was ill-formed or had no form in the target, replaced or not.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System of IN, with options behind commas: utf-8, utf-9,max=7fffffff
    #[arg(long, value_name = "SYSTEM", value_parser = values::system_of_file)]
    from: System,

    /// System of OUT, with options behind commas
    #[arg(long, value_name = "SYSTEM", value_parser = values::system_of_file)]
    to: System,

    /// File to read; standard input if it is missing or -
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,

    /// File to write; standard output if it is missing or -
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,

    /// How the units stand in IN [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    from_units: Option<UnitFormat>,

    /// How the units are to stand in OUT [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    to_units: Option<UnitFormat>,

    /// What becomes of ill-formed sequences and of code points that the target does not have; strict leaves no OUT
    #[arg(long, value_name = "ON_ERROR", default_value = "replace", value_parser = values::on_error())]
    on_error: OnError,

    /// What decodes: reference (software), or an engine that runs the core of --from: native, verilator, rust-hdl
    #[arg(long, value_name = "E", default_value = "reference")]
    engine: EngineChoice,
}

/// How many events are decoded before they are encoded.
const EVENTS: usize = 4096;

/// Converts as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let input = files::open(args.input.as_deref())?;
    let progress = progress_bar(input.length);
    let input = files::Input { file: Box::new(progress.wrap_read(input.file)), ..input };
    let output = Output::create(args.output.as_deref())?;
    let conversion = match args.engine {
        EngineChoice::Reference => convert(&args, input, output),
        EngineChoice::Engine(kind) => convert_with_core(&args, kind, input, output),
    };
    progress.finish_and_clear();
    match conversion? {
        Ok((output, errors)) => {
            output.keep()?;
            report(errors, args.on_error);
            Ok(if errors == 0 { Outcome::Well } else { Outcome::Amiss })
        }
        Err(refusal) => {
            message(format!("utfhdl: {refusal}"));
            Ok(Outcome::Amiss)
        }
    }
}

/// Copies the text of the input to the output. The inner result is the output with the number of errors, or what
/// `--on-error strict` stopped at.
fn convert(
    args: &Args,
    input: files::Input,
    output: Output,
) -> anyhow::Result<Result<(Output, u64), String>> {
    let name = input.name.clone();
    let mut reader = input.units(args.from, args.from_units)?;
    let mut decoder = args.from.decoder();
    let mut encoded = EncodedFile::new(args.to, args.on_error, output.name(), output, args.to_units)?;
    let mut units = Vec::new();
    let mut events = vec![Event { offset: 0, length: 0, what: Slot::CodePoint(0) }; EVENTS];
    loop {
        units.clear();
        let last = !reader.read(&mut units).map_err(|error| files::in_file(&name, error))?;
        let mut rest = units.as_slice();
        loop {
            let progress = decoder.decode(rest, &mut events, last);
            rest = &rest[progress.read..];
            let events = &events[..progress.written];
            if let Err(Refused { index, kind }) = encoded.put(events, last && progress.finished)? {
                let event = events.get(index);
                let offset = event.map_or(0, |event| event.offset);
                let why = refusal(kind, event.map(|event| event.what), args.to);
                return Ok(Err(format!("{name}: offset {offset}: {why}")));
            }
            if progress.finished {
                break;
            }
        }
        if last {
            return Ok(Ok(encoded.finish()?));
        }
    }
}

/// What `--on-error strict` stopped at, on its way out of the core's run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Stopped(String);

/// As [`convert`], with a core in place of the software decoder. It knows no offsets.
fn convert_with_core(
    args: &Args,
    kind: EngineKind,
    input: files::Input,
    output: Output,
) -> anyhow::Result<Result<(Output, u64), String>> {
    let decoder = CoreDecoder::start(args.from, Shape::default(), kind)?;
    let name = input.name.clone();
    let reader = input.units(args.from, args.from_units)?;
    let mut encoded = EncodedFile::new(args.to, args.on_error, output.name(), output, args.to_units)?;
    let stopped = |slot, kind| Stopped(format!("{name}: {}", refusal(kind, slot, args.to)));
    let decoded = decoder.decode(name.clone(), reader, |slot| {
        Ok(encoded.put(&[slot], false)?.map_err(|refused| stopped(Some(slot), refused.kind))?)
    });
    let ended = decoded
        .and_then(|()| Ok(encoded.put::<Slot>(&[], true)?.map_err(|refused| stopped(None, refused.kind))?));
    match ended {
        Ok(()) => Ok(Ok(encoded.finish()?)),
        Err(error) => error.downcast::<Stopped>().map(|stopped| Err(stopped.0)),
    }
}

/// Shown on a terminal only, on standard error.
fn progress_bar(length: Option<u64>) -> ProgressBar {
    let Some(length) = length else {
        return ProgressBar::hidden();
    };
    let style = ProgressStyle::with_template(
        "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta}",
    );
    ProgressBar::new(length).with_style(style.expect("the template is well-formed"))
}

/// Where the units go.
enum Output {
    /// Standard output, or something that is no file and cannot be put in place: a device, a pipe.
    Stream { name: String, file: Box<dyn Write> },
    /// A new file beside the one it becomes.
    Beside { file: NamedTempFile, becomes: PathBuf },
}

impl Output {
    fn create(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let name = STANDARD_OUTPUT.to_owned();
            return Ok(Output::Stream { name, file: Box::new(output::stdout()) });
        };
        let create = || -> io::Result<Output> {
            // What a link points to is replaced, not the link.
            let becomes = fs::canonicalize(path).unwrap_or(path.to_owned());
            let existing = fs::metadata(&becomes).ok();
            if existing.as_ref().is_some_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
                let name = path.display().to_string();
                let file = Box::new(Stream::new(&name, File::options().write(true).open(path)?));
                return Ok(Output::Stream { name, file });
            }
            let file = files::beside(&becomes)?;
            if let Some(existing) = existing {
                file.as_file().set_permissions(existing.permissions())?;
            }
            Ok(Output::Beside { file, becomes })
        };
        if path.is_dir() {
            bail!("{} is a directory: name a file, or - for standard output", path.display());
        }
        create().with_context(|| format!("cannot write {}", path.display()))
    }

    fn name(&self) -> String {
        match self {
            Output::Stream { name, .. } => name.clone(),
            Output::Beside { becomes, .. } => becomes.display().to_string(),
        }
    }

    /// Puts the finished file in its place. An output that is dropped instead leaves nothing.
    fn keep(self) -> anyhow::Result<()> {
        if let Output::Beside { file, becomes } = self {
            file.persist(&becomes)
                .map_err(|error| error.error)
                .with_context(|| format!("cannot write {}", becomes.display()))?;
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stream { file, .. } => file.write(bytes),
            Output::Beside { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stream { file, .. } => file.flush(),
            Output::Beside { file, .. } => file.flush(),
        }
    }
}
