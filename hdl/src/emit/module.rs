//! The text of a module: ports, sections, instances, outputs.

use std::collections::BTreeMap;

use crate::netlist::{Design, Direction, Instance, Module, NodeId, Op, Port, Register};

use super::expression::{Expression, Room};
use super::header::reset_note;
use super::literal::{Use, literal};
use super::lower::Expressions;
use super::paragraph::{Kind, Statement, statements};
use super::plan::{Item, Plan, is_declared_first};
use super::{LINE_WIDTH, case, comment, filled, heading, module_name, registers};

/// The text of `module`, a part of `design`, with attributes of its ports.
pub(super) fn text(module: &Module, design: &Design, attributes: &BTreeMap<String, Vec<String>>) -> String {
    let plan = Plan::new(module);
    let expressions = Expressions { module, plan: &plan };
    let writer = Writer { module, design, attributes, plan: &plan, expressions };
    writer.text()
}

struct Writer<'m> {
    module: &'m Module,
    design: &'m Design,
    attributes: &'m BTreeMap<String, Vec<String>>,
    plan: &'m Plan,
    expressions: Expressions<'m>,
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
        let mut paragraphs = vec![self.forward_declarations()];
        for index in 0..self.module.sections().len() {
            paragraphs.extend(self.section(index));
        }
        paragraphs.push(self.outputs());
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

    /// Declarations of signals that are read before they are driven.
    fn forward_declarations(&self) -> String {
        let forward =
            (0..self.module.nodes().len() as u32).map(NodeId).filter(|id| self.plan.is_forward(*id));
        let mut lines: Vec<Statement> = forward
            .map(|id| match self.module.node(id).op {
                // A signal that is driven later without a second declaration has its note here.
                Op::Register(_) => self.declaration("reg", id),
                Op::Case(..) if self.is_in_block(id) => self.declaration("reg", id),
                Op::Const(_) => self.parameter(id),
                _ => Statement { note: None, ..self.declaration("wire", id) },
            })
            .collect();
        if lines.is_empty() {
            return String::new();
        }
        lines.sort_by_key(|line| (line.kind == Kind::Declaration, line.keyword));
        "    // Signals that run against the order of the text, each driven further down.\n".to_owned()
            + &statements(&lines)
    }

    /// Whether a node is driven in an `always @*` block.
    fn is_in_block(&self, id: NodeId) -> bool {
        let items = self.plan.items(self.module.node(id).section);
        items.iter().any(|item| matches!(item, Item::Block(columns) if columns.contains(&id)))
    }

    /// The paragraphs of a section, the first under its heading: parameters and registers, the logic, and the
    /// assignments of registers.
    fn section(&self, index: usize) -> Vec<String> {
        let items = self.plan.items(index);
        let mut paragraphs = Vec::new();
        let declared_first = |id: NodeId| is_declared_first(&self.module.node(id).op);
        let mut declarations: Vec<Statement> = items
            .iter()
            .filter_map(|item| match item {
                Item::Node(id) if declared_first(*id) && !self.plan.is_forward(*id) => {
                    Some(self.definition(*id))
                }
                _ => None,
            })
            .collect();
        declarations.sort_by_key(|line| line.kind == Kind::Declaration);
        for alike in declarations.chunk_by(|a, b| a.kind == b.kind) {
            paragraphs.push(statements(alike));
        }
        let mut lines = Vec::new();
        for item in items {
            let apart = match item {
                Item::Node(id) if declared_first(*id) => continue,
                Item::Node(id) => {
                    lines.push(self.definition(*id));
                    continue;
                }
                Item::Block(columns) => self.case(columns),
                Item::Instance(index) => self.instance(&self.module.instances()[*index]),
            };
            paragraphs.extend([statements(&std::mem::take(&mut lines)), apart]);
        }
        paragraphs.push(statements(&lines));
        let registers: Vec<&Register> =
            self.module.registers().iter().filter(|register| register.section == index).collect();
        paragraphs.extend(registers::blocks(&self.expressions, self.design.reset, &registers));
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        let title = self.module.sections()[index].heading();
        if let Some(first) = paragraphs.first_mut().filter(|_| !title.is_empty()) {
            first.insert_str(0, &heading(&title));
        }
        paragraphs
    }

    /// Declares a named node and, unless that is done elsewhere, drives it.
    fn definition(&self, id: NodeId) -> Statement {
        match &self.module.node(id).op {
            Op::Register(_) => self.declaration("reg", id),
            Op::Const(_) => self.parameter(id),
            _ => {
                let mut statement = Statement { kind: Kind::Logic, ..self.declaration("wire", id) };
                if self.plan.is_forward(id) {
                    (statement.keyword, statement.range) = ("assign", String::new());
                }
                let column = statement.column();
                let room = Room { column, indent: 8, tail: ";".len() };
                statement.value = self.expressions.define(id).wrapped(room);
                statement
            }
        }
    }

    /// Declares cases that share a block, and drives them.
    fn case(&self, columns: &[NodeId]) -> String {
        let declared: Vec<Statement> = columns
            .iter()
            .filter(|id| !self.plan.is_forward(**id))
            .map(|id| self.declaration("reg", *id))
            .collect();
        statements(&declared) + &case::block(&self.expressions, columns)
    }

    fn instance(&self, instance: &Instance) -> String {
        let module = &instance.module;
        let mut connections: Vec<(String, String)> = Vec::new();
        if module.has_clock() {
            connections.push(("clk".to_owned(), "clk".to_owned()));
        }
        if module.has_reset() {
            let reset = self.design.reset.port().to_owned();
            connections.push((reset.clone(), reset));
        }
        let names = module.ports().iter().map(|port| port.name.len());
        let widest = names.chain(connections.iter().map(|(port, _)| port.len())).max().unwrap_or(0);
        let (mut inputs, mut outputs) = (instance.inputs.iter(), instance.outputs.iter());
        let mut unused = Vec::new();
        for port in module.ports() {
            let node = match port.direction {
                Direction::Input => inputs.next(),
                Direction::Output => outputs.next(),
            };
            let node = *node.expect("there is a node for each port");
            let room = Room { column: "        . (".len() + widest, indent: 12, tail: "),".len() };
            let expression = |id| match self.plan.fields(id) {
                [] => self.expressions.read(id),
                fields => {
                    Expression::Concatenation(fields.iter().map(|id| self.expressions.read(*id)).collect())
                }
            };
            let driver = match node {
                Some(id) => expression(id).wrapped(room),
                None => {
                    unused.push(unused_output(instance, port));
                    unused[unused.len() - 1].name.clone()
                }
            };
            connections.push((port.name.clone(), driver));
        }
        let driven = instance.outputs.iter().flatten().flat_map(|id| match self.plan.fields(*id) {
            [] => vec![*id],
            fields => fields.to_vec(),
        });
        let driven = driven.filter(|id| !self.plan.is_forward(*id));
        let declarations = driven.map(|id| self.declaration("wire", id)).chain(unused);
        let declarations: Vec<Statement> = declarations.collect();
        let lines: Vec<String> =
            connections.iter().map(|(port, driver)| format!("        .{port:widest$} ({driver})")).collect();
        let name = module_name(module, self.design);
        let mut start = format!("    {name} {} (", instance.name);
        if start.len() > LINE_WIDTH {
            start = format!("    {name}\n        {} (", instance.name);
        }
        format!("{}{start}\n{}\n    );\n", statements(&declarations), lines.join(",\n"))
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

    /// A named constant.
    fn parameter(&self, id: NodeId) -> Statement {
        let Op::Const(value) = &self.module.node(id).op else {
            unreachable!("only constants are parameters")
        };
        Statement {
            kind: Kind::Parameter,
            value: literal(value, Use::Value),
            ..self.declaration("localparam", id)
        }
    }

    /// The declaration of a named node, with its note.
    fn declaration(&self, keyword: &'static str, id: NodeId) -> Statement {
        let node = self.module.node(id);
        let name = self.plan.name(id).expect("only named nodes are declared").to_owned();
        let range = range(node.width);
        let (value, note) = (String::new(), node.note.clone());
        Statement { kind: Kind::Declaration, keyword, range, name, value, note }
    }
}

/// A wire for an output that nothing reads, which linters want to see connected: from the name they know that this is meant.
fn unused_output(instance: &Instance, port: &Port) -> Statement {
    let name = format!("{}_{}_unused", instance.name, port.name);
    let range = range(port.width);
    Statement { kind: Kind::Declaration, keyword: "wire", range, name, value: String::new(), note: None }
}

/// The declaration of a name of `width` bits: `[7:0] data`, or `valid` for a single bit.
pub fn ranged(name: &str, width: u32) -> String {
    match range(width) {
        range if range.is_empty() => name.to_owned(),
        range => format!("{range} {name}"),
    }
}

/// The range of `width` bits, empty for one bit.
fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}

fn port_declaration(port: &Port) -> String {
    let direction = match port.direction {
        Direction::Input => "input ",
        Direction::Output => "output",
    };
    let range = range(port.width);
    format!("{direction} wire {range:<6} {}", port.name)
}
