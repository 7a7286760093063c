//! The arguments of `utfhdl cosim`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use utfhdl::cosim::{Cosim, Framing, MOST_RESETS, Source, Stalls, WaveChoice};
use utfhdl::engines::EngineKind;
use utfhdl::fault::SignalFault;
use utfhdl_codec::units::UnitFormat;
use utfhdl_hdl::core::Role;
use utfhdl_sim::wave::WaveFormat;

use super::input::Input;
use crate::cmd::core::CoreArgs;
use crate::cmd::values;

const EXAMPLES: &str = "\
Examples:
  utfhdl cosim utf-8 decoder page.html --stall 30 --vcd page.vcd      real text, with waves
  utfhdl cosim utf-8 decoder --wave run.fst --wave-from 1000 --signals '*_axis_*'   some cycles and signals, compressed
  utfhdl cosim utf-8 decoder --random 1000000 --seed 7 --engine native --engine verilator
  utfhdl cosim utf-8 decoder --random 5000 --frames 3                 frames of three units
  utfhdl cosim utf-9 encoder points.txt                               code points, as `utfhdl encode` reads them
  utfhdl cosim utf-8 transcoder:utf-18 --stall 30                     units of another system out
  utfhdl cosim utf-8 decoder --resets 2                               resets at random, from random registers
  utfhdl cosim utf-8 decoder --fault stuck-at-0@trailing              see that a fault is noticed

The exit code is 0 if all agree, however ill-formed the text is, and 1 if something differs: then the cycle, the port and \
both values are printed, waves of the last cycles are written, and the command that repeats the run is shown. It is 2 if \
the run could not be made, or if there was nothing to run.";

/// Units or slots that are made where neither a file nor a number is given.
const DEFAULT_RANDOM: u64 = 100_000;

/// Run a core in engines, in lockstep, against the reference
///
/// Every engine gets the same inputs cycle by cycle. Every output of every cycle has to be the same in all engines, every slot
/// or unit that comes out has to be the one of the reference, in the cycle that the contract promises, and the rules of the
/// handshake are checked in every cycle.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub(super) run: RunArgs,

    /// Cycles in which the core is reset, in percent; registers then have random values before the first reset
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = parse_resets, conflicts_with = "html")]
    resets: u8,

    /// An engine, any number of times; the first leads [default: native]
    #[arg(long = "engine", value_name = "E")]
    engines: Vec<EngineKind>,

    /// Write waves of the whole run, with a GTKWave save file and a Surfer command file beside them
    #[arg(long, value_name = "OUT", group = "dump")]
    vcd: Option<PathBuf>,

    /// Write waves like --vcd, in the format that the name ends in: .vcd, or .fst, which is compressed
    #[arg(long, value_name = "OUT", group = "dump")]
    wave: Option<PathBuf>,

    /// The first cycle in the waves, counted from the first in reset
    #[arg(long, value_name = "CYCLE", default_value_t = 0, requires = "dump")]
    wave_from: u64,

    /// The last cycle in the waves [default: the last of the run]
    #[arg(long, value_name = "CYCLE", requires = "dump")]
    wave_to: Option<u64>,

    /// Signals in the waves, by path, any number of times: * stands for any characters, ? for one [default: all]
    #[arg(long, value_name = "GLOB", requires = "dump")]
    signals: Vec<String>,

    /// Write the run as an HTML page, as `utfhdl trace` does: of the first 100000 cycles, or of those around a failure
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,

    /// Folder for the files of a failure, made if it is missing [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(super) failure_dir: Option<PathBuf>,

    /// Print the report, or the failure, as JSON to standard output
    #[arg(long)]
    pub(super) json: bool,
}

/// The input of a core, and the run.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub(in crate::cmd) core: CoreArgs,

    /// File to run through the core: units, or for an encoder code points, one a line, or slots as `14:2`, tuser:tdata; - is
    /// standard input. Without a file, random units or slots
    #[arg(conflicts_with = "random")]
    pub(in crate::cmd) file: Option<PathBuf>,

    /// How the units stand in the file [default: u8, u16le or u32le, the first that holds them]
    #[arg(long, value_name = "UNITS", value_parser = values::unit_format(), requires = "file")]
    units: Option<UnitFormat>,

    /// Number of random units or slots: well-formed, at boundaries, mutated and garbage [default: 100000; of trace, 200]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(in crate::cmd) random: Option<u64>,

    /// Seed of all that is random: units or slots, frames, stalls, resets
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How the input is cut into frames: whole, random (of any length, with empty beats), or numbers of units or slots
    /// with commas, over and over. A + cuts a frame into beats, which are full otherwise: 3+1,2
    /// [default: whole for a file, else random]
    #[arg(long, value_name = "F", value_parser = Framing::from_str)]
    frames: Option<Framing>,

    /// Put a fault into the core, to see that it is noticed: stuck-at-0, stuck-at-1, inverted or shifted, at a signal that
    /// `utfhdl list --signals` shows
    #[arg(long, value_name = "KIND@SIGNAL")]
    pub(in crate::cmd) fault: Option<SignalFault>,
}

impl RunArgs {
    /// The run that the arguments describe, with `random` random units or slots if no number is given.
    pub(in crate::cmd) fn cosim(&self, input: Option<&Input>, random: u64) -> anyhow::Result<Cosim> {
        let source = match input {
            Some(input) if self.core.role == Role::Encoder => {
                self.check_units()?;
                Source::Lines { path: input.path().to_owned() }
            }
            Some(input) => Source::Units {
                path: input.path().to_owned(),
                format: self.units.unwrap_or(UnitFormat::default_for(self.core.system.unit_bits())),
            },
            None => Source::Random { count: self.random.unwrap_or(random) },
        };
        let default = if input.is_some() { Framing::Whole } else { Framing::Random };
        self.with_source(source, default)
    }

    /// The run of a source, which is cut into frames as `framing` says unless the arguments say otherwise.
    pub(in crate::cmd) fn with_source(&self, source: Source, framing: Framing) -> anyhow::Result<Cosim> {
        let (core, stalls) = self.core.core_and_stalls()?;
        let core = match &self.fault {
            Some(fault) => fault.inject(&core).context("--fault")?,
            None => core,
        };
        let framing = self.frames.clone().unwrap_or(framing);
        Ok(Cosim {
            core,
            source,
            framing,
            stalls: stalls.unwrap_or(Stalls { source: 0, sink: 0 }),
            resets: 0,
            seed: self.seed,
        })
    }

    fn check_units(&self) -> anyhow::Result<()> {
        if let Some(units) = self.units {
            bail!(
                "--units {} is for files of units: an encoder's file has a code point a line, or a slot",
                units.name()
            );
        }
        Ok(())
    }
}

impl Args {
    /// The run that is asked for.
    pub(super) fn cosim(&self, input: Option<&Input>) -> anyhow::Result<Cosim> {
        Ok(Cosim { resets: self.resets, ..self.run.cosim(input, DEFAULT_RANDOM)? })
    }

    /// The page that is asked for.
    pub(super) fn html(&self) -> anyhow::Result<Option<&Path>> {
        match self.html.as_deref() {
            Some(path) if path == Path::new("-") => bail!("--html -: name a file"),
            path => Ok(path),
        }
    }

    /// The waves that are asked for: the option that does so, the dump, and what is in it.
    pub(super) fn waves(&self) -> anyhow::Result<Option<(&'static str, &Path, WaveChoice)>> {
        let (option, path) = match (&self.vcd, &self.wave) {
            (Some(path), _) => ("--vcd", path),
            (None, Some(path)) => ("--wave", path),
            (None, None) => return Ok(None),
        };
        if path == Path::new("-") {
            bail!("{option} -: waves are three files, which do not fit on standard output: name a file");
        }
        let format = if option == "--vcd" { Some(WaveFormat::Vcd) } else { WaveFormat::of(path) };
        let Some(format) = format else {
            let allowed = WaveFormat::ALL.map(|format| format!(".{format}")).join(" or ");
            bail!("--wave {}: a name that ends in {allowed} tells the format", path.shown());
        };
        let last = self.wave_to.unwrap_or(u64::MAX);
        if last < self.wave_from {
            bail!("--wave-to {last} lies before --wave-from {}: there is no such cycle", self.wave_from);
        }
        let cycles = self.wave_from..=last;
        Ok(Some((option, path, WaveChoice { format, cycles, globs: self.signals.clone() })))
    }

    /// The engines that are asked for, each once.
    pub(super) fn engines(&self) -> anyhow::Result<Vec<EngineKind>> {
        if self.engines.is_empty() {
            return Ok(vec![EngineKind::Native]);
        }
        if let Some(twice) =
            (1..self.engines.len()).find(|&at| self.engines[..at].contains(&self.engines[at]))
        {
            bail!("--engine {} is given twice: once is enough", self.engines[twice]);
        }
        Ok(self.engines.clone())
    }
}

fn parse_count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("there would be nothing to run: ask for 1 or more".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("expected a number from 1 to {}", u64::MAX)),
    }
}

fn parse_resets(text: &str) -> Result<u8, String> {
    let percent = text.parse().ok().filter(|percent| *percent <= MOST_RESETS);
    percent.ok_or_else(|| format!("expected a percentage from 0 to {MOST_RESETS}"))
}
