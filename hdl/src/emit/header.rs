//! The comment at the head of a file.

use std::fmt::Write;

use crate::netlist::{Design, Direction};

use super::comment;

/// What the head of a file says beyond what the netlist knows.
#[derive(Clone, Debug)]
pub struct Header {
    /// The command that made the file, without where it went.
    pub command: String,
    /// Version of the generator.
    pub version: String,
    /// Further lines, such as the latency: each a subject and what is said of it.
    pub facts: Vec<(String, String)>,
}

impl Header {
    pub(super) fn text(&self, design: &Design) -> String {
        let mut text = String::from("// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n");
        text += &comment(&format!("{}: {}", design.top.name(), design.top.summary()), 0);
        text += "//\n";
        let made = [
            ("Generator".to_owned(), format!("utfhdl {}", self.version)),
            ("Command".to_owned(), self.command.clone()),
        ];
        let facts: Vec<_> = made.iter().chain(&self.facts).collect();
        let subject = facts.iter().map(|(subject, _)| subject.len()).max().unwrap_or(0);
        for (name, fact) in facts {
            writeln!(text, "// {name:subject$}  {fact}").expect("writing to a string");
        }
        text + "//\n" + &port_table(design)
    }
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
    let mut text = String::new();
    for [name, direction, bits, note] in &rows {
        let [w0, w1, w2] = widths;
        writeln!(text, "// {name:w0$}  {direction:w1$}  {bits:>w2$}  {note}").expect("writing to a string");
    }
    text
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
