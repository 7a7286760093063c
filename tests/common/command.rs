//! The tool, as several tests run it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;

/// Exit code, standard output, standard error.
pub type Ran = (i32, String, String);

/// Runs `utfhdl campaign` in a folder; the arguments have single spaces between.
pub fn campaign(folder: &Path, arguments: &str) -> Ran {
    let mut command = Command::new(cargo_bin("utfhdl"));
    ran(command.current_dir(folder).arg("campaign").args(arguments.split(' ')).output().unwrap())
}

/// Runs a script of `bash` in a folder, in which `$UTFHDL` is the tool.
pub fn in_shell(folder: &Path, script: &str) -> Ran {
    let mut command = Command::new("bash");
    let command = command.current_dir(folder).env("UTFHDL", cargo_bin("utfhdl")).args(["-c", script]);
    ran(command.output().unwrap())
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{output:?}"));
    (code, text(output.stdout), text(output.stderr))
}

/// Reads JSON.
#[track_caller]
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The names of the files in a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
