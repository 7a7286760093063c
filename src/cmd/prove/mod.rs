//! `utfhdl prove`: properties of a core, proved by other people's checkers.

mod certificates;
mod failure;
mod progress;
mod table;

use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::Duration;
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use utfhdl::fault::SignalFault;
use utfhdl::prove::bench::aiger;
use utfhdl::prove::checker::Checker;
use utfhdl::prove::emitted::{Ambiguous, Cells, Form, ambiguous};
use utfhdl::prove::fingerprint::fingerprint;
use utfhdl::prove::program::{Limits, is_installed};
use utfhdl::prove::property::{Property, problems};
use utfhdl::prove::run::{Finding, prove, prove_adapter};
use utfhdl::prove::verdict::Verdict;
use utfhdl_hdl::core::Core;
use utfhdl_hdl::core::adapters::Adapter;

use self::certificates::certify_all;
use self::progress::{Findings, Progress};
use self::table::{Row, table};
use super::Outcome;
use super::core::CoreArgs;
use super::output::{self, message};
use super::signals::Stop;
use super::values;

const EXAMPLES: &str = "\
Examples:
  utfhdl prove utf-8 decoder                       what takes no more than a minute or so
  utfhdl prove utf-8 decoder --lanes 8 emitted     the emitted Verilog is the netlist
  utfhdl prove utf-8 decoder --mapped ice40        what Yosys synthesises is the netlist, too
  utfhdl prove utf-8 decoder --verilog edited.v    an edited file does what the netlist does
  utfhdl prove utf-8 decoder --mapped cells.lib --verilog routed.v   a netlist of those cells does, too
  utfhdl prove utf-9 encoder stream --json         the handshake
  utfhdl prove utf-8 decoder spec elastic          against the definition of UTF-8; stalls change nothing
  utfhdl prove utf-8 decoder --lanes 8 lanes       several lanes make the slots that one makes
  utfhdl prove utf-8 encoder --lanes 4 lanes       and the units
  utfhdl prove utf-8 validator --tid 1 --streams 2 apart   streams do not change one another
  utfhdl prove utf-8 decoder stream --fault stuck-at-1@output_skid.load   see that a fault is noticed
  utfhdl prove utf-8 decoder spec --certificates proofs   with an invariant, for check-certificate
  utfhdl prove utf-8 decoder --export problems     as AIGER files, for another checker

What is called proved holds in every cycle of every run. The exit code is 0 if everything is proved, 1 if something does \
not hold, and 2 if something is left undecided, or if the tools are missing.";

/// Prove properties of a core, by Yosys and its abc, and by rIC3 where it is installed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    core: CoreArgs,

    /// Properties to prove [default: emitted, stream, and lanes and the spec of a decoder, if the core has them: others take minutes]
    #[arg(value_name = "PROPERTY", value_parser = values::property())]
    properties: Vec<Property>,

    /// For `emitted`: what Yosys synthesises in the cells of an FPGA, `ice40` or `ecp5`, or of a liberty file, in place of the Verilog
    #[arg(long, value_name = "CELLS", value_parser = Cells::from_str)]
    mapped: Option<Cells>,

    /// For `emitted`: the Verilog in this file, such as one that was edited or received, in place of what `generate` writes; with
    /// --mapped, a netlist of those cells
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,

    /// Write the problems as AIGER files to a folder, made if it is missing, and prove nothing
    #[arg(long, value_name = "DIR", conflicts_with_all = ["time", "json", "failure_dir", "progress", "certificates"])]
    export: Option<PathBuf>,

    /// Print a hash of what the netlist does, with which a proof can be kept, and prove nothing
    #[arg(long, conflicts_with_all = ["time", "json", "failure_dir", "progress", "export", "certificates", "properties"])]
    netlist: bool,

    /// Put a fault into the core, to see that it is noticed: stuck-at-0, stuck-at-1, inverted or shifted, at a signal that
    /// `utfhdl list --signals` shows
    #[arg(long, value_name = "KIND@SIGNAL", value_parser = SignalFault::from_str)]
    fault: Option<SignalFault>,

    /// Folder for the files of a counterexample, made if it is missing [default: the current folder]
    #[arg(long, value_name = "DIR")]
    failure_dir: Option<PathBuf>,

    #[command(flatten)]
    how: HowToProve,
}

/// How rules are proved, of cores and of adapters.
#[derive(clap::Args)]
pub(super) struct HowToProve {
    /// Seconds that a checker may take for each problem
    #[arg(long, value_name = "SECONDS", default_value_t = NonZeroU32::new(300).expect("not zero"))]
    time: NonZeroU32,

    /// Say on standard error which problem a checker starts to work on, and what it finds
    #[arg(long)]
    progress: bool,

    /// For each rule that a checker proves, find an invariant, check it by a SAT solver, and write problem and invariant to a folder, made if it
    /// is missing. The program `check-certificate` repeats the check. abc has as many seconds again for each rule
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Print what was found as JSON to standard output
    #[arg(long)]
    json: bool,
}

impl HowToProve {
    fn limits<'s>(&self, stop: &'s Stop) -> Limits<'s> {
        Limits { time: Duration::from_secs(self.time.get().into()), stop: stop.flag() }
    }
}

/// Proves as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let core = args.core.core()?;
    let core = match &args.fault {
        Some(fault) => fault.inject(&core)?,
        None => core,
    };
    if args.netlist {
        let text = format!("{}\n", fingerprint(&core)?);
        output::print(|out| out.write_all(text.as_bytes()))?;
        return Ok(Outcome::Well);
    }
    let there = Property::of(&core);
    if let Some(none) = args.properties.iter().find(|property| !there.contains(property)) {
        let names: Vec<String> = there.iter().map(Property::to_string).collect();
        bail!(
            "there is nothing to prove of {none} for the {}: there are {}",
            core.spec.in_short(),
            names.join(", ")
        );
    }
    let form = match (args.verilog.clone(), args.mapped.clone()) {
        (None, None) => None,
        (None, Some(cells)) => Some(Form::Mapped(cells)),
        (Some(path), cells) => {
            warn_of_ambiguous(&path)?;
            Some(match cells {
                Some(cells) => Form::Netlist(path, cells),
                None => Form::Received(path),
            })
        }
    };
    let properties = match (&form, &args.properties[..]) {
        (Some(_), []) => vec![Property::Emitted],
        (None, []) => Property::quick(&core),
        (_, given) => given.to_vec(),
    };
    if form.is_some() && !properties.contains(&Property::Emitted) {
        let option = if args.verilog.is_some() { "--verilog" } else { "--mapped" };
        bail!("{option} says what `emitted` compares, and {} is not asked for", Property::Emitted);
    }
    if let Some(folder) = &args.export {
        return export(&core, &properties, folder);
    }
    let checkers = Checker::installed();
    needs_tools(&properties, &checkers)?;

    let stop = Stop::when_asked();
    let limits = args.how.limits(&stop);
    let form = form.unwrap_or_default();
    let mut progress = Progress::new(args.how.progress);
    prove(&core, &properties, &form, &checkers, limits, &mut progress)?;
    let Findings { mut rows, refuted, proved } = progress.findings();
    let lacking = certified(core.design.top.name(), &proved, &args.how, limits, &mut rows)?;
    for finding in &refuted {
        tell(&core, finding, &args, &mut rows);
    }
    outcome(&rows, lacking, limits, args.how.json)
}

/// Proves the rules of an adapter.
pub(super) fn of_adapter(adapter: &Adapter, how: &HowToProve) -> anyhow::Result<Outcome> {
    let checkers = Checker::installed();
    needs_tools(&[Property::Stream], &checkers)?;
    let stop = Stop::when_asked();
    let limits = how.limits(&stop);
    let mut progress = Progress::new(how.progress);
    prove_adapter(adapter, &checkers, limits, &mut progress)?;
    let Findings { mut rows, refuted, proved } = progress.findings();
    let name = adapter.design.top.name();
    let lacking = certified(name, &proved, how, limits, &mut rows)?;
    for finding in &refuted {
        message(format!("{name}: {} does not hold: {}", finding.name, finding.says));
    }
    outcome(&rows, lacking, limits, how.json)
}

/// Writes certificates of what was proved, if they are wanted. Gives the number of proofs that have none.
fn certified(
    module: &str,
    proved: &[Finding],
    how: &HowToProve,
    limits: Limits,
    rows: &mut [Row],
) -> anyhow::Result<usize> {
    how.certificates.as_ref().map_or(Ok(0), |folder| certify_all(module, proved, folder, limits, rows))
}

/// Prints the rows, and gives what they come to. `lacking` proofs have no certificate, where that is wanted.
fn outcome(rows: &[Row], lacking: usize, limits: Limits, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::print_json_indented(&rows)?;
    } else {
        output::print(|out| out.write_all(table(rows).as_bytes()))?;
    }
    let count = |result: &str| rows.iter().filter(|row| row.result == result).count();
    let undecided = count("undecided");
    match () {
        () if count("fails") > 0 => Ok(Outcome::Amiss),
        () if limits.stop.load(Ordering::SeqCst) => bail!("stopped: what is not in the table is not decided"),
        () if undecided > 0 => bail!("{undecided} of {} are not decided", rows.len()),
        () if lacking > 0 => bail!("{lacking} of {} have no certificate", rows.len()),
        () => Ok(Outcome::Well),
    }
}

/// Warns of all in the Verilog of a file that `emitted` does not see.
fn warn_of_ambiguous(path: &Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read --verilog {}", path.shown()))?;
    for Ambiguous { line, what } in ambiguous(&text) {
        message(format!("warning: {}:{line}: {what}; `emitted` does not look at that", path.shown()));
    }
    Ok(())
}

/// Checks that the tools are installed without which a property remains undecided.
fn needs_tools(properties: &[Property], checkers: &[Checker]) -> anyhow::Result<()> {
    let emitted = properties.contains(&Property::Emitted);
    let tools: &[&str] = if emitted { &["yosys", "yosys-abc"] } else { &[] };
    if let Some(missing) = tools.iter().find(|tool| !is_installed(tool)) {
        bail!("{missing} was not found, which `emitted` needs; install the package `yosys`");
    }
    if checkers.is_empty() && properties.iter().any(|property| *property != Property::Emitted) {
        let names = Checker::ALL.map(Checker::program).join(" or ");
        bail!("{names} was not found: install the package `yosys`, or have --export write the problems");
    }
    Ok(())
}

fn export(core: &Core, properties: &[Property], folder: &Path) -> anyhow::Result<Outcome> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.shown()))?;
    let mut count = 0;
    for problem in properties.iter().flat_map(|property| problems(core, *property)) {
        let path = folder.join(format!("{}-{}.aig", core.design.top.name(), problem.name));
        certificates::write(&aiger(&problem.design, problem.start)?, &path)?;
        count += 1;
    }
    message(format!("wrote {count} problems to {}", folder.shown()));
    Ok(Outcome::Well)
}

/// Says what a counterexample is, and leaves files of it.
fn tell(core: &Core, finding: &Finding, args: &Args, rows: &mut [Row]) {
    let name = core.design.top.name();
    message(format!("{name}: {} does not hold: {}", finding.name, finding.says));
    let (Some(problem), Verdict::Refuted(found)) = (&finding.problem, &finding.verdict) else { return };
    let folder = args.failure_dir.as_deref().unwrap_or(Path::new(""));
    match failure::leave(core, problem, found, args.fault.as_ref(), folder) {
        Ok(command) => {
            if let Some(row) = rows.iter_mut().find(|row| row.is_of(finding)) {
                row.command = command;
            }
        }
        Err(error) => output::warn_of(Err(error)),
    }
}
