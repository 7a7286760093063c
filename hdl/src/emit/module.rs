//! The text of a module: ports, sections, instances, outputs.

use std::collections::BTreeMap;

use crate::netlist::{Design, Direction, Module, Port};

use super::comment::{LINE_WIDTH, comment, filled};
use super::declaration::range;
use super::expression::{INDEX, Room};
use super::header::reset_note;
use super::lower::Expressions;
use super::memory;
use super::module_name::module_name;
use super::plan::Plan;
use super::rom;

/// The text of `module`, a part of `design`, with attributes of its ports.
pub(super) fn text(module: &Module, design: &Design, attributes: &BTreeMap<String, Vec<String>>) -> String {
    let plan = Plan::new(module);
    let expressions = Expressions { module, names: &plan.names };
    let writer = Writer { module, design, attributes, plan: &plan, expressions };
    writer.text()
}

pub(super) struct Writer<'m> {
    pub(super) module: &'m Module,
    pub(super) design: &'m Design,
    attributes: &'m BTreeMap<String, Vec<String>>,
    pub(super) plan: &'m Plan,
    pub(super) expressions: Expressions<'m>,
}

impl Writer<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        // The head of the file describes the top module.
        if self.module.name() != self.design.top.name() {
            text += &comment(self.module.summary(), 0);
        }
        let start = format!("module {} (", module_name(self.module, self.design));
        // After a very long name, the parenthesis has its own line.
        let start = if start.len() > LINE_WIDTH { start.replace(" (", "\n(") } else { start };
        text += &format!("{start}\n{});\n", self.ports());
        let mut paragraphs = Vec::new();
        if let Some(memory) = self.module.memory() {
            paragraphs = memory::paragraphs(memory);
        } else if let Some(rom) = self.module.rom() {
            paragraphs = rom::paragraphs(rom);
        } else {
            for index in 0..self.module.sections().len() {
                paragraphs.extend(self.section(index));
            }
            paragraphs.push(self.outputs());
        }
        if paragraphs.iter().any(|paragraph| paragraph.contains("    generate\n")) {
            paragraphs.insert(0, format!("    genvar {INDEX};\n"));
        }
        for paragraph in paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty()) {
            text += &format!("\n{paragraph}");
        }
        text + "\nendmodule\n"
    }

    fn ports(&self) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut group = "";
        if self.module.has_clock() {
            lines.push(("input  wire        clk".to_owned(), "clock, rising edge".to_owned()));
        }
        if self.module.has_reset() {
            let name = self.design.reset.port();
            lines.push((format!("input  wire        {name}"), reset_note(self.design).to_owned()));
        }
        let mut headings: Vec<(usize, &str)> = Vec::new();
        for port in self.module.ports_by_group() {
            if port.group != group {
                group = &port.group;
                headings.push((lines.len(), group));
            }
            lines.push((port_declaration(port), port.note.clone()));
        }
        let widest = lines.iter().map(|(declaration, _)| declaration.len()).max().unwrap_or(0) + 1;
        let count = lines.len();
        let mut text = String::new();
        for (index, (declaration, note)) in lines.into_iter().enumerate() {
            if let Some((_, heading)) = headings.iter().find(|(at, _)| *at == index) {
                text += if index > 0 { "\n" } else { "" };
                text += &comment(heading, 4);
            }
            let comma = if index + 1 < count { "," } else { "" };
            let port = declaration.rsplit(' ').next().unwrap_or_default();
            for attribute in self.attributes.get(port).into_iter().flatten() {
                text += &format!("    (* {attribute} *)\n");
            }
            text += &match note.is_empty() {
                true => format!("    {declaration}{comma}\n"),
                false => {
                    let start = format!("    {:widest$} // ", declaration + comma);
                    filled(&start, &format!("    {:widest$} // ", ""), note.split_whitespace())
                }
            };
        }
        text
    }

    /// Drives the output ports.
    fn outputs(&self) -> String {
        let outputs: Vec<&Port> = self.module.outputs().collect();
        let widest = outputs.iter().map(|port| port.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for port in outputs {
            let start = format!("    assign {:widest$} = ", port.name);
            let room = Room { column: start.len(), indent: 8, tail: ";".len() };
            let value = self.expressions.read(port.node).wrapped(room);
            text += &format!("{start}{value};\n");
        }
        text
    }
}

fn port_declaration(port: &Port) -> String {
    let direction = match port.direction {
        Direction::Input => "input ",
        Direction::Output => "output",
    };
    let range = range(port.width);
    format!("{direction} wire {range:<6} {}", port.name)
}
