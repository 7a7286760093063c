//! `utfhdl report`: area and clock of the cores in other people's flows.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread::available_parallelism;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::report::{Column, Effort, Flow, Page, Row, Selection, Tools, Variant, markdown, measure};
use utfhdl_hdl::core::{Axis, Core, ErrorMode, Packing, Steps};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::tool::Cache;

use super::core::parse_lanes;
use super::output::{self, message};
use super::{Outcome, files};

const EXAMPLES: &str = "\
Examples:
  utfhdl report                                 every system in every role; minutes for the first time
  utfhdl report utf-8 utf-9 decoder             two decoders
  utfhdl report utf-8 transcoder:utf-18 --json  one transcoder, for machines
  utfhdl report utf-8 encoder --on-error drop   an encoder that drops errors
  utfhdl report --update docs/performance.md    measure what stands between the marks in a file, and put it there

What was measured before is not measured again: results are kept beside the models of Verilator, in $UTFHDL_CACHE.";

/// Measure the cores: LUTs, flip-flops and clock in FPGAs, gates and clock in standard cells
///
/// Runs the tools that are installed, and says which are missing: what they would have measured stays empty. Area is that of
/// the core alone. The clock is that of a harness in which every path begins and ends in a register; in FPGAs after
/// placement and routing, the median of several seeds.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Systems and roles, in any order: decoder, encoder, transcoder (a few that stand for all), transcoder:SYSTEM
    /// [default: all]
    #[arg(value_name = "NAME", conflicts_with = "update")]
    names: Vec<String>,

    #[command(flatten)]
    options: Options,

    /// Placements of which the median counts
    #[arg(long, value_name = "N", default_value_t = NonZeroU32::new(5).expect("five is not zero"))]
    seeds: NonZeroU32,

    /// Tools to run at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroU32>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Compare the tables in a file with what takes Yosys alone; any number of times. The exit code is 1 if they differ.
    /// Of every row the name is checked, area only of those that NAME chooses
    #[arg(long, value_name = "FILE", conflicts_with_all = ["update", "json"])]
    check: Vec<PathBuf>,

    /// Measure what the tables in a file show, and write it there; any number of times. Needs all tools
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    update: Vec<PathBuf>,
}

/// What all the chosen cores have in common.
#[derive(clap::Args)]
struct Options {
    /// Numbers of lanes, with commas: a row for each [default: 1]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = parse_lanes, conflicts_with = "update")]
    lanes: Vec<u32>,

    /// How the reset is wired [default: sync-high]
    #[arg(long, value_name = "R", value_parser = ResetStyle::from_str, conflicts_with = "update")]
    reset: Option<ResetStyle>,

    /// What the cores do about errors [default: flag or replace]
    #[arg(long, value_name = "E", value_parser = ErrorMode::from_str, conflicts_with = "update")]
    on_error: Option<ErrorMode>,

    /// How lanes stand on the ports [default: lane]
    #[arg(long, value_name = "A", value_parser = Axis::from_str, conflicts_with = "update")]
    axis: Option<Axis>,

    /// Steps that share a pipeline stage, with several lanes [default: auto]
    #[arg(long, value_name = "N", value_parser = Steps::from_str, conflicts_with = "update")]
    pipeline: Option<Steps>,

    /// How decoders of several lanes fill their output beats [default: beat]
    #[arg(long, value_name = "P", value_parser = Packing::from_str, conflicts_with = "update")]
    pack: Option<Packing>,
}

/// Measures as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let effort =
        Effort { seeds: args.seeds, jobs: args.jobs.unwrap_or_else(processors), cache: Cache::of_user() };
    let Options { lanes, reset, on_error, axis, pipeline, pack } = args.options;
    let mut chosen = Selection::of(&args.names)?;
    chosen.options = Variant { lanes, reset, on_error, axis, pipeline, pack };
    if !args.check.is_empty() {
        return check(&read(&args.check)?, &chosen, &effort);
    }
    if !args.update.is_empty() {
        return update(&args.update, &effort);
    }
    let cores = chosen.cores()?;
    let tools = Tools::find()?;
    for missing in tools.missing() {
        message(format!("utfhdl: {missing}"));
    }
    let rows = measured(&cores, &Flow::ALL, &tools, &effort)?;
    if args.json {
        let found: BTreeMap<_, _> = tools.found().map(|tool| (tool.name, &tool.version)).collect();
        let missing: Vec<&str> = tools.missing().iter().map(|missing| missing.name).collect();
        let report = serde_json::json!({ "tools": found, "missing": missing, "cores": rows });
        output::print_json_indented(&report)?;
    } else {
        output::print(|out| {
            if !tools.versions().is_empty() {
                writeln!(out, "{}\n", tools.versions())?;
            }
            write!(out, "{}", markdown(&rows, &Column::ALL))
        })?;
    }
    Ok(Outcome::Well)
}

fn check(pages: &[Page], chosen: &Selection, effort: &Effort) -> anyhow::Result<Outcome> {
    let rows = measured(&chosen.cores()?, &Flow::QUICK, &Tools::synthesis()?, effort)?;
    let mut differences: Vec<String> = pages.iter().flat_map(|page| page.differences(&rows)).collect();
    differences.extend(Page::contradictions(pages));
    for difference in &differences {
        message(difference);
    }
    if differences.is_empty() {
        return Ok(Outcome::Well);
    }
    let updates: Vec<String> = pages.iter().map(|page| format!(" --update {}", page.path())).collect();
    message(format!("to put it right: utfhdl report{}", updates.concat()));
    Ok(Outcome::Amiss)
}

fn update(paths: &[PathBuf], effort: &Effort) -> anyhow::Result<Outcome> {
    let pages = read(paths)?;
    let tools = Tools::find()?;
    if let Some(missing) = tools.missing().first() {
        bail!("{missing}; --update needs all tools");
    }
    let mut cores: Vec<Core> = Vec::new();
    for core in pages.iter().flat_map(Page::cores) {
        if !cores.iter().any(|other| other.spec == core.spec) {
            cores.push(core.clone());
        }
    }
    let rows = measured(&cores, &Flow::ALL, &tools, effort)?;
    // All are made before one is put in place.
    let mut staged = Vec::new();
    for (page, path) in pages.iter().zip(paths) {
        staged.push((files::stage(path, &page.updated(&rows, &tools.versions()))?, path));
    }
    for (file, path) in staged {
        file.persist(path).with_context(|| format!("cannot write {}", path.display()))?;
        message(format!("wrote {}", path.display()));
    }
    Ok(Outcome::Well)
}

fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Page>> {
    paths.iter().map(|path| Ok(Page::read(path)?)).collect()
}

fn measured(cores: &[Core], flows: &[Flow], tools: &Tools, effort: &Effort) -> anyhow::Result<Vec<Row>> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} runs, {eta} left");
    let bar = ProgressBar::no_length().with_style(style.expect("the template is well-formed"));
    let rows = measure(cores, flows, tools, effort, &|done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    if let Some(remark) = effort.cache.remark() {
        message(format!("utfhdl: {remark}"));
    }
    Ok(rows?)
}

fn processors() -> NonZeroU32 {
    let count = available_parallelism().ok().and_then(|count| NonZeroU32::try_from(count).ok());
    count.unwrap_or(NonZeroU32::MIN)
}
