//! The text of one module.

use crate::netlist::{Design, Direction, Instance, Module, NodeId, Op, Port, Register};

use super::expression::{Expressions, literal};
use super::header::reset_note;
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
        let mut text = comment(self.module.summary(), 0);
        text += &format!("module {} (\n{}\n);\n", module_name(self.module, self.design), self.ports());
        text += &self.forward_declarations();
        for index in 0..self.module.sections().len() {
            text += &self.section(index);
        }
        text += &self.outputs();
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
        let lines: Vec<String> =
            forward.map(|id| format!("    {};\n", self.declaration("wire", id))).collect();
        if lines.is_empty() {
            return String::new();
        }
        "\n    // Driven further down: these flow against the order of the text.\n".to_owned()
            + &lines.concat()
    }

    fn section(&self, index: usize) -> String {
        let mut text = String::new();
        for item in self.plan.items(self.module, index) {
            text += &match item {
                Item::Node(id) => self.definition(id),
                Item::Instance(index) => self.instance(&self.module.instances()[index]),
            };
        }
        let registers: Vec<&Register> =
            self.module.registers().iter().filter(|r| r.section == index).collect();
        text += &self.always_blocks(&registers);
        let title = &self.module.sections()[index].title;
        if text.is_empty() || title.is_empty() {
            return if text.is_empty() { text } else { format!("\n{}", text.trim_start_matches('\n')) };
        }
        let rule = "-".repeat(LINE_WIDTH - 7);
        format!("\n    // {rule}\n{}    // {rule}\n{text}", comment(title, 4))
    }

    /// Declares a named node and drives it.
    fn definition(&self, id: NodeId) -> String {
        let node = self.module.node(id);
        match &node.op {
            Op::Register(_) => self.with_note(format!("    {};", self.declaration("reg", id)), id),
            Op::Const(value) => {
                let value = literal(value);
                self.with_note(format!("    {} = {value};", self.declaration("localparam", id)), id)
            }
            Op::Case(key, arms, default) => self.case(id, *key, arms, *default),
            _ => {
                let start = match self.plan.is_forward(id) {
                    true => {
                        format!("    assign {} = ", self.plan.name(id).expect("only named nodes are defined"))
                    }
                    false => format!("    {} = ", self.declaration("wire", id)),
                };
                let expression = self.expressions.define(id);
                let value = expression.wrapped(LINE_WIDTH.saturating_sub(start.len() + 1), 8);
                self.with_note(format!("{start}{value};"), id)
            }
        }
    }

    fn case(
        &self,
        id: NodeId,
        key: NodeId,
        arms: &[(Vec<crate::netlist::Bits>, NodeId)],
        default: NodeId,
    ) -> String {
        let name = self.plan.name(id).expect("a case has a name");
        let mut text = self.with_note(format!("    {};", self.declaration("reg", id)), id);
        text += "    always @* begin\n";
        text += &format!("        case ({})\n", self.expressions.read(key).line());
        for (labels, value) in arms {
            let labels: Vec<String> = labels.iter().map(literal).collect();
            text += &format!(
                "            {}: {name} = {};\n",
                labels.join(", "),
                self.expressions.read(*value).line()
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
        let (mut inputs, mut outputs) = (instance.inputs.iter(), instance.outputs.iter());
        for port in module.ports() {
            let node = match port.direction {
                Direction::Input => inputs.next(),
                Direction::Output => outputs.next(),
            };
            let node = node.expect("as many as ports");
            let driver = node.map_or(String::new(), |id| self.expressions.read(id).line());
            connections.push((port.name.clone(), driver));
        }
        let widest = connections.iter().map(|(port, _)| port.len()).max().unwrap_or(0);
        let driven = instance.outputs.iter().flatten().filter(|id| !self.plan.is_forward(**id));
        let declarations: String =
            driven.map(|id| self.with_note(format!("    {};", self.declaration("wire", *id)), *id)).collect();
        let lines: Vec<String> =
            connections.iter().map(|(port, driver)| format!("        .{port:widest$} ({driver})")).collect();
        let name = module_name(module, self.design);
        format!("\n{declarations}    {name} {} (\n{}\n    );\n\n", instance.name, lines.join(",\n"))
    }

    /// Registers of one section; those with the same enable and kind of reset share a block.
    fn always_blocks(&self, registers: &[&Register]) -> String {
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
        groups.iter().map(|group| format!("\n{}", self.always(group))).collect()
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
        let mut text = String::from("\n");
        for port in outputs {
            let start = format!("    assign {:widest$} = ", port.name);
            let value =
                self.expressions.read(port.node).wrapped(LINE_WIDTH.saturating_sub(start.len() + 1), 8);
            text += &format!("{start}{value};\n");
        }
        text
    }

    fn declaration(&self, kind: &str, id: NodeId) -> String {
        let name = self.plan.name(id).expect("only named nodes are declared");
        match self.module.node(id).width {
            1 => format!("{kind} {name}"),
            width => format!("{kind} [{}:0] {name}", width - 1),
        }
    }

    /// A statement with the node's note as a comment: behind it where that fits, else above.
    fn with_note(&self, statement: String, id: NodeId) -> String {
        let Some(note) = &self.module.node(id).note else { return format!("{statement}\n") };
        if !statement.contains('\n') && statement.len() + note.len() + 5 <= LINE_WIDTH {
            return format!("{statement}  // {note}\n");
        }
        format!("{}{statement}\n", comment(note, 4))
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
