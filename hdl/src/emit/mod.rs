//! The emitter writes any design as Verilog-2001 that people read; the same design always gives the same text.
//!
//! The text follows the source: names and headings are kept, a module reads from its inputs down to its outputs, a value
//! that is used once is written in line, and a value that is used more often has a name. The top module comes first, then
//! its sub-modules, whose names begin with that of the top. No tool should have anything to warn about; the waivers tell
//! Verilator not to expect a file for each sub-module, nor a timescale where other files have one, nor a wire at each output.

mod alike;
mod case;
mod comment;
mod declaration;
mod expression;
mod header;
mod literal;
mod lower;
mod memory;
mod module;
mod module_name;
mod names;
mod paragraph;
mod plan;
mod registers;
mod rolls;
mod rom;
mod section;
mod vectors;

use std::collections::{BTreeMap, HashMap};

use self::names::Whole;
use self::plan::Plan;
use crate::netlist::{Design, Instance, Module};

pub use self::comment::{comment, filled, heading};
pub use declaration::ranged;
pub use header::{Header, Table};

/// The lines before the sub-modules, with the only warning that is switched off in the text.
const SUB_MODULES: &str = "\n// The modules below are parts of the one above and share its file.\n\
                           /* verilator lint_off DECLFILENAME */\n";

/// The line in front of modules without a timescale: files with one may be compiled before this one.
const NO_TIMESCALE: &str = "\n// There are no delays below, so a timescale makes no difference.\n\
                            /* verilator lint_off TIMESCALEMOD */\n";

/// The line in front of modules with instances of which an output is left open.
const OPEN_OUTPUTS: &str = "\n// Outputs of instances that nothing reads are left open.\n\
                            /* verilator lint_off PINCONNECTEMPTY */\n";

/// The text of `design`, one file.
pub fn verilog(design: &Design, header: &Header) -> String {
    let mut text = header.text(design);
    text += &match &header.timescale {
        Some(timescale) => format!("\n`timescale {timescale}\n`default_nettype none\n"),
        None => format!("\n`default_nettype none\n{NO_TIMESCALE}"),
    };
    let modules = design.modules();
    let has_open_outputs = modules.iter().flat_map(|module| module.instances()).any(has_open_output);
    text += if has_open_outputs { OPEN_OUTPUTS } else { "" };
    for (index, module) in modules.iter().rev().enumerate() {
        if index == 1 {
            text += SUB_MODULES;
        }
        let attributes = if index == 0 { &header.attributes } else { &BTreeMap::new() };
        text += &format!("\n{}", module::text(module, design, attributes));
    }
    if modules.len() > 1 {
        text += "\n/* verilator lint_on DECLFILENAME */\n";
    }
    text += if has_open_outputs { "\n/* verilator lint_on PINCONNECTEMPTY */\n" } else { "" };
    if header.timescale.is_none() {
        text += "\n/* verilator lint_on TIMESCALEMOD */\n";
    }
    text + "\n`default_nettype wire\n"
}

fn has_open_output(instance: &Instance) -> bool {
    instance.outputs.iter().any(Option::is_none)
}

/// The names of the bits of registers in the text of `design` that differ from those in the netlist, where a register is an element of a
/// vector, or in an instance that a loop makes. Names have those of the instances in front of them, with dots.
pub fn register_names(design: &Design) -> HashMap<String, String> {
    let mut names = HashMap::new();
    add_register_names(&design.top, ["", ""], &mut names);
    names
}

/// Adds the names of the registers of a module; `above` is the path to it in the netlist, and in the text.
fn add_register_names(module: &Module, above: [&str; 2], names: &mut HashMap<String, String>) {
    let plan = Plan::new(module);
    let bit_name = |name: &str, bit: u32, is_bit: bool| match is_bit {
        true => name.to_owned(),
        false => format!("{name}[{bit}]"),
    };
    for (index, register) in module.registers().iter().enumerate() {
        let (node, (whole, low)) = (module.node(register.node), plan.names.whole(register.node));
        let Some(name) = &node.name else { continue };
        let (of_text, is_bit) = match (whole, module.memory()) {
            // The words of a memory are its first registers.
            (_, Some(memory)) if index < memory.words as usize => (memory::word(index), node.width == 1),
            (Whole::Vector(vector), _) => (plan.vector(vector).0.name.clone(), false),
            (Whole::Node(_), _) => (name.clone(), node.width == 1),
        };
        for bit in 0..node.width {
            let in_netlist = format!("{}{}", above[0], bit_name(name, bit, node.width == 1));
            let in_text = format!("{}{}", above[1], bit_name(&of_text, low + bit, is_bit));
            if in_netlist != in_text {
                names.insert(in_netlist, in_text);
            }
        }
    }
    for (index, instance) in module.instances().iter().enumerate() {
        let paths = [instance.name.clone(), plan.path(index, instance)];
        let [in_netlist, in_text] = [0, 1].map(|side| format!("{}{}.", above[side], paths[side]));
        add_register_names(&instance.module, [&in_netlist, &in_text], names);
    }
}

/// The text of the top module of `design` alone, without a header.
pub fn top_module(design: &Design) -> String {
    module::text(&design.top, design, &BTreeMap::new())
}
