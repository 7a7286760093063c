//! Comments, wrapped to the width of a line.

/// The most columns of a line.
pub(super) const LINE_WIDTH: usize = 100;

/// Words with which a comment must not begin, in either case: tools take the comment for an instruction.
const INSTRUCTIONS: [&str; 7] =
    ["verilator", "synopsys", "synthesis", "cadence", "ambit", "pragma", "coverage"];

/// `prose` as `//` comment lines, indented by `indent` columns.
pub fn comment(prose: &str, indent: usize) -> String {
    let start = format!("{:indent$}// ", "");
    prose.lines().map(|paragraph| filled(&start, &start, paragraph.split_whitespace())).collect()
}

/// A title between two rules, in the body of a module.
pub fn heading(title: &str) -> String {
    let rule = "-".repeat(LINE_WIDTH - 7);
    format!("    // {rule}\n{}    // {rule}\n", comment(title, 4))
}

/// Wraps words into lines. The first line begins with `first`, further lines with `next`.
pub fn filled<'w>(first: &str, next: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    let mut text = String::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in bound(words) {
        let space = usize::from(!is_empty);
        if !is_empty && line.chars().count() + space + word.chars().count() > LINE_WIDTH {
            text += &format!("{line}\n");
            line = next.to_owned();
            is_empty = true;
        }
        line += if is_empty { "" } else { " " };
        line += &word;
        is_empty = false;
    }
    text + line.trim_end() + "\n"
}

/// A note at the end of a statement's line.
pub(super) fn behind(note: &str) -> String {
    format!("  // {}", bound(note.split_whitespace()).join(" "))
}

/// The words, so bound together that no line begins with an instruction to a tool.
fn bound<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<String> {
    let mut bound: Vec<String> = Vec::new();
    for word in words {
        let instructs = INSTRUCTIONS.iter().any(|instruction| word.eq_ignore_ascii_case(instruction));
        match bound.last_mut().filter(|_| instructs) {
            Some(last) => *last += &format!(" {word}"),
            None if instructs => bound.push(format!("- {word}")),
            None => bound.push(word.to_owned()),
        }
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_full_at_a_hundred_columns() {
        let prose = "word ".repeat(25);
        let lines: Vec<usize> = comment(&prose, 2).lines().map(str::len).collect();
        assert_eq!(lines, [99, 34]);
    }

    #[test]
    fn no_line_begins_with_what_a_tool_takes_for_an_instruction() {
        assert_eq!(comment("Verilator lint_off WIDTH", 0), "// - Verilator lint_off WIDTH\n");
        let filler = "x".repeat(90);
        let expected = format!("// {filler}\n// in Verilator\n");
        assert_eq!(comment(&format!("{filler} in Verilator"), 0), expected);
    }
}
