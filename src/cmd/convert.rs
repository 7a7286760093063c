//! `utfhdl convert`: converts a file of one system to a file of another.

use std::path::PathBuf;

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::engines::EngineKind;
use utfhdl::input::refusal;
use utfhdl_codec::units::UnitFormat;
use utfhdl_codec::{OnError, Slot, Status, System, Transcoder, Unit};

use super::core::{CoreDecoder, EngineChoice, Shape, parse_lanes};
use super::encoding::{EncodedFile, report, unit_writer};
use super::lint::{Lint, LintFormat};
use super::output::message;
use super::target::Target;
use super::{Outcome, files, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl convert -f utf-8 -t utf-18 page.html page.utf18
  utfhdl convert -f utf-9 --from-units packed -t utf-8 tape.bin - | less
  utfhdl convert -f utf-8 -t utf-8 --on-error strict page.html checked.html";

/// Convert a file of units from one system to another
///
/// The output is written to a temporary file beside OUT, which takes the place of OUT at the end: OUT is never
/// incomplete, and IN and OUT may be the same file. Files of corrected-utf-8 are documents, with the magic number in
/// front, unless the option document=off says otherwise.
///
/// The exit code is 1 if IN was ill-formed or has code points that the system of OUT does not have, whether they were
/// replaced or not.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System of IN, with options after commas: utf-8, utf-9,max=7fffffff
    #[arg(short, long, value_name = "SYSTEM", value_parser = values::system_of_file)]
    from: System,

    /// System of OUT, with options after commas
    #[arg(short, long, value_name = "SYSTEM", value_parser = values::system_of_file)]
    to: System,

    /// File to read; standard input if it is missing or -
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,

    /// File to write; standard output if it is missing or -
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,

    /// Format of the units in IN [default: u8, u16le or u32le, the first that holds them]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    from_units: Option<UnitFormat>,

    /// Format of the units in OUT [default: u8, u16le or u32le, the first that holds them]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format())]
    to_units: Option<UnitFormat>,

    /// Treatment of ill-formed sequences and code points that the system of OUT does not have; strict writes no OUT
    #[arg(long, value_name = "ON_ERROR", default_value = "replace", value_parser = values::on_error())]
    on_error: OnError,

    /// Decoder: reference (software), or an engine that runs the core of --from: native, verilator, rust-hdl
    #[arg(long, value_name = "E", default_value = "reference")]
    engine: EngineChoice,

    /// Units a cycle of the core that decodes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_lanes)]
    lanes: u32,

    /// How to warn of what a document of corrected-utf-8 should not hold, such as U+000D
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = LintFormat::Text)]
    lint: LintFormat,
}

/// How many units are written at once.
const ROOM: usize = 32 * 1024;

/// How a conversion ended.
enum Ending {
    /// All is written. `errors` counts the errors, and the code points that the target system does not have.
    Finished { errors: u64 },
    /// `--on-error strict` stopped at this slot.
    Stopped(String),
}

/// Converts as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    if args.engine == EngineChoice::Reference && args.lanes != 1 {
        bail!("--lanes is for engines that run a core: add --engine native, or leave it out");
    }
    let input = files::open(args.input.as_deref())?;
    let progress = progress_bar(input.length);
    let input = files::Input { file: Box::new(progress.wrap_read(input.file)), ..input };
    let mut target = Target::create(args.output.as_deref())?;
    let ending = match args.engine {
        EngineChoice::Reference => match args.from.unit_bits().max(args.to.unit_bits()) {
            0..=8 => convert::<u8>(&args, input, &mut target),
            9..=16 => convert::<u16>(&args, input, &mut target),
            _ => convert::<u32>(&args, input, &mut target),
        },
        EngineChoice::Engine(kind) => convert_with_core(&args, kind, input, &mut target),
    };
    progress.finish_and_clear();
    match ending? {
        Ending::Finished { errors } => {
            target.keep()?;
            report(errors, args.on_error);
            Ok(if errors == 0 { Outcome::Well } else { Outcome::Amiss })
        }
        Ending::Stopped(why) => {
            target.give_up()?;
            message(format!("utfhdl: {why}"));
            Ok(Outcome::Amiss)
        }
    }
}

/// Converts with the software codec. `U` has room for the units of both systems.
fn convert<U: Unit>(args: &Args, input: files::Input, target: &mut Target) -> anyhow::Result<Ending> {
    let (from_name, to_name) = (input.name.clone(), target.name.clone());
    let mut reader = input.units(args.from, args.from_units)?;
    let mut transcoder = Transcoder::new(args.from, args.to, args.on_error);
    let mut writer = unit_writer(target, args.to, args.to_units)?;
    let mut lints = Lints::new(args, &from_name, &to_name);
    let (mut units, mut room) = (Vec::<U>::new(), vec![U::default(); ROOM]);
    loop {
        let last = !reader.replace(&mut units).map_err(|error| files::in_file(&from_name, error))?;
        lints.look_at_input(&units);
        let mut rest = units.as_slice();
        loop {
            let progress = transcoder.transcode(rest, &mut room, last);
            rest = &rest[progress.read..];
            lints.look_at_output(&room[..progress.written]);
            let written = writer.write(&room[..progress.written]);
            written.map_err(|error| files::in_file(&to_name, error))?;
            match progress.status {
                Status::Finished => break,
                Status::OutputFull => {}
                Status::Refused(kind) => {
                    let event = transcoder.refused();
                    let offset = event.map_or(0, |event| event.offset);
                    let why = refusal(kind, event.map(|event| event.what), args.to);
                    return Ok(Ending::Stopped(format!("{from_name}: offset {offset}: {why}")));
                }
            }
        }
        // A reader that follows the output, of a pipe for instance, gets what there is.
        writer.flush().map_err(|error| files::in_file(&to_name, error))?;
        if last {
            writer.finish().map_err(|error| files::in_file(&to_name, error))?;
            lints.report();
            return Ok(Ending::Finished { errors: transcoder.encoder().errors() });
        }
    }
}

/// The lint of the document that is read or, if none is, of the one that is written.
struct Lints {
    input: Option<Lint>,
    output: Option<Lint>,
    /// The name of the document in messages.
    name: String,
    format: LintFormat,
}

impl Lints {
    fn new(args: &Args, from_name: &str, to_name: &str) -> Self {
        let is_document = |system: System| {
            args.lint != LintFormat::Off && matches!(system, System::CorrectedUtf8 { document: true, .. })
        };
        let input = is_document(args.from).then(Lint::default);
        let output = (input.is_none() && is_document(args.to)).then(Lint::default);
        let name = if input.is_some() { from_name } else { to_name }.to_owned();
        Self { input, output, name, format: args.lint }
    }

    fn look_at_input<U: Unit>(&mut self, units: &[U]) {
        self.input.iter_mut().for_each(|lint| lint.look_at(units));
    }

    fn look_at_output<U: Unit>(&mut self, units: &[U]) {
        self.output.iter_mut().for_each(|lint| lint.look_at(units));
    }

    fn report(self) {
        self.input.into_iter().chain(self.output).for_each(|lint| lint.report(&self.name, self.format));
    }
}

/// The slot at which `--on-error strict` stopped, as an error that ends the run of the core.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Stopped(String);

/// Converts like [`convert`], with a core in place of the software decoder. A core knows no offsets.
fn convert_with_core(
    args: &Args,
    kind: EngineKind,
    input: files::Input,
    target: &mut Target,
) -> anyhow::Result<Ending> {
    let decoder = CoreDecoder::start(args.from, Shape::of_lanes(args.lanes), kind)?;
    let name = input.name.clone();
    let reader = input.units(args.from, args.from_units)?;
    let mut encoded = EncodedFile::new(args.to, args.on_error, target.name.clone(), target, args.to_units)?;
    let stopped = |slot, kind| Stopped(format!("{name}: {}", refusal(kind, slot, args.to)));
    let decoded = decoder.decode(name.clone(), reader, |slot| {
        Ok(encoded.put(&[slot], false)?.map_err(|refused| stopped(Some(slot), refused.kind))?)
    });
    let ended = decoded
        .and_then(|()| Ok(encoded.put::<Slot>(&[], true)?.map_err(|refused| stopped(None, refused.kind))?));
    match ended {
        Ok(()) => Ok(Ending::Finished { errors: encoded.finish()? }),
        Err(error) => error.downcast::<Stopped>().map(|stopped| Ending::Stopped(stopped.0)),
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
