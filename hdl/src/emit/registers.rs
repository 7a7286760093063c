//! The `always @(posedge clk)` blocks of registers.

use crate::netlist::{Register, ResetStyle};

use super::expression::Room;
use super::literal::{Use, literal};
use super::lower::Expressions;

/// The blocks of `registers`; those with the same enable and kind of reset share one.
pub(super) fn blocks(expressions: &Expressions, reset: ResetStyle, registers: &[&Register]) -> Vec<String> {
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
    groups.iter().map(|group| block(expressions, reset, group)).collect()
}

fn block(expressions: &Expressions, reset: ResetStyle, group: &[&Register]) -> String {
    let name =
        |register: &Register| expressions.plan.name(register.node).expect("a register has a name").to_owned();
    let load = |indent: usize| -> String {
        let line = |register: &&Register| {
            let start = format!("{:indent$}{} <= ", "", name(register));
            let next = expressions.read(register.next.expect("a finished module is driven"));
            format!("{start}{};\n", next.wrapped(Room { column: start.len(), indent: indent + 4, tail: 1 }))
        };
        group.iter().map(line).collect()
    };
    // `if (…) begin` around the assignments, after `start`.
    let when_enabled = |start: &str| match group[0].enable {
        None => None,
        Some(enable) => {
            let start = format!("{start}if (");
            let room = Room { column: start.len(), indent: 16, tail: ") begin".len() };
            let enable = expressions.read(enable).wrapped(room);
            Some(format!("{start}{enable}) begin\n{}        end\n", load(12)))
        }
    };
    if group[0].reset.is_none() {
        let body = when_enabled("        ").unwrap_or_else(|| load(8));
        return format!("    always @(posedge clk) begin\n{body}    end\n");
    }
    let port = reset.port();
    let (edge, active) = if reset.active_level() { ("posedge", "") } else { ("negedge", "!") };
    let edges = if reset.is_asynchronous() { format!(" or {edge} {port}") } else { String::new() };
    let mut text = format!("    always @(posedge clk{edges}) begin\n        if ({active}{port}) begin\n");
    for register in group {
        let value = register.reset.as_ref().expect("the group has reset values");
        text += &format!("            {} <= {};\n", name(register), literal(value, Use::Value));
    }
    let otherwise = || format!("        end else begin\n{}        end\n", load(12));
    text += &when_enabled("        end else ").unwrap_or_else(otherwise);
    text + "    end\n"
}
