//! The text of one module.

use crate::netlist::{Arm, Design, Direction, Instance, Module, NodeId, Op, Port, Register, disjoint};

use super::expression::{Expressions, label, literal};
use super::header::reset_note;
use super::paragraph::{Kind, Statement, statements};
use super::plan::{Item, Plan};
use super::{LINE_WIDTH, comment, module_name};

/// The text of `module`, a part of `design`.
pub(super) fn text(module: &Module, design: &Design) -> String {
    let plan = Plan::new(module);
    let writer = Writer { module, design, plan: &plan, expressions: Expressions { module, plan: &plan } };
    writer.text()
}

struct Writer<'m> {
    module: &'m Module,
    design: &'m Design,
    plan: &'m Plan,
    expressions: Expressions<'m>,
}

impl Writer<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        // The head of the file has said what the top is.
        if self.module.name() != self.design.top.name() {
            text += &comment(self.module.summary(), 0);
        }
        text += &format!("module {} (\n{}\n);\n", module_name(self.module, self.design), self.ports());
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
            let line = match note.is_empty() {
                true => format!("    {declaration}{comma}"),
                false => format!("    {:widest$} // {note}", declaration + comma),
            };
            text += &line;
            text += if index + 1 < count { "\n" } else { "" };
        }
        text
    }

    /// Declarations of what is read before the place where it is driven.
    fn forward_declarations(&self) -> String {
        let forward =
            (0..self.module.nodes().len() as u32).map(NodeId).filter(|id| self.plan.is_forward(*id));
        let mut lines: Vec<Statement> = forward
            .map(|id| match self.module.node(id).op {
                // These are driven elsewhere without being declared again, so what is noted is noted here.
                Op::Register(_) => self.declaration("reg", id),
                Op::Case(..) if self.plan.is_block(self.module, id) => self.declaration("reg", id),
                Op::Const(_) => self.parameter(id),
                _ => Statement { note: None, ..self.declaration("wire", id) },
            })
            .collect();
        if lines.is_empty() {
            return String::new();
        }
        lines.sort_by_key(|line| (line.kind == Kind::Declaration, line.keyword));
        "    // driven further down, against the order of the text\n".to_owned() + &statements(&lines)
    }

    /// The paragraphs of a section, the first under its heading.
    fn section(&self, index: usize) -> Vec<String> {
        let mut paragraphs = Vec::new();
        let mut lines = Vec::new();
        for item in self.plan.items(self.module, index) {
            let apart = match item {
                Item::Node(id) => match &self.module.node(id).op {
                    Op::Case(key, arms, default) if self.plan.is_block(self.module, id) => {
                        self.case(id, *key, arms, *default)
                    }
                    Op::Register(_) | Op::Const(_) if self.plan.is_forward(id) => continue,
                    _ => {
                        let line = self.definition(id);
                        if lines.last().is_some_and(|last: &Statement| last.kind != line.kind) {
                            paragraphs.push(statements(&std::mem::take(&mut lines)));
                        }
                        lines.push(line);
                        continue;
                    }
                },
                Item::Instance(index) => self.instance(&self.module.instances()[index]),
            };
            paragraphs.extend([statements(&std::mem::take(&mut lines)), apart]);
        }
        paragraphs.push(statements(&lines));
        let registers: Vec<&Register> =
            self.module.registers().iter().filter(|r| r.section == index).collect();
        paragraphs.extend(self.always_blocks(&registers));
        paragraphs.retain(|paragraph| !paragraph.is_empty());
        let title = &self.module.sections()[index].title;
        if let Some(first) = paragraphs.first_mut().filter(|_| !title.is_empty()) {
            let rule = "-".repeat(LINE_WIDTH - 7);
            *first = format!("    // {rule}\n{}    // {rule}\n{first}", comment(title, 4));
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
                statement.value = self.expressions.define(id).wrapped(statement.room(), 8);
                statement
            }
        }
    }

    fn case(&self, id: NodeId, key: NodeId, arms: &[Arm], default: NodeId) -> String {
        let name = self.plan.name(id).expect("a case has a name");
        let mut text = match self.plan.is_forward(id) {
            true => String::new(),
            false => statements(&[self.declaration("reg", id)]),
        };
        text += "    always @* begin\n";
        let is_exact = arms.iter().flat_map(|arm| &arm.labels).all(crate::netlist::Pattern::is_exact);
        let keyword = if is_exact { "case" } else { "casez" };
        text += &format!("        {keyword} ({})\n", self.expressions.read(key).line());
        let labels: Vec<_> = arms.iter().map(|arm| arm.labels.clone()).collect();
        for (arm, labels) in arms.iter().zip(disjoint(&labels)) {
            if let Some(note) = &arm.note {
                text += &comment(note, 12);
            }
            let labels: Vec<String> = labels.iter().map(label).collect();
            text += &format!(
                "            {}: {name} = {};\n",
                labels.join(", "),
                self.expressions.read(arm.value).line()
            );
        }
        text += &format!("            default: {name} = {};\n", self.expressions.read(default).line());
        text + "        endcase\n    end\n"
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
        for port in module.ports() {
            let node = match port.direction {
                Direction::Input => inputs.next(),
                Direction::Output => outputs.next(),
            };
            let node = node.expect("as many as ports");
            let room = LINE_WIDTH.saturating_sub("        . (),".len() + widest);
            let driver = node.map_or(String::new(), |id| self.expressions.read(id).wrapped(room, 12));
            connections.push((port.name.clone(), driver));
        }
        let driven = instance.outputs.iter().flatten().filter(|id| !self.plan.is_forward(**id));
        let declarations: Vec<Statement> = driven.map(|id| self.declaration("wire", *id)).collect();
        let lines: Vec<String> =
            connections.iter().map(|(port, driver)| format!("        .{port:widest$} ({driver})")).collect();
        let name = module_name(module, self.design);
        let declarations = statements(&declarations);
        format!("{declarations}    {name} {} (\n{}\n    );\n", instance.name, lines.join(",\n"))
    }

    /// Registers of one section; those with the same enable and kind of reset share a block.
    fn always_blocks(&self, registers: &[&Register]) -> Vec<String> {
        let mut groups: Vec<Vec<&Register>> = Vec::new();
        for register in registers {
            let alike = |other: &&Register| {
                other.enable == register.enable && other.reset.is_some() == register.reset.is_some()
            };
            match groups.iter_mut().find(|group| group.first().is_some_and(alike)) {
                Some(group) => group.push(register),
                None => groups.push(vec![register]),
            }
        }
        groups.iter().map(|group| self.always(group)).collect()
    }

    fn always(&self, group: &[&Register]) -> String {
        let name = |register: &Register| self.plan.name(register.node).expect("a register has a name");
        let load = |indent: usize| -> String {
            let line = |register: &&Register| {
                let start = format!("{:indent$}{} <= ", "", name(register));
                let next = self.expressions.read(register.next.expect("a finished module is driven"));
                let value = next.wrapped(LINE_WIDTH.saturating_sub(start.len() + 1), indent + 4);
                format!("{start}{value};\n")
            };
            group.iter().map(line).collect()
        };
        let enable = group[0].enable.map(|enable| self.expressions.read(enable).line());
        let reset = self.design.reset;
        let mut text = String::from("    always @(posedge clk");
        if group[0].reset.is_none() {
            text += ") begin\n";
            text += &match enable {
                None => load(8),
                Some(enable) => format!("        if ({enable}) begin\n{}        end\n", load(12)),
            };
            return text + "    end\n";
        }
        if reset.is_asynchronous() {
            let edge = if reset.active_level() { "posedge" } else { "negedge" };
            text += &format!(" or {edge} {}", reset.port());
        }
        let active = if reset.active_level() { "" } else { "!" };
        text += &format!(") begin\n        if ({active}{}) begin\n", reset.port());
        for register in group {
            let value = register.reset.as_ref().expect("the group has reset values");
            text += &format!("            {} <= {};\n", name(register), literal(value));
        }
        text += &match enable {
            None => format!("        end else begin\n{}        end\n", load(12)),
            Some(enable) => format!("        end else if ({enable}) begin\n{}        end\n", load(12)),
        };
        text + "    end\n"
    }

    /// Drives the output ports.
    fn outputs(&self) -> String {
        let outputs: Vec<&Port> = self.module.outputs().collect();
        let widest = outputs.iter().map(|port| port.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for port in outputs {
            let start = format!("    assign {:widest$} = ", port.name);
            let value =
                self.expressions.read(port.node).wrapped(LINE_WIDTH.saturating_sub(start.len() + 1), 8);
            text += &format!("{start}{value};\n");
        }
        text
    }

    /// A named constant.
    fn parameter(&self, id: NodeId) -> Statement {
        let Op::Const(value) = &self.module.node(id).op else {
            unreachable!("only constants are parameters")
        };
        Statement { kind: Kind::Parameter, value: literal(value), ..self.declaration("localparam", id) }
    }

    /// The declaration of a named node, with its note.
    fn declaration(&self, keyword: &'static str, id: NodeId) -> Statement {
        let node = self.module.node(id);
        let name = self.plan.name(id).expect("only named nodes are declared").to_owned();
        let range = if node.width == 1 { String::new() } else { format!("[{}:0]", node.width - 1) };
        let (value, note) = (String::new(), node.note.clone());
        Statement { kind: Kind::Declaration, keyword, range, name, value, note }
    }
}

fn port_declaration(port: &Port) -> String {
    let direction = match port.direction {
        Direction::Input => "input ",
        Direction::Output => "output",
    };
    let range = if port.width == 1 { String::new() } else { format!("[{}:0]", port.width - 1) };
    format!("{direction} wire {range:<6} {}", port.name)
}
