//! `utfhdl trace`: a run of a core as a picture.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueHint;
use utfhdl::cosim::{Cosim, Framing, Source};
use utfhdl::engines::EngineKind;
use utfhdl::input::{slots_of_text, units_of_text};
use utfhdl::promise::Item;
use utfhdl::trace::{Recorder, Trace};
use utfhdl_hdl::core::Role;

use super::Outcome;
use super::cosim::{Input, Page, Ran, RunArgs, command, in_words, run_engines, shown, start};
use super::output::message;

const EXAMPLES: &str = "\
Examples:
  utfhdl trace utf-8 decoder --text 'é€😀' -o run.html         a page: scroll, zoom, search, follow a code point
  utfhdl trace utf-8 decoder --text 'é€😀' -o run.svg          a drawing
  utfhdl trace utf-8 decoder --lanes 8 page.html --stall 20 -o run.html
  utfhdl trace utf-9 encoder --text 'é€😀' --signals '*code*' --signals '*piece*' -o run.svg
  utfhdl trace utf-8 transcoder:utf-16 --random 500 -o run.html

A color is one code point: the units that go in, every register that holds a part of it, and what comes out. docs/interface.md \
says what a register must do to hold a part.

The exit code is 1 if the core does not do what the reference says: the picture shows where.";

/// Units or slots that are made where neither a file, nor a text, nor a number is given.
const DEFAULT_RANDOM: u64 = 200;

/// Draw a run of a core, cycle by cycle: each code point from its units through the registers to its slot
///
/// The run is that of `utfhdl cosim` with the same arguments, checked in the same way. A page holds up to 100000 cycles, a
/// drawing up to 400.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    run: RunArgs,

    /// Text to run through the core, written in its system, in place of a file
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "random"])]
    text: Option<String>,

    /// Registers to show, by name, any number of times: * stands for any characters, ? for one [default: in a page, all; in a
    /// drawing, those that hold more than one bit of a code point]
    #[arg(long, value_name = "GLOB")]
    signals: Vec<String>,

    /// File to write: .html for a page, .svg for a drawing
    #[arg(short, value_name = "OUT", value_parser = parse_output, value_hint = ValueHint::FilePath)]
    output: Output,
}

/// A file, and what it is.
#[derive(Clone, Debug)]
struct Output {
    path: PathBuf,
    is_page: bool,
}

fn parse_output(text: &str) -> Result<Output, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => Ok(Output { path, is_page: true }),
        Some("svg") => Ok(Output { path, is_page: false }),
        _ => Err("expected a name that ends in .html, for a page, or in .svg, for a drawing".to_owned()),
    }
}

/// Draws as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let input = args.run.file.as_deref().map(Input::open).transpose()?;
    let cosim = cosim(&args, input.as_ref())?;
    let target = Page::create(Path::new(&args.output.path))?;
    let mut recorder = Recorder::new(&cosim.core, 0..=u64::MAX)?;
    let mut engines = start(&[EngineKind::Native], &cosim)?;
    let ran = run_engines(&cosim, &mut engines, vec![&mut recorder]);
    drop(engines);
    let failure = match ran.map_err(|error| in_words(error, input.as_ref()))? {
        Ran::Agrees(_) => None,
        Ran::Fails(failure) => {
            message(format!("{}: {failure}", cosim.core.design.top.name()));
            Some(failure)
        }
    };
    let mut trace = Trace::new(&cosim.core, recorder, failure.as_deref())?;
    if let Some(glob) = trace.keep_registers(&args.signals) {
        bail!("--signals {glob}: no register has such a name; `utfhdl list --signals` shows all signals");
    }
    let text =
        if args.output.is_page { trace.page(&command()) } else { trace.svg(!args.signals.is_empty())? };
    let said = shown(&trace, target.name());
    target.put(&text)?;
    message(said);
    Ok(if failure.is_some() { Outcome::Amiss } else { Outcome::Well })
}

/// The run that is asked for.
fn cosim(args: &Args, input: Option<&Input>) -> anyhow::Result<Cosim> {
    let Some(text) = &args.text else { return args.run.cosim(input, DEFAULT_RANDOM) };
    let core = &args.run.core;
    let items: Vec<Item> = match core.role {
        Role::Encoder => slots_of_text(text).into_iter().map(Item::from).collect(),
        Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => {
            units_of_text(core.system, text).context("--text")?.into_iter().map(Item::from).collect()
        }
    };
    if items.is_empty() {
        bail!("--text is empty: there is nothing to run");
    }
    args.run.with_source(Source::Given(items), Framing::Whole)
}
