//! Fields of values: masks, shifts and concatenations.

use crate::logic::{Id, Logic, Op};

/// A slice of a concatenation is built from at most this many parts; a slice of more parts is cut from the whole.
const PARTS: usize = 2;

impl Logic {
    /// The bits of `a` that are in `mask`; the others are 0.
    pub fn and_mask(&mut self, a: Id, mask: u64) -> Id {
        let mask = mask & self.ones(a);
        if mask == self.ones(a) {
            return a;
        }
        match self.op(a) {
            _ if mask == 0 => return self.constant(0),
            Op::Const(value) => return self.constant(value & mask),
            Op::And(x, c) => {
                if let Some(c) = self.as_const(c) {
                    return self.and_mask(x, c & mask);
                }
            }
            Op::Or(x, y) => {
                if let Some(parts) = self.parts(x, y, mask) {
                    return self.or_all(parts);
                }
            }
            Op::Xor(x, c) => {
                if let Some(c) = self.as_const(c) {
                    let x = self.and_mask(x, mask);
                    return self.xor_const(x, c & mask);
                }
            }
            Op::Shl(x, by) if matches!(self.op(x), Op::Or(..) | Op::Xor(..)) => {
                let cut = self.and_mask(x, mask >> by);
                if !matches!(self.op(cut), Op::And(y, _) if y == x) {
                    return self.shl(cut, by);
                }
            }
            _ => {}
        }
        let mask_id = self.constant(mask);
        self.add_op(Op::And(a, mask_id))
    }

    /// The parts of a concatenation that have bits in `mask`, each cut to it. Nothing if there are too many, or if no
    /// part is left out.
    fn parts(&mut self, x: Id, y: Id, mask: u64) -> Option<Vec<Id>> {
        let (mut parts, mut rest, mut dropped) = (Vec::new(), vec![x, y], false);
        while let Some(id) = rest.pop() {
            match self.op(id) {
                _ if self.ones(id) & mask == 0 => dropped = true,
                Op::Or(x, y) if self.ones(x) & self.ones(y) == 0 => rest.extend([x, y]),
                _ if parts.len() == PARTS => return None,
                _ => parts.push(id),
            }
        }
        if !dropped {
            return None;
        }
        Some(parts.into_iter().map(|part| self.and_mask(part, mask)).collect())
    }

    fn or_all(&mut self, parts: Vec<Id>) -> Id {
        let zero = self.constant(0);
        parts.into_iter().fold(zero, |all, part| self.or(all, part))
    }

    /// Two fields of one value that were shifted alike, as one field.
    pub(super) fn beside(&mut self, a: Id, b: Id) -> Option<Id> {
        let field = |id: Id| match self.op(id) {
            Op::And(x, c) => self.as_const(c).map(|mask| (x, mask)),
            _ => None,
        };
        match (field(a), field(b)) {
            (Some((x, m)), Some((y, n))) if x == y => Some(self.and_mask(x, m | n)),
            (Some((x, _)), _) if x == b => Some(b),
            (_, Some((y, _))) if y == a => Some(a),
            _ => None,
        }
    }

    /// `a` shifted left by `by` bits, which are fewer than 64.
    pub fn shl(&mut self, a: Id, by: u32) -> Id {
        let ones = self.ones(a) << by;
        match self.op(a) {
            _ if by == 0 => a,
            _ if ones == 0 => self.constant(0),
            Op::Const(value) => self.constant(value << by),
            Op::And(x, c) if self.as_const(c).is_some() => {
                let c = self.as_const(c).expect("the operand is a constant");
                let x = self.shl(x, by);
                self.and_mask(x, c << by)
            }
            Op::Shl(x, inner) if inner + by < 64 => self.shl(x, inner + by),
            Op::Shr(x, inner) => {
                let x = if inner >= by { self.shr(x, inner - by) } else { self.shl(x, by - inner) };
                self.and_mask(x, ones)
            }
            _ => self.add_op(Op::Shl(a, by)),
        }
    }

    /// `a` shifted right by `by` bits, which are fewer than 64.
    pub fn shr(&mut self, a: Id, by: u32) -> Id {
        let ones = self.ones(a) >> by;
        match self.op(a) {
            _ if by == 0 => return a,
            _ if ones == 0 => return self.constant(0),
            Op::Const(value) => return self.constant(value >> by),
            Op::And(x, c) if self.as_const(c).is_some() => {
                let c = self.as_const(c).expect("the operand is a constant");
                let x = self.shr(x, by);
                return self.and_mask(x, c >> by);
            }
            Op::Shr(x, inner) if inner + by < 64 => return self.shr(x, inner + by),
            Op::Shl(x, inner) => {
                let x = if inner >= by { self.shl(x, inner - by) } else { self.shr(x, by - inner) };
                return self.and_mask(x, ones);
            }
            Op::Xor(x, c) => {
                if let Some(c) = self.as_const(c) {
                    let x = self.shr(x, by);
                    return self.xor_const(x, c >> by);
                }
            }
            Op::Or(x, y) => {
                if let Some(parts) = self.parts(x, y, u64::MAX << by) {
                    let parts = parts.into_iter().map(|part| self.shr(part, by)).collect();
                    return self.or_all(parts);
                }
            }
            _ => {}
        }
        self.add_op(Op::Shr(a, by))
    }

    /// `a` shifted left by a value that is below 64.
    pub fn shl_by(&mut self, a: Id, by: Id) -> Id {
        match self.as_const(by) {
            Some(by) => self.shl(a, by as u32),
            None if self.ones(a) == 0 => a,
            None => self.add_op(Op::ShlBy(a, by)),
        }
    }

    /// `a` shifted right by a value that is below 64.
    pub fn shr_by(&mut self, a: Id, by: Id) -> Id {
        match self.as_const(by) {
            Some(by) => self.shr(a, by as u32),
            None => self.add_op(Op::ShrBy(a, by)),
        }
    }
}
