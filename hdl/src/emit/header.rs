//! The comment at the head of a file: the module's purpose, the command that made it, and tables of
//! its ports and of its pipeline stages.

use std::collections::BTreeMap;

use crate::netlist::{Design, Direction, ScheduledStage};

use super::{comment, filled};

/// The parts of a file that are not in the netlist: most of its head, and what tools want to know of the module.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// The command that makes the file, without the folder to which it writes.
    pub command: String,
    /// Version of the generator.
    pub version: String,
    /// Further lines, such as the latency, each a subject and its text.
    pub facts: Vec<(String, String)>,
    /// Bits of each lane, of the ports that have lanes.
    pub lane_bits: BTreeMap<String, u32>,
    /// Further tables, below that of the ports.
    pub tables: Vec<Table>,
    /// The `` `timescale `` of the modules, if they have one: `1ns / 1ps`.
    pub timescale: Option<String>,
    /// Attributes of the ports of the top module, by port.
    pub attributes: BTreeMap<String, Vec<String>>,
}

/// A table in the head of a file. All rows have as many cells as the heading, and the last cell may take several lines.
#[derive(Clone, Debug)]
pub struct Table {
    /// The titles of the columns.
    pub heading: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table as comment, numbers to the right.
    fn text(&self) -> String {
        let rows = || std::iter::once(&self.heading).chain(&self.rows);
        let columns = self.heading.len() - 1;
        let width = |column: usize| rows().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let is_number = |cell: &String| cell.chars().all(|character| character.is_ascii_digit());
        let numbers = |column: usize| self.rows.iter().all(|row| is_number(&row[column]));
        let columns: Vec<(usize, bool)> =
            (0..columns).map(|column| (width(column), numbers(column))).collect();
        let line = |row: &Vec<String>| {
            let mut start = "// ".to_owned();
            for (cell, &(width, is_number)) in row.iter().zip(&columns) {
                start += &if is_number { format!("{cell:>width$}  ") } else { format!("{cell:width$}  ") };
            }
            let note = row.last().map_or("", String::as_str);
            filled(&start, &format!("//{:1$}", "", start.chars().count() - 2), note.split_whitespace())
        };
        rows().map(line).collect()
    }
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
        let tables = std::iter::once(self.port_table(design)).chain(self.tables.iter().cloned());
        let tables = tables.chain(stage_table(design));
        text + &tables.map(|table| "//\n".to_owned() + &table.text()).collect::<String>()
    }

    /// Clock, reset and ports; with the bits of a lane where there are several.
    fn port_table(&self, design: &Design) -> Table {
        let lanes = (!self.lane_bits.is_empty()).then_some("A lane");
        let heading = ["Port", "Dir", "Bits"].into_iter().chain(lanes).chain(["Meaning"]).map(str::to_owned);
        let row = |name: &str, direction: Direction, width: u32, note: &str| {
            let direction = match direction {
                Direction::Input => "in",
                Direction::Output => "out",
            };
            let of_lane = || self.lane_bits.get(name).map_or(String::new(), u32::to_string);
            let cells = [name.to_owned(), direction.to_owned(), width.to_string()].into_iter();
            cells.chain(lanes.map(|_| of_lane())).chain([note.to_owned()]).collect::<Vec<String>>()
        };
        let mut rows = Vec::new();
        if design.top.has_clock() {
            rows.push(row("clk", Direction::Input, 1, "clock, rising edge"));
        }
        if design.top.has_reset() {
            rows.push(row(design.reset.port(), Direction::Input, 1, reset_note(design)));
        }
        let ports = design.top.ports_by_group().into_iter();
        rows.extend(ports.map(|port| row(&port.name, port.direction, port.width, &port.note)));
        Table { heading: heading.collect(), rows }
    }
}

/// The subject of the line with the command.
const COMMAND: &str = "Command";

/// A command in parts: each word before its options, then each option with its value.
fn options(command: &str) -> Vec<&str> {
    let (words, options) = command.split_at(command.find(" --").unwrap_or(command.len()));
    let starts: Vec<usize> = options.match_indices(" --").map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(1).chain([options.len()]);
    let options = starts.iter().zip(ends).map(|(&start, end)| &options[start + 1..end]);
    words.split(' ').chain(options).collect()
}

/// The pipeline stages, if there are any.
fn stage_table(design: &Design) -> Option<Table> {
    let row = |ScheduledStage { part, stage, work, registers, bits }| {
        let name = part.map_or(String::new(), |part: String| part + " ") + &stage.to_string();
        vec![name, registers.to_string(), bits.to_string(), work.join("; ")]
    };
    let rows: Vec<Vec<String>> = design.top.schedule().into_iter().map(row).collect();
    let heading = ["Stage", "Registers", "Bits", "Work"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then_some(Table { heading, rows })
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
