//! Names that users give to the top module of a core.

use super::{Core, CoreError};
use crate::netlist::{Design, name_problem};

/// The most characters of a name: file names and tools have limits, and sub-modules carry the name as prefix.
const LONGEST: usize = 128;

/// Checks that a module can have the name `name`, whatever its contents.
pub(super) fn check(name: &str) -> Result<(), CoreError> {
    if let Some(problem) = name_problem(name) {
        return Err(error(name, problem));
    }
    if name.len() > LONGEST {
        return Err(error(name, &format!("it has {} characters: {LONGEST} are the most", name.len())));
    }
    Ok(())
}

/// Checks that `core` can have the name `name`: nothing in its text may have that name, since tools warn of names
/// that hide a module.
pub(super) fn check_core(name: &str, core: &Core) -> Result<(), CoreError> {
    check_text(name, &core.design, &core.verilog())
}

/// Checks that nothing in `text`, the Verilog of a design, has the name `name`.
pub(super) fn check_text(name: &str, design: &Design, text: &str) -> Result<(), CoreError> {
    let mut ports =
        design.top.ports().iter().map(|port| port.name.as_str()).chain(["clk", design.reset.port()]);
    if ports.any(|port| port == name) {
        return Err(error(name, "that is a port of the core: choose another name"));
    }
    let code = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let words = code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    if words.filter(|word| *word == name).count() > 1 {
        return Err(error(name, "that is a signal or an instance in the core: choose another name"));
    }
    Ok(())
}

fn error(name: &str, reason: &str) -> CoreError {
    CoreError::Name { name: name.to_owned(), reason: reason.to_owned() }
}
