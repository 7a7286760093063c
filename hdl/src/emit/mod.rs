//! Verilog-2001 from any design, deterministic and made to be read.
//!
//! The text follows the source: names and headings survive, a module reads from its inputs down to its outputs, what
//! is used once stands where it is used, and what is used often has a name. The top module comes first, then its
//! sub-modules with the top's name as prefix; a `line directive announces each as if its file had been appended. No
//! tool should have anything to warn about.

mod expression;
mod header;
mod module;
mod paragraph;
mod plan;

use std::fmt::Write;

use crate::netlist::Design;

pub use header::Header;

/// Columns a line may have before an expression is broken.
const LINE_WIDTH: usize = 100;

/// The text of `design`, one file.
pub fn verilog(design: &Design, header: &Header) -> String {
    let mut text = header.text(design);
    text.push_str("\n`default_nettype none\n");
    for (index, module) in design.modules().into_iter().rev().enumerate() {
        if index > 0 {
            // To tools, a module a file: style checkers want the two to have one name.
            write!(text, "\n`line 1 \"{}.v\" 0", module_name(module, design)).expect("writing to a string");
        }
        write!(text, "\n{}", module::text(module, design)).expect("writing to a string");
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
    let mut text = String::new();
    for paragraph in prose.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && indent + 3 + line.len() + 1 + word.len() > LINE_WIDTH {
                writeln!(text, "{:indent$}// {line}", "").expect("writing to a string");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        writeln!(text, "{:indent$}// {line}", "").expect("writing to a string");
    }
    text
}
