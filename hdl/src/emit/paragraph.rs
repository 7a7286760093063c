//! Paragraphs of declarations and assignments, with their columns lined up where that helps a reader.

use super::comment::{LINE_WIDTH, behind, comment};

/// Columns by which the body of a module is indented.
const INDENT: usize = 4;

/// The kind of a statement. Neighbours of one kind are lined up with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name without value: `reg [3:0] count`.
    Declaration,
    /// A name with a constant: `localparam [3:0] LAST = 4'd9`.
    Parameter,
    /// Anything with an expression, which is left as it is.
    Logic,
}

/// A statement on a line of its own, or on several lines if it is long.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) kind: Kind,
    /// `wire`, `reg`, `localparam`, `assign`.
    pub(super) keyword: &'static str,
    /// Range of the bits, `[7:0]`; empty for one bit.
    pub(super) range: String,
    pub(super) name: String,
    /// The value of the name; empty for a declaration.
    pub(super) value: String,
    /// The note for the reader.
    pub(super) note: Option<String>,
}

impl Statement {
    /// The text before the value, with range and name padded to these widths.
    fn start(&self, range: usize, name: usize) -> String {
        let range = if range > 0 { format!("{:range$} ", self.range) } else { String::new() };
        let end = if self.kind == Kind::Declaration { "" } else { " = " };
        format!("{:INDENT$}{} {range}{:name$}{end}", "", self.keyword, self.name)
    }

    /// Column of the value where nothing is padded.
    pub(super) fn column(&self) -> usize {
        self.start(self.range.len(), 0).len()
    }
}

/// A statement as written, and its note.
struct Line {
    kind: Kind,
    text: String,
    note: Option<String>,
}

/// A paragraph of statements.
pub(super) fn statements(statements: &[Statement]) -> String {
    let alike = |a: &Statement, b: &Statement| a.kind == b.kind && a.keyword == b.keyword;
    statements.chunk_by(alike).map(run).collect()
}

/// Statements of one kind.
fn run(statements: &[Statement]) -> String {
    let widest =
        |part: fn(&Statement) -> usize| -> usize { statements.iter().map(part).max().unwrap_or_default() };
    let (range, name) = (widest(|s| s.range.len()), widest(|s| s.name.len()));
    let line = |statement: &Statement| {
        let start = match statement.kind {
            Kind::Declaration => statement.start(range, 0),
            Kind::Parameter => statement.start(range, name),
            Kind::Logic => statement.start(statement.range.len(), 0),
        };
        let text = format!("{start}{};", statement.value);
        Line { kind: statement.kind, text, note: statement.note.clone() }
    };
    let lines: Vec<Line> = statements.iter().map(line).collect();
    let mut written = String::new();
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let mut count = 1;
        while count < rest.len() && can_line_up(&rest[..=count]) {
            count += 1;
        }
        written += &with_notes(&rest[..count]);
        rest = &rest[count..];
    }
    written
}

/// Whether the notes of these lines can be written after them in one column. A line without note stands alone, unless
/// all lines are short declarations.
fn can_line_up(lines: &[Line]) -> bool {
    let column = column(lines);
    lines.iter().all(|line| match &line.note {
        Some(note) => {
            !line.text.contains('\n')
                && !note.contains('\n')
                && column + behind(note).chars().count() <= LINE_WIDTH
        }
        None => line.kind == Kind::Declaration,
    })
}

fn column(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.text.len()).max().unwrap_or_default()
}

/// Lines with their notes in one column; or a single line.
fn with_notes(lines: &[Line]) -> String {
    let column = column(lines);
    let is_behind = can_line_up(lines);
    let line = |Line { text, note, .. }: &Line| match note {
        None => format!("{text}\n"),
        Some(note) if is_behind => format!("{text:column$}{}\n", behind(note)),
        Some(note) => format!("{}{text}\n", comment(note, INDENT)),
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(kind: Kind, keyword: &'static str, range: &str, name: &str, value: &str) -> Statement {
        let [range, name, value] = [range, name, value].map(str::to_owned);
        Statement { kind, keyword, range, name, value, note: None }
    }

    fn note(statement: Statement, note: &str) -> Statement {
        Statement { note: Some(note.to_owned()), ..statement }
    }

    #[test]
    fn declarations_are_lined_up() {
        let declare = |range, name| statement(Kind::Declaration, "reg", range, name, "");
        let text = statements(&[
            note(declare("[1:0]", "missing_reg"), "still to come"),
            note(declare("", "narrow_reg"), "one half only"),
            declare("[14:0]", "gathered_reg"),
        ]);
        let expected = "    reg [1:0]  missing_reg;   // still to come\n    \
                        reg        narrow_reg;    // one half only\n    \
                        reg [14:0] gathered_reg;\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn one_bit_declarations_have_no_gap() {
        let declare = |name| statement(Kind::Declaration, "wire", "", name, "");
        assert_eq!(statements(&[declare("a"), declare("bc")]), "    wire a;\n    wire bc;\n");
    }

    #[test]
    fn parameters_are_lined_up_and_logic_is_not() {
        let parameter = |name, value| statement(Kind::Parameter, "localparam", "[2:0]", name, value);
        let text = statements(&[
            parameter("NONE", "3'd0"),
            parameter("OVERLONG", "3'd3"),
            statement(Kind::Logic, "wire", "", "a", "b"),
            statement(Kind::Logic, "wire", "[3:0]", "longer", "c"),
        ]);
        let expected = "    localparam [2:0] NONE     = 3'd0;\n    \
                        localparam [2:0] OVERLONG = 3'd3;\n    \
                        wire a = b;\n    \
                        wire [3:0] longer = c;\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_note_stands_above_where_there_is_no_room_behind() {
        let wire = |name: &str, value: &str| statement(Kind::Logic, "wire", "", name, value);
        let long = "x".repeat(60);
        let text = statements(&[
            note(wire("a", &long), &"long ".repeat(12)),
            note(wire("b", "c"), "short"),
            note(wire("bc", "c\n        && d"), "of more than one line"),
            note(wire("e", "f"), "above\nand above"),
        ]);
        let expected = format!(
            "    // {}\n    wire a = {long};\n    wire b = c;  // short\n    // of more than one line\n    \
             wire bc = c\n        && d;\n    // above\n    // and above\n    wire e = f;\n",
            "long ".repeat(12).trim()
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn notes_are_in_one_column_only_where_all_have_room() {
        let wire = |name: &str, value: &str| statement(Kind::Logic, "wire", "", name, value);
        let (wordy, longer, long) = ("w".repeat(40), "x".repeat(10), "x".repeat(50));
        let lines = [
            note(wire("a", "b"), &wordy),
            note(wire("c", &longer), "short"),
            note(wire("d", &long), "short"),
        ];
        let expected = format!(
            "    wire a = b;{:9}  // {wordy}\n    wire c = {longer};  // short\n    wire d = {long};  // short\n",
            ""
        );
        assert_eq!(statements(&lines), expected);
    }
}
