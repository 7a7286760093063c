//! This program, as others start it.

use std::env;
use std::path::PathBuf;

/// The name of the program if that is how it was called, so that it is found on the path; else the whole path of it.
pub fn path() -> PathBuf {
    let program = PathBuf::from(env::args_os().next().unwrap_or_else(|| "utfhdl".into()));
    match env::current_dir() {
        Ok(folder) if program.components().count() > 1 => folder.join(program),
        _ => program,
    }
}
