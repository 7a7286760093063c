//! This program, as others start it.

use std::env;
use std::path::PathBuf;

/// The name of the program if it was called by that name, found on the path; otherwise the absolute path.
pub fn path() -> PathBuf {
    let program = PathBuf::from(env::args_os().next().unwrap_or_else(|| "utfhdl".into()));
    match env::current_dir() {
        Ok(folder) if program.components().count() > 1 => folder.join(program),
        _ => program,
    }
}
