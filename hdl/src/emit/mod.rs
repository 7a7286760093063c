//! The emitter writes any design as Verilog-2001 that people read; the same design always gives the same text.
//!
//! The text follows the source: names and headings are kept, a module reads from its inputs down to its outputs, a value
//! that is used once is written in line, and a value that is used more often has a name. The top module comes first, then
//! its sub-modules, whose names begin with that of the top. No tool should have anything to warn about; the waivers tell
//! Verilator not to expect a file for each sub-module, nor a timescale where other files have one.

mod case;
mod comment;
mod expression;
mod header;
mod literal;
mod lower;
mod module;
mod paragraph;
mod plan;
mod registers;

use std::collections::BTreeMap;

use crate::netlist::Design;

pub use self::comment::{comment, filled, heading};
pub use header::{Header, Table};
pub use module::ranged;

/// The most columns of a line.
const LINE_WIDTH: usize = 100;

/// The lines before the sub-modules, with the only warning that is switched off in the text.
const SUB_MODULES: &str = "\n// The modules below are parts of the one above and share its file.\n\
                           /* verilator lint_off DECLFILENAME */\n";

/// The line in front of modules without a timescale: files with one may be compiled before this one.
const NO_TIMESCALE: &str = "\n// There are no delays below, so a timescale makes no difference.\n\
                            /* verilator lint_off TIMESCALEMOD */\n";

/// The text of `design`, one file.
pub fn verilog(design: &Design, header: &Header) -> String {
    let mut text = header.text(design);
    text += &match &header.timescale {
        Some(timescale) => format!("\n`timescale {timescale}\n`default_nettype none\n"),
        None => format!("\n`default_nettype none\n{NO_TIMESCALE}"),
    };
    let modules = design.modules();
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
    if header.timescale.is_none() {
        text += "\n/* verilator lint_on TIMESCALEMOD */\n";
    }
    text + "\n`default_nettype wire\n"
}

/// The text of the top module of `design` alone, without a header.
pub fn top_module(design: &Design) -> String {
    module::text(&design.top, design, &BTreeMap::new())
}

/// Name of `module` in the text of `design`: sub-modules carry the top's as prefix.
fn module_name(module: &crate::netlist::Module, design: &Design) -> String {
    let top = &*design.top;
    match std::ptr::eq(module, top) {
        true => top.name().to_owned(),
        false => format!("{}_{}", top.name(), module.name()),
    }
}
