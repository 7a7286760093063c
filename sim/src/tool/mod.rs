//! External programs: errors for programs that are missing or fail, and a cache of the files that they make.

mod cache;
mod group;
mod private;

use crate::shown::Shown as _;
use std::path::Path;
use std::process::Command;

pub use cache::Cache;
pub use group::Group;

/// An error of an external program, or of its files.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The program is not installed.
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
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The program does not print a version of the tool that is needed, so it may be another one.
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
    /// The program is too old.
    #[error("{tool} {found} is too old: {needed} or later is needed; {hint}")]
    Old {
        /// The program.
        tool: &'static str,
        /// The installed version.
        found: String,
        /// The first version that works.
        needed: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// The program failed, or could not be run.
    #[error("{command} failed ({status}):\n{output}")]
    Failed {
        /// The command line.
        command: String,
        /// The exit status, or why the program could not be run.
        status: String,
        /// Everything that it printed.
        output: String,
    },
    /// A file can't be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
}

impl ToolError {
    /// The error of a file that can't be read or written.
    pub fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.shown(), error }
    }
}

/// Runs a command to its end and gives what it prints to standard output. Should this process end before, the program does, too.
///
/// # Errors
/// If it can't be run, or fails; then with everything that it printed.
pub fn run(command: &mut Command) -> Result<String, ToolError> {
    let shown = format!("{command:?}");
    let failed = |status: String, output: String| ToolError::Failed { command: shown, status, output };
    let output = match Group::new().and_then(|group| group.hold(command).output()) {
        Ok(output) => output,
        Err(error) => return Err(failed(error.to_string(), String::new())),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    Err(failed(output.status.to_string(), text(&output.stdout) + &text(&output.stderr)))
}
