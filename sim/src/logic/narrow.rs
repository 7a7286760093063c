//! Removes masks, bits and values on which no output and no register depends.

use super::{Id, Logic, Op, up_to};

impl Logic {
    /// Removes masks that clear bits nobody reads, and values nobody reads.
    pub(super) fn narrow(&self) -> Self {
        let wanted = self.wanted();
        let mut narrow = Self {
            tables: self.tables.clone(),
            state: self.state.clone(),
            reset: self.reset.clone(),
            ..Self::default()
        };
        let mut made: Vec<Option<Id>> = Vec::with_capacity(self.values.len());
        for (value, &wanted) in self.values.iter().zip(&wanted) {
            made.push((wanted != 0).then(|| {
                let mut at = |id: Id| made[id.index()].unwrap_or_else(|| narrow.constant(0));
                match value.op {
                    Op::And(a, b) if self.is_idle_mask(a, b, wanted) => at(a),
                    op => {
                        let op = op.map(&mut at);
                        narrow.remake(op)
                    }
                }
            }));
        }
        let at = |id: Id| made[id.index()].expect("roots are wanted");
        narrow.outputs = self.outputs.iter().map(|id| at(*id)).collect();
        narrow.state.iter_mut().for_each(|word| word.next = at(word.next));
        narrow.sweep()
    }

    /// For each value the bits on which an output or the state depends.
    pub(super) fn wanted(&self) -> Vec<u64> {
        let mut wanted = vec![0; self.values.len()];
        self.roots().for_each(|id| wanted[id.index()] = u64::MAX);
        for (index, value) in self.values.iter().enumerate().rev() {
            let bits = wanted[index];
            if bits == 0 {
                continue;
            }
            let mut want = |id: Id, bits: u64| wanted[id.index()] |= bits;
            match value.op {
                Op::Const(_) | Op::Input(_) | Op::State(_) => {}
                // The mask will go, so the value has to be right in all bits that are wanted.
                Op::And(a, b) if self.is_idle_mask(a, b, bits) => want(a, bits),
                Op::And(a, b) => {
                    // Bits of an operand do not matter where the other operand is 0. This is used for one of the
                    // operands only: if both relied on zeros of the other, both might lose them.
                    let (exact, other) = if self.is_masked(b) { (a, b) } else { (b, a) };
                    want(exact, bits);
                    want(other, bits & self.ones(exact));
                }
                Op::Or(a, b) | Op::Xor(a, b) => {
                    want(a, bits);
                    want(b, bits);
                }
                Op::Add(a, b) | Op::Sub(a, b) => {
                    want(a, up_to(bits));
                    want(b, up_to(bits));
                }
                Op::Shl(a, by) => want(a, bits >> by),
                Op::Shr(a, by) => want(a, bits << by),
                Op::ShlBy(a, by) => {
                    want(a, up_to(bits));
                    want(by, u64::MAX);
                }
                Op::ShrBy(a, by) => {
                    want(a, u64::MAX << bits.trailing_zeros());
                    want(by, u64::MAX);
                }
                Op::Mux(select, one, zero) => {
                    want(select, u64::MAX);
                    want(one, bits);
                    want(zero, bits);
                }
                Op::Eq(a, b) | Op::Ne(a, b) | Op::Lt(a, b) | Op::Le(a, b) => {
                    want(a, u64::MAX);
                    want(b, u64::MAX);
                }
                Op::Parity(a) | Op::Lookup(a, _) => want(a, u64::MAX),
            }
        }
        wanted
    }

    /// Whether a value is another under a mask, which may turn out to be superfluous.
    fn is_masked(&self, id: Id) -> bool {
        matches!(self.op(id), Op::And(_, mask) if matches!(self.op(mask), Op::Const(_)))
    }

    /// Whether `mask` is a constant that clears no bit of `a` that is wanted.
    fn is_idle_mask(&self, a: Id, mask: Id, wanted: u64) -> bool {
        matches!(self.op(mask), Op::Const(mask) if wanted & self.ones(a) & !mask == 0)
    }

    /// Removes the values that nobody reads.
    fn sweep(&self) -> Self {
        let mut read = vec![false; self.values.len()];
        self.roots().for_each(|id| read[id.index()] = true);
        for (index, value) in self.values.iter().enumerate().rev() {
            if read[index] {
                value.op.operands().for_each(|id| read[id.index()] = true);
            }
        }
        let mut swept = Self {
            tables: self.tables.clone(),
            state: self.state.clone(),
            reset: self.reset.clone(),
            ..Self::default()
        };
        let mut moved = vec![Id(0); self.values.len()];
        for (index, value) in self.values.iter().enumerate().filter(|(index, _)| read[*index]) {
            let op = value.op.map(|id| moved[id.index()]);
            moved[index] = Id(swept.values.len() as u32);
            swept.values.push(super::Value { op, ..*value });
        }
        swept.outputs = self.outputs.iter().map(|id| moved[id.index()]).collect();
        swept.state.iter_mut().for_each(|word| word.next = moved[word.next.index()]);
        swept.known =
            swept.values.iter().enumerate().map(|(index, value)| (value.op, Id(index as u32))).collect();
        swept
    }
}

impl Op {
    /// Maps the operands, and keeps the operation.
    pub(super) fn map(self, mut at: impl FnMut(Id) -> Id) -> Self {
        match self {
            Self::Const(_) | Self::Input(_) | Self::State(_) => self,
            Self::And(a, b) => Self::And(at(a), at(b)),
            Self::Or(a, b) => Self::Or(at(a), at(b)),
            Self::Xor(a, b) => Self::Xor(at(a), at(b)),
            Self::Add(a, b) => Self::Add(at(a), at(b)),
            Self::Sub(a, b) => Self::Sub(at(a), at(b)),
            Self::Shl(a, by) => Self::Shl(at(a), by),
            Self::Shr(a, by) => Self::Shr(at(a), by),
            Self::ShlBy(a, by) => Self::ShlBy(at(a), at(by)),
            Self::ShrBy(a, by) => Self::ShrBy(at(a), at(by)),
            Self::Eq(a, b) => Self::Eq(at(a), at(b)),
            Self::Ne(a, b) => Self::Ne(at(a), at(b)),
            Self::Lt(a, b) => Self::Lt(at(a), at(b)),
            Self::Le(a, b) => Self::Le(at(a), at(b)),
            Self::Mux(a, b, c) => Self::Mux(at(a), at(b), at(c)),
            Self::Parity(a) => Self::Parity(at(a)),
            Self::Lookup(a, table) => Self::Lookup(at(a), table),
        }
    }
}
