//! Sums, differences, and operations on several bits at once.

use super::Expressions;
use crate::emit::expression::{Expression, Level};
use crate::emit::literal::{Use, literal};
use crate::netlist::{BinaryOp, Bits, NodeId, Op};

impl Expressions<'_> {
    /// A bitwise operation; constants come last.
    pub(super) fn bitwise(&self, op: BinaryOp, level: Level, a: NodeId, b: NodeId) -> Expression {
        let mut operands = Vec::new();
        self.flatten(op, a, &mut operands);
        self.flatten(op, b, &mut operands);
        operands.sort_by_key(|id| self.constant(*id).is_some());
        let operands = operands.into_iter().map(|id| self.read_as(id, Use::Mask)).collect();
        Expression::chain(level, op.symbol(), operands)
    }

    /// Sums and differences; constants come last, and those that are small below zero are subtracted.
    pub(super) fn sum(&self, op: BinaryOp, a: NodeId, b: NodeId) -> Expression {
        let mut terms = Vec::new();
        self.add_terms(a, &mut terms);
        match op {
            BinaryOp::Add => self.add_terms(b, &mut terms),
            _ => terms.push((false, b)),
        }
        terms.sort_by_key(|(_, id)| self.constant(*id).is_some());
        // A sum begins with an added term.
        if let Some(at) = terms.iter().position(|(added, _)| *added) {
            terms[..=at].rotate_right(1);
        }
        let mut terms = terms.into_iter();
        let (_, first) = terms.next().expect("a sum has two terms");
        let rest = terms.map(|(added, id)| match self.constant(id).and_then(negative) {
            Some(opposite) if added => ("-", Expression::atom(literal(&opposite, Use::Count))),
            _ => (if added { "+" } else { "-" }, self.read_as(id, Use::Count)),
        });
        let rest = rest.collect();
        Expression::Chain(Level::Sum, Box::new(self.read_as(first, Use::Count)), rest)
    }

    /// The terms of a sum that is written in line; `true` for a term that is added, `false` for one
    /// that is subtracted.
    fn add_terms(&self, id: NodeId, terms: &mut Vec<(bool, NodeId)>) {
        match self.in_line(id) {
            Some(Op::Binary(BinaryOp::Add, a, b)) => {
                self.add_terms(*a, terms);
                self.add_terms(*b, terms);
            }
            Some(Op::Binary(BinaryOp::Sub, a, b)) => {
                self.add_terms(*a, terms);
                terms.push((false, *b));
            }
            _ => terms.push((true, id)),
        }
    }
}

/// The amount to subtract in place of adding a value that is closer to 2^width than to zero.
fn negative(value: &Bits) -> Option<Bits> {
    let width = value.width();
    let is_negative = width > 1 && value.bit(width - 1) && (0..width - 1).any(|bit| value.bit(bit));
    is_negative.then(|| {
        let mut opposite = Bits::zero(width);
        let mut carry = true;
        for bit in 0..width {
            let flipped = !value.bit(bit);
            opposite.set(bit, flipped != carry);
            carry &= flipped;
        }
        opposite
    })
}
