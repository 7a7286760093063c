//! `utfhdl generate`: a core as Verilog, with a manifest.

use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;
use utfhdl::prove::formal::Formal;
use utfhdl_hdl::core::Core;
use utfhdl_hdl::netlist::{Direction, Port};

use super::core::CoreArgs;
use super::output::{self, message};
use super::{Outcome, files};

const EXAMPLES: &str = "\
Examples:
  utfhdl generate utf-8 decoder -o rtl             rtl/utf_8_decoder_x1.v and rtl/utf_8_decoder_x1.json
  utfhdl generate utf-8 decoder --reset async-low  for ASIC flows
  utfhdl generate utf-8 decoder --on-error drop    smaller: errors leave no trace
  utfhdl generate utf-8 decoder --formal           with a .sby file for SymbiYosys
  utfhdl generate utf-8 decoder --name utf8_in     utf8_in.v, with a module called utf8_in";

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

    /// Print the manifest to standard output, too
    #[arg(long)]
    json: bool,
}

/// Generates as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let core = match &args.name {
        Some(name) => Core::named(args.core.spec(), name).context("--name")?,
        None => args.core.core()?,
    };
    let name = core.design.top.name().to_owned();
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make the folder {}", args.output.display()))?;
    let manifest = serde_json::to_string_pretty(&Manifest::new(&core))? + "\n";
    let mut texts = vec![(format!("{name}.v"), core.verilog()), (format!("{name}.json"), manifest.clone())];
    if args.assertions {
        texts.push((format!("{name}_assertions.sv"), core.assertions()));
    }
    if args.formal {
        let Formal { rules, tasks } = Formal::new(&core);
        texts.extend([(format!("{name}_formal.sv"), rules), (format!("{name}_formal.sby"), tasks)]);
    }
    // All are written before any is put in place.
    let mut staged = Vec::new();
    for (file, text) in texts {
        let path = args.output.join(file);
        staged.push((files::stage(&path, &text)?, path));
    }
    let mut written = Vec::new();
    for (file, path) in staged {
        file.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
        written.push(path.display().to_string());
    }
    let last = written.pop().expect("some files are written");
    message(format!("{name}: latency {} cycles; wrote {} and {last}", core.latency, written.join(", ")));
    if args.json {
        output::print(|out| out.write_all(manifest.as_bytes()))?;
    }
    Ok(Outcome::Well)
}

/// What tools need to know of a generated module.
#[derive(Serialize)]
struct Manifest {
    module: String,
    generator: &'static str,
    version: &'static str,
    command: String,
    license: &'static str,
    system: String,
    role: String,
    lanes: u32,
    unit_bits: u32,
    /// Cycles.
    latency: u32,
    options: Options,
    ports: Vec<ManifestPort>,
}

#[derive(Serialize)]
struct Options {
    reset: String,
    on_error: String,
    axis: String,
    /// Of cores of several lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pack: Option<String>,
}

#[derive(Serialize)]
struct ManifestPort {
    name: String,
    direction: &'static str,
    width: u32,
    meaning: String,
}

impl Manifest {
    fn new(core: &Core) -> Self {
        let spec = core.spec;
        let single = |name: &str, meaning: &str| ManifestPort {
            name: name.to_owned(),
            direction: "input",
            width: 1,
            meaning: meaning.to_owned(),
        };
        let port = |port: &Port| ManifestPort {
            name: port.name.clone(),
            direction: match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
            },
            width: port.width,
            meaning: port.note.clone(),
        };
        let clock_and_reset = [single("clk", "clock, rising edge"), single(spec.reset.port(), "reset")];
        Self {
            module: core.design.top.name().to_owned(),
            generator: "utfhdl",
            version: env!("CARGO_PKG_VERSION"),
            command: core.command(),
            license: "MIT OR Apache-2.0",
            system: spec.system.to_string(),
            role: spec.role.to_string(),
            lanes: spec.lanes,
            unit_bits: spec.system.unit_bits(),
            latency: core.latency,
            options: Options {
                reset: spec.reset.to_string(),
                on_error: spec.on_error.to_string(),
                axis: spec.axis.to_string(),
                pipeline: (spec.lanes > 1).then(|| spec.pipeline.to_string()),
                pack: (spec.lanes > 1).then(|| spec.pack.to_string()),
            },
            ports: clock_and_reset
                .into_iter()
                .chain(core.design.top.ports_by_group().into_iter().map(port))
                .collect(),
        }
    }
}
