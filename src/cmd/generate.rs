//! `utfhdl generate`: a core as Verilog, with a manifest, and what goes with it.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use utfhdl::deliverables::{self, Deliverable, Settings};
use utfhdl_hdl::core::{Core, TextOptions, Timescale};

use super::core::CoreArgs;
use super::output::{self, message};
use super::{Outcome, files};

const EXAMPLES: &str = "\
Examples:
  utfhdl generate utf-8 decoder -o rtl             rtl/utf_8_decoder_x1.v and rtl/utf_8_decoder_x1.json
  utfhdl generate utf-8 decoder --reset async-low  for ASIC flows
  utfhdl generate utf-8 decoder --on-error drop    smaller: errors leave no trace
  utfhdl generate utf-8 decoder --formal           with a .sby file for SymbiYosys
  utfhdl generate utf-8 decoder --name utf8_in     utf8_in.v, with a module called utf8_in
  utfhdl generate utf-8 decoder --with all -o ip   ip/README.md, benches, packages, constraints, VHDL, IP-XACT
  utfhdl generate adapter:compactor --lanes 64     an adapter; utfhdl generate adapter:fifo --help has the others
  utfhdl generate utf-8 decoder --axis strict --x-interface --with vivado -o ip
                                                   for block designs of Vivado";

/// Write a core as Verilog-2001, with a manifest of its ports
///
/// The module has AXI4-Stream ports, every output from a register, and no warning for Verilator, Icarus or Yosys.
/// The same command always writes the same bytes. What you generate is yours.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    core: CoreArgs,

    /// Name of the module, and of both files: letters, digits and _ [default: system, role and lanes, then every option that
    /// differs from its default: utf_8_decoder_x1_drop_async_low]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Folder to write to, made if it is missing
    #[arg(short, value_name = "DIR", default_value = ".")]
    output: PathBuf,

    /// Write NAME_assertions.sv, too: what the module promises on its ports, as SystemVerilog assertions that are bound to it
    #[arg(long)]
    assertions: bool,

    /// Write NAME_formal.sv and NAME_formal.sby, too: what `utfhdl prove` proves of the module, for SymbiYosys
    #[arg(long)]
    formal: bool,

    /// Write what other flows need, too, and a README.md that says how to use it: names from the list below, with commas between
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parser_of_with())]
    with: Vec<Vec<Deliverable>>,

    /// The clock of the constraints
    #[arg(long, value_name = "MHZ", default_value = "100", value_parser = parse_clock)]
    clock_mhz: f64,

    /// Put `timescale UNIT/PRECISION into the Verilog and its bench, such as 1ns/1ps [default: none for the core, which has no
    /// delays, and 1ns/1ps for the bench]
    #[arg(long, value_name = "UNIT/PRECISION", value_parser = Timescale::from_str)]
    timescale: Option<Timescale>,

    /// Put attributes on the ports by which Vivado knows the interfaces: X_INTERFACE_INFO and X_INTERFACE_PARAMETER. The ports
    /// have to count in bytes, so it mostly needs --axis strict
    #[arg(long)]
    x_interface: bool,

    /// Print the manifest to standard output, too
    #[arg(long)]
    json: bool,
}

/// Generates as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let core = match &args.name {
        Some(name) => Core::named(args.core.spec()?, name).context("--name")?,
        None => args.core.core()?,
    };
    let name = core.design.top.name().to_owned();
    if args.x_interface && !core.counts_in_bytes() {
        bail!(
            "--x-interface: the interfaces of Vivado count tdata and tkeep in bytes, and the ports of {name} do not: add --axis strict"
        );
    }
    make_folder(&args.output)?;
    let text = TextOptions { timescale: args.timescale, x_interface: args.x_interface };
    let manifest = deliverables::manifest(&core, &text);
    let mut texts =
        vec![(format!("{name}.v"), core.verilog_with(&text)), (format!("{name}.json"), manifest.clone())];
    let of_registers = deliverables::register_files(&core).into_iter();
    texts.extend(of_registers.map(|file| (file.path, file.text)));
    let flags = [(args.assertions, Deliverable::Assertions), (args.formal, Deliverable::Formal)];
    let by_flags = flags.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, deliverable)| deliverable);
    let wanted: Vec<Deliverable> = args.with.iter().flatten().copied().chain(by_flags).collect();
    if !wanted.is_empty() {
        let mut files = deliverables::files(&core, &wanted, Settings { clock_mhz: args.clock_mhz, text });
        // A page is for what `--with` asks for.
        files.retain(|file| !args.with.is_empty() || file.path != deliverables::README);
        for file in files.iter().filter(|file| file.is_shared(&core)) {
            check_not_anothers(&args.output.join(&file.path), &core)?;
        }
        texts.extend(files.into_iter().map(|file| (file.path, file.text)));
    }
    let written = put(&args.output, texts)?;
    message(format!("{name}: latency {} cycles; wrote {}", core.latency, listed(written, &args)));
    if args.json {
        output::print(|out| out.write_all(manifest.as_bytes()))?;
    }
    Ok(Outcome::Well)
}

/// Writes files, by their names in `folder`, which is made if it is missing; gives their paths. All are written before any is put in place.
pub(super) fn put(folder: &Path, texts: Vec<(String, String)>) -> anyhow::Result<Vec<String>> {
    let mut staged = Vec::new();
    for (file, text) in texts {
        let path = folder.join(file);
        make_folder(path.parent().expect("a file in a folder"))?;
        staged.push((files::stage(&path, &text)?, path));
    }
    let mut written = Vec::new();
    for (file, path) in staged {
        file.persist(&path).with_context(|| format!("cannot write {}", path.shown()))?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.shown()))
}

/// The files in words. Those that go with a core are many, and README.md lists them.
fn listed(mut written: Vec<String>, args: &Args) -> String {
    if !args.with.is_empty() {
        let readme = args.output.join(deliverables::README);
        return format!("{} files; {} lists them", written.len(), readme.shown());
    }
    let last = written.pop().expect("some files are written");
    format!("{} and {last}", written.join(", "))
}

/// The word for all that can go with a core.
const ALL: &str = "all";

/// The parser of a name in `--with`.
fn parser_of_with() -> impl TypedValueParser<Value = Vec<Deliverable>> {
    let names = std::iter::once(ALL).chain(Deliverable::ALL.map(Deliverable::name));
    PossibleValuesParser::new(names).map(|name| {
        let is_named = |deliverable: &Deliverable| name == ALL || name == deliverable.name();
        Deliverable::ALL.into_iter().filter(is_named).collect()
    })
}

fn parse_clock(text: &str) -> Result<f64, String> {
    let clock = text.parse().ok().filter(|clock| (0.001..=100_000.0).contains(clock));
    clock.ok_or_else(|| "expected a frequency in MHz, from 0.001 to 100000".to_owned())
}

/// Checks that a file does not exist, or was written for a core of this name. The name of the file does not say which core the file is
/// for, so somebody else may have written the file.
fn check_not_anothers(path: &Path, core: &Core) -> anyhow::Result<()> {
    let name = core.design.top.name();
    let text = match std::fs::read(path) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.shown())),
    };
    let is_word = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    let names_core = text.split(|character| !is_word(character)).any(|word| word == name);
    anyhow::ensure!(
        names_core && text.contains("utfhdl"),
        "{} exists and was not written for {name}: choose another folder with -o",
        path.shown()
    );
    Ok(())
}
