//! The `always @(posedge clk)` blocks of registers.

use crate::netlist::ResetStyle;

use super::comment::LINE_WIDTH;
use super::expression::{Expression, Room};

/// A register, or some of a vector, and the value that it loads.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) target: String,
    pub(super) next: Expression,
    pub(super) enable: Option<Expression>,
    /// The value under reset.
    pub(super) reset: Option<String>,
}

/// The blocks of registers, `indent` columns to the right; those with the same enable and kind of reset share one.
pub(super) fn blocks(reset: ResetStyle, loads: Vec<Load>, indent: usize) -> Vec<String> {
    let mut groups: Vec<Vec<Load>> = Vec::new();
    for load in loads {
        let alike =
            |other: &Load| other.enable == load.enable && other.reset.is_some() == load.reset.is_some();
        match groups.iter_mut().find(|group| group.first().is_some_and(alike)) {
            Some(group) => group.push(load),
            None => groups.push(vec![load]),
        }
    }
    groups.iter().map(|group| block(reset, group, indent)).collect()
}

fn block(reset: ResetStyle, group: &[Load], indent: usize) -> String {
    let [outer, inner] = [indent + 4, indent + 8];
    let load = |indent: usize| -> String {
        let line = |load: &Load| {
            let start = format!("{:indent$}{} <= ", "", load.target);
            let room = Room { column: start.len(), indent: indent + 4, tail: 1 };
            let text = format!("{start}{};\n", load.next.wrapped(room));
            if text.lines().all(|line| line.len() <= LINE_WIDTH) {
                return text;
            }
            // Nothing in the value can be broken: it goes to a line of its own.
            let next = indent + 4;
            let room = Room { column: next, indent: next, tail: 1 };
            format!("{}\n{:next$}{};\n", start.trim_end(), "", load.next.wrapped(room))
        };
        group.iter().map(line).collect()
    };
    // `if (…) begin` around the assignments, after `start`.
    let when_enabled = |start: &str| match &group[0].enable {
        None => None,
        Some(enable) => {
            let start = format!("{start}if (");
            let room = Room { column: start.len(), indent: indent + 12, tail: ") begin".len() };
            let enable = enable.wrapped(room);
            Some(format!("{start}{enable}) begin\n{}{:outer$}end\n", load(inner), ""))
        }
    };
    if group[0].reset.is_none() {
        let body = when_enabled(&format!("{:outer$}", "")).unwrap_or_else(|| load(outer));
        return format!("{:indent$}always @(posedge clk) begin\n{body}{:indent$}end\n", "", "");
    }
    let port = reset.port();
    let (edge, active) = if reset.active_level() { ("posedge", "") } else { ("negedge", "!") };
    let edges = if reset.is_asynchronous() { format!(" or {edge} {port}") } else { String::new() };
    let mut text =
        format!("{:indent$}always @(posedge clk{edges}) begin\n{:outer$}if ({active}{port}) begin\n", "", "");
    for Load { target, reset, .. } in group {
        let value = reset.as_ref().expect("the group has reset values");
        text += &format!("{:inner$}{target} <= {value};\n", "");
    }
    let start = format!("{:outer$}end else ", "");
    let otherwise = || format!("{start}begin\n{}{:outer$}end\n", load(inner), "");
    text += &when_enabled(&start).unwrap_or_else(otherwise);
    text + &format!("{:indent$}end\n", "")
}
