//! Programs of other people: how they are run, what is said when they are missing or fail, and where what they make is
//! kept.

mod cache;
mod private;

use std::path::Path;
use std::process::Command;

pub use cache::Cache;
pub(crate) use cache::hash;

/// What is wrong with a program that is needed, or with the files it works on.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not installed.
    #[error("{tool} was not found; {hint}")]
    Missing {
        /// The program.
        tool: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// An environment variable names it, but it can't be run.
    #[error(
        "{variable} names {program:?}, which can't be run ({error}): set it to the path of {tool}, or unset it"
    )]
    Named {
        /// The program that is needed.
        tool: &'static str,
        /// The variable.
        variable: &'static str,
        /// The value of the variable.
        program: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It does not say which version it is, so it may be something else.
    #[error("{program:?} is not {tool}: with --version it prints {printed:?}; {hint}")]
    Unknown {
        /// The program that is needed.
        tool: &'static str,
        /// The program that was run.
        program: String,
        /// The first line that it printed.
        printed: String,
        /// How to get it.
        hint: &'static str,
    },
    /// It is too old.
    #[error("{tool} {found} is too old: {needed} or later is needed; {hint}")]
    Old {
        /// The program.
        tool: &'static str,
        /// Its version.
        found: String,
        /// The first version that works.
        needed: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// It ran and failed.
    #[error("{command} failed ({status}):\n{output}")]
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        status: String,
        /// What it printed.
        output: String,
    },
    /// A file that can't be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

impl ToolError {
    /// That `path` can't be read or written.
    pub fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), error }
    }
}

/// Runs a command to its end; gives what it prints to its standard output.
///
/// # Errors
/// If it can't be run, or fails: with all that it printed.
pub fn run(command: &mut Command) -> Result<String, ToolError> {
    let shown = format!("{command:?}");
    let failed = |status: String, output: String| ToolError::Failed { command: shown, status, output };
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return Err(failed(error.to_string(), String::new())),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    Err(failed(output.status.to_string(), text(&output.stdout) + &text(&output.stderr)))
}
