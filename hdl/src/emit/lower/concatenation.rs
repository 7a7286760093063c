//! Bits side by side.

use super::Expressions;
use crate::emit::expression::Expression;
use crate::emit::literal::{Use, literal};
use crate::emit::names::{Whole, is_repetition};
use crate::netlist::{Bits, NodeId, Op};

/// A part of a concatenation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Constant(Bits),
    Slice { of: Whole, low: u32, width: u32 },
    Node(NodeId),
}

impl Piece {
    /// Joins this piece with `lower`, the piece right below, if both are slices of one signal, or constants.
    fn joined(&self, lower: &Self) -> Option<Self> {
        match (self, lower) {
            (Self::Constant(upper), Self::Constant(lower)) => Some(Self::Constant(upper.above(lower))),
            (Self::Slice { of: a, low: above, width: more }, Self::Slice { of: b, low, width })
                if a == b && *above == low + width =>
            {
                Some(Self::Slice { of: *a, low: *low, width: width + more })
            }
            _ => None,
        }
    }
}

impl Expressions<'_> {
    pub(super) fn concatenation(&self, parts: &[NodeId]) -> Expression {
        if is_repetition(parts) {
            return Expression::Repetition(parts.len(), Box::new(self.read(parts[0])));
        }
        let mut pieces = Vec::new();
        self.add_pieces(parts, &mut pieces);
        let mut texts: Vec<Expression> = Vec::new();
        for alike in pieces.chunk_by(|a, b| a == b && !matches!(a, Piece::Constant(_))) {
            let (expression, _) = self.piece(&alike[0]);
            match alike.len() {
                times @ 3.. => texts.push(Expression::Repetition(times, Box::new(expression))),
                times => texts.extend(std::iter::repeat_n(expression, times)),
            }
        }
        match texts.len() {
            1 => texts.remove(0),
            _ => Expression::Concatenation(texts),
        }
    }

    /// A part of a concatenation and its width.
    pub(super) fn piece(&self, piece: &Piece) -> (Expression, u32) {
        match piece {
            Piece::Constant(value) => (Expression::atom(literal(value, Use::Value)), value.width()),
            Piece::Slice { of, low, width } => (self.names.select_bits(*of, *low, *width), *width),
            Piece::Node(id) => (self.read(*id), self.module.node(*id).width),
        }
    }

    /// Adds the parts of a concatenation, those of concatenations in it among them; neighbours that are one are joined.
    pub(super) fn add_pieces(&self, parts: &[NodeId], pieces: &mut Vec<Piece>) {
        for part in parts {
            let piece = match self.in_line(*part) {
                Some(Op::Concat(inner)) if !is_repetition(inner) => {
                    self.add_pieces(inner, pieces);
                    continue;
                }
                Some(Op::Const(value)) => Piece::Constant(value.clone()),
                Some(Op::Slice(of, low)) => {
                    let (of, first) = self.names.whole(*of);
                    Piece::Slice { of, low: first + low, width: self.module.node(*part).width }
                }
                _ => match self.names.whole(*part) {
                    (of @ Whole::Vector(_), low) => {
                        Piece::Slice { of, low, width: self.module.node(*part).width }
                    }
                    _ => Piece::Node(*part),
                },
            };
            match pieces.last().and_then(|last| last.joined(&piece)) {
                Some(joined) => *pieces.last_mut().expect("one piece at least") = joined,
                None => pieces.push(piece),
            }
        }
    }
}
