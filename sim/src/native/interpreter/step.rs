//! The levelised program: one step a signal.

use utfhdl_hdl::netlist::{BinaryOp, ReduceOp};

use super::Place;
use super::wide::WideStep;
use crate::flat::{Flat, FlatOp};

/// Index of a word in the array of values.
type Word = u32;

/// Computes one signal of up to 64 bits from others; `to` is where it goes. A `mask` has ones for the bits of the
/// result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Not {
        to: Word,
        a: Word,
        mask: u64,
    },
    And {
        to: Word,
        a: Word,
        b: Word,
    },
    Or {
        to: Word,
        a: Word,
        b: Word,
    },
    Xor {
        to: Word,
        a: Word,
        b: Word,
    },
    Add {
        to: Word,
        a: Word,
        b: Word,
        mask: u64,
    },
    Sub {
        to: Word,
        a: Word,
        b: Word,
        mask: u64,
    },
    Eq {
        to: Word,
        a: Word,
        b: Word,
    },
    Ne {
        to: Word,
        a: Word,
        b: Word,
    },
    Lt {
        to: Word,
        a: Word,
        b: Word,
    },
    Le {
        to: Word,
        a: Word,
        b: Word,
    },
    Shl {
        to: Word,
        a: Word,
        b: Word,
        mask: u64,
    },
    Shr {
        to: Word,
        a: Word,
        b: Word,
    },
    AllOnes {
        to: Word,
        a: Word,
        mask: u64,
    },
    AnyOne {
        to: Word,
        a: Word,
    },
    Parity {
        to: Word,
        a: Word,
    },
    Mux {
        to: Word,
        select: Word,
        one: Word,
        zero: Word,
    },
    Slice {
        to: Word,
        a: Word,
        low: u32,
        mask: u64,
    },
    /// The first part of a concatenation, moved up by `low`.
    Place {
        to: Word,
        a: Word,
        low: u32,
    },
    /// A further part, moved up by `low` and put beside what is there.
    Beside {
        to: Word,
        a: Word,
        low: u32,
    },
    /// Compares a key with a table: index in [`Program::tables`].
    Case {
        to: Word,
        key: Word,
        table: u32,
    },
    /// A signal, or an operand, of more than 64 bits: index in [`Program::wide`].
    Wide {
        index: u32,
    },
}

/// Labels with the word of their value, and the word of the default.
#[derive(Debug)]
struct Table {
    arms: Vec<Label>,
    default: Word,
}

/// A label of a case: the key matches where its bits in `care` are those of `value`.
#[derive(Debug)]
struct Label {
    care: u64,
    value: u64,
    chosen: Word,
}

/// The steps of a cycle, in order.
#[derive(Debug)]
pub(super) struct Program {
    steps: Vec<Step>,
    tables: Vec<Table>,
    wide: Vec<WideStep>,
}

impl Program {
    pub(super) fn new(flat: &Flat, places: &[Place]) -> Self {
        let mut program = Self { steps: Vec::new(), tables: Vec::new(), wide: Vec::new() };
        for &signal in &flat.order {
            let op = &flat.signals[signal].op;
            if matches!(op, FlatOp::Input(_) | FlatOp::Const(_) | FlatOp::Register(_)) {
                continue;
            }
            let is_wide = |&index: &usize| flat.signals[index].width > 64;
            if is_wide(&signal) || op.operands().iter().any(is_wide) {
                let index = program.wide.len() as u32;
                program.wide.push(WideStep::new(op, places[signal], places));
                program.steps.push(Step::Wide { index });
            } else {
                program.narrow(op, places[signal], places);
            }
        }
        program
    }

    fn narrow(&mut self, op: &FlatOp, place: Place, places: &[Place]) {
        let (to, mask) = (place.first, u64::MAX >> (64 - place.width));
        let at = |index: &usize| places[*index].first;
        let step = match op {
            FlatOp::Input(_) | FlatOp::Const(_) | FlatOp::Register(_) => return,
            FlatOp::Not(a) => Step::Not { to, a: at(a), mask },
            FlatOp::Binary(op, a, b) => {
                let (a, b) = (at(a), at(b));
                match op {
                    BinaryOp::And => Step::And { to, a, b },
                    BinaryOp::Or => Step::Or { to, a, b },
                    BinaryOp::Xor => Step::Xor { to, a, b },
                    BinaryOp::Add => Step::Add { to, a, b, mask },
                    BinaryOp::Sub => Step::Sub { to, a, b, mask },
                    BinaryOp::Eq => Step::Eq { to, a, b },
                    BinaryOp::Ne => Step::Ne { to, a, b },
                    BinaryOp::Lt => Step::Lt { to, a, b },
                    BinaryOp::Le => Step::Le { to, a, b },
                    BinaryOp::Shl => Step::Shl { to, a, b, mask },
                    BinaryOp::Shr => Step::Shr { to, a, b },
                }
            }
            FlatOp::Reduce(op, a) => {
                let operand_mask = u64::MAX >> (64 - places[*a].width);
                match op {
                    ReduceOp::And => Step::AllOnes { to, a: at(a), mask: operand_mask },
                    ReduceOp::Or => Step::AnyOne { to, a: at(a) },
                    ReduceOp::Xor => Step::Parity { to, a: at(a) },
                }
            }
            FlatOp::Mux(select, one, zero) => {
                Step::Mux { to, select: at(select), one: at(one), zero: at(zero) }
            }
            FlatOp::Case(key, arms, default) => {
                let arms = arms.iter().flat_map(|(labels, value)| {
                    labels.iter().map(|label| Label {
                        care: label.care().words()[0],
                        value: label.value().words()[0],
                        chosen: at(value),
                    })
                });
                let table = self.tables.len() as u32;
                self.tables.push(Table { arms: arms.collect(), default: at(default) });
                Step::Case { to, key: at(key), table }
            }
            FlatOp::Slice(of, low) => Step::Slice { to, a: at(of), low: *low, mask },
            FlatOp::Concat(parts) => {
                let mut low = place.width;
                for (index, part) in parts.iter().enumerate() {
                    low -= places[*part].width;
                    let a = at(part);
                    self.steps.push(match index {
                        0 => Step::Place { to, a, low },
                        _ => Step::Beside { to, a, low },
                    });
                }
                return;
            }
        };
        self.steps.push(step);
    }

    pub(super) fn run(&self, values: &mut [u64]) {
        for step in &self.steps {
            self.step(*step, values);
        }
    }

    #[inline]
    fn step(&self, step: Step, v: &mut [u64]) {
        let (to, value) = match step {
            Step::Not { to, a, mask } => (to, !v[a as usize] & mask),
            Step::And { to, a, b } => (to, v[a as usize] & v[b as usize]),
            Step::Or { to, a, b } => (to, v[a as usize] | v[b as usize]),
            Step::Xor { to, a, b } => (to, v[a as usize] ^ v[b as usize]),
            Step::Add { to, a, b, mask } => (to, v[a as usize].wrapping_add(v[b as usize]) & mask),
            Step::Sub { to, a, b, mask } => (to, v[a as usize].wrapping_sub(v[b as usize]) & mask),
            Step::Eq { to, a, b } => (to, u64::from(v[a as usize] == v[b as usize])),
            Step::Ne { to, a, b } => (to, u64::from(v[a as usize] != v[b as usize])),
            Step::Lt { to, a, b } => (to, u64::from(v[a as usize] < v[b as usize])),
            Step::Le { to, a, b } => (to, u64::from(v[a as usize] <= v[b as usize])),
            Step::Shl { to, a, b, mask } => {
                (to, if v[b as usize] < 64 { v[a as usize] << v[b as usize] & mask } else { 0 })
            }
            Step::Shr { to, a, b } => {
                (to, if v[b as usize] < 64 { v[a as usize] >> v[b as usize] } else { 0 })
            }
            Step::AllOnes { to, a, mask } => (to, u64::from(v[a as usize] == mask)),
            Step::AnyOne { to, a } => (to, u64::from(v[a as usize] != 0)),
            Step::Parity { to, a } => (to, u64::from(v[a as usize].count_ones() & 1)),
            Step::Mux { to, select, one, zero } => {
                (to, v[if v[select as usize] == 1 { one } else { zero } as usize])
            }
            Step::Slice { to, a, low, mask } => (to, v[a as usize] >> low & mask),
            Step::Place { to, a, low } => (to, v[a as usize] << low),
            Step::Beside { to, a, low } => (to, v[to as usize] | v[a as usize] << low),
            Step::Case { to, key, table } => {
                let (table, key) = (&self.tables[table as usize], v[key as usize]);
                let arm = table.arms.iter().find(|label| key & label.care == label.value);
                (to, v[arm.map_or(table.default, |label| label.chosen) as usize])
            }
            Step::Wide { index } => return self.wide[index as usize].run(v),
        };
        v[to as usize] = value;
    }
}
