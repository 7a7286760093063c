//! Expressions of Verilog as a tree, and how the tree is written: with the parentheses that a reader needs and no others,
//! and on several lines where one is too short, at any depth.

use std::collections::HashSet;

use super::comment::LINE_WIDTH;

/// Columns by which the operands of a broken expression are indented.
const INDENT: usize = 4;

/// An expression of Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A literal, or a name of something that is no signal.
    Atom(String),
    /// A signal, or bits of it.
    Select(Select),
    /// `!a`, `~a`, `|a`, `&a` or `^a`.
    Prefix(&'static str, Box<Expression>),
    /// Operands with operators of one level between them: `a && b && c`, `a - b + c`, `a == b`.
    Chain(Level, Box<Expression>, Vec<(&'static str, Expression)>),
    /// Conditions, each with the value for the case that it is the first to hold, then the value for the case that none
    /// holds.
    Choice(Vec<(Expression, Expression)>, Box<Expression>),
    /// `{a, b}`.
    Concatenation(Vec<Expression>),
    /// `{3{a}}`.
    Repetition(usize, Box<Expression>),
}

/// The index of an element in a loop.
pub(super) const INDEX: &str = "i";

/// Bits of a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Select {
    pub(super) name: String,
    /// The lowest bit of the whole signal, and the highest.
    pub(super) bits: (u32, u32),
    /// The lowest of the selected bits; in a loop, that of element 0, which may be none.
    pub(super) low: i64,
    pub(super) width: u32,
    /// In a loop: the bits by which the selection moves from element to element, or from group to group.
    pub(super) step: i64,
    /// In a loop: the number of elements that share a selection, 1 but in groups.
    pub(super) per: i64,
}

impl Select {
    /// The selection for an element of a loop.
    pub(super) fn at(&self, index: i64) -> Self {
        Self { low: self.low + self.step * index.div_euclid(self.per), step: 0, per: 1, ..self.clone() }
    }

    fn text(&self) -> String {
        let Self { name, bits: (first, last), low, width, step, .. } = self;
        let high = low + i64::from(*width) - 1;
        match (step, width) {
            (0, _) if (*low, high) == ((*first).into(), (*last).into()) => name.clone(),
            (0, 1) => format!("{name}[{low}]"),
            (0, _) => format!("{name}[{high}:{low}]"),
            (_, 1) => format!("{name}[{}]", self.index()),
            _ => format!("{name}[{} +: {width}]", self.index()),
        }
    }

    /// The lowest of the selected bits, as the index of the loop gives it.
    fn index(&self) -> String {
        let added = |number: i64| match number {
            0 => String::new(),
            1.. => format!(" + {number}"),
            _ => format!(" - {}", -number),
        };
        let index = if self.per == 1 { INDEX.to_owned() } else { format!("{INDEX}/{}", self.per) };
        let (elements, bits) = (self.low.div_euclid(self.step), self.low.rem_euclid(self.step));
        match (self.step, elements) {
            (1, _) => format!("{index}{}", added(self.low)),
            (step, 0) if self.per == 1 => format!("{step}*{index}{}", added(bits)),
            (step, _) => format!("{step}*({index}{}){}", added(elements), added(bits)),
        }
    }
}

/// The kind of operator in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// `||`
    LogicalOr,
    /// `&&`
    LogicalAnd,
    /// `==`, `!=`, `<`, `<=`, `>`, `>=`
    Comparison,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `<<`, `>>`
    Shift,
    /// `+`, `-`
    Sum,
}

/// The position of an expression in another.
#[derive(Clone, Copy)]
enum Place {
    /// After `!`, `~` or the sign of a reduction.
    Prefixed,
    /// In a chain of this level.
    Chained(Level),
    /// Before `?`, or between `?` and `:`.
    Chosen,
}

/// Room for an expression.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Column of its first character.
    pub(super) column: usize,
    /// Columns by which its further lines are indented.
    pub(super) indent: usize,
    /// Columns that are needed after the end, such as for `;`.
    pub(super) tail: usize,
}

impl Expression {
    /// A name, a literal, or bits of a name.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    /// A chain of two operands.
    pub(super) fn pair(level: Level, first: Self, operator: &'static str, second: Self) -> Self {
        Self::Chain(level, Box::new(first), vec![(operator, second)])
    }

    /// A chain of operands with one operator between them; a single operand stays as it is.
    pub(super) fn chain(level: Level, operator: &'static str, operands: Vec<Self>) -> Self {
        let mut operands = operands.into_iter();
        let first = operands.next().expect("at least one operand");
        let rest: Vec<_> = operands.map(|operand| (operator, operand)).collect();
        if rest.is_empty() { first } else { Self::Chain(level, Box::new(first), rest) }
    }

    /// Adds the names of the signals of which a loop selects other bits for each element.
    pub(super) fn add_selected(&self, names: &mut HashSet<String>) {
        match self {
            Self::Atom(_) => {}
            Self::Select(select) if select.step == 0 => {}
            Self::Select(select) => drop(names.insert(select.name.clone())),
            Self::Prefix(_, of) | Self::Repetition(_, of) => of.add_selected(names),
            Self::Chain(_, first, rest) => {
                first.add_selected(names);
                rest.iter().for_each(|(_, operand)| operand.add_selected(names));
            }
            Self::Choice(pairs, of) => {
                of.add_selected(names);
                pairs.iter().flat_map(|(when, then)| [when, then]).for_each(|part| part.add_selected(names));
            }
            Self::Concatenation(parts) => parts.iter().for_each(|part| part.add_selected(names)),
        }
    }

    /// The expression on one line.
    pub(super) fn line(&self) -> String {
        self.written(Room { column: 0, indent: 0, tail: 0 }, false)
    }

    /// The expression on as many lines as `room` asks for.
    pub(super) fn wrapped(&self, room: Room) -> String {
        let line = self.line();
        if room.column + line.len() + room.tail <= LINE_WIDTH { line } else { self.written(room, true) }
    }

    /// Writes the expression on one line, or broken at its own operators; if that is not enough, operands are broken,
    /// too.
    fn written(&self, room: Room, broken: bool) -> String {
        match self {
            Self::Atom(text) => text.clone(),
            Self::Select(select) => select.text(),
            Self::Prefix(sign, operand) => {
                let inside = Room { column: room.column + sign.len(), ..room };
                format!("{sign}{}", operand.operand(Place::Prefixed, inside, broken))
            }
            Self::Chain(level, first, rest) => chain(*level, first, rest, room, broken),
            Self::Choice(choices, default) => choice(choices, default, room, broken),
            Self::Concatenation(parts) => concatenation(parts, room, broken),
            Self::Repetition(times, part) => {
                let start = format!("{{{times}{{");
                let inside = Room {
                    column: room.column + start.len(),
                    indent: room.indent + INDENT,
                    tail: room.tail + "}}".len(),
                };
                format!("{start}{}}}}}", part.wrapped_if(inside, broken))
            }
        }
    }

    fn wrapped_if(&self, room: Room, broken: bool) -> String {
        if broken { self.wrapped(room) } else { self.line() }
    }

    /// Writes the expression as an operand of another, in parentheses if needed.
    fn operand(&self, place: Place, room: Room, broken: bool) -> String {
        if !self.needs_parentheses(place) {
            return self.wrapped_if(room, broken);
        }
        let inside = Room { column: room.column + 1, indent: room.indent + INDENT, tail: room.tail + 1 };
        format!("({})", self.wrapped_if(inside, broken))
    }

    /// Whether the expression needs parentheses in this place. Few readers know by heart how all operators bind, so only the
    /// well-known cases go without.
    fn needs_parentheses(&self, place: Place) -> bool {
        match (self, place) {
            (Self::Atom(_) | Self::Select(_) | Self::Concatenation(_) | Self::Repetition(..), _) => false,
            // `a & |b` is one slip away from `a || b`.
            (Self::Prefix(sign, _), _) if ["|", "&", "^"].contains(sign) => true,
            (Self::Prefix(..), Place::Prefixed) => true,
            (Self::Prefix(..), _) => false,
            (Self::Chain(Level::Comparison, ..), Place::Chained(Level::LogicalAnd | Level::LogicalOr)) => {
                false
            }
            (Self::Chain(Level::LogicalAnd | Level::LogicalOr, ..), Place::Chosen) => true,
            (Self::Chain(..), Place::Chosen) => false,
            (Self::Chain(..) | Self::Choice(..), _) => true,
        }
    }
}

pub(super) fn newline(indent: usize) -> String {
    format!("\n{:indent$}", "")
}

/// A chain on one line, or broken before each operator.
fn chain(
    level: Level,
    first: &Expression,
    rest: &[(&'static str, Expression)],
    room: Room,
    broken: bool,
) -> String {
    let place = Place::Chained(level);
    let mut text = first.operand(place, Room { tail: 0, ..room }, broken);
    for (index, (operator, operand)) in rest.iter().enumerate() {
        let tail = if index + 1 == rest.len() { room.tail } else { 0 };
        let start = if broken { newline(room.indent) } else { " ".to_owned() };
        let inside = Room { column: room.indent + operator.len() + 1, indent: room.indent, tail };
        text += &format!("{start}{operator} {}", operand.operand(place, inside, broken));
    }
    text
}

/// A choice on one line, or a line a condition: `a ? x`, then `: b ? y`, then `: z`.
fn choice(choices: &[(Expression, Expression)], default: &Expression, room: Room, broken: bool) -> String {
    let mut text = String::new();
    for (index, (condition, value)) in choices.iter().enumerate() {
        let line =
            |expression: &Expression| expression.operand(Place::Chosen, Room { column: 0, ..room }, false);
        let whole = format!("{} ? {}", line(condition), line(value));
        let (column, indent) = match index {
            0 => (room.column, room.indent),
            _ => (room.indent + ": ".len(), room.indent + INDENT),
        };
        if index > 0 {
            text += if broken { newline(room.indent) } else { " ".to_owned() }.as_str();
            text += ": ";
        }
        if !broken || column + whole.len() <= LINE_WIDTH {
            text += &whole;
            continue;
        }
        text += &condition.operand(Place::Chosen, Room { column, indent, tail: 0 }, true);
        let column = indent + "? ".len();
        let value = value.operand(Place::Chosen, Room { column, indent, tail: 0 }, true);
        text += &format!("{}? {value}", newline(indent));
    }
    let column = room.indent + ": ".len();
    let default = default.operand(Place::Chosen, Room { column, ..room }, broken);
    let start = if broken { newline(room.indent) } else { " ".to_owned() };
    format!("{text}{start}: {default}")
}

/// A concatenation on one line, or on as many lines as its parts fill.
fn concatenation(parts: &[Expression], room: Room, broken: bool) -> String {
    if broken {
        let inside = Room { column: room.column + 1, indent: room.indent, tail: room.tail + 1 };
        return format!("{{{}}}", filled(parts, inside));
    }
    let parts: Vec<String> = parts.iter().map(Expression::line).collect();
    format!("{{{}}}", parts.join(", "))
}

/// Parts with commas between them, as many on a line as it has room for.
pub(super) fn filled(parts: &[Expression], room: Room) -> String {
    let mut text = String::new();
    let mut column = room.column;
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let tail = if is_last { room.tail } else { ",".len() };
        if index > 0 && column + 1 + part.line().len() + tail > LINE_WIDTH {
            text += &newline(room.indent);
            column = room.indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        let part = part.wrapped(Room { column, indent: room.indent + INDENT, tail });
        text += &part;
        text += if is_last { "" } else { "," };
        column = match part.rsplit_once('\n') {
            Some((_, last)) => last.len() + 1,
            None => column + part.len() + 1,
        };
    }
    text
}
