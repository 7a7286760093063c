//! The properties of a core as text for SymbiYosys: a module with the core in it and the rules beside it, and the file that tells
//! `sby` what to do.
//!
//! A rule is a module of its own, with the ports of the core as its inputs: what [`stream`] and [`spec`] build, as
//! the emitter writes it.

use utfhdl_hdl::core::Core;
use utfhdl_hdl::emit::{comment, filled, heading, ranged, top_module};
use utfhdl_hdl::netlist::{Design, Signal};

use super::bench::{BAD, Bench, beside};
use super::{spec, stream};

/// Both files.
pub struct Formal {
    /// The rules, in SystemVerilog as Yosys reads it.
    pub rules: String,
    /// The tasks of `sby`.
    pub tasks: String,
}

/// A group of rules that are proved together.
struct Task {
    name: &'static str,
    /// The assumption about the reset: it may come again in the middle of a run.
    resets_again: bool,
    rules: Vec<Rule>,
}

struct Rule {
    name: String,
    says: &'static str,
    design: Design,
}

impl Formal {
    /// The files of a core. `sby` finds the core in a file of its name beside them.
    pub fn new(core: &Core) -> Self {
        let tasks = tasks(core);
        Self { rules: rules(core, &tasks), tasks: sby(core, &tasks) }
    }
}

fn rule(
    core: &Core,
    name: &str,
    says: &'static str,
    bad: impl for<'m> Fn(&Bench<'m>) -> Option<Signal<'m>>,
) -> Option<Rule> {
    let name = name.replace('-', "_");
    let module = format!("{}_{name}", core.design.top.name());
    let design = beside(core, &module, &format!("1 where this does not hold: {says}"), bad)?;
    Some(Rule { name, says, design })
}

fn tasks(core: &Core) -> Vec<Task> {
    let of_stream =
        stream::RULES.iter().filter_map(|of| rule(core, of.name, of.says, |bench| (of.bad)(bench)));
    // The layer of a status holds up beats by logic that a second description does not have, and it follows the beats of one stream.
    let is_described = !core.spec.status && core.spec.streams == 0;
    let of_spec = is_described.then(|| rule(core, "spec", spec::says(core), spec::bad)).flatten();
    let stream = Task { name: "stream", resets_again: true, rules: of_stream.collect() };
    let spec = Task { name: "spec", resets_again: false, rules: of_spec.into_iter().collect() };
    [stream, spec].into_iter().filter(|task| !task.rules.is_empty()).collect()
}

fn rules(core: &Core, tasks: &[Task]) -> String {
    let module = core.design.top.name();
    let about = format!(
        "{module}_formal: {module}, and what utfhdl proves of it. {module}_formal.sby has SymbiYosys prove the same. Each rule is a \
         module with an output that is 1 where the rule does not hold. The names of tasks are macros that bring their rules in."
    );
    let mut text = String::from("// SPDX-License-Identifier: MIT OR Apache-2.0\n//\n");
    text += &comment(&about, 0);
    text += &format!("//\n// Generator  utfhdl {}\n", env!("CARGO_PKG_VERSION"));
    let command = core.command() + " --formal";
    text += &filled("// Command    ", "//            ", command.split(' '));
    text += &format!("\n`default_nettype none\n\nmodule {module}_formal (\n{}\n);\n", ports(core, tasks));
    text += &outputs(core);
    text += &format!("\n    {module} core (.*);\n");
    let reset = core.design.reset;
    let active = if reset.active_level() { "" } else { "!" };
    text += &format!(
        "
    // The first cycle is one of reset.
    wire in_reset = {active}{port};
    reg  was_reset = 1'b0;
    always @(posedge clk) was_reset <= 1'b1;
    always @(*) if (!was_reset) assume (in_reset);
",
        port = reset.port()
    );
    for task in tasks {
        text += &format!(
            "\n`ifdef {}\n{}",
            task.name.to_uppercase(),
            heading(&format!("The task {}", task.name))
        );
        if !task.resets_again {
            text += "    // There is one reset only.\n    always @(*) if (was_reset) assume (!in_reset);\n";
        }
        for rule in &task.rules {
            text += &format!("\n{}    wire {BAD}_{};\n", comment(rule.says, 4), rule.name);
            let (name, module) = (&rule.name, rule.design.top.name());
            text += &format!("    {module} rule_{name} (.*, .{BAD}({BAD}_{name}));\n");
            text += &format!("    always @(*) if (was_reset) {name}: assert (!{BAD}_{name});\n");
        }
        text += "`endif\n";
    }
    text += "\nendmodule\n";
    for rule in tasks.iter().flat_map(|task| &task.rules) {
        text += &format!("\n{}", top_module(&rule.design));
    }
    text + "\n`default_nettype wire\n"
}

/// The inputs of the module: the core's, and the free choices of the rules.
fn ports(core: &Core, tasks: &[Task]) -> String {
    let mut inputs = vec![("clk", 1), (core.design.reset.port(), 1)];
    let of_rules = tasks.iter().flat_map(|task| &task.rules).map(|rule| &rule.design.top);
    let of_core = std::iter::once(&core.design.top);
    for port in of_core.chain(of_rules).flat_map(|top| top.inputs()) {
        let is_known = core.design.top.outputs().any(|output| output.name == port.name)
            || inputs.iter().any(|(name, _)| *name == port.name);
        if !is_known {
            inputs.push((&port.name, port.width));
        }
    }
    let lines: Vec<String> =
        inputs.iter().map(|(name, width)| format!("    input wire {}", ranged(name, *width))).collect();
    lines.join(",\n")
}

fn outputs(core: &Core) -> String {
    core.design.top.outputs().map(|port| format!("    wire {};\n", ranged(&port.name, port.width))).collect()
}

/// The file for `sby`.
fn sby(core: &Core, tasks: &[Task]) -> String {
    let module = core.design.top.name();
    let names: String = tasks.iter().map(|task| format!("{}\n", task.name)).collect();
    let reads: String = tasks
        .iter()
        .map(|task| {
            let (name, defined) = (task.name, task.name.to_uppercase());
            format!("{name}: read_verilog -sv -formal -D {defined} {module}_formal.sv\n")
        })
        .collect();
    format!(
        "# What utfhdl proves of {module}: run `sby {module}_formal.sby` beside {module}.v and {module}_formal.sv.\n\n\
         [tasks]\n{names}\n[options]\nmode prove\n\n[engines]\nabc pdr\n\n\
         [script]\nread_verilog {module}.v\n{reads}prep -top {module}_formal\n\n\
         [files]\n{module}.v\n{module}_formal.sv\n"
    )
}
