//! The command line as a whole: what clap is told beyond the structs of the commands, and what is said of arguments that
//! cannot be.

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory};

use super::{Cli, completions};

/// The command line, with all that goes for every command.
pub fn command() -> Command {
    Cli::command().mut_subcommands(completed)
}

/// A command, and what it has below it, with all that goes for every command.
fn completed(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let is_option = !arg.is_positional() && arg.get_action().takes_values();
        // So that `--lanes -1` is a wrong value of --lanes, not an option called -1.
        let arg = if is_option { arg.allow_negative_numbers(true) } else { arg };
        completions::with_candidates(arg)
    });
    command.mut_subcommands(completed)
}

/// What Rust says of numbers, and what is said in its place.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", DIGITS),
    ("cannot parse integer from empty string", DIGITS),
    ("number too large to fit in target type", "the number is larger than the option can hold"),
    ("number too small to fit in target type", "it must not be negative"),
    ("number would be zero for non-zero type", "it must be 1 or more"),
];
const DIGITS: &str = "expected a whole number, in digits only";

/// What is wrong with the arguments, on one line as every other error; clap spreads it over a page.
pub fn error_text(error: &clap::Error) -> String {
    let page = error.to_string();
    let lines = page.trim_start_matches("error: ").lines().map(str::trim);
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    // That a word that begins with - can stand behind -- helps nobody: it is a mistyped option.
    let lines = lines.filter(|line| !line.is_empty() && !line.contains("as a value, use '-- "));
    let mut text = lines.collect::<Vec<_>>().join(" ").replace(" tip: ", "; ");
    for (rust, said) in NUMBERS {
        text = text.replace(rust, said);
    }
    let needs_usage = matches!(
        error.kind(),
        ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument | ErrorKind::InvalidSubcommand
    );
    match error.get(ContextKind::Usage) {
        Some(usage) if needs_usage && !text.contains(" exists: ") => {
            let usage = usage.to_string().replace("Usage:", "usage:");
            // A line for each way to call the command.
            let ways: Vec<&str> = usage.lines().map(str::trim).collect();
            format!("{text}; {}", ways.join(" or "))
        }
        _ => text,
    }
}
