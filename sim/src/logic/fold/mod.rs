//! Makes values: folds constants, applies identities, and gives the value that is there already for an operation that
//! is asked for twice.
//!
//! A field of a value is always written as a shift and then a mask, so that a slice of a concatenation is recognised as
//! one of the parts.

mod bitwise;
mod choices;
mod fields;

use super::{Id, Logic, Op, Value};

impl Logic {
    /// The value of an operation; the same one whenever it is asked for.
    pub(super) fn add_op(&mut self, op: Op) -> Id {
        let ones = op.ones(|id| self.ones(id), |word| self.state[word as usize].ones);
        if ones == 0 && op != Op::Const(0) {
            return self.constant(0);
        }
        let values = &mut self.values;
        *self.known.entry(op).or_insert_with(|| {
            values.push(Value { op, ones });
            Id(values.len() as u32 - 1)
        })
    }

    /// A constant.
    pub fn constant(&mut self, value: u64) -> Id {
        self.add_op(Op::Const(value))
    }

    /// A word of the input record.
    pub(super) fn input(&mut self, word: u32) -> Id {
        self.add_op(Op::Input(word))
    }

    /// A word of the state.
    pub(super) fn state_word(&mut self, word: u32) -> Id {
        self.add_op(Op::State(word))
    }

    pub(super) fn as_const(&self, id: Id) -> Option<u64> {
        match self.op(id) {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The operands in the order in which they are kept: a constant second, otherwise the older value first.
    fn ordered(&self, a: Id, b: Id) -> (Id, Id) {
        let key = |id: Id| (self.as_const(id).is_some(), id);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// Whether each is the complement of the other in all bits that can be 1 in either.
    fn are_complements(&self, a: Id, b: Id) -> bool {
        let complements = |a: Id, b: Id| match self.op(a) {
            Op::Xor(x, c) => x == b && self.as_const(c).is_some_and(|c| c == self.ones(b)),
            Op::Eq(x, y) => self.op(b) == Op::Ne(x, y),
            Op::Lt(x, y) => self.op(b) == Op::Le(y, x),
            _ => false,
        };
        complements(a, b) || complements(b, a)
    }

    /// Sum modulo 2^64.
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = self.ordered(a, b);
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => return self.constant(a.wrapping_add(b)),
            (None, Some(0)) => return a,
            _ => {}
        }
        self.add_op(Op::Add(a, b))
    }

    /// Difference modulo 2^64.
    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => self.constant(a.wrapping_sub(b)),
            (None, Some(0)) => a,
            _ if a == b => self.constant(0),
            _ => self.add_op(Op::Sub(a, b)),
        }
    }

    /// Whether an odd number of bits is 1.
    pub fn parity(&mut self, a: Id) -> Id {
        match self.op(a) {
            Op::Const(value) => self.constant(u64::from(value.count_ones() & 1)),
            _ if self.ones(a) == 1 => a,
            Op::Shl(x, by) => {
                let x = self.and_mask(x, self.ones(a) >> by);
                self.parity(x)
            }
            Op::Shr(x, by) => {
                let x = self.and_mask(x, u64::MAX << by);
                self.parity(x)
            }
            _ => self.add_op(Op::Parity(a)),
        }
    }

    /// The value of `op`, whose operands may have changed, simplified again.
    pub(super) fn remake(&mut self, op: Op) -> Id {
        match op {
            Op::Const(value) => self.constant(value),
            Op::Input(word) => self.input(word),
            Op::State(word) => self.state_word(word),
            Op::And(a, b) => self.and(a, b),
            Op::Or(a, b) => self.or(a, b),
            Op::Xor(a, b) => self.xor(a, b),
            Op::Add(a, b) => self.add(a, b),
            Op::Sub(a, b) => self.sub(a, b),
            Op::Shl(a, by) => self.shl(a, by),
            Op::Shr(a, by) => self.shr(a, by),
            Op::ShlBy(a, by) => self.shl_by(a, by),
            Op::ShrBy(a, by) => self.shr_by(a, by),
            Op::Eq(a, b) => self.eq(a, b),
            Op::Ne(a, b) => {
                let equal = self.eq(a, b);
                self.not(equal)
            }
            Op::Lt(a, b) => self.lt(a, b),
            Op::Le(a, b) => {
                let greater = self.lt(b, a);
                self.not(greater)
            }
            Op::Mux(select, one, zero) => self.mux(select, one, zero),
            Op::Parity(a) => self.parity(a),
            Op::Lookup(..) => self.add_op(op),
        }
    }
}
