//! `utfhdl report`: area and clock of the cores in other people's flows.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread::available_parallelism;
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use utfhdl::report::{
    AdapterVariant, Block, Column, Device, Effort, Flow, Library, Page, Request, Row, Selection, Tools,
    Variant, csv, markdown, measure, paths, plot,
};
use utfhdl_hdl::core::{Axis, Bus, ErrorMode, MOST_POSITION_BITS, Packing, Registers, Stall, Steps, Storage};
use utfhdl_hdl::netlist::ResetStyle;
use utfhdl_sim::tool::Cache;

use super::core::{Marks, Sideband, bits, parse_lanes};
use super::output::{self, message};
use super::target::Target;
use super::{Outcome, files};

const EXAMPLES: &str = "\
Examples:
  utfhdl report                                 every system in every role; minutes for the first time
  utfhdl report utf-8 utf-9 decoder             two decoders
  utfhdl report utf-8 transcoder:utf-18 --json  one transcoder, for machines
  utfhdl report utf-8 encoder --on-error drop   an encoder that drops errors
  utfhdl report adapter:fifo --lanes 8,64       two FIFOs
  utfhdl report utf-8 --device hx1k,ecp5-45k:7  in other FPGAs than those of the tables
  utfhdl report utf-8 encoder --device hx8k --paths
                                                the paths that limit the clock
  utfhdl report utf-8 --liberty sky130.lib      in the cells of a library
  utfhdl report --from docs/performance.md --plot area.svg
                                                draw the tables of a file: LUTs against GB/s
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
    /// Systems and roles, in any order: decoder, encoder, transcoder (a few that stand for all), transcoder:SYSTEM, validator; or adapters
    /// [default: all]
    #[arg(value_name = "NAME", conflicts_with = "update")]
    names: Vec<String>,

    #[command(flatten)]
    options: Options,

    /// Number of placements; the table has their median
    #[arg(long, value_name = "N", default_value_t = NonZeroU32::new(5).expect("five is not zero"))]
    seeds: NonZeroU32,

    /// Tools to run at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroU32>,

    /// FPGAs to measure in place of those of the tables, with commas: hx1k, hx8k and up5k, with :PACKAGE; ecp5-25k, ecp5-45k and
    /// ecp5-85k, with :SPEED, which is 8, 7 or 6; gw1n-1, gw1nr-9 and gw2a-18; xc7, for area alone
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = Device::from_str, conflicts_with_all = ["check", "update"])]
    device: Vec<Device>,

    /// A library of standard cells to measure in place of the technologies of the tables: a liberty file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "update"])]
    liberty: Option<PathBuf>,

    /// Print, after the table, the longest path in each FPGA: what limits the clock. JSON always has it
    #[arg(long, conflicts_with_all = ["check", "update", "from", "plot", "format", "json"])]
    paths: bool,

    /// Format of the output
    #[arg(long, value_enum, value_name = "F", default_value_t = Format::Markdown, conflicts_with_all = ["check", "update"])]
    format: Format,

    /// Print JSON: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Take the figures of the tables in a file and measure nothing; any number of times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "update", "device", "liberty"])]
    from: Vec<PathBuf>,

    /// Draw LUTs against GB/s in place of the table: an SVG of the decoders and encoders with default options
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "update", "format", "json"])]
    plot: Option<PathBuf>,

    /// Compare the tables in a file with what takes Yosys alone; any number of times. The exit code is 1 if they differ.
    /// Of every row the name is checked, area only of those that NAME chooses
    #[arg(long, value_name = "FILE", conflicts_with_all = ["update", "json"])]
    check: Vec<PathBuf>,

    /// Measure what the tables in a file show, and write it there; any number of times. Needs all tools
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    update: Vec<PathBuf>,
}

/// The options of all chosen cores.
#[derive(clap::Args)]
struct Options {
    /// Numbers of lanes, with commas: a row for each [default: 1]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = parse_lanes, conflicts_with = "update")]
    lanes: Vec<u32>,

    /// How the reset is wired [default: sync-high]
    #[arg(long, value_name = "R", value_parser = ResetStyle::from_str, conflicts_with = "update")]
    reset: Option<ResetStyle>,

    /// Treatment of errors [default: flag or replace]
    #[arg(long, value_name = "E", value_parser = ErrorMode::from_str, conflicts_with = "update")]
    on_error: Option<ErrorMode>,

    /// How lanes stand on the ports [default: lane]
    #[arg(long, value_name = "A", value_parser = Axis::from_str, conflicts_with = "update")]
    axis: Option<Axis>,

    /// The slots on the decoded side [default: long]
    #[arg(long, value_name = "B", value_parser = Bus::from_str, conflicts_with = "update")]
    bus: Option<Bus>,

    /// Steps that share a pipeline stage, with several lanes [default: auto]
    #[arg(long, value_name = "N", value_parser = Steps::from_str, conflicts_with = "update")]
    pipeline: Option<Steps>,

    /// How decoders of several lanes fill their output beats [default: beat]
    #[arg(long, value_name = "P", value_parser = Packing::from_str, conflicts_with = "update")]
    pack: Option<Packing>,

    /// Bits of a position above the kind of each slot that a decoder makes
    #[arg(long, value_name = "W", value_parser = bits(MOST_POSITION_BITS), conflicts_with = "update")]
    position: Option<u32>,

    /// Bits of a line above the position of each slot
    #[arg(long, value_name = "W", value_parser = bits(MOST_POSITION_BITS), conflicts_with = "update")]
    line: Option<u32>,

    /// Bits of a column above the line of each slot
    #[arg(long, value_name = "W", value_parser = bits(MOST_POSITION_BITS), conflicts_with = "update")]
    column: Option<u32>,

    /// A stream with a status for each frame
    #[arg(long, conflicts_with = "update")]
    status: bool,

    /// Registers of totals that software reads, and a status: none or axi-lite
    #[arg(long, value_name = "R", default_value_t = Registers::None, value_parser = Registers::from_str, conflicts_with = "update")]
    registers: Registers,

    /// How software reads and writes the table of a decoder of table:SET: none or axi-lite
    #[arg(long, value_name = "P", default_value_t = Registers::None, value_parser = Registers::from_str, conflicts_with = "update")]
    table_port: Registers,

    /// How a stall of the output reaches the input, with several lanes [default: enable]
    #[arg(long, value_name = "S", value_parser = Stall::from_str, conflicts_with = "update")]
    stall: Option<Stall>,

    /// The form of the memory of --stall credit and of adapter:fifo: ram or registers [default: ram]
    #[arg(long, value_name = "M", value_parser = Storage::from_str, conflicts_with = "update")]
    memory: Option<Storage>,

    #[command(flatten)]
    sideband: Sideband,

    #[command(flatten)]
    marks: Marks,

    #[command(flatten)]
    adapters: Adapters,
}

/// The options of adapters.
#[derive(Clone, Copy, clap::Args)]
struct Adapters {
    /// Width converters: units in a beat of the output
    #[arg(long, value_name = "N", value_parser = parse_lanes, conflicts_with = "update")]
    to_lanes: Option<u32>,

    /// FIFOs: beats in the memory [default: 512]
    #[arg(long, value_name = "N", conflicts_with = "update")]
    depth: Option<u32>,

    /// FIFOs of whole frames
    #[arg(long, conflicts_with = "update")]
    frames: bool,

    /// FIFOs of whole frames that drop a frame without room
    #[arg(long, conflicts_with = "update")]
    drop: bool,

    /// Adapters: bits of a unit [default: 8]
    #[arg(long, value_name = "U", conflicts_with = "update")]
    unit_bits: Option<u32>,
}

impl Options {
    fn variant(self) -> Variant {
        let Self { sideband, marks, .. } = &self;
        let (passengers, verdict) = (sideband.passengers(), marks.verdict());
        let streams = sideband.streams.unwrap_or_default();
        let Adapters { to_lanes, depth, frames, drop, unit_bits } = self.adapters;
        Variant {
            lanes: self.lanes,
            reset: self.reset,
            on_error: self.on_error,
            axis: self.axis,
            bus: self.bus,
            pipeline: self.pipeline,
            pack: self.pack,
            position: self.position.unwrap_or_default(),
            line: self.line.unwrap_or_default(),
            column: self.column.unwrap_or_default(),
            status: self.status,
            registers: self.registers,
            table_port: self.table_port,
            stall: self.stall,
            memory: self.memory,
            passengers,
            streams,
            verdict,
            adapter: AdapterVariant { to_lanes, depth, frames, drop, unit_bits },
        }
    }
}

/// Measures as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let effort =
        Effort { seeds: args.seeds, jobs: args.jobs.unwrap_or_else(processors), cache: Cache::of_user() };
    let mut chosen = Selection::of(&args.names)?;
    chosen.options = args.options.variant();
    let passengers = chosen.options.passengers;
    if !args.check.is_empty() {
        return check(&read(&args.check)?, &chosen, &effort);
    }
    if !args.update.is_empty() {
        if !passengers.is_empty() {
            bail!("--tid, --tdest and --tuser are not for --update: the tables show cores without them");
        }
        return update(&args.update, &effort);
    }
    let report = match args.from.as_slice() {
        [] => {
            let library = args.liberty.as_deref().map(Library::read).transpose()?;
            let mut devices: Vec<Device> = Vec::new();
            for device in args.device {
                if !devices.contains(&device) {
                    devices.push(device);
                }
            }
            Report::measured(&chosen.cores()?, &devices, library, &effort)?
        }
        paths => Report::read(&read(paths)?, &chosen)?,
    };
    match &args.plot {
        Some(path) => draw(path, &report.rows)?,
        None => report.print(if args.json { Format::Json } else { args.format })?,
    }
    if args.paths {
        let paths = paths(&report.rows);
        if paths.is_empty() {
            message("utfhdl: nothing was placed and routed, so there are no paths");
        }
        output::print(|out| out.write_all(paths.as_bytes()))?;
    }
    Ok(Outcome::Well)
}

/// The output of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Markdown,
    /// Comma-separated values, with a line of names
    Csv,
    /// JSON, with the versions of the tools and the command
    Json,
}

/// Rows, and what else is to be said of them.
struct Report {
    rows: Vec<Row>,
    columns: Vec<Column>,
    tools: Tools,
    library: Option<Library>,
}

impl Report {
    /// Measures cores, in the technologies of the tables unless others are chosen.
    fn measured(
        cores: &[Block],
        devices: &[Device],
        library: Option<Library>,
        effort: &Effort,
    ) -> anyhow::Result<Self> {
        let (flows, columns, tools) = if devices.is_empty() && library.is_none() {
            (Flow::of_tables(), Column::of_tables(), Tools::find()?)
        } else {
            let library = library.as_ref();
            let columns = Column::of_choice(devices, library.is_some());
            (Flow::of_choice(devices, library), columns, Tools::find_for(devices, library)?)
        };
        for missing in tools.missing() {
            message(format!("utfhdl: {missing}"));
        }
        let rows = measured(cores, &flows, &tools, effort)?;
        Ok(Self { columns: Column::of_rows(columns, &rows), rows, tools, library })
    }

    /// The rows of pages; with a choice of cores, those alone, in its order.
    fn read(pages: &[Page], chosen: &Selection) -> anyhow::Result<Self> {
        let mut rows: Vec<Row> = Vec::new();
        for row in pages.iter().flat_map(Page::rows) {
            match rows.iter_mut().find(|known| known.core == row.core) {
                Some(known) => known.figures.extend(row.figures),
                None => rows.push(row),
            }
        }
        if *chosen != Selection::default() {
            let names: Vec<String> = chosen.cores()?.iter().map(Block::in_short).collect();
            let place = |row: &Row| names.iter().position(|name| *name == row.core);
            rows.retain(|row| place(row).is_some());
            rows.sort_by_key(place);
        }
        let mut columns = Column::each_once(pages.iter().flat_map(Page::columns_shown));
        columns.retain(|column| rows.iter().any(|row| row.figures.contains_key(column)));
        Ok(Self { rows, columns, tools: Tools::default(), library: None })
    }

    fn print(&self, format: Format) -> anyhow::Result<()> {
        let Self { rows, columns, tools, library } = self;
        match format {
            Format::Json => {
                let found: BTreeMap<_, _> = tools.found().map(|tool| (tool.name, &tool.version)).collect();
                let missing: Vec<&str> = tools.missing().iter().map(|missing| missing.name).collect();
                let library = library
                    .as_ref()
                    .map(|library| serde_json::json!({ "name": library.name, "file": library.file }));
                let report = serde_json::json!({
                    "command": command(), "tools": found, "missing": missing, "library": library, "cores": rows,
                });
                output::print_json_indented(&report)
            }
            Format::Csv => output::print(|out| write!(out, "{}", csv(rows, columns))),
            Format::Markdown => output::print(|out| {
                let library = library.as_ref().map(|library| format!("cells of {}", library.name));
                let made: Vec<String> =
                    [tools.versions()].into_iter().chain(library).filter(|text| !text.is_empty()).collect();
                if !made.is_empty() {
                    writeln!(out, "{}\n", made.join(", "))?;
                }
                write!(out, "{}", markdown(rows, columns))
            }),
        }
    }
}

/// The command that runs, as it could be typed in a shell.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = ["utfhdl".to_owned()].into_iter().chain(words).collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Draws rows into a file.
fn draw(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let picture = plot(rows)?;
    let mut file = Target::create(Some(path))?;
    file.write_all(picture.as_bytes())?;
    let name = file.name.clone();
    file.keep()?;
    if path != Path::new("-") {
        message(format!("wrote {name}"));
    }
    Ok(())
}

fn check(pages: &[Page], chosen: &Selection, effort: &Effort) -> anyhow::Result<Outcome> {
    let rows = measured(&chosen.cores()?, &Flow::quick(), &Tools::synthesis()?, effort)?;
    let mut differences: Vec<String> = pages.iter().flat_map(|page| page.differences(&rows)).collect();
    differences.extend(Page::contradictions(pages));
    for difference in &differences {
        message(difference);
    }
    let updates: Vec<String> = pages.iter().map(|page| format!(" --update {}", page.path())).collect();
    if !differences.is_empty() {
        message(format!("to put it right: utfhdl report{}", updates.concat()));
    }
    let mut plots = 0;
    for page in pages {
        for (path, picture) in page.plots()? {
            let is_right = std::fs::read_to_string(&path).is_ok_and(|text| text == picture);
            if !is_right {
                let (path, page) = (path.shown(), page.path());
                message(format!("{path}: this is not the picture of the tables in {page}"));
                message(format!("to put it right: utfhdl report --from {page} --plot {path}"));
                plots += 1;
            }
        }
    }
    Ok(if differences.is_empty() && plots == 0 { Outcome::Well } else { Outcome::Amiss })
}

fn update(paths: &[PathBuf], effort: &Effort) -> anyhow::Result<Outcome> {
    let pages = read(paths)?;
    for request in pages.iter().flat_map(Page::requests) {
        if let Some(missing) = request.tools()?.missing().first() {
            bail!("{missing}; --update needs all tools");
        }
    }
    let measure = |request: &Request, columns: &[Column]| -> anyhow::Result<_> {
        let tools = request.tools()?;
        let effort = Effort { seeds: request.seeds.unwrap_or(effort.seeds), ..effort.clone() };
        Ok((measured(&request.cores, &request.flows(columns), &tools, &effort)?, tools))
    };
    // All are made before one is put in place.
    let mut staged = Vec::new();
    for (page, path) in pages.iter().zip(paths) {
        staged.push((files::stage(path, &page.updated(measure)?)?, path));
    }
    for (file, path) in staged {
        file.persist(path).with_context(|| format!("cannot write {}", path.shown()))?;
        message(format!("wrote {}", path.shown()));
    }
    for (path, picture) in read(paths)?.iter().map(Page::plots).collect::<Result<Vec<_>, _>>()?.concat() {
        files::stage(&path, &picture)?
            .persist(&path)
            .with_context(|| format!("cannot write {}", path.shown()))?;
        message(format!("wrote {}", path.shown()));
    }
    Ok(Outcome::Well)
}

fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Page>> {
    paths.iter().map(|path| Ok(Page::read(path)?)).collect()
}

fn measured(cores: &[Block], flows: &[Flow], tools: &Tools, effort: &Effort) -> anyhow::Result<Vec<Row>> {
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
