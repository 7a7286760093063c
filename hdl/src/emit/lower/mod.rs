//! Makes expressions of nodes, in the form in which an engineer would type them: the literal right of the operator,
//! `a >= b` for the complement of `a < b`, `v == 0` where no bit is 1, a subtraction where a negative constant is added, a
//! range for a run of equalities, and no complement of a complement.

mod arithmetic;
mod bit_tests;
mod comparison;
mod concatenation;
mod logic;
mod runs;

use self::comparison::Comparison;
use super::expression::{Expression, Level};
use super::literal::{Use, literal};
use super::names::Names;
use crate::netlist::{Arm, BinaryOp, Bits, Module, NodeId, Op};

/// Writes the expressions of one module.
pub(super) struct Expressions<'m> {
    pub(super) module: &'m Module,
    pub(super) names: &'m Names,
}

impl Expressions<'_> {
    /// The text for a read of `id`: its name, or its expression.
    pub(super) fn read(&self, id: NodeId) -> Expression {
        self.read_as(id, Use::Value)
    }

    /// [`read`](Self::read), with the base of a literal after its use.
    fn read_as(&self, id: NodeId, used: Use) -> Expression {
        match (self.names.name(id), &self.module.node(id).op) {
            (Some(_), _) => self.names.select(id),
            (None, Op::Const(value)) => Expression::atom(literal(value, used)),
            (None, _) => self.define(id),
        }
    }

    /// The expression of `id` itself, whether it has a name or not.
    pub(super) fn define(&self, id: NodeId) -> Expression {
        let node = self.module.node(id);
        match &node.op {
            Op::Input(_) | Op::Register(_) | Op::InstanceOutput(..) => unreachable!("read by name"),
            Op::Const(value) => Expression::atom(literal(value, Use::Value)),
            Op::Wire(driver) => self.read(driver.expect("a finished module is driven")),
            Op::Not(a) if node.width == 1 => self.complement(*a),
            Op::Not(a) => match self.in_line(*a) {
                Some(Op::Not(operand)) => self.read(*operand),
                _ => Expression::Prefix("~", Box::new(self.read(*a))),
            },
            Op::Reduce(op, a) => self.reduction(*op, *a, true),
            Op::Binary(op, a, b) => self.binary(*op, *a, *b, node.width),
            Op::Mux(select, one, zero) => self.choice(*select, *one, *zero),
            Op::Lookup(..) => unreachable!("written as a block"),
            Op::Case(key, arms, default) => self.case(*key, arms, *default),
            Op::Slice(of, low) => self.slice(*of, *low, node.width),
            Op::Concat(parts) => self.concatenation(parts),
        }
    }

    /// The operation of a node that is written in line.
    fn in_line(&self, id: NodeId) -> Option<&Op> {
        self.names.name(id).is_none().then(|| &self.module.node(id).op)
    }

    /// The value of a constant without a name.
    fn constant(&self, id: NodeId) -> Option<&Bits> {
        match self.in_line(id) {
            Some(Op::Const(value)) => Some(value),
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, a: NodeId, b: NodeId, width: u32) -> Expression {
        match op {
            BinaryOp::And | BinaryOp::Or if width == 1 => self.logical(op, a, b),
            BinaryOp::And => self.bitwise(op, Level::And, a, b),
            BinaryOp::Or => self.bitwise(op, Level::Or, a, b),
            BinaryOp::Xor => self.bitwise(op, Level::Xor, a, b),
            BinaryOp::Add | BinaryOp::Sub => self.sum(op, a, b),
            BinaryOp::Shl | BinaryOp::Shr => {
                let (value, amount) = (self.read(a), self.read_as(b, Use::Count));
                Expression::pair(Level::Shift, value, op.symbol(), amount)
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => {
                self.comparison(Comparison::of(op).expect("a comparison"), a, b)
            }
        }
    }

    /// The operands of nested operations of one kind, in order.
    fn flatten(&self, op: BinaryOp, id: NodeId, operands: &mut Vec<NodeId>) {
        match self.in_line(id) {
            Some(Op::Binary(inner, a, b)) if *inner == op => {
                self.flatten(op, *a, operands);
                self.flatten(op, *b, operands);
            }
            _ => operands.push(id),
        }
    }

    /// `a ? x : y`. A conditional in a conditional continues the list of choices, and a condition is complemented only where
    /// that makes such a list.
    fn choice(&self, select: NodeId, one: NodeId, zero: NodeId) -> Expression {
        let goes_on = |id: NodeId| matches!(self.in_line(id), Some(Op::Mux(..)));
        let complements_well = self.in_line(select).is_none() || self.complements_well(select);
        let complemented =
            matches!(self.in_line(select), Some(Op::Not(operand)) if !self.complements_well(*operand));
        let exchanged = !goes_on(zero) && (complemented || (goes_on(one) && complements_well));
        let (condition, first, rest) = match exchanged {
            true => (self.complement(select), zero, one),
            false => (self.read(select), one, zero),
        };
        let mut choices = vec![(condition, self.read(first))];
        let default = match self.read(rest) {
            Expression::Choice(more, default) => {
                choices.extend(more);
                default
            }
            other => Box::new(other),
        };
        Expression::Choice(choices, default)
    }

    /// A case as a list of conditions.
    fn case(&self, key: NodeId, arms: &[Arm], default: NodeId) -> Expression {
        let choice = |arm: &Arm| {
            let tests = arm.labels.iter().map(|label| {
                let value = |used| Expression::atom(literal(label.value(), used));
                if label.is_exact() {
                    return Expression::pair(Level::Comparison, self.read(key), "==", value(Use::Value));
                }
                let care = Expression::atom(literal(label.care(), Use::Mask));
                let compared = Expression::pair(Level::And, self.read(key), "&", care);
                Expression::pair(Level::Comparison, compared, "==", value(Use::Mask))
            });
            (Expression::chain(Level::LogicalOr, "||", tests.collect()), self.read(arm.value))
        };
        Expression::Choice(arms.iter().map(choice).collect(), Box::new(self.read(default)))
    }

    /// Bits of something that has a name.
    fn slice(&self, of: NodeId, low: u32, width: u32) -> Expression {
        let (whole, first) = self.names.whole(of);
        self.names.select_bits(whole, first + low, width)
    }
}
