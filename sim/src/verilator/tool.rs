//! The tools: found at run time, with a word on how to get them where they are not there.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::tool::{ToolError, run};

/// The first version with what the shim uses, as major and minor.
const OLDEST: (u32, u32) = (5, 2);
const HINT: &str = "install the package `verilator`, version 5.002 or later (Debian 12 has it)";
const COMPILER_HINT: &str = "install a C++ compiler (package `g++`), or name one in the variable CXX";

/// Verilator and the C++ compiler.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// What `verilator --version` prints.
    pub verilator_version: String,
    /// What the compiler says of its version.
    pub compiler_version: String,
    /// Folder of the headers and sources of the runtime.
    pub(super) include: PathBuf,
    pub(super) verilator: OsString,
    pub(super) compiler: OsString,
}

impl Toolchain {
    /// Finds the tools: `verilator` on the path (or what the variable VERILATOR names), `g++` (or CXX).
    ///
    /// # Errors
    /// If one is missing, or Verilator is too old.
    pub fn find() -> Result<Self, ToolError> {
        let verilator = std::env::var_os("VERILATOR").unwrap_or_else(|| "verilator".into());
        let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
        let missing = |tool, hint| move |_: io::Error| ToolError::Missing { tool, hint };
        let version =
            Command::new(&verilator).arg("--version").output().map_err(missing("Verilator", HINT))?;
        let verilator_version = first_line(&version);
        check_version(&verilator_version)?;
        let version = Command::new(&compiler).arg("--version").output();
        let compiler_version = first_line(&version.map_err(missing("a C++ compiler", COMPILER_HINT))?);
        let root = run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]))?;
        let include = PathBuf::from(root.trim()).join("include");
        Ok(Self { verilator_version, compiler_version, include, verilator, compiler })
    }
}

fn first_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

/// Checks a line like `Verilator 5.006 2023-01-22 rev (Debian 5.006-3)`.
fn check_version(line: &str) -> Result<(), ToolError> {
    let number = line.split_whitespace().nth(1).unwrap_or_default();
    let version = number.split_once('.').and_then(|(major, minor)| {
        let digits: String = minor.chars().take_while(char::is_ascii_digit).collect();
        Some((major.parse::<u32>().ok()?, digits.parse::<u32>().ok()?))
    });
    match version {
        Some(version) if version >= OLDEST => Ok(()),
        _ => Err(ToolError::Old {
            tool: "Verilator",
            found: if number.is_empty() { format!("{line:?}") } else { number.to_owned() },
            needed: "5.002",
            hint: HINT,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart() {
        assert!(check_version("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)").is_ok());
        assert!(check_version("Verilator 5.002 2022-10-29 rev v5.002").is_ok());
        assert!(check_version("Verilator 10.0 2031-01-01").is_ok());
        let old = check_version("Verilator 4.038 2020-07-11 rev v4.036").unwrap_err().to_string();
        assert!(old.contains("4.038") && old.contains("5.002") && old.contains("package"), "{old}");
        assert!(check_version("").is_err());
    }
}
