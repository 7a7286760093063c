//! Commands about adapters: `utfhdl generate adapter:fifo`. An adapter has no system and no role, so its options are parsed by a command
//! line of its own, which is meant if a word of the arguments begins with `adapter:`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use clap::{Parser, Subcommand};
use utfhdl::adapters::{AdapterRun, RunError};
use utfhdl::cosim::Stalls;
use utfhdl::deliverables::adapter_manifest;
use utfhdl::engines::{EngineKind, Start};
use utfhdl::fault::SignalFault;
use utfhdl_hdl::core::Storage;
use utfhdl_hdl::core::adapters::{Adapter, AdapterError, AdapterName, AdapterOptions, AdapterSpec, PREFIX};
use utfhdl_hdl::netlist::ResetStyle;

use super::core::{Sideband, parse_lanes, parse_stalls};
use super::output::{self, message};
use super::{Outcome, generate, prove as proving};

/// Whether the arguments, those of a completion script included, are about an adapter.
pub fn is_meant(mut arguments: impl Iterator<Item = OsString>) -> bool {
    let is_command = |word: &OsString| ["generate", "cosim", "prove"].iter().any(|name| word == name);
    arguments.any(|word| is_command(&word))
        && arguments.any(|word| word.to_string_lossy().starts_with(PREFIX))
}

#[derive(Parser)]
#[command(
    name = "utfhdl",
    version,
    about = "Adapters: cores that change the beats of an AXI4-Stream, and none of its units"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
    Cosim(Cosim),
    Prove(Prove),
}

/// Which adapter.
#[derive(clap::Args)]
struct AdapterArgs {
    /// The adapter: adapter:fifo (holds beats), adapter:width (makes beats of other numbers of lanes), or adapter:compactor (makes full
    /// beats of beats with units in any lanes)
    #[arg(value_parser = AdapterName::from_str)]
    kind: AdapterName,

    /// Units in a beat of the input: 1, 2, 4, 8, 16, 32 or 64
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_lanes)]
    lanes: u32,

    /// Width converters: units in a beat of the output
    #[arg(long, value_name = "N", value_parser = parse_lanes)]
    to_lanes: Option<u32>,

    /// Bits of a unit, 1 to 64: TKEEP has a bit for each unit
    #[arg(long, value_name = "U", default_value_t = 8)]
    unit_bits: u32,

    /// FIFOs: beats in the memory, a power of two from 4 to 4096 [default: 512]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// FIFOs: a frame goes out only when all of it is in, and one of more beats than the memory has is dropped
    #[arg(long)]
    frames: bool,

    /// FIFOs of whole frames: a frame that has no room is dropped, so that the input never waits
    #[arg(long, requires = "frames")]
    drop: bool,

    /// FIFOs: the form of the memory, ram (an array from which synthesis infers RAM) or registers [default: ram]
    #[arg(long, value_name = "M", value_parser = Storage::from_str)]
    memory: Option<Storage>,

    /// How the reset is wired
    #[arg(long, value_name = "R", default_value = "sync-high", value_parser = ResetStyle::from_str)]
    reset: ResetStyle,

    #[command(flatten)]
    sideband: Sideband,
}

impl AdapterArgs {
    /// The adapter that is meant, which may be none that can be built.
    fn spec(&self) -> Result<AdapterSpec, AdapterError> {
        let Self { kind, lanes, to_lanes, depth, frames, drop, memory, sideband, .. } = *self;
        let (unit_bits, reset) = (Some(self.unit_bits), Some(self.reset));
        let passengers = sideband.passengers();
        AdapterOptions { to_lanes, depth, frames, drop, memory, unit_bits, reset, passengers }
            .spec(kind, lanes)
    }
}

const GENERATE_EXAMPLES: &str = "\
Examples:
  utfhdl generate adapter:fifo --lanes 64 --depth 256 --frames   whole frames of a 512-bit stream
  utfhdl generate adapter:width --lanes 8 --to-lanes 64          64 bits to 512
  utfhdl generate adapter:width --lanes 4 --to-lanes 1 --unit-bits 32
  utfhdl generate adapter:compactor --lanes 64 --tuser 1         full beats of a 512-bit stream with holes";

/// Write an adapter as Verilog-2001, with a manifest of its ports
///
/// The module has AXI4-Stream ports, every output from a register, and no warning for Verilator, Icarus or Yosys.
#[derive(clap::Args)]
#[command(after_help = GENERATE_EXAMPLES)]
struct Generate {
    #[command(flatten)]
    adapter: AdapterArgs,

    /// Name of the module, and of both files: letters, digits and _ [default: axis, the kind and the lanes, then every option that
    /// differs from its default: axis_fifo_x64_depth_256_frames]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Folder to write to, made if it is missing
    #[arg(short, value_name = "DIR", default_value = ".")]
    output: PathBuf,

    /// Print the manifest to standard output, too
    #[arg(long)]
    json: bool,
}

const COSIM_EXAMPLES: &str = "\
Examples:
  utfhdl cosim adapter:fifo --lanes 8 --depth 16 --frames --drop --stall 0,60
  utfhdl cosim adapter:width --lanes 8 --to-lanes 1 --engine native --engine verilator

The exit code is 0 if all agree, and 1 if something differs: then the cycle, the port and both values are printed.";

/// Run an adapter in engines, in lockstep, against a model in software
///
/// Frames are random, and there is one more reset in the middle of the run. Value, order and time of every beat are checked.
#[derive(clap::Args)]
#[command(after_help = COSIM_EXAMPLES)]
struct Cosim {
    #[command(flatten)]
    adapter: AdapterArgs,

    /// Number of random beats
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    random: u64,

    /// Seed of all that is random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Cycles in which each side stalls, in percent, or those of the source and those of the sink, such as 90,0
    #[arg(long, value_name = "P", default_value = "0", value_parser = parse_stalls)]
    stall: Stalls,

    /// An engine, any number of times; the first leads [default: native]
    #[arg(long = "engine", value_name = "E")]
    engines: Vec<EngineKind>,

    /// Print the report, or the failure, as JSON to standard output
    #[arg(long)]
    json: bool,
}

const PROVE_EXAMPLES: &str = "\
Examples:
  utfhdl prove adapter:width --lanes 1 --to-lanes 2 --unit-bits 2
  utfhdl prove adapter:fifo --lanes 8 --depth 16 --frames

What is called proved holds in every cycle of every run. The exit code is 0 if everything is proved, 1 if something does \
not hold, and 2 if something is left undecided, or if the tools are missing.";

/// Prove the handshake of an adapter, and that the units that go out are those that came in, by Yosys's abc, and by rIC3 where it is installed
///
/// In a FIFO of whole frames, which can drop a frame, the handshake alone is proved.
#[derive(clap::Args)]
#[command(after_help = PROVE_EXAMPLES)]
struct Prove {
    #[command(flatten)]
    adapter: AdapterArgs,

    /// Put a fault into the adapter, to see that it is noticed: stuck-at-0, stuck-at-1, inverted or shifted, at a signal of the Verilog
    #[arg(long, value_name = "KIND@SIGNAL", value_parser = SignalFault::from_str)]
    fault: Option<SignalFault>,

    #[command(flatten)]
    how: proving::HowToProve,
}

/// Runs the command.
pub fn run(cli: Cli) -> anyhow::Result<Outcome> {
    match cli.command {
        Command::Generate(args) => write(&args),
        Command::Cosim(args) => cosim(&args),
        Command::Prove(args) => prove(&args),
    }
}

fn write(args: &Generate) -> anyhow::Result<Outcome> {
    let spec = args.adapter.spec()?;
    let adapter = match &args.name {
        Some(name) => Adapter::named(spec, name).context("--name")?,
        None => Adapter::new(spec)?,
    };
    let name = adapter.design.top.name();
    let manifest = adapter_manifest(&adapter);
    let texts = vec![(format!("{name}.v"), adapter.verilog()), (format!("{name}.json"), manifest.clone())];
    let written = generate::put(&args.output, texts)?;
    message(format!("{name}: latency {} cycles; wrote {}", adapter.latency, written.join(" and ")));
    if args.json {
        output::print(|out| out.write_all(manifest.as_bytes()))?;
    }
    Ok(Outcome::Well)
}

fn prove(args: &Prove) -> anyhow::Result<Outcome> {
    let mut adapter = Adapter::new(args.adapter.spec()?)?;
    if let Some(fault) = &args.fault {
        let SignalFault { kind, signal } = fault;
        adapter.design = kind.inject(&adapter.design, signal).with_context(|| format!("--fault {fault}"))?;
    }
    proving::of_adapter(&adapter, &args.how)
}

fn cosim(args: &Cosim) -> anyhow::Result<Outcome> {
    let adapter = Adapter::new(args.adapter.spec()?)?;
    let kinds = if args.engines.is_empty() { vec![EngineKind::Native] } else { args.engines.clone() };
    // Data that nobody reads is compared between engines, too, so these begin with the same values.
    let from = if kinds.len() > 1 { Start::Zero } else { Start::Random(args.seed) };
    let start = |kind: &EngineKind| {
        let engine = kind.start_design(&adapter.design, || adapter.verilog(), from);
        engine.with_context(|| format!("--engine {kind}"))
    };
    let mut engines = kinds.iter().map(start).collect::<anyhow::Result<Vec<_>>>()?;
    let Cosim { random: beats, seed, stall: stalls, .. } = *args;
    let name = adapter.design.top.name();
    match (AdapterRun { adapter: adapter.clone(), beats, seed, stalls }.run(&mut engines)) {
        Ok(report) => {
            let dropped =
                if report.dropped > 0 { format!(", {} dropped", report.dropped) } else { String::new() };
            message(format!(
                "{name}: {} beats in {} frames{dropped}, {} beats given, {} cycles: all agree",
                report.taken, report.frames, report.given, report.cycles
            ));
            if args.json {
                output::print_json(&report)?;
            }
            Ok(Outcome::Well)
        }
        Err(RunError::Failure(failure)) => {
            message(format!("{name}: {failure}"));
            let engines: String = kinds.iter().map(|kind| format!(" --engine {kind}")).collect();
            let Stalls { source, sink } = stalls;
            let command = format!(
                "utfhdl cosim {} --random {beats} --seed {seed} --stall {source},{sink}{engines}",
                adapter.spec
            );
            message(format!("to repeat it: {command}"));
            if args.json {
                let (cycle, what) = (failure.cycle, failure.what);
                output::print_json(
                    &serde_json::json!({ "cycle": cycle, "failure": what, "command": command }),
                )?;
            }
            Ok(Outcome::Amiss)
        }
        Err(RunError::Engine(error)) => Err(error.into()),
    }
}
