//! Evaluates logic one operation at a time: the reference semantics, with which tests compare the passes and the
//! compiler.

use super::{Logic, Op};

/// A design while it runs.
#[derive(Debug)]
pub struct Evaluator<'l> {
    logic: &'l Logic,
    state: Vec<u64>,
}

impl Op {
    /// The value, given those of the operands; nothing for inputs and state, which have none, and tables.
    pub(super) fn apply(self, value: impl Fn(super::Id) -> u64) -> Option<u64> {
        Some(match self {
            Self::Const(value) => value,
            Self::Input(_) | Self::State(_) | Self::Lookup(..) => return None,
            Self::And(a, b) => value(a) & value(b),
            Self::Or(a, b) => value(a) | value(b),
            Self::Xor(a, b) => value(a) ^ value(b),
            Self::Add(a, b) => value(a).wrapping_add(value(b)),
            Self::Sub(a, b) => value(a).wrapping_sub(value(b)),
            Self::Shl(a, by) => value(a) << by,
            Self::Shr(a, by) => value(a) >> by,
            Self::ShlBy(a, by) => value(a) << value(by),
            Self::ShrBy(a, by) => value(a) >> value(by),
            Self::Eq(a, b) => u64::from(value(a) == value(b)),
            Self::Ne(a, b) => u64::from(value(a) != value(b)),
            Self::Lt(a, b) => u64::from(value(a) < value(b)),
            Self::Le(a, b) => u64::from(value(a) <= value(b)),
            Self::Mux(select, one, zero) => value(if value(select) == 1 { one } else { zero }),
            Self::Parity(a) => u64::from(value(a).count_ones() & 1),
        })
    }
}

impl<'l> Evaluator<'l> {
    /// The design before its first cycle.
    pub fn new(logic: &'l Logic) -> Self {
        Self { logic, state: vec![0; logic.state.len()] }
    }

    /// Runs a cycle: takes the input record and gives the output record.
    pub fn cycle(&mut self, inputs: &[u64]) -> Vec<u64> {
        let reset = self.logic.reset.as_ref().filter(|reset| reset.is_active(inputs));
        if reset.is_some_and(|reset| reset.asynchronous) {
            self.reset();
        }
        let mut values = Vec::with_capacity(self.logic.values.len());
        for value in &self.logic.values {
            let computed = match value.op {
                Op::Input(word) => inputs[word as usize],
                Op::State(word) => self.state[word as usize],
                Op::Lookup(key, table) => {
                    self.logic.tables[table.index as usize][values[key.index()] as usize]
                }
                op => op.apply(|id| values[id.index()]).expect("neither input, state nor table"),
            };
            debug_assert_eq!(computed & !value.ones, 0, "{value:?} is {computed:#x}");
            values.push(computed);
        }
        self.state = self.logic.state.iter().map(|word| values[word.next.index()]).collect();
        if reset.is_some() {
            self.reset();
        }
        self.logic.outputs.iter().map(|id| values[id.index()]).collect()
    }

    fn reset(&mut self) {
        for (state, word) in self.state.iter_mut().zip(&self.logic.state) {
            *state = word.reset.unwrap_or(*state);
        }
    }
}
