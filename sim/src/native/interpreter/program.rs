//! The program of the interpreter: the instructions of a cycle, in an order in which each signal is computed before
//! it is read.

use std::sync::Arc;

use utfhdl_hdl::netlist::{BinaryOp, ReduceOp};

use super::span::Span;
use super::wide::WideInstruction;
use crate::flat::{Flat, FlatOp};

/// Index of a word in the array of values.
type Word = u32;

/// Computes one signal of up to 64 bits from others. `to` is the word of the result, and `mask` has a 1 for each bit of
/// it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
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
    /// The first part of a concatenation, shifted left by `low`.
    Put {
        to: Word,
        a: Word,
        low: u32,
    },
    /// A further part, shifted left by `low` and put beside the parts before it.
    PutBeside {
        to: Word,
        a: Word,
        low: u32,
    },
    /// Looks a key up in a table, by its index in [`Program::tables`].
    Case {
        to: Word,
        key: Word,
        table: u32,
    },
    /// Takes a word of a constant table, by its index in [`Program::lookups`].
    Lookup {
        to: Word,
        key: Word,
        table: u32,
    },
    /// An instruction on signals of more than 64 bits, by its index in [`Program::wide`].
    Wide {
        index: u32,
    },
}

/// The labels of a `case`, each with the word of its value, and the word of the default.
#[derive(Debug)]
struct Table {
    arms: Vec<Label>,
    default: Word,
}

/// A label of a `case`: the key matches if its bits in `care` are those of `value`.
#[derive(Debug)]
struct Label {
    care: u64,
    value: u64,
    chosen: Word,
}

/// The instructions of a cycle, in order.
#[derive(Debug)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    tables: Vec<Table>,
    lookups: Vec<Arc<[u64]>>,
    wide: Vec<WideInstruction>,
}

impl Program {
    pub(super) fn new(flat: &Flat, spans: &[Span]) -> Self {
        let mut program =
            Self { instructions: Vec::new(), tables: Vec::new(), lookups: Vec::new(), wide: Vec::new() };
        for &signal in &flat.order {
            let op = &flat.signals[signal].op;
            if matches!(op, FlatOp::Input(_) | FlatOp::Const(_) | FlatOp::Register(_)) {
                continue;
            }
            let is_wide = |&index: &usize| flat.signals[index].width > 64;
            if is_wide(&signal) || op.operands().iter().any(is_wide) {
                let index = program.wide.len() as u32;
                program.wide.push(WideInstruction::new(op, spans[signal], spans));
                program.instructions.push(Instruction::Wide { index });
            } else {
                program.narrow(op, spans[signal], spans);
            }
        }
        program
    }

    fn narrow(&mut self, op: &FlatOp, span: Span, spans: &[Span]) {
        let (to, mask) = (span.first, u64::MAX >> (64 - span.width));
        let at = |index: &usize| spans[*index].first;
        let instruction = match op {
            FlatOp::Input(_) | FlatOp::Const(_) | FlatOp::Register(_) => return,
            FlatOp::Not(a) => Instruction::Not { to, a: at(a), mask },
            FlatOp::Binary(op, a, b) => {
                let (a, b) = (at(a), at(b));
                match op {
                    BinaryOp::And => Instruction::And { to, a, b },
                    BinaryOp::Or => Instruction::Or { to, a, b },
                    BinaryOp::Xor => Instruction::Xor { to, a, b },
                    BinaryOp::Add => Instruction::Add { to, a, b, mask },
                    BinaryOp::Sub => Instruction::Sub { to, a, b, mask },
                    BinaryOp::Eq => Instruction::Eq { to, a, b },
                    BinaryOp::Ne => Instruction::Ne { to, a, b },
                    BinaryOp::Lt => Instruction::Lt { to, a, b },
                    BinaryOp::Le => Instruction::Le { to, a, b },
                    BinaryOp::Shl => Instruction::Shl { to, a, b, mask },
                    BinaryOp::Shr => Instruction::Shr { to, a, b },
                }
            }
            FlatOp::Reduce(op, a) => {
                let operand_mask = u64::MAX >> (64 - spans[*a].width);
                match op {
                    ReduceOp::And => Instruction::AllOnes { to, a: at(a), mask: operand_mask },
                    ReduceOp::Or => Instruction::AnyOne { to, a: at(a) },
                    ReduceOp::Xor => Instruction::Parity { to, a: at(a) },
                }
            }
            FlatOp::Mux(select, one, zero) => {
                Instruction::Mux { to, select: at(select), one: at(one), zero: at(zero) }
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
                Instruction::Case { to, key: at(key), table }
            }
            FlatOp::Lookup(key, words) => {
                let table = self.lookups.len() as u32;
                self.lookups.push(Arc::clone(words));
                Instruction::Lookup { to, key: at(key), table }
            }
            FlatOp::Slice(of, low) => Instruction::Slice { to, a: at(of), low: *low, mask },
            FlatOp::Concat(parts) => {
                let mut low = span.width;
                for (index, part) in parts.iter().enumerate() {
                    low -= spans[*part].width;
                    let a = at(part);
                    self.instructions.push(match index {
                        0 => Instruction::Put { to, a, low },
                        _ => Instruction::PutBeside { to, a, low },
                    });
                }
                return;
            }
        };
        self.instructions.push(instruction);
    }

    pub(super) fn run(&self, values: &mut [u64]) {
        for instruction in &self.instructions {
            self.instruction(*instruction, values);
        }
    }

    #[inline]
    fn instruction(&self, instruction: Instruction, v: &mut [u64]) {
        let (to, value) = match instruction {
            Instruction::Not { to, a, mask } => (to, !v[a as usize] & mask),
            Instruction::And { to, a, b } => (to, v[a as usize] & v[b as usize]),
            Instruction::Or { to, a, b } => (to, v[a as usize] | v[b as usize]),
            Instruction::Xor { to, a, b } => (to, v[a as usize] ^ v[b as usize]),
            Instruction::Add { to, a, b, mask } => (to, v[a as usize].wrapping_add(v[b as usize]) & mask),
            Instruction::Sub { to, a, b, mask } => (to, v[a as usize].wrapping_sub(v[b as usize]) & mask),
            Instruction::Eq { to, a, b } => (to, u64::from(v[a as usize] == v[b as usize])),
            Instruction::Ne { to, a, b } => (to, u64::from(v[a as usize] != v[b as usize])),
            Instruction::Lt { to, a, b } => (to, u64::from(v[a as usize] < v[b as usize])),
            Instruction::Le { to, a, b } => (to, u64::from(v[a as usize] <= v[b as usize])),
            Instruction::Shl { to, a, b, mask } => {
                (to, if v[b as usize] < 64 { v[a as usize] << v[b as usize] & mask } else { 0 })
            }
            Instruction::Shr { to, a, b } => {
                (to, if v[b as usize] < 64 { v[a as usize] >> v[b as usize] } else { 0 })
            }
            Instruction::AllOnes { to, a, mask } => (to, u64::from(v[a as usize] == mask)),
            Instruction::AnyOne { to, a } => (to, u64::from(v[a as usize] != 0)),
            Instruction::Parity { to, a } => (to, u64::from(v[a as usize].count_ones() & 1)),
            Instruction::Mux { to, select, one, zero } => {
                (to, v[if v[select as usize] == 1 { one } else { zero } as usize])
            }
            Instruction::Slice { to, a, low, mask } => (to, v[a as usize] >> low & mask),
            Instruction::Put { to, a, low } => (to, v[a as usize] << low),
            Instruction::PutBeside { to, a, low } => (to, v[to as usize] | v[a as usize] << low),
            Instruction::Case { to, key, table } => {
                let (table, key) = (&self.tables[table as usize], v[key as usize]);
                let arm = table.arms.iter().find(|label| key & label.care == label.value);
                (to, v[arm.map_or(table.default, |label| label.chosen) as usize])
            }
            Instruction::Lookup { to, key, table } => {
                (to, self.lookups[table as usize][v[key as usize] as usize])
            }
            Instruction::Wide { index } => return self.wide[index as usize].run(v),
        };
        v[to as usize] = value;
    }
}
