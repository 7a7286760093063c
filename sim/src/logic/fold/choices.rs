//! Comparisons and multiplexers.

use crate::logic::{Id, Logic, Op};

impl Logic {
    /// Whether two values are equal.
    pub fn eq(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(1);
        }
        if let Some(value) = self.as_const(b) {
            return self.eq_const(a, value);
        }
        if (self.ones(a) | self.ones(b)) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        self.add_op(Op::Eq(a, b))
    }

    fn eq_const(&mut self, a: Id, value: u64) -> Id {
        if value & !self.ones(a) != 0 {
            return self.constant(0);
        }
        if self.ones(a) == 1 {
            return if value == 1 { a } else { self.not(a) };
        }
        match self.op(a) {
            Op::Const(other) => return self.constant(u64::from(value == other)),
            Op::Xor(x, c) => {
                if let Some(c) = self.as_const(c) {
                    return self.eq_const(x, value ^ c);
                }
                if value == 0 {
                    return self.eq(x, c);
                }
            }
            // The constant is shifted once in place of the value in every cycle.
            Op::Shl(x, by) => {
                let x = self.and_mask(x, self.ones(a) >> by);
                return self.eq_const(x, value >> by);
            }
            Op::Shr(x, by) => {
                let x = self.and_mask(x, u64::MAX << by);
                return self.eq_const(x, value << by);
            }
            Op::And(x, c) => {
                if let Some(mask) = self.as_const(c) {
                    match self.op(x) {
                        Op::Shl(y, by) => {
                            let y = self.and_mask(y, mask >> by);
                            return self.eq_const(y, value >> by);
                        }
                        Op::Shr(y, by) => {
                            let y = self.and_mask(y, mask << by);
                            return self.eq_const(y, value << by);
                        }
                        _ => {}
                    }
                }
            }
            Op::Mux(select, one, zero) => {
                if let (Some(one), Some(zero)) = (self.as_const(one), self.as_const(zero)) {
                    return match (one == value, zero == value) {
                        (true, true) => self.constant(1),
                        (true, false) => select,
                        (false, true) => self.not(select),
                        (false, false) => self.constant(0),
                    };
                }
            }
            _ => {}
        }
        let value = self.constant(value);
        self.add_op(Op::Eq(a, value))
    }

    /// Whether a value is not 0.
    pub fn any(&mut self, a: Id) -> Id {
        let none = self.eq_const(a, 0);
        self.not(none)
    }

    /// Whether one value is less than the other, unsigned.
    pub fn lt(&mut self, a: Id, b: Id) -> Id {
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => return self.constant(u64::from(a < b)),
            (Some(0), _) => return self.any(b),
            (_, Some(1)) => return self.eq_const(a, 0),
            (Some(low), _) if low >= self.ones(b) => return self.constant(0),
            (_, Some(0)) => return self.constant(0),
            (_, Some(high)) if self.ones(a) < high => return self.constant(1),
            _ if a == b => return self.constant(0),
            _ => {}
        }
        if (self.ones(a) | self.ones(b)) == 1 {
            let a = self.not(a);
            return self.and(a, b);
        }
        self.add_op(Op::Lt(a, b))
    }

    /// `one` where `select` is 1, `zero` where it is 0.
    pub fn mux(&mut self, select: Id, one: Id, zero: Id) -> Id {
        match self.op(select) {
            _ if one == zero => return one,
            Op::Const(value) => return if value == 1 { one } else { zero },
            Op::Xor(x, _) if self.are_complements(x, select) => return self.mux(x, zero, one),
            _ => {}
        }
        if (self.ones(one) | self.ones(zero)) == 1
            && let Some(simpler) = self.mux_of_bits(select, one, zero)
        {
            return simpler;
        }
        if let (Some(one), Some(zero)) = (self.as_const(one), self.as_const(zero))
            && (one ^ zero).is_power_of_two()
        {
            let differs = self.shl(select, (one ^ zero).trailing_zeros());
            return self.xor_const(differs, zero);
        }
        if let Op::Mux(again, inner, _) = self.op(one)
            && again == select
        {
            return self.mux(select, inner, zero);
        }
        if let Op::Mux(again, _, inner) = self.op(zero)
            && again == select
        {
            return self.mux(select, one, inner);
        }
        self.add_op(Op::Mux(select, one, zero))
    }

    fn mux_of_bits(&mut self, select: Id, one: Id, zero: Id) -> Option<Id> {
        let (if_one, if_zero) = (self.as_const(one), self.as_const(zero));
        if if_zero == Some(0) || zero == select {
            return Some(self.and(select, one));
        }
        if if_one == Some(1) || one == select {
            return Some(self.or(select, zero));
        }
        let unselected = self.not(select);
        if if_one == Some(0) || one == unselected {
            return Some(self.and(unselected, zero));
        }
        if if_zero == Some(1) || zero == unselected {
            return Some(self.or(unselected, one));
        }
        self.are_complements(one, zero).then(|| self.xor(unselected, one))
    }
}
