//! Bitwise operations.

use crate::logic::{Id, Logic, Op};

impl Logic {
    /// Bitwise and.
    pub fn and(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = self.ordered(a, b);
        if let Some(mask) = self.as_const(b) {
            return self.and_mask(a, mask);
        }
        if a == b {
            return a;
        }
        let ones = self.ones(a) & self.ones(b);
        if ones == 0 || self.are_complements(a, b) {
            return self.constant(0);
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.op(b) {
                Op::Or(x, y) if x == a || y == a => return a,
                Op::And(x, y) if x == a || y == a => return b,
                Op::Or(x, y) if self.are_complements(x, a) => return self.and(a, y),
                Op::Or(x, y) if self.are_complements(y, a) => return self.and(a, x),
                Op::And(x, y) if self.are_complements(x, a) || self.are_complements(y, a) => {
                    return self.constant(0);
                }
                // A mask that leaves all of the value, or nothing.
                Op::Mux(select, one, zero) if self.keeps(one, a) && self.as_const(zero) == Some(0) => {
                    return self.mux(select, a, zero);
                }
                Op::Mux(select, one, zero) if self.keeps(zero, a) && self.as_const(one) == Some(0) => {
                    return self.mux(select, one, a);
                }
                _ => {}
            }
        }
        self.add_op(Op::And(a, b))
    }

    /// Whether `mask` is a constant that has a 1 wherever `a` can have one.
    fn keeps(&self, mask: Id, a: Id) -> bool {
        self.as_const(mask).is_some_and(|mask| self.ones(a) & !mask == 0)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.as_const(b) {
            match self.as_const(a) {
                Some(other) => return self.constant(value | other),
                None if value == 0 => return a,
                None if self.ones(a) & !value == 0 => return b,
                None => {}
            }
        }
        if a == b {
            return a;
        }
        if self.ones(a) == 1 && self.ones(b) == 1 && self.are_complements(a, b) {
            return self.constant(1);
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.op(b) {
                Op::And(x, y) if x == a || y == a => return a,
                Op::Or(x, y) if x == a || y == a => return b,
                Op::And(x, y) if self.ones(a) == 1 && self.ones(x) == 1 && self.ones(y) == 1 => {
                    if self.are_complements(x, a) {
                        return self.or(a, y);
                    }
                    if self.are_complements(y, a) {
                        return self.or(a, x);
                    }
                }
                _ => {}
            }
        }
        if let Some(both) = self.beside(a, b) {
            return both;
        }
        self.add_op(Op::Or(a, b))
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.as_const(b) {
            return self.xor_const(a, value);
        }
        if a == b {
            return self.constant(0);
        }
        // Complements are moved outwards, where two of them cancel out.
        for (a, b) in [(a, b), (b, a)] {
            if let Op::Xor(x, c) = self.op(a)
                && let Some(c) = self.as_const(c)
            {
                let inner = self.xor(x, b);
                return self.xor_const(inner, c);
            }
        }
        self.add_op(Op::Xor(a, b))
    }

    /// `a` with the bits of `value` complemented.
    pub(super) fn xor_const(&mut self, a: Id, value: u64) -> Id {
        let single = self.ones(a) == 1 && value == 1;
        let op = match self.op(a) {
            _ if value == 0 => return a,
            Op::Const(other) => return self.constant(value ^ other),
            Op::Xor(x, c) if self.as_const(c).is_some() => {
                let c = self.as_const(c).expect("the operand is a constant");
                return self.xor_const(x, c ^ value);
            }
            Op::Eq(x, y) if single => Op::Ne(x, y),
            Op::Ne(x, y) if single => Op::Eq(x, y),
            Op::Lt(x, y) if single => Op::Le(y, x),
            Op::Le(x, y) if single => Op::Lt(y, x),
            _ => Op::Xor(a, self.constant(value)),
        };
        self.add_op(op)
    }

    /// The complement of a value of one bit.
    pub fn not(&mut self, a: Id) -> Id {
        debug_assert!(self.ones(a) <= 1);
        self.xor_const(a, 1)
    }
}
