//! Bits: comparisons, reductions, complements, `&&` and `||`.

use super::Expressions;
use super::bit_tests::{self, BitTest};
use super::comparison::Comparison;
use super::runs::{Run, runs};
use crate::emit::expression::{Expression, Level};
use crate::emit::literal::{SHOWN_BITS, Use, literal};
use crate::emit::names::is_repetition;
use crate::netlist::{BinaryOp, Bits, NodeId, Op, ReduceOp};

impl Expressions<'_> {
    /// The complement of one bit, without `!` where there is a form without.
    pub(super) fn complement(&self, id: NodeId) -> Expression {
        match self.in_line(id) {
            Some(Op::Not(operand)) => self.read(*operand),
            Some(Op::Const(value)) => Expression::atom(if value.is_zero() { "1'b1" } else { "1'b0" }),
            Some(Op::Reduce(op @ (ReduceOp::And | ReduceOp::Or), a)) => self.reduction(*op, *a, false),
            Some(Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b))
                if [*a, *b].into_iter().all(|operand| self.complements_well(operand)) =>
            {
                let dual = if *op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
                logical(dual, vec![self.complement(*a), self.complement(*b)])
            }
            _ => complement(self.read(id)),
        }
    }

    /// Whether the complement of a bit needs no `!` of its own.
    pub(super) fn complements_well(&self, id: NodeId) -> bool {
        match self.in_line(id) {
            Some(Op::Not(_) | Op::Const(_) | Op::Reduce(ReduceOp::And | ReduceOp::Or, _)) => true,
            Some(Op::Binary(BinaryOp::And | BinaryOp::Or, a, b)) => {
                self.complements_well(*a) && self.complements_well(*b)
            }
            Some(Op::Binary(op, ..)) => Comparison::of(*op).is_some(),
            _ => false,
        }
    }

    /// All bits to one, or (`holds` is false) the complement of that.
    pub(super) fn reduction(&self, op: ReduceOp, a: NodeId, holds: bool) -> Expression {
        let width = self.module.node(a).width;
        match (op, self.in_line(a)) {
            (ReduceOp::Xor, _) => Expression::Prefix("^", Box::new(self.read(a))),
            (_, Some(Op::Concat(parts))) if !is_repetition(parts) => {
                let mut pieces = Vec::new();
                self.add_pieces(parts, &mut pieces);
                let parts = pieces.iter().map(|piece| {
                    let (part, width) = self.piece(piece);
                    reduced(op, part, width, holds)
                });
                let dual = if (op == ReduceOp::And) == holds { BinaryOp::And } else { BinaryOp::Or };
                logical(dual, parts.collect())
            }
            _ => reduced(op, self.read(a), width, holds),
        }
    }

    pub(super) fn comparison(&self, comparison: Comparison, a: NodeId, b: NodeId) -> Expression {
        match (self.constant(a), self.constant(b)) {
            (_, Some(value)) => self.compared_with(comparison, a, value),
            (Some(value), None) => self.compared_with(comparison.mirrored(), b, value),
            (None, None) => {
                Expression::pair(Level::Comparison, self.read(a), comparison.symbol(), self.read(b))
            }
        }
    }

    /// A comparison with a constant.
    fn compared_with(&self, comparison: Comparison, a: NodeId, value: &Bits) -> Expression {
        let one = value.to_u64() == Some(1);
        let (comparison, value) = match comparison {
            Comparison::Lt if one => (Comparison::Eq, Bits::zero(value.width())),
            Comparison::Ge if one => (Comparison::Ne, Bits::zero(value.width())),
            Comparison::Le if value.is_zero() => (Comparison::Eq, value.clone()),
            Comparison::Gt if value.is_zero() => (Comparison::Ne, value.clone()),
            _ => (comparison, value.clone()),
        };
        let equality = matches!(comparison, Comparison::Eq | Comparison::Ne);
        if value.width() == 1 && equality {
            let wanted = (comparison == Comparison::Eq) == value.bit(0);
            return if wanted { self.read(a) } else { self.complement(a) };
        }
        // A few selected bits are compared with a pattern, not with a number.
        let selected = matches!(self.in_line(a), Some(Op::Slice(..) | Op::Concat(_)));
        let used = if equality && selected { Use::Selected } else { Use::Value };
        let value = Expression::atom(literal(&value, used));
        Expression::pair(Level::Comparison, self.read(a), comparison.symbol(), value)
    }

    /// `&&` or `||`, with runs of equalities as ranges.
    pub(super) fn logical(&self, op: BinaryOp, a: NodeId, b: NodeId) -> Expression {
        let mut operands = Vec::new();
        self.flatten(op, a, &mut operands);
        self.flatten(op, b, &mut operands);
        // `a || 1'b0` is `a`. Such constants come from parts that a core does not have.
        let neutral = op == BinaryOp::And;
        operands.retain(|id| self.constant(*id).is_none_or(|value| value.bit(0) != neutral));
        if operands.is_empty() {
            return Expression::atom(if neutral { "1'b1" } else { "1'b0" });
        }
        let comparison = if op == BinaryOp::Or { BinaryOp::Eq } else { BinaryOp::Ne };
        let equality = |id: &NodeId| match self.in_line(*id) {
            Some(Op::Binary(op, a, b)) if *op == comparison => match (self.constant(*a), self.constant(*b)) {
                (None, Some(value)) => Some((*a, value.clone())),
                (Some(value), None) => Some((*b, value.clone())),
                _ => None,
            },
            _ => None,
        };
        let mut equalities: Vec<Option<(NodeId, Bits)>> = operands.iter().map(equality).collect();
        // Several selections of the same bits are several nodes, which are unified here.
        let mut subjects: Vec<(Expression, NodeId)> = Vec::new();
        for (subject, _) in equalities.iter_mut().flatten() {
            let expression = self.read(*subject);
            match subjects.iter().find(|(known, _)| *known == expression) {
                Some((_, first)) => *subject = *first,
                None => subjects.push((expression, *subject)),
            }
        }
        let tests: Vec<Option<BitTest>> =
            operands.iter().map(|id| self.bit_test(*id, op == BinaryOp::And)).collect();
        let tests = bit_tests::joined(&tests);
        let mut expressions = Vec::new();
        for run in runs(&equalities) {
            match run {
                Run::Range { subject, first, last } => {
                    expressions.push(self.range(op == BinaryOp::Or, subject, &first, &last));
                }
                Run::Operand(index) => match tests.iter().find(|(_, of)| of.len() > 1 && of.contains(&index))
                {
                    Some((test, of)) if of[0] == index => expressions.push(self.bits_compared(test, op)),
                    Some(_) => {}
                    None => expressions.push(self.read(operands[index])),
                },
            }
        }
        logical(op, expressions)
    }

    /// The test that decides a bit: it is 1 where the bits match, or, if `holds` is false, where they do not.
    fn bit_test(&self, id: NodeId, holds: bool) -> Option<BitTest> {
        let test = |slice: NodeId, pattern: Bits| match self.in_line(slice) {
            Some(Op::Slice(of, low)) => Some(BitTest { of: *of, low: *low, pattern }),
            _ => None,
        };
        match self.in_line(id)? {
            Op::Slice(..) => test(id, if holds { Bits::ones(1) } else { Bits::zero(1) }),
            Op::Not(operand) => self.bit_test(*operand, !holds),
            Op::Reduce(ReduceOp::And, a) if holds => test(*a, Bits::ones(self.module.node(*a).width)),
            Op::Reduce(ReduceOp::Or, a) if !holds => test(*a, Bits::zero(self.module.node(*a).width)),
            Op::Binary(BinaryOp::Eq, a, b) if holds => test(*a, self.constant(*b)?.clone()),
            Op::Binary(BinaryOp::Ne, a, b) if !holds => test(*a, self.constant(*b)?.clone()),
            _ => None,
        }
    }

    /// Several tests of bits as one comparison.
    fn bits_compared(&self, test: &BitTest, op: BinaryOp) -> Expression {
        let BitTest { of, low, pattern } = test;
        let bits = self.slice(*of, *low, pattern.width());
        let symbol = if op == BinaryOp::And { "==" } else { "!=" };
        let used = if pattern.is_zero() { Use::Value } else { Use::Selected };
        Expression::pair(Level::Comparison, bits, symbol, Expression::atom(literal(pattern, used)))
    }

    /// Whether a value is from `first` to `last`, or (`inside` is false) is not.
    fn range(&self, inside: bool, subject: NodeId, first: &Bits, last: &Bits) -> Expression {
        let (from, to, joint) = match inside {
            true => (Comparison::Ge, Comparison::Le, BinaryOp::And),
            false => (Comparison::Lt, Comparison::Gt, BinaryOp::Or),
        };
        let ends = [
            (!first.is_zero()).then(|| self.compared_with(from, subject, first)),
            (*last != Bits::ones(last.width())).then(|| self.compared_with(to, subject, last)),
        ];
        logical(joint, ends.into_iter().flatten().collect())
    }
}

/// `&&` or `||` between expressions; chains of the same among them are taken apart.
fn logical(op: BinaryOp, operands: Vec<Expression>) -> Expression {
    let (level, symbol) = match op {
        BinaryOp::And => (Level::LogicalAnd, "&&"),
        _ => (Level::LogicalOr, "||"),
    };
    let mut flat = Vec::new();
    for operand in operands {
        match operand {
            Expression::Chain(inner, first, rest) if inner == level => {
                flat.push(*first);
                flat.extend(rest.into_iter().map(|(_, operand)| operand));
            }
            other => flat.push(other),
        }
    }
    Expression::chain(level, symbol, flat)
}

/// All bits of an operand to one, or (`holds` is false) the complement of that.
fn reduced(op: ReduceOp, operand: Expression, width: u32, holds: bool) -> Expression {
    let compared = |symbol, value: &Bits, used| {
        Expression::pair(Level::Comparison, operand.clone(), symbol, Expression::atom(literal(value, used)))
    };
    match op {
        _ if width == 1 && holds => operand,
        _ if width == 1 => complement(operand),
        ReduceOp::Or => compared(if holds { "!=" } else { "==" }, &Bits::zero(width), Use::Value),
        ReduceOp::And if width <= SHOWN_BITS => {
            compared(if holds { "==" } else { "!=" }, &Bits::ones(width), Use::Selected)
        }
        ReduceOp::And | ReduceOp::Xor => {
            let sign = if op == ReduceOp::And { "&" } else { "^" };
            let all = Expression::Prefix(sign, Box::new(operand));
            if holds { all } else { complement(all) }
        }
    }
}

/// The complement of one bit: of a comparison the opposite one.
fn complement(operand: Expression) -> Expression {
    match operand {
        Expression::Prefix("!", operand) => *operand,
        Expression::Chain(Level::Comparison, first, mut rest) => {
            let opposite = |symbol| match symbol {
                "==" => "!=",
                "!=" => "==",
                "<" => ">=",
                ">=" => "<",
                ">" => "<=",
                _ => ">",
            };
            rest.iter_mut().for_each(|(symbol, _)| *symbol = opposite(*symbol));
            Expression::Chain(Level::Comparison, first, rest)
        }
        other => Expression::Prefix("!", Box::new(other)),
    }
}
