//! `utfhdl explain`: what units mean, bit by bit.

mod input;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use utfhdl::explain::{Explainer, elsewhere, html, json, table};
use utfhdl::input::{units_of_text, units_of_words};
use utfhdl_codec::System;

use super::output::{self, message};
use super::target::Target;
use super::{Outcome, values};

const EXAMPLES: &str = "\
Examples:
  utfhdl explain utf-8 E2 82 AC                units in hexadecimal
  utfhdl explain utf-8 --text 'é€'             a text, written in the system
  utfhdl explain utf-9 403 221                 systems of nonets have octal units, as their documents do
  utfhdl explain utf-16 0b1101100000000000     or any base: 0x, 0o, 0b
  utfhdl explain utf-8 --text 'é€' --html text.html
  printf '\\355\\240\\200' | utfhdl explain utf-8

Bits in brackets are structure: in the first unit they tell the length. The others are the code point.";

/// Explain units: the use of every bit, the rule that an ill-formed one breaks, and the character in other systems
///
/// The exit code is 1 if the units are ill-formed anywhere.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// System of the units, with options after commas: utf-8, utf-9,max=7fffffff
    #[arg(value_parser = values::system)]
    system: System,

    /// Units; standard input without any and without --text. Octets and words may stand without spaces between them
    #[arg(conflicts_with = "text")]
    units: Vec<String>,

    /// Text to be written in the system, and explained
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,

    /// When to use colours; never where NO_COLOR is set, unless always is asked for
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write an HTML page to this file; - is standard output
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    fn is_on(self) -> bool {
        let is_refused = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => output::is_terminal() && !is_refused(),
        }
    }
}

/// Explains as the arguments say.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let given = match &args.text {
        Some(text) => Some(units_of_text(args.system, text).context("--text")?),
        None if args.units.is_empty() => None,
        None => Some(units_of_words(args.system, &args.units)?),
    };
    let format = match (&args.html, args.json) {
        (Some(_), _) => Format::Html,
        (None, true) => Format::Json,
        (None, false) => Format::Text { is_colored: args.color.is_on() },
    };
    if let Some(path) = &args.html {
        let mut target = Target::create(Some(path)).context("--html")?;
        let outcome = explain(args.system, given.as_deref(), format, &mut target);
        let outcome = outcome.with_context(|| format!("--html: cannot write {}", target.name))?;
        target.keep().context("--html")?;
        return Ok(outcome);
    }
    explain(args.system, given.as_deref(), format, &mut output::stdout())
}

/// How an explanation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text { is_colored: bool },
    Json,
    Html,
}

/// Explains units, or those of standard input as they come.
fn explain(
    system: System,
    given: Option<&[u32]>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let bits = system.unit_bits();
    let mut explainer = Explainer::new(system);
    let (before, after) = match format {
        Format::Text { .. } => Default::default(),
        Format::Json => json::frame(system),
        Format::Html => html::frame(system),
    };
    out.write_all(before.as_bytes())?;
    let mut is_first = true;
    let mut explain = |units: &[u32], last: bool| -> anyhow::Result<()> {
        explainer.explain(units, last, |sequence| {
            let text = match format {
                Format::Text { is_colored } => table::sequence(&sequence, bits, is_colored),
                Format::Json => json::sequence(&sequence, bits, std::mem::take(&mut is_first)),
                Format::Html => html::sequence(&sequence, bits),
            };
            out.write_all(text.as_bytes())
        })?;
        // Whoever types the input sees what it is right away.
        Ok(out.flush()?)
    };
    match given {
        Some(units) => explain(units, true)?,
        None => input::read(system, explain)?,
    }
    if format == Format::Json {
        out.write_all(json::BETWEEN.as_bytes())?;
    }
    for (index, whole) in explainer.code_points().iter().enumerate() {
        let others = elsewhere(system, whole);
        let text = match format {
            Format::Text { is_colored } => table::elsewhere(whole, &others, is_colored),
            Format::Json => json::elsewhere(whole, &others, index == 0),
            Format::Html => html::elsewhere(whole, &others),
        };
        out.write_all(text.as_bytes())?;
    }
    out.write_all(after.as_bytes())?;
    out.flush()?;
    if explainer.has_more_code_points() {
        message(format!(
            "only the first {} code points are shown in other systems",
            explainer.code_points().len()
        ));
    }
    Ok(if explainer.is_well_formed() { Outcome::Well } else { Outcome::Amiss })
}
