//! `utfhdl cosim`: a core in engines, in lockstep, against the reference.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::cosim::{Cosim, CosimError, Failure, Framing, Observer, Report, Source, Stalls, Waves};
use utfhdl::engines::EngineKind;
use utfhdl_codec::units::UnitFormat;
use utfhdl_hdl::core::Role;
use utfhdl_sim::Engine;

use super::core::{self, CoreArgs};
use super::output::{self, message};
use super::{Outcome, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl cosim utf-8 decoder page.html --stall 30 --vcd page.vcd      real text, with waves
  utfhdl cosim utf-8 decoder --random 1000000 --seed 7 --engine native --engine verilator
  utfhdl cosim utf-8 decoder --random 5000 --frames 3                 frames of three units
  utfhdl cosim utf-9 encoder points.txt                               code points, as `utfhdl encode` reads them
  utfhdl cosim utf-8 transcoder:utf-18 --stall 30                     units of another system out

The exit code is 0 if all agree, however ill-formed the text is, and 1 if something differs: then the cycle, \
the port and both values are printed, waves of the last cycles are written, and the command that repeats the \
run is shown.";

/// Cycles before a failure of which waves are written.
const CYCLES_BEFORE_FAILURE: u64 = 300;
/// Units or slots made where neither a file nor a number is given.
const DEFAULT_RANDOM: u64 = 100_000;

/// Run a core in engines, in lockstep, against the reference
///
/// Every engine gets the same inputs cycle by cycle. Every output of every cycle has to be the same in all of them, every
/// slot or unit that comes out the reference's, and the rules of the handshake are checked all the time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    core: CoreArgs,

    /// File to run through: units, or for an encoder code points, one a line, or slots as `14:2`, tuser:tdata; without one,
    /// random units or slots
    #[arg(conflicts_with = "random")]
    file: Option<PathBuf>,

    /// How the units stand in the file [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format(), requires = "file")]
    units: Option<UnitFormat>,

    /// Run through so many random units or slots: valid, at boundaries, mutated and garbage [default: 100000]
    #[arg(long, value_name = "N")]
    random: Option<u64>,

    /// Seed of all that is random: units or slots, frames, stalls
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// An engine, any number of times; the first leads [default: native]
    #[arg(long = "engine", value_name = "E")]
    engines: Vec<EngineKind>,

    /// Cycles in which each side holds the stream up, in percent
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=99))]
    stall: u8,

    /// How they are cut into frames: whole, random (of any length, with empty beats), or numbers of units or slots
    /// with commas, over and over
    /// [default: whole for a file, else random]
    #[arg(long, value_name = "F", value_parser = parse_framing)]
    frames: Option<Framing>,

    /// Write waves of the whole run, with a GTKWave save file and a Surfer command file beside them
    #[arg(long, value_name = "OUT")]
    vcd: Option<PathBuf>,

    /// Print the report as JSON to standard output
    #[arg(long)]
    json: bool,
}

fn parse_framing(text: &str) -> Result<Framing, String> {
    let lengths: Result<Vec<u64>, _> = text.split(',').map(str::parse).collect();
    match (text, lengths) {
        ("whole", _) => Ok(Framing::Whole),
        ("random", _) => Ok(Framing::Random),
        (_, Ok(lengths)) if lengths.iter().any(|length| *length > 0) => Ok(Framing::Lengths(lengths)),
        _ => Err("expected whole, random, or numbers of units with commas, such as 3 or 2,0,5".to_owned()),
    }
}

/// Co-simulates as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let cosim = plan(&args)?;
    let kinds = if args.engines.is_empty() { vec![EngineKind::Native] } else { args.engines.clone() };
    if let Some(twice) = (1..kinds.len()).find(|&at| kinds[..at].contains(&kinds[at])) {
        bail!("--engine {} is given twice: once is enough", kinds[twice]);
    }
    let waves = args.vcd.as_deref().map(|path| waves(path, &cosim, &kinds, 0)).transpose()?;
    let (mut result, mut files) = run_engines(&cosim, &kinds, waves)?;
    if let (Err(failure), None) = (&result, &files) {
        // Once more, watched in every cycle: it ends the same way, and leaves more to see.
        let path = PathBuf::from(format!("{}.failure.vcd", cosim.core.design.top.name()));
        let from = failure.cycle.saturating_sub(CYCLES_BEFORE_FAILURE);
        let again = run_engines(&cosim, &kinds, Some(self::waves(&path, &cosim, &kinds, from)?))?;
        if again.0.is_err() {
            (result, files) = again;
        }
    }
    let outcome = match result {
        Ok(report) => {
            message(summary(&report, cosim.core.spec.role));
            if args.json {
                output::print_json(&report)?;
            }
            Outcome::Well
        }
        Err(failure) => {
            message(format!("{}: {failure}", cosim.core.design.top.name()));
            if args.json {
                output::print_json(&failure_json(&failure))?;
            }
            if let Some(command) = cosim.replay(&kinds) {
                message(format!("to repeat it: {command}"));
            }
            Outcome::Amiss
        }
    };
    if let Some(files) = files {
        message(files);
    }
    Ok(outcome)
}

fn plan(args: &Args) -> anyhow::Result<Cosim> {
    let core = args.core.core()?;
    let source = match &args.file {
        Some(path) if args.core.role == Role::Encoder => {
            if let Some(units) = args.units {
                bail!(
                    "--units {} is for files of units: an encoder's file has a code point a line",
                    units.name()
                );
            }
            Source::Lines { path: path.clone() }
        }
        Some(path) => Source::Units {
            path: path.clone(),
            format: args.units.unwrap_or(UnitFormat::default_for(args.core.system.unit_bits())),
        },
        None => Source::Random { count: args.random.unwrap_or(DEFAULT_RANDOM) },
    };
    let default = if args.file.is_some() { Framing::Whole } else { Framing::Random };
    let framing = args.frames.clone().unwrap_or(default);
    let stalls = Stalls { source: args.stall, sink: args.stall };
    Ok(Cosim { core, source, framing, stalls, seed: args.seed })
}

/// Waves of a run, from a cycle on.
pub(super) fn waves(path: &Path, cosim: &Cosim, kinds: &[EngineKind], from: u64) -> anyhow::Result<Waves> {
    let names: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(Waves::create(path, &cosim.core, &names, from)?)
}

pub(super) type Ended = (Result<Report, Box<Failure>>, Option<String>);

/// Runs all engines; gives what came of it, and what to say of the waves, which are there even of a run that failed.
pub(super) fn run_engines(
    cosim: &Cosim,
    kinds: &[EngineKind],
    mut waves: Option<Waves>,
) -> anyhow::Result<Ended> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for kind in kinds {
        engines.push(core::start(*kind, &cosim.core)?);
    }
    let bar = progress_bar(cosim);
    let observer = waves.as_mut().map(|waves| waves as &mut dyn Observer);
    let result = cosim.run(&mut engines, observer, &mut |units| bar.set_position(units));
    bar.finish_and_clear();
    let result = match result {
        Ok(report) => Ok(report),
        Err(CosimError::Failure(failure)) => Err(failure),
        Err(other) => return Err(other.into()),
    };
    let files = waves.map(Waves::finish).transpose()?.map(|files| {
        let (vcd, gtkw, sucl) = (files.vcd.display(), files.gtkw.display(), files.sucl.display());
        format!("waves: {vcd}; see them with `gtkwave {gtkw}` or `surfer -c {sucl} {vcd}`")
    });
    Ok((result, files))
}

fn progress_bar(cosim: &Cosim) -> ProgressBar {
    let total = match &cosim.source {
        Source::Random { count } => Some(*count),
        Source::Given(items) => Some(items.len() as u64),
        // Bytes are units where a progress bar matters; elsewhere it is a hint.
        Source::Units { path, .. } => std::fs::metadata(path).ok().map(|metadata| metadata.len()),
        Source::Lines { .. } => None,
    };
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let style =
        format!("{{wide_bar}} {{human_pos}}/{{human_len}} {}, {{eta}} left", taken(cosim.core.spec.role));
    bar.with_style(ProgressStyle::with_template(&style).expect("the template is well-formed"))
}

/// What a core takes.
fn taken(role: Role) -> &'static str {
    if role == Role::Encoder { "slots" } else { "units" }
}

fn summary(report: &Report, role: Role) -> String {
    let frames = if report.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", report.frames) };
    let written =
        if role == Role::Decoder { String::new() } else { format!("{} units written, ", report.given) };
    let mut text = format!(
        "{}: {} {} in {frames}, {} code points, {} errors, {written}{} cycles\n",
        report.module,
        report.taken,
        taken(role),
        report.code_points,
        report.error_count(),
        report.cycles
    );
    let kinds: Vec<String> = report.errors.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if !kinds.is_empty() {
        writeln!(text, "errors: {}", kinds.join(", ")).expect("writing to a string");
    }
    let engines = report.engines.join(", ");
    let agree =
        if report.engines.len() == 1 { "agrees" } else { "agree on every output of every cycle, and" };
    let what = if role == Role::Decoder { "event" } else { "unit" };
    writeln!(text, "{engines} {agree} with the reference on every {what}").expect("writing to a string");
    report.remarks.iter().for_each(|remark| writeln!(text, "{remark}").expect("writing to a string"));
    text
}

fn failure_json(failure: &Failure) -> serde_json::Value {
    serde_json::json!({
        "failure": failure.to_string(),
        "cycle": failure.cycle,
        "port": failure.port,
        "event": failure.event,
    })
}
