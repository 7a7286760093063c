//! Rolls: what is the same in neighbouring lanes, but for the lane, is written once, in a loop or for a range of bits.
//!
//! ```text
//!  a[1] <= b[1] && c[2]                         for (i = 1; i < 9; i = i + 1)
//!  a[2] <= b[2] && c[3]         either                a[i] <= b[i] && c[i + 1]
//!  ...
//!  a[8] <= b[8] && c[9]         or              a[8:1] <= b[8:1] & c[9:2]
//! ```

use std::collections::HashSet;
use std::ops::Range;

use super::expression::{Expression, Level, Select};

/// The fewest statements that make a loop.
const FEWEST: usize = 3;
/// The number of loops that is small enough to look for no other distance.
const SHORT: usize = 4;
/// The distances of elements that are looked for in loops.
pub(super) const STRIDES: [usize; 3] = [1, 8, 16];
/// The numbers of elements that may share a signal, such as an enable.
const GROUPS: [i64; 4] = [16, 8, 4, 2];

/// Statements that are alike: of all expressions in them, one for all, in which what depends on the statement is selected by the index of
/// a loop. A single statement is left as it is.
#[derive(Clone, Debug)]
pub(super) struct Roll {
    /// The first of the statements, and their distance.
    pub(super) begin: usize,
    pub(super) stride: usize,
    pub(super) count: usize,
    /// The index of the loop for the first statement: the number of its element, divided by the distance.
    pub(super) first: i64,
    /// The expressions of each of them.
    pub(super) expressions: Vec<Expression>,
}

impl Roll {
    pub(super) fn is_loop(&self) -> bool {
        self.count > 1
    }

    /// The index of the loop for the last statement.
    pub(super) fn last(&self) -> i64 {
        self.first + self.count as i64 - 1
    }

    /// The statements.
    pub(super) fn statements(&self) -> impl Iterator<Item = usize> {
        (0..self.count).map(|at| self.begin + at * self.stride)
    }
}

/// Rolls up statements: `statements` has the expressions of each, and the first one is of element `first`. Statements of different `kinds`
/// are not alike.
pub(super) fn rolled<K: PartialEq>(
    first: u32,
    strides: &[usize],
    kinds: &[K],
    statements: &[Vec<Expression>],
) -> Vec<Roll> {
    let of_stride = |&stride: &usize| {
        let of_offset = |offset: usize| strided(first as usize, [offset, stride], kinds, statements);
        let mut rolls: Vec<Roll> = (0..stride.min(statements.len())).flat_map(of_offset).collect();
        rolls.sort_by_key(|roll| roll.begin);
        rolls
    };
    let is_short = |rolls: &[Roll]| rolls.len() <= SHORT;
    let mut found: Vec<Roll> = of_stride(&strides[0]);
    for stride in &strides[1..] {
        if !is_short(&found) {
            let other = of_stride(stride);
            found = if other.len() < found.len() { other } else { found };
        }
    }
    found
}

/// Rolls up every `stride`-th statement.
fn strided<K: PartialEq>(
    first: usize,
    [offset, stride]: [usize; 2],
    kinds: &[K],
    statements: &[Vec<Expression>],
) -> Vec<Roll> {
    let mut rolls: Vec<Roll> = Vec::new();
    let index = |at: usize| ((first + at) / stride) as i64;
    let mut begin = offset;
    while begin < statements.len() {
        let next = begin + stride;
        let template = (next < statements.len() && kinds[begin] == kinds[next])
            .then(|| all(&statements[begin], &statements[next], &|a, b| stepped(a, b, index(begin))))
            .flatten();
        let mut count = 1;
        if let Some(template) = &template {
            let fits = |at: usize| {
                let same = |a: &Select, b: &Select| (a.at(index(at)) == *b).then(|| a.clone());
                kinds[at] == kinds[begin] && all(template, &statements[at], &same).is_some()
            };
            while begin + count * stride < statements.len() && fits(begin + count * stride) {
                count += 1;
            }
        }
        let (count, expressions) = match template {
            Some(expressions) if count > 1 => (count, expressions),
            _ => (1, statements[begin].clone()),
        };
        let roll = Roll { begin, stride, count, first: index(begin), expressions };
        begin += count * stride;
        match rolls.last_mut().and_then(|last| Some((together(last, &roll)?, last))) {
            Some((expressions, last)) => {
                last.count += roll.count;
                last.expressions = expressions;
            }
            None => rolls.push(roll),
        }
    }
    let of_roll = |roll: Roll| match roll.count < FEWEST {
        true => roll.statements().map(|at| single(at, stride, index(at), statements)).collect(),
        false => vec![roll],
    };
    rolls.into_iter().flat_map(of_roll).collect()
}

/// A statement as it is.
fn single(begin: usize, stride: usize, first: i64, statements: &[Vec<Expression>]) -> Roll {
    Roll { begin, stride, count: 1, first, expressions: statements[begin].clone() }
}

/// The expressions of two loops that follow each other, if they differ only in signals of which each group of elements has one.
fn together(one: &Roll, other: &Roll) -> Option<Vec<Expression>> {
    let last = one.last();
    let shared = |a: &Select, b: &Select| {
        if a == b {
            return Some(a.clone());
        }
        let is_group = |per: i64| {
            let group = |index: i64| index.div_euclid(per);
            let (of_one, of_other) = (group(last), group(other.first));
            (a.per == per || group(one.first) == of_one)
                && of_one + 1 == of_other
                && of_other == group(other.last())
        };
        let per = GROUPS.into_iter().find(|per| (a.step == 0 || a.per == *per) && is_group(*per))?;
        let step = b.low - a.at(last).low;
        let is_alike = a.name == b.name && a.width == b.width && b.step == 0 && step > 0;
        let joined = Select { low: b.low - step * other.first.div_euclid(per), step, per, ..a.clone() };
        (is_alike && joined.at(one.first) == a.at(one.first)).then_some(joined)
    };
    (one.is_loop() && other.is_loop() && one.stride == other.stride)
        .then(|| all(&one.expressions, &other.expressions, &shared))?
}

/// The selection that is `a` for element `index`, and `b` for the next one.
fn stepped(a: &Select, b: &Select, index: i64) -> Option<Select> {
    let step = b.low - a.low;
    let is_alike = a.name == b.name && a.width == b.width && step >= 0;
    is_alike.then(|| Select { low: a.low - step * index, step, ..a.clone() })
}

/// Lists of expressions that differ in selections only, with what `join` makes of these.
fn all(
    a: &[Expression],
    b: &[Expression],
    join: &dyn Fn(&Select, &Select) -> Option<Select>,
) -> Option<Vec<Expression>> {
    (a.len() == b.len()).then(|| a.iter().zip(b).map(|(a, b)| joined(a, b, join)).collect())?
}

/// Expressions that differ in selections only, with what `join` makes of these.
fn joined(
    a: &Expression,
    b: &Expression,
    join: &dyn Fn(&Select, &Select) -> Option<Select>,
) -> Option<Expression> {
    use Expression::{Atom, Chain, Choice, Concatenation, Prefix, Repetition, Select};
    Some(match (a, b) {
        (Select(a), Select(b)) => Select(join(a, b)?),
        (Atom(a), Atom(b)) if a == b => Atom(a.clone()),
        (Prefix(a, of), Prefix(b, other)) if a == b => Prefix(a, Box::new(joined(of, other, join)?)),
        (Chain(a, first, rest), Chain(b, other, others)) if a == b && rest.len() == others.len() => {
            let operand = |((a, one), (b, other)): (&(&'static str, Expression), &(&str, Expression))| {
                (a == b).then(|| Some((*a, joined(one, other, join)?)))?
            };
            let rest = rest.iter().zip(others).map(operand).collect::<Option<_>>()?;
            Chain(*a, Box::new(joined(first, other, join)?), rest)
        }
        (Choice(a, of), Choice(b, other)) if a.len() == b.len() => {
            let pair = |(a, b): (&(Expression, Expression), &(Expression, Expression))| {
                Some((joined(&a.0, &b.0, join)?, joined(&a.1, &b.1, join)?))
            };
            let pairs = a.iter().zip(b).map(pair).collect::<Option<_>>()?;
            Choice(pairs, Box::new(joined(of, other, join)?))
        }
        (Concatenation(a), Concatenation(b)) => Concatenation(all(a, b, join)?),
        (Repetition(a, of), Repetition(b, other)) if a == b => {
            Repetition(*a, Box::new(joined(of, other, join)?))
        }
        _ => return None,
    })
}

/// The expression for all elements of `range` side by side, if each is one bit and that of others only in the bits that it selects.
pub(super) fn side_by_side(expression: &Expression, range: Range<i64>) -> Option<Expression> {
    let count = (range.end - range.start) as usize;
    if !has_steps(expression) {
        return Some(Expression::Repetition(count, Box::new(expression.clone())));
    }
    let within = |expression: &Expression| side_by_side(expression, range.clone());
    Some(match expression {
        Expression::Select(select) if (select.step, select.per, select.width) == (1, 1, 1) => {
            let low = select.low + range.start;
            Expression::Select(Select { low, width: count as u32, step: 0, ..select.clone() })
        }
        Expression::Prefix("!", of) => Expression::Prefix("~", Box::new(within(of)?)),
        Expression::Chain(level, first, rest) => {
            let (level, operator) = match level {
                Level::LogicalAnd => (Level::And, "&"),
                Level::LogicalOr => (Level::Or, "|"),
                Level::Xor => (Level::Xor, "^"),
                _ => return None,
            };
            let rest =
                rest.iter().map(|(_, operand)| Some((operator, within(operand)?))).collect::<Option<_>>()?;
            Expression::Chain(level, Box::new(within(first)?), rest)
        }
        _ => return None,
    })
}

/// Whether some selection depends on the element.
pub(super) fn has_steps(expression: &Expression) -> bool {
    let mut names = HashSet::new();
    expression.add_selected(&mut names);
    !names.is_empty()
}
