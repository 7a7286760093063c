//! The `always @*` blocks of cases and tables.

use crate::netlist::{Arm, NodeId, Op, Pattern, disjoint};

use super::comment::{LINE_WIDTH, behind, comment};
use super::expression::{Expression, Room, filled, newline};
use super::literal::label;
use super::lower::Expressions;

/// Columns by which the rows of a case are indented.
const INDENT: usize = 12;

/// A row as it will be written.
struct Row<'m> {
    labels: Vec<String>,
    values: Vec<Expression>,
    note: Option<&'m str>,
}

/// The block of one case, or of several with one key and the same labels, such as the columns of a table.
pub(super) fn block(expressions: &Expressions, columns: &[NodeId]) -> String {
    if let Op::Lookup(key, words) = &expressions.module.node(columns[0]).op {
        return lookup(expressions, columns[0], *key, words);
    }
    let Op::Case(key, arms, _) = &expressions.module.node(columns[0]).op else {
        unreachable!("only cases are written as blocks")
    };
    let rows = rows(expressions, columns, arms);
    let names: Vec<&str> =
        columns.iter().map(|id| expressions.names.name(*id).expect("a case has a name")).collect();
    let is_exact = arms.iter().flat_map(|arm| &arm.labels).all(Pattern::is_exact);
    let start = if is_exact { "        case (" } else { "        casez (" };
    let key = expressions.read(*key).wrapped(Room { column: start.len(), indent: INDENT, tail: 1 });
    let body =
        lines(&names, &rows).unwrap_or_else(|| rows.iter().map(|row| statements(&names, row)).collect());
    format!("    always @* begin\n{start}{key})\n{body}        endcase\n    end\n")
}

/// The most words of a table that is to be logic. A block RAM would be a quarter full or less, and its output comes late in a cycle.
const WORDS_IN_LOGIC: usize = 256;

/// The fewest words other than 0 of a larger table that is to be block RAM: a few take fewer LUTs than block RAM is worth.
const FEWEST_IN_MEMORY: usize = 64;

/// Yosys makes a memory of a case only if one in as many keys has a row.
const DENSITY: usize = 4;

/// The block of a look-up: a row for each word that is not 0. Where these are few, some words that are 0 have rows, too, so that Yosys makes a
/// block RAM of the table.
fn lookup(expressions: &Expressions, id: NodeId, key: NodeId, words: &[u64]) -> String {
    let name = expressions.names.name(id).expect("a look-up has a name");
    let [key_bits, bits] = [key, id].map(|id| expressions.module.node(id).width);
    let [key_digits, digits] = [key_bits, bits].map(|bits| bits.div_ceil(4) as usize);
    let key = expressions.read(key).line();
    let others = words.iter().filter(|&&word| word != 0).count();
    let is_in_memory = words.len() > WORDS_IN_LOGIC && others >= FEWEST_IN_MEMORY;
    let mut zeros = if is_in_memory { (words.len() / DENSITY + 1).saturating_sub(others) } else { 0 };
    let has_row = |&(_, &word): &(usize, &u64)| {
        let is_zero = word == 0 && zeros > 0;
        zeros -= usize::from(is_zero);
        word != 0 || is_zero
    };
    let rows = (0..).zip(words).filter(has_row);
    let rows: String = rows
        .map(|(label, word): (usize, &u64)| {
            format!("{:INDENT$}{key_bits}'h{label:0key_digits$x}: {name} = {bits}'h{word:0digits$x};\n", "")
        })
        .collect();
    let default = format!("{:INDENT$}default: {name} = {bits}'h{:0digits$x};\n", "", 0);
    let attribute = match words.len() <= WORDS_IN_LOGIC {
        true => {
            "        // Logic is faster than a block RAM. Yosys reads the attribute.\n        (* logic_block *)\n"
        }
        false => "",
    };
    format!("    always @* begin\n{attribute}        case ({key})\n{rows}{default}        endcase\n    end\n")
}

/// The rows, the default among them, with the values of all columns.
fn rows<'m>(expressions: &Expressions<'m>, columns: &[NodeId], arms: &'m [Arm]) -> Vec<Row<'m>> {
    let labels: Vec<Vec<Pattern>> = arms.iter().map(|arm| arm.labels.clone()).collect();
    let parted = disjoint(&labels);
    let mut rows: Vec<Row> = parted
        .iter()
        .zip(arms)
        .map(|(labels, arm)| Row {
            labels: labels.iter().map(label).collect(),
            values: Vec::new(),
            note: arm.note.as_deref(),
        })
        .collect();
    let default = || vec!["default".to_owned()];
    // Rows that match every key need no default, so the last row becomes the default.
    let is_complete = is_complete(&parted);
    match rows.last_mut().filter(|_| is_complete) {
        Some(last) => last.labels = default(),
        None => rows.push(Row { labels: default(), values: Vec::new(), note: None }),
    }
    for column in columns {
        let Op::Case(_, arms, default) = &expressions.module.node(*column).op else {
            unreachable!("columns are cases")
        };
        let values = arms.iter().map(|arm| arm.value).chain([*default]);
        rows.iter_mut().zip(values).for_each(|(row, value)| row.values.push(expressions.read(value)));
    }
    rows
}

/// Whether no two of the patterns meet and together they match every key. Where some meet, as those of wide keys may,
/// the keys that they match can't be counted, and the answer is no.
fn is_complete(rows: &[Vec<Pattern>]) -> bool {
    let patterns: Vec<&Pattern> = rows.iter().flatten().collect();
    let Some(width) = patterns.first().map(|pattern| pattern.width()).filter(|&width| width < u128::BITS)
    else {
        return false;
    };
    let meet = patterns
        .iter()
        .enumerate()
        .any(|(index, one)| patterns[..index].iter().any(|other| one.meets(other)));
    let keys = |pattern: &Pattern| {
        let open = (0..width).filter(|&index| pattern.bit(index).is_none()).count();
        1_u128 << open
    };
    !meet && patterns.into_iter().map(keys).sum::<u128>() == 1 << width
}

/// A line a row, with labels, values and notes in columns; `None` where some row has no room for that.
fn lines(names: &[&str], rows: &[Row]) -> Option<String> {
    let labels: Vec<String> = rows.iter().map(|row| row.labels.join(", ")).collect();
    let values: Vec<Vec<String>> =
        rows.iter().map(|row| row.values.iter().map(Expression::line).collect()).collect();
    let has_notes = rows.iter().any(|row| row.note.is_some());
    let lined_up = has_notes || names.len() > 1;
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
    let label_width = if lined_up { widest(&mut labels.iter().map(|label| label.len() + 1)) } else { 0 };
    let value_widths: Vec<usize> = (0..names.len())
        .map(|column| widest(&mut values.iter().map(|values| values[column].len())))
        .collect();
    let target = if names.len() == 1 { names[0].to_owned() } else { format!("{{{}}}", names.join(", ")) };
    let code: Vec<String> = labels
        .iter()
        .zip(&values)
        .map(|(label, values)| {
            let value = match (&values[..], &value_widths[..]) {
                ([value], _) => value.clone(),
                ([first @ .., last], widths) => {
                    let padded = first.iter().zip(widths).map(|(value, width)| {
                        let width = width + ", ".len();
                        format!("{:width$}", format!("{value},"))
                    });
                    format!("{{{}{last}}}", padded.collect::<String>())
                }
                ([], _) => unreachable!("a case has a value"),
            };
            format!("{:INDENT$}{:label_width$} {target} = {value};", "", format!("{label}:"))
        })
        .collect();
    let code_width = widest(&mut code.iter().map(String::len));
    if code_width > LINE_WIDTH {
        return None;
    }
    let all_behind = rows
        .iter()
        .filter_map(|row| row.note)
        .all(|note| !note.contains('\n') && code_width + behind(note).chars().count() <= LINE_WIDTH);
    let line = |(code, row): (&String, &Row)| match row.note {
        None => format!("{code}\n"),
        Some(note) if all_behind => format!("{code:code_width$}{}\n", behind(note)),
        Some(note) => format!("{}{code}\n", comment(note, INDENT)),
    };
    Some(code.iter().zip(rows).map(line).collect())
}

/// A row with a statement for each column.
fn statements(names: &[&str], row: &Row) -> String {
    let mut text = row.note.map_or(String::new(), |note| comment(note, INDENT));
    let labels: Vec<Expression> = row.labels.iter().map(Expression::atom).collect();
    let labels = filled(&labels, Room { column: INDENT, indent: INDENT, tail: ": begin".len() });
    text += &format!("{:INDENT$}{labels}:", "");
    let assigned = |name: &str, value: &Expression, column: usize, indent: usize| {
        let start = format!("{name} = ");
        let value = value.wrapped(Room { column: column + start.len(), indent: indent + 4, tail: ";".len() });
        format!("{start}{value};\n")
    };
    if let ([name], [value]) = (names, &row.values[..]) {
        let column = text.rsplit('\n').next().map_or(0, str::len) + 1;
        let behind = assigned(name, value, column, INDENT);
        let fits = behind.lines().next().is_none_or(|line| column + line.len() <= LINE_WIDTH);
        if fits {
            return text + " " + &behind;
        }
        // Nothing in the value can be broken: the statement goes below its labels.
        let below = INDENT + 4;
        return text + &newline(below) + &assigned(name, value, below, below);
    }
    text += " begin\n";
    for (name, value) in names.iter().zip(&row.values) {
        text += &format!("{:16}{}", "", assigned(name, value, 16, 16));
    }
    text + &format!("{:INDENT$}end\n", "")
}
