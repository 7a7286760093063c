//! Verilog-2001 from any design, deterministic and made to be read.
//!
//! The text follows the source: names and headings survive, a module reads from its inputs down to its outputs, what
//! is used once stands where it is used, and what is used often has a name. The top module comes first, then its
//! sub-modules with the top's name as prefix. No tool should have anything to warn about; Verilator is told not to expect
//! a file for each sub-module.

mod case;
mod expression;
mod header;
mod literal;
mod lower;
mod module;
mod paragraph;
mod plan;
mod registers;

use crate::netlist::Design;

pub use header::Header;

/// Columns a line may have before an expression is broken.
const LINE_WIDTH: usize = 100;

/// What stands in front of the sub-modules: the only warning that is switched off anywhere in the text.
const SUB_MODULES: &str = "\n// The modules below are parts of the one above and share its file.\n\
                           /* verilator lint_off DECLFILENAME */\n";

/// The text of `design`, one file.
pub fn verilog(design: &Design, header: &Header) -> String {
    let mut text = header.text(design);
    text.push_str("\n`default_nettype none\n");
    let modules = design.modules();
    for (index, module) in modules.iter().rev().enumerate() {
        if index == 1 {
            text += SUB_MODULES;
        }
        text += &format!("\n{}", module::text(module, design));
    }
    if modules.len() > 1 {
        text += "\n/* verilator lint_on DECLFILENAME */\n";
    }
    text.push_str("\n`default_nettype wire\n");
    text
}

/// Name of `module` in the text of `design`: sub-modules carry the top's as prefix.
fn module_name(module: &crate::netlist::Module, design: &Design) -> String {
    let top = &*design.top;
    match std::ptr::eq(module, top) {
        true => top.name().to_owned(),
        false => format!("{}_{}", top.name(), module.name()),
    }
}

/// Wraps prose as `//` comment lines, indented by `indent` columns.
fn comment(prose: &str, indent: usize) -> String {
    let start = format!("{:indent$}// ", "");
    prose.lines().map(|paragraph| filled(&start, &start, paragraph.split_whitespace())).collect()
}

/// Words behind `first`, on as many lines as they need, further ones behind `next`.
fn filled<'w>(first: &str, next: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    let mut text = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in words {
        let space = usize::from(!empty);
        if !empty && line.chars().count() + space + word.chars().count() > LINE_WIDTH {
            text += &format!("{line}\n");
            line = next.to_owned();
            empty = true;
        }
        line += if empty { "" } else { " " };
        line += word;
        empty = false;
    }
    text + line.trim_end() + "\n"
}
