//! Surfer's command file.

use std::fmt::Write;

use super::catalogue::{Origin, Variable};
use super::plan::{Kind, Line, Resolved, Window};
use super::source::CYCLE_NS;

/// Cycles to be shown at first, at least; up to twice as many are.
const CYCLES_SHOWN: u64 = 20;

/// The text of a command file for a dump of these cycles.
///
/// Surfer reads all commands before it runs the first, so none can refer to what another has selected; an item is
/// formatted by focusing its line, counted from 0 over what is visible. What is added with a line focused comes below it,
/// in its group, and gets the focus; without focus it comes last.
pub(super) fn command_file(window: &Window, groups: &[Resolved]) -> String {
    let &Window { first, end, ref mark, open_at, .. } = window;
    let mut text = String::from("# Made by utfhdl: surfer -c <this file> <the dump>\n");
    let mut line = 0;
    for group in groups {
        line += write_group(&mut text, group, line);
    }
    // All that Surfer can show begins at time 0, wherever the dump does. Each step shows half as much.
    let steps = (end / CYCLES_SHOWN).checked_ilog2().unwrap_or(0);
    text.push_str("zoom_fit\n");
    text.push_str(&"zoom_in\n".repeat(steps as usize));
    match mark {
        // Surfer moves the view to a cursor that is not in it. The marker becomes a line of its own, so it comes last.
        Some((cycle, name)) => {
            let time = cycle * CYCLE_NS;
            let _ = writeln!(text, "cursor_set {time}\nmarker_set {} {time}", word(name));
        }
        None if first == 0 => {
            text.push_str("goto_start\n");
            if let Some(cycle) = open_at {
                let _ = writeln!(text, "cursor_set {}", cycle * CYCLE_NS);
            }
        }
        None => {
            // The cursor comes into the middle of the view.
            let middle = first * CYCLE_NS + ((end * CYCLE_NS) >> steps) / 2;
            let _ = writeln!(text, "cursor_set {middle}");
        }
    }
    text
}

/// Writes a group that begins at line `first`; gives the lines it takes.
fn write_group(text: &mut String, group: &Resolved, first: usize) -> usize {
    let title = word(&group.title);
    for (index, line) in group.lines.iter().enumerate() {
        let name = match line {
            Line::Heading(heading) => {
                let heading = word(heading);
                let _ = writeln!(text, "divider_add {heading}");
                heading
            }
            Line::Signal(path, _) => {
                let _ = writeln!(text, "variable_add {path}");
                path.clone()
            }
        };
        // Surfer makes a group from existing items, so the first line makes the group. Later lines are added at the focus.
        if index == 0 {
            let _ = writeln!(text, "item_focus {}_{name}", letters(first));
        }
        if let Line::Signal(_, variable) = line {
            write_look(text, variable);
        }
        if index == 0 {
            let _ = writeln!(text, "group_marked {title}\nitem_focus {}_{name}", letters(first + 1));
        }
    }
    if group.folded {
        let _ = writeln!(text, "item_focus {}_{title}\ngroup_fold_recursive", letters(first));
    }
    text.push_str("item_unfocus\n");
    match (group.lines.len(), group.folded) {
        (0, _) => 0,
        (_, true) => 1,
        (lines, false) => 1 + lines,
    }
}

/// Writes format and colour of the focused item; text and single bits are formatted as they should be already.
fn write_look(text: &mut String, variable: &Variable) {
    let format = match variable.width {
        0 | 1 => None,
        _ if variable.origin == Origin::Cycle => Some("Unsigned"),
        _ if variable.name.ends_with("keep") => Some("Binary"),
        _ => Some("Hexadecimal"),
    };
    // Names of colours in Surfer's own theme; one that a theme lacks changes nothing.
    let color = match variable.kind() {
        Kind::Frame => Some("Gray"),
        Kind::Alarm => Some("Red"),
        Kind::Text => Some("Yellow"),
        Kind::Input => Some("Blue"),
        Kind::Register => Some("Orange"),
        Kind::Output | Kind::Wire => None,
    };
    if let Some(format) = format {
        let _ = writeln!(text, "item_set_format {format}");
    }
    if let Some(color) = color {
        let _ = writeln!(text, "item_set_color {color}");
    }
}

/// The number of a line as Surfer counts: in hexadecimal with the digits a to p.
fn letters(line: usize) -> String {
    let letter = |digit: char| char::from(b'a' + digit.to_digit(16).expect("a digit") as u8);
    format!("{line:x}").chars().map(letter).collect()
}

/// A title as one word of Surfer's commands.
fn word(title: &str) -> String {
    title.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}
