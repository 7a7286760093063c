//! The command line as a whole: settings of clap beyond the structs of the commands, and messages about wrong arguments.

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory};

use super::{Cli, adapter, completions};

/// The command line, with all that goes for every command.
pub fn command() -> Command {
    let command = match adapter::is_meant(std::env::args_os()) {
        true => adapter::Cli::command(),
        false => Cli::command(),
    };
    command.mut_subcommands(completed)
}

/// A command, and what it has below it, with all that goes for every command.
fn completed(command: Command) -> Command {
    let takes_adapters = ["generate", "cosim"].contains(&command.get_name());
    let command = command.mut_args(|arg| {
        let is_option = !arg.is_positional() && arg.get_action().takes_values();
        // With this, `--lanes -1` is a wrong value of --lanes, not an option called -1.
        let arg = if is_option { arg.allow_negative_numbers(true) } else { arg };
        completions::with_candidates(arg, takes_adapters)
    });
    command.mut_subcommands(completed)
}

/// Messages of Rust about numbers, each with its replacement.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", DIGITS),
    ("cannot parse integer from empty string", DIGITS),
    ("number too large to fit in target type", "the number is larger than the option can hold"),
    ("number too small to fit in target type", "it must not be negative"),
    ("number would be zero for non-zero type", "it must be 1 or more"),
];
const DIGITS: &str = "expected a whole number, in digits only";

/// The error in the arguments, on one line like every other error; clap writes several.
pub fn error_text(error: &clap::Error) -> String {
    let page = error.to_string();
    let lines = page.trim_start_matches("error: ").lines().map(str::trim);
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    // The tip to put a word that begins with - after -- helps nobody, since such a word is a mistyped option.
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
