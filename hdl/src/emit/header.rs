//! The comment at the head of a file: the module's purpose, the command that made it, and a table of
//! its ports.

use crate::netlist::{Design, Direction};

use super::{comment, filled};

/// The parts of the head of a file that are not in the netlist.
#[derive(Clone, Debug)]
pub struct Header {
    /// The command that makes the file, without the folder to which it writes.
    pub command: String,
    /// Version of the generator.
    pub version: String,
    /// Further lines, such as the latency, each a subject and its text.
    pub facts: Vec<(String, String)>,
}

impl Header {
    pub(super) fn text(&self, design: &Design) -> String {
        let mut text = String::from("// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n");
        text += &comment(&format!("{}: {}", design.top.name(), design.top.summary()), 0);
        text += "//\n";
        let made = [
            ("Generator".to_owned(), format!("utfhdl {}", self.version)),
            (COMMAND.to_owned(), self.command.clone()),
        ];
        let facts: Vec<_> = made.iter().chain(&self.facts).collect();
        let subject = facts.iter().map(|(subject, _)| subject.len()).max().unwrap_or(0);
        for (name, fact) in facts {
            let (start, next) = (format!("// {name:subject$}  "), format!("// {:subject$}  ", ""));
            // A command is broken before an option, so that the option keeps its value.
            text += &match name == COMMAND {
                true => filled(&start, &next, options(fact)),
                false => filled(&start, &next, fact.split_whitespace()),
            };
        }
        text + "//\n" + &port_table(design)
    }
}

/// The subject of the line with the command.
const COMMAND: &str = "Command";

/// A command in parts: the words before its options, then each option with its value.
fn options(command: &str) -> Vec<&str> {
    let starts: Vec<usize> = command.match_indices(" --").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().map(|start| start - 1).chain([command.len()]);
    let starts = [0].into_iter().chain(starts.iter().copied());
    starts.zip(ends).map(|(start, end)| &command[start..end]).collect()
}

fn port_table(design: &Design) -> String {
    let mut rows = vec![["Port", "Dir", "Bits", "Meaning"].map(str::to_owned)];
    let mut row = |name: &str, direction: Direction, width: u32, note: &str| {
        let direction = match direction {
            Direction::Input => "in",
            Direction::Output => "out",
        };
        rows.push([name.to_owned(), direction.to_owned(), width.to_string(), note.to_owned()]);
    };
    if design.top.has_clock() {
        row("clk", Direction::Input, 1, "clock, rising edge");
    }
    if design.top.has_reset() {
        row(design.reset.port(), Direction::Input, 1, reset_note(design));
    }
    for port in design.top.ports_by_group() {
        row(&port.name, port.direction, port.width, &port.note);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let [w0, w1, w2] = widths;
    let line = |[name, direction, bits, note]: &[String; 4]| {
        let start = format!("// {name:w0$}  {direction:w1$}  {bits:>w2$}  ");
        filled(&start, &format!("//{:1$}", "", start.len() - 2), note.split_whitespace())
    };
    rows.iter().map(line).collect()
}

/// How the reset of `design` works, in a few words.
pub(super) fn reset_note(design: &Design) -> &'static str {
    match (design.reset.is_asynchronous(), design.reset.active_level()) {
        (false, true) => "reset, synchronous, active high",
        (false, false) => "reset, synchronous, active low",
        (true, true) => "reset, asynchronous, active high",
        (true, false) => "reset, asynchronous, active low",
    }
}
