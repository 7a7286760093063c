//! Finds Verilator and the C++ compiler at run time, and says how to get them if they are missing.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::tool::{ToolError, run};

/// The first version of Verilator that has everything the shim uses, as major and minor.
const OLDEST: (u32, u32) = (5, 2);
const HINT: &str = "install the package `verilator`, version 5.002 or later (Debian 12 has it)";
const COMPILER_HINT: &str = "install a C++ compiler (package `g++`), or name one in the variable CXX";

/// Verilator and the C++ compiler.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The first line that `verilator --version` prints.
    pub verilator_version: String,
    /// The first line that the compiler prints for `--version`.
    pub compiler_version: String,
    /// Folder of the headers and sources of Verilator's runtime.
    pub(super) include: PathBuf,
    pub(super) verilator: OsString,
    pub(super) compiler: OsString,
}

impl Toolchain {
    /// Finds `verilator` and `g++` on the path, or the programs that the variables VERILATOR and CXX name.
    ///
    /// # Errors
    /// If one is missing, or Verilator is too old.
    pub fn find() -> Result<Self, ToolError> {
        let verilator = Program::of("VERILATOR", "verilator");
        let verilator_version = verilator.version("Verilator", HINT)?;
        check_version(&verilator_version, &verilator)?;
        let compiler = Program::of("CXX", "g++");
        let compiler_version = compiler.version("a C++ compiler", COMPILER_HINT)?;
        let root = run(Command::new(&verilator.path).args(["--getenv", "VERILATOR_ROOT"]))?;
        let include = PathBuf::from(root.trim()).join("include");
        let (verilator, compiler) = (verilator.path, compiler.path);
        Ok(Self { verilator_version, compiler_version, include, verilator, compiler })
    }
}

/// A program, and the environment variable that names it if it is set.
struct Program {
    path: OsString,
    variable: Option<&'static str>,
}

impl Program {
    /// The program that `variable` names, or `usual` on the path.
    fn of(variable: &'static str, usual: &str) -> Self {
        match std::env::var_os(variable).filter(|value| !value.is_empty()) {
            Some(path) => Self { path, variable: Some(variable) },
            None => Self { path: usual.into(), variable: None },
        }
    }

    /// The first line that it prints when asked for its version.
    fn version(&self, tool: &'static str, hint: &'static str) -> Result<String, ToolError> {
        match (Command::new(&self.path).arg("--version").output(), self.variable) {
            (Ok(output), _) => {
                Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
            }
            (Err(error), Some(variable)) => {
                Err(ToolError::Named { tool, variable, program: self.name(), error })
            }
            (Err(_), None) => Err(ToolError::Missing { tool, hint }),
        }
    }

    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

/// Checks a line like `Verilator 5.006 2023-01-22 rev (Debian 5.006-3)`, which `program` has printed.
fn check_version(line: &str, program: &Program) -> Result<(), ToolError> {
    let version = |number: &str| {
        let (major, minor) = number.split_once('.')?;
        let digits: String = minor.chars().take_while(char::is_ascii_digit).collect();
        Some((major.parse::<u32>().ok()?, digits.parse::<u32>().ok()?))
    };
    let number = line.strip_prefix("Verilator ").and_then(|rest| rest.split_whitespace().next());
    let tool = "Verilator";
    match number.and_then(version).zip(number) {
        Some((version, _)) if version >= OLDEST => Ok(()),
        Some((_, number)) => {
            Err(ToolError::Old { tool, found: number.to_owned(), needed: "5.002", hint: HINT })
        }
        None => {
            Err(ToolError::Unknown { tool, program: program.name(), printed: line.to_owned(), hint: HINT })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart() {
        let check = |line| check_version(line, &Program { path: "verilator".into(), variable: None });
        assert!(check("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)").is_ok());
        assert!(check("Verilator 5.002 2022-10-29 rev v5.002").is_ok());
        assert!(check("Verilator 10.0 2031-01-01").is_ok());
        let old = check("Verilator 4.038 2020-07-11 rev v4.036").unwrap_err().to_string();
        assert!(old.contains("4.038") && old.contains("5.002") && old.contains("package"), "{old}");
        for other in ["", "Icarus Verilog version 11.0", "Verilator"] {
            let error = check(other).unwrap_err().to_string();
            assert!(error.contains(&format!("prints {other:?}")), "{error}");
        }
    }
}
