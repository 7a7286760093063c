//! Programs of other people: how they are run, what is said when they are missing or fail, and where what they make is
//! kept.

mod cache;

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
    /// It is too old, or its version can't be told.
    #[error("{tool} {found} is too old: {needed} or later is needed; {hint}")]
    Old {
        /// The program.
        tool: &'static str,
        /// What it says of its version.
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
