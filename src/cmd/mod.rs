//! The command line: one file a sub-command, and what they share (exit codes, error lines, output).

mod adapter;
mod campaign;
mod closed;
mod completions;
mod convert;
mod core;
mod cosim;
mod count;
mod decode;
mod encode;
mod encoding;
mod explain;
mod files;
mod generate;
mod items;
mod lint;
mod list;
mod output;
mod playground;
mod program;
mod prove;
mod report;
mod signals;
mod target;
mod trace;
mod usage;
mod validate;
mod values;

use std::process::ExitCode;

use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
use clap::{FromArgMatches, Parser, Subcommand};

use self::output::{Unwritable, message};

/// How a command that ran to its end found the data; an error is a third thing, and exit code 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Well,
    /// Exit code 1: ill-formed data, data the target cannot express, or engines that disagree.
    Amiss,
}

#[derive(Parser)]
#[command(version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::Args),
    Generate(generate::Args),
    Cosim(cosim::Args),
    Trace(trace::Args),
    Campaign(Box<campaign::Args>),
    Prove(prove::Args),
    Report(report::Args),
    Decode(decode::Args),
    Encode(encode::Args),
    Convert(convert::Args),
    Validate(validate::Args),
    Count(count::Args),
    Explain(explain::Args),
    Playground(playground::Args),
    Completions(completions::Args),
}

/// What the arguments ask for.
enum Asked {
    OfCores(Box<Cli>),
    OfAdapters(Box<adapter::Cli>),
}

impl Asked {
    /// Parses the arguments.
    fn of_arguments() -> Result<Self, clap::Error> {
        let matches = usage::command().try_get_matches()?;
        match adapter::is_meant(std::env::args_os()) {
            true => adapter::Cli::from_arg_matches(&matches).map(|cli| Self::OfAdapters(Box::new(cli))),
            false => Cli::from_arg_matches(&matches).map(|cli| Self::OfCores(Box::new(cli))),
        }
    }
}

/// Parses the arguments, runs the sub-command, and turns what came of it into the exit code.
pub fn run() -> ExitCode {
    match completions::answer(usage::command) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return failed(&error.into()),
    }
    let asked = match Asked::of_arguments() {
        Ok(asked) => asked,
        // Help that was asked for, and help because nothing was.
        Err(error) if !error.use_stderr() || error.kind() == DisplayHelpOnMissingArgumentOrSubcommand => {
            let code = if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
            return output::print_help(&error).map_or_else(|error| failed(&error), |()| code);
        }
        Err(error) => {
            message(format!("utfhdl: {}", usage::error_text(&error)));
            return ExitCode::from(2);
        }
    };
    if let Err(error) = signals::watch() {
        message(format!(
            "utfhdl: signals cannot be watched, so temporary files stay if one ends the tool: {error}"
        ));
    }
    let outcome = match asked {
        Asked::OfCores(cli) => run_command(cli.command),
        Asked::OfAdapters(cli) => adapter::run(*cli),
    };
    match outcome {
        Ok(Outcome::Well) => ExitCode::SUCCESS,
        Ok(Outcome::Amiss) => ExitCode::from(1),
        Err(error) => failed(&error),
    }
}

fn run_command(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::List(args) => list::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Cosim(args) => cosim::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Campaign(args) => campaign::run(*args),
        Command::Prove(args) => prove::run(args),
        Command::Report(args) => report::run(args),
        Command::Decode(args) => decode::run(args),
        Command::Encode(args) => encode::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Count(args) => count::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Playground(args) => playground::run(args),
        Command::Completions(args) => completions::run(args),
    }
}

/// Says what went wrong. Output that nobody reads any more is not wrong.
fn failed(error: &anyhow::Error) -> ExitCode {
    match Unwritable::cause_of(error) {
        Some(stream) if stream.is_closed_pipe() => return ExitCode::SUCCESS,
        Some(stream) => message(format!("utfhdl: {stream}")),
        None => message(format!("utfhdl: {error:#}")),
    }
    ExitCode::from(2)
}
