//! `utfhdl explain`: what units mean, bit by bit.

mod html;
mod input;
mod table;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use serde_json::json;
use utfhdl::explain::{Explanation, Meaning, Sequence};
use utfhdl_codec::System;

use super::output;
use super::target::Target;
use super::{Outcome, encoding, values};

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
    /// System of the units, with options behind commas: utf-8, utf-9,max=7fffffff
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
    let units = match &args.text {
        Some(text) => encoding::units_of_text(args.system, text)?,
        None if args.units.is_empty() => input::read(args.system)?,
        None => input::parse(args.system, &args.units)?,
    };
    let explanation = Explanation::new(args.system, &units);
    if let Some(path) = &args.html {
        let mut target = Target::create(Some(path)).context("--html")?;
        let failed = format!("--html: cannot write {}", target.name);
        target.write_all(html::page(&explanation).as_bytes()).context(failed)?;
        target.keep().context("--html")?;
    } else if args.json {
        output::print_json(&as_json(&explanation))?;
    } else {
        output::print(|out| out.write_all(table::table(&explanation, args.color.is_on()).as_bytes()))?;
    }
    Ok(if explanation.is_well_formed() { Outcome::Well } else { Outcome::Amiss })
}

fn as_json(explanation: &Explanation) -> serde_json::Value {
    let bits = explanation.system.unit_bits();
    let sequence = |sequence: &Sequence| {
        let mut value = json!({
            "offset": sequence.offset,
            "units": table::units(&sequence.units, bits),
            "bits": table::plain_bits(sequence, bits),
        });
        match &sequence.what {
            Meaning::CodePoint(whole) => value["cp"] = table::number(whole).into(),
            Meaning::Mark => value["mark"] = true.into(),
            Meaning::Error(kind, rule) => {
                value["error"] = kind.name().into();
                value["breach"] = rule.breach.into();
                value["source"] = rule.source.into();
            }
        }
        value
    };
    let elsewhere = explanation.code_points().into_iter().map(|whole| {
        let (written, _) = explanation.elsewhere(whole);
        let systems: serde_json::Map<String, serde_json::Value> = written
            .iter()
            .flat_map(|written| written.systems.iter().map(move |system| (system, written)))
            .map(|(system, written)| {
                (system.name().to_owned(), table::units(&written.units, written.unit_bits).into())
            })
            .collect();
        json!({ "cp": table::number(whole), "systems": systems })
    });
    json!({
        "system": explanation.system.to_string(),
        "sequences": explanation.sequences.iter().map(sequence).collect::<Vec<_>>(),
        "elsewhere": elsewhere.collect::<Vec<_>>(),
    })
}
