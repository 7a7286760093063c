//! `utfhdl cosim`: a core in engines, in lockstep, against the reference.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::cosim::{Cosim, CosimError, Failure, Framing, Observer, Report, Stalls, Units, Waves};
use utfhdl::engines::EngineKind;
use utfhdl::units::UnitFormat;
use utfhdl_sim::Engine;

use super::Outcome;
use super::core::{self, CoreArgs};

const EXAMPLES: &str = "\
Examples:
  utfhdl cosim utf-8 decoder page.html --stall 30 --vcd page.vcd      real text, with waves
  utfhdl cosim utf-8 decoder --random 1000000 --seed 7 --engine native --engine verilator
  utfhdl cosim utf-8 decoder --random 5000 --frames 3                 frames of three units

The exit code is 0 if all agree, however ill-formed the text is, and 1 if something differs: then the cycle, \
the port and both values are printed, waves of the last cycles are written, and the command that repeats the \
run is shown.";

/// Cycles before a failure of which waves are written.
const CYCLES_BEFORE_FAILURE: u64 = 300;
/// Units made where neither a file nor a number is given.
const DEFAULT_RANDOM: u64 = 100_000;

/// Run a core in engines, in lockstep, against the reference
///
/// Every engine gets the same inputs cycle by cycle. Every output of every cycle has to be the same in all of them, every
/// event the reference's, and the rules of the handshake are checked all the time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    core: CoreArgs,

    /// File of units to run through; without one, random units
    #[arg(conflicts_with = "random")]
    file: Option<PathBuf>,

    /// How the units stand in the file [default: u8 for units of up to 8 bits, u16le above]
    #[arg(long, value_enum, requires = "file")]
    units: Option<UnitFormat>,

    /// Run through so many random units: valid, at boundaries, mutated and garbage [default: 100000]
    #[arg(long, value_name = "N")]
    random: Option<u64>,

    /// Seed of all that is random: units, frames, stalls
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// An engine, any number of times; the first leads [default: native]
    #[arg(long = "engine", value_name = "E")]
    engines: Vec<EngineKind>,

    /// Cycles in which each side holds the stream up, in percent
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=99))]
    stall: u8,

    /// How units are cut into frames: whole, random (of any length, with empty beats), or a number of units
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
    match (text, text.parse()) {
        ("whole", _) => Ok(Framing::Whole),
        ("random", _) => Ok(Framing::Random),
        (_, Ok(length @ 1..)) => Ok(Framing::Lengths(vec![length])),
        _ => Err("expected whole, random, or a number of units from 1 on".to_owned()),
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
            eprint!("{}", summary(&report));
            if args.json {
                println!("{}", serde_json::to_string(&report)?);
            }
            Outcome::Well
        }
        Err(failure) => {
            eprintln!("{}: {failure}", cosim.core.design.top.name());
            if args.json {
                println!("{}", failure_json(&failure));
            }
            eprintln!("to repeat it: {}", replay(&args, &cosim, &kinds));
            Outcome::Amiss
        }
    };
    if let Some(files) = files {
        eprintln!("{files}");
    }
    Ok(outcome)
}

fn plan(args: &Args) -> anyhow::Result<Cosim> {
    let core = args.core.core()?;
    let system = args.core.system;
    let units = match &args.file {
        Some(path) => Units::File {
            path: path.clone(),
            format: args.units.unwrap_or(UnitFormat::default_for(system.unit_bits())),
        },
        None => Units::Random { count: args.random.unwrap_or(DEFAULT_RANDOM) },
    };
    let default = if args.file.is_some() { Framing::Whole } else { Framing::Random };
    let framing = args.frames.clone().unwrap_or(default);
    let stalls = Stalls { source: args.stall, sink: args.stall };
    Ok(Cosim { core, system, units, framing, stalls, seed: args.seed })
}

fn waves(path: &Path, cosim: &Cosim, kinds: &[EngineKind], from: u64) -> anyhow::Result<Waves> {
    let names: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(Waves::create(path, &cosim.core, &names, from)?)
}

type Ended = (Result<Report, Box<Failure>>, Option<String>);

/// Runs all engines; gives what came of it, and what to say of the waves, which are there even of a run that failed.
fn run_engines(cosim: &Cosim, kinds: &[EngineKind], mut waves: Option<Waves>) -> anyhow::Result<Ended> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for kind in kinds {
        engines.push(core::start(*kind, &cosim.core)?);
    }
    let bar = progress_bar(&cosim.units);
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

fn progress_bar(units: &Units) -> ProgressBar {
    let total = match units {
        Units::Random { count } => Some(*count),
        Units::Given(units) => Some(units.len() as u64),
        // Bytes are units where a progress bar matters; elsewhere it is a hint.
        Units::File { path, .. } => std::fs::metadata(path).ok().map(|metadata| metadata.len()),
    };
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} units, {eta} left");
    bar.with_style(style.expect("the template is well-formed"))
}

fn summary(report: &Report) -> String {
    let frames = if report.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", report.frames) };
    let mut text = format!(
        "{}: {} units in {frames}, {} code points, {} errors, {} cycles\n",
        report.module,
        report.units,
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
    writeln!(text, "{engines} {agree} with the reference on every event").expect("writing to a string");
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

/// The command that repeats a run, with everything that decides it spelled out.
fn replay(args: &Args, cosim: &Cosim, kinds: &[EngineKind]) -> String {
    let spec = cosim.core.spec;
    let mut command = format!("utfhdl cosim {} {}", args.core.system, spec.role);
    let mut add = |text: &str| write!(command, " {text}").expect("writing to a string");
    match &cosim.units {
        Units::File { path, format } => add(&format!("{} --units {}", path.display(), format.name())),
        Units::Random { count } => add(&format!("--random {count}")),
        Units::Given(_) => {}
    }
    add(&format!("--seed {} --stall {}", cosim.seed, cosim.stalls.sink));
    match &cosim.framing {
        Framing::Whole => add("--frames whole"),
        Framing::Random => add("--frames random"),
        Framing::Lengths(lengths) => add(&format!("--frames {}", lengths[0])),
    }
    kinds.iter().for_each(|kind| add(&format!("--engine {kind}")));
    add(&format!("--lanes {} --reset {} --on-error {}", spec.lanes, spec.reset, spec.on_error));
    command
}
