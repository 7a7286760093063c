//! Verilog that means something else to a simulator than to synthesis, or that synthesis may read as it likes. `emitted` proves how
//! synthesis reads a text, so it sees none of this.

/// A construct that a text should not have, with the line that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguous {
    /// The line, from 1 on.
    pub line: usize,
    /// The construct.
    pub what: &'static str,
}

const INITIAL: &str = "`initial`: synthesis may ignore it";
const CASEX: &str = "`casex`: a simulator takes an unknown bit of the key for any value";
const UNKNOWN: &str = "a literal with x or z: synthesis chooses any value";
const BLOCKING: &str = "a blocking assignment in a clocked block: simulators run blocks in any order";
const NONBLOCKING: &str = "a nonblocking assignment in a block without a clock";
const LIST: &str = "a block without a clock that names its signals: a simulator misses changes of others";
const DELAY: &str = "a delay, which synthesis ignores";

/// What a block assigns to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Clocked,
    Combinational,
}

/// Finds such constructs in a text.
pub fn ambiguous(text: &str) -> Vec<Ambiguous> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut block: Option<(Block, usize)> = None;
    let mut parentheses = 0_usize;
    let word = |at: usize| tokens.get(at).map_or("", |(_, token)| token.as_str());
    for (at, (line, token)) in tokens.iter().enumerate() {
        let mut add = |what| found.push(Ambiguous { line: *line, what });
        match token.as_str() {
            "initial" => add(INITIAL),
            "casex" => add(CASEX),
            "#" if word(at + 1) != "(" => add(DELAY),
            "always" => {
                let rest = (at + 1..).map(word).take(4).collect::<Vec<_>>();
                block = Some(match rest[..] {
                    ["@", "(", "posedge", _] => (Block::Clocked, 0),
                    ["@", "*", ..] | ["@", "(", "*", ")"] => (Block::Combinational, 0),
                    _ => {
                        add(LIST);
                        (Block::Combinational, 0)
                    }
                });
            }
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            "begin" | "case" | "casez" => {
                if let Some((_, depth)) = &mut block {
                    *depth += 1;
                }
            }
            "end" | "endcase" => {
                block = block.and_then(|(kind, depth)| (depth > 1).then_some((kind, depth - 1)));
            }
            ";" => block = block.filter(|(_, depth)| *depth > 0 || word(at + 1) == "else"),
            "=" if parentheses == 0 && block.is_some_and(|(kind, _)| kind == Block::Clocked) => add(BLOCKING),
            // In parentheses it compares.
            "<=" if parentheses == 0
                && block.is_some_and(|(kind, _)| kind == Block::Combinational)
                && assigns(&tokens, at) =>
            {
                add(NONBLOCKING);
            }
            literal if has_unknown(literal) => add(UNKNOWN),
            _ => {}
        }
    }
    found
}

/// Whether the `<=` at this position assigns: what is before it, back to the beginning of the statement, is no expression of an assignment.
fn assigns(tokens: &[(usize, String)], at: usize) -> bool {
    let before = tokens[..at].iter().rev().map(|(_, token)| token.as_str());
    let mut before = before.take_while(|token| !matches!(*token, ";" | "begin" | "else" | ":" | "end"));
    !before.any(|token| matches!(token, "=" | "?"))
}

/// Whether a literal with a base has unknown digits. A `?` in a label of `casez` is none.
fn has_unknown(token: &str) -> bool {
    let Some((_, digits)) = token.split_once('\'') else { return false };
    digits.to_ascii_lowercase().chars().skip(1).any(|digit| matches!(digit, 'x' | 'z'))
}

/// Words, literals and signs with their lines, without comments, strings and attributes.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text;
    let is_word =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '\'' | '`' | '?');
    while let Some(first) = rest.chars().next() {
        let length = if let Some(comment) = rest.strip_prefix("//") {
            2 + comment.find('\n').unwrap_or(comment.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(attribute) = rest.strip_prefix("(*").filter(|after| !after.starts_with(')')) {
            attribute.find("*)").map_or(rest.len(), |end| end + 4)
        } else if let Some(string) = rest.strip_prefix('"') {
            string.find('"').map_or(rest.len(), |end| end + 2)
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            let length = if is_word(first) {
                // `?` is a part of a literal, and else a sign.
                let has_base = |word: &str| word.contains('\'');
                let whole = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
                let plain = rest.find(|letter| !is_word(letter) || letter == '?').unwrap_or(rest.len());
                if has_base(&rest[..whole]) { whole } else { plain.max(1) }
            } else {
                let signs = ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||"];
                let double = signs.iter().find(|sign| rest.starts_with(**sign));
                double.map_or(first.len_utf8(), |sign| sign.len())
            };
            tokens.push((line, rest[..length].to_owned()));
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Vec<(usize, &'static str)> {
        let text = format!("module m (input a, input b, output reg c);\n{body}\nendmodule\n");
        ambiguous(&text).into_iter().map(|Ambiguous { line, what }| (line, what)).collect()
    }

    #[test]
    fn what_synthesis_reads_otherwise_is_found() {
        for (body, expected) in [
            ("initial c = 0;", vec![(2, INITIAL)]),
            ("always @(posedge a)\n  c = b;", vec![(3, BLOCKING)]),
            ("always @(posedge a) begin\n  if (b) begin c <= 0; end\n  c = b;\nend", vec![(4, BLOCKING)]),
            ("always @(a)\n  c = a & b;", vec![(2, LIST)]),
            ("always @(a or b) c = a & b;", vec![(2, LIST)]),
            ("always @* begin\n  c <= a;\nend", vec![(3, NONBLOCKING)]),
            (
                "always @* begin\n  casex (a)\n    1'bx: c = b;\n  endcase\nend",
                vec![(3, CASEX), (4, UNKNOWN)],
            ),
            ("assign c = a ? b : 1'bz;", vec![(2, UNKNOWN)]),
            ("always @(posedge a) c <= #1 b;", vec![(2, DELAY)]),
        ] {
            assert_eq!(found(body), expected, "{body}");
        }
    }

    #[test]
    fn what_both_read_alike_is_not() {
        for body in [
            "// initial casex 1'bx\n/* initial */ assign c = a == b;",
            "(* keep = \"initial\" *) wire d = a <= b;",
            "always @(posedge a or negedge b)\n  if (!b) c <= 1'b0;\n  else if (a == b) c <= a <= b;\nassign d = a;",
            "always @(*) begin\n  c = a <= b;\n  casez (a)\n    1'b?: c = a ? b : 8'h0f;\n    default: c = 1'b0;\n  endcase\nend\nassign d = 1;",
            "always @(posedge a) begin\n  c <= b;\nend\nassign d = b;\nsub #(.W(3)) s (.a(a));",
        ] {
            assert_eq!(found(body), [], "{body}");
        }
    }
}
