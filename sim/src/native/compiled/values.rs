//! The values of a cycle: the values made already, and the code that makes each.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlags, Type, Value};
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder};

use crate::logic::{Id, Logic, Op, StateWord};

/// Writes an instruction that has two operands.
type Join = fn(FuncInstBuilder, Value, Value) -> Value;

/// The type with which a word of the state is stored and loaded: a byte if it has no more bits. It must always be the
/// same, or the processor cannot forward a store to a load that follows.
pub(super) fn state_type(word: &StateWord) -> Type {
    if word.ones <= 0xff { I8 } else { I64 }
}

/// Pointers of a cycle: its records, and the state.
#[derive(Clone, Copy)]
pub(super) struct Cycle {
    pub(super) inputs: Value,
    pub(super) outputs: Value,
    pub(super) state: Value,
}

/// A value in the code, in the widths that were asked for.
#[derive(Clone, Copy, Default)]
pub(super) struct Made {
    /// In 64 bits.
    word: Option<Value>,
    /// The low 8 bits of the value.
    byte: Option<Value>,
    /// For a select: the word that is all ones if the select is 0, and the word that is all ones if it is 1.
    masks: [Option<Value>; 2],
}

impl Made {
    pub(super) fn word(value: Value) -> Self {
        Self { word: Some(value), ..Self::default() }
    }

    pub(super) fn byte(value: Value) -> Self {
        Self { byte: Some(value), ..Self::default() }
    }

    pub(super) fn of_type(in_type: Type, value: Value) -> Self {
        if in_type == I8 { Self::byte(value) } else { Self::word(value) }
    }
}

/// The number of changes to the values made when a branch began.
pub(super) struct BranchStart(usize);

/// The values made already, and the function that is being written.
pub(super) struct Values<'a> {
    logic: &'a Logic,
    pub(super) builder: FunctionBuilder<'a>,
    made: Vec<Made>,
    /// Each change to `made` with what was there before, so that changes can be taken back.
    changes: Vec<(Id, Made)>,
}

impl<'a> Values<'a> {
    pub(super) fn new(logic: &'a Logic, builder: FunctionBuilder<'a>) -> Self {
        Self { logic, builder, made: vec![Made::default(); logic.values().len()], changes: Vec::new() }
    }

    /// Begins a branch, which [`end_branch`](Self::end_branch) ends.
    pub(super) fn begin_branch(&self) -> BranchStart {
        BranchStart(self.changes.len())
    }

    /// Forgets the values made since the branch began: after it, they are there only if it was taken.
    pub(super) fn end_branch(&mut self, BranchStart(start): BranchStart) {
        for (id, made) in self.changes.drain(start..).rev() {
            self.made[id.index()] = made;
        }
    }

    pub(super) fn is_made(&self, id: Id) -> bool {
        let Made { word, byte, .. } = self.made[id.index()];
        word.is_some() || byte.is_some()
    }

    pub(super) fn set(&mut self, id: Id, made: Made) {
        self.changes.push((id, self.made[id.index()]));
        self.made[id.index()] = made;
    }

    /// A value in 64 bits.
    pub(super) fn word(&mut self, id: Id) -> Value {
        let made = self.made[id.index()];
        if let Some(word) = made.word {
            return word;
        }
        let word = self.builder.ins().uextend(I64, made.byte.expect("made before it is read"));
        self.set(id, Made { word: Some(word), ..made });
        word
    }

    /// The low 8 bits of a value.
    pub(super) fn byte(&mut self, id: Id) -> Value {
        let made = self.made[id.index()];
        if let Some(byte) = made.byte {
            return byte;
        }
        let byte = match self.logic.op(id) {
            Op::Const(value) => self.builder.ins().iconst(I8, value as i64 & 0xff),
            _ => self.builder.ins().ireduce(I8, made.word.expect("made before it is read")),
        };
        self.set(id, Made { byte: Some(byte), ..made });
        byte
    }

    fn operand(&mut self, id: Id, in_type: Type) -> Value {
        if in_type == I8 { self.byte(id) } else { self.word(id) }
    }

    /// The type of a result. If it has at most 8 bits and an operand is there as a byte only, it is a byte, since to
    /// cut a word down to a byte costs nothing, and to widen a byte does.
    fn type_of(&self, id: Id, operands: &[Id]) -> Type {
        let is_byte = |id: &Id| {
            let Made { word, byte, .. } = self.made[id.index()];
            word.is_none() && byte.is_some()
        };
        if self.logic.ones(id) <= 0xff && operands.iter().any(is_byte) { I8 } else { I64 }
    }

    /// The code of one operation, whose operands are made already.
    pub(super) fn make(&mut self, id: Id, cycle: &Cycle) -> Made {
        let load = MemFlags::trusted();
        match self.logic.op(id) {
            Op::Const(value) => Made::word(self.builder.ins().iconst(I64, value as i64)),
            Op::Input(index) => {
                Made::word(self.builder.ins().load(I64, load, cycle.inputs, 8 * index as i32))
            }
            Op::State(index) => {
                let at = 8 * index as i32;
                Made::word(match state_type(&self.logic.state[index as usize]) {
                    I8 => self.builder.ins().uload8(I64, load, cycle.state, at),
                    _ => self.builder.ins().load(I64, load, cycle.state, at),
                })
            }
            Op::And(a, b) => self.bitwise(id, [a, b], |ins, a, b| ins.band(a, b)),
            Op::Or(a, b) => self.bitwise(id, [a, b], |ins, a, b| ins.bor(a, b)),
            Op::Xor(a, b) => self.bitwise(id, [a, b], |ins, a, b| ins.bxor(a, b)),
            Op::Add(a, b) => self.whole([a, b], |ins, a, b| ins.iadd(a, b)),
            Op::Sub(a, b) => self.whole([a, b], |ins, a, b| ins.isub(a, b)),
            Op::ShlBy(a, by) => self.whole([a, by], |ins, a, by| ins.ishl(a, by)),
            Op::ShrBy(a, by) => self.whole([a, by], |ins, a, by| ins.ushr(a, by)),
            Op::Shl(a, by) => {
                let a = self.word(a);
                Made::word(self.builder.ins().ishl_imm(a, i64::from(by)))
            }
            Op::Shr(a, by) => {
                let a = self.word(a);
                Made::word(self.builder.ins().ushr_imm(a, i64::from(by)))
            }
            Op::Eq(a, b) => self.compare(IntCC::Equal, a, b),
            Op::Ne(a, b) => self.compare(IntCC::NotEqual, a, b),
            Op::Lt(a, b) => self.compare(IntCC::UnsignedLessThan, a, b),
            Op::Le(a, b) => self.compare(IntCC::UnsignedLessThanOrEqual, a, b),
            Op::Mux(select, one, zero) => self.mux(id, select, one, zero),
            Op::Lookup(key, table) => {
                let words = &self.logic.tables[table.index as usize];
                let key = self.word(key);
                // The number of words is a power of two; the mask keeps the load within them whatever the key is.
                let key = self.builder.ins().band_imm(key, words.len() as i64 - 1);
                let offset = self.builder.ins().ishl_imm(key, 3);
                let base = self.builder.ins().iconst(I64, words.as_ptr() as i64);
                let address = self.builder.ins().iadd(base, offset);
                Made::word(self.builder.ins().load(I64, load, address, 0))
            }
            Op::Parity(a) => {
                let a = self.word(a);
                let ones = self.builder.ins().popcnt(a);
                Made::word(self.builder.ins().band_imm(ones, 1))
            }
        }
    }

    /// A bitwise operation, on bytes or on words.
    fn bitwise(&mut self, id: Id, operands: [Id; 2], join: Join) -> Made {
        let in_type = self.type_of(id, &operands);
        let [a, b] = operands.map(|operand| self.operand(operand, in_type));
        Made::of_type(in_type, join(self.builder.ins(), a, b))
    }

    /// An operation on words.
    fn whole(&mut self, operands: [Id; 2], join: Join) -> Made {
        let [a, b] = operands.map(|operand| self.word(operand));
        Made::word(join(self.builder.ins(), a, b))
    }

    fn compare(&mut self, condition: IntCC, a: Id, b: Id) -> Made {
        let (a, b) = (self.word(a), self.word(b));
        Made::byte(self.builder.ins().icmp(condition, a, b))
    }

    fn mux(&mut self, id: Id, select: Id, one: Id, zero: Id) -> Made {
        let in_type = self.type_of(id, &[one, zero]);
        if in_type == I64 {
            let is_zero = |id| matches!(self.logic.op(id), Op::Const(0));
            if is_zero(one) || is_zero(zero) {
                let (kept, level) = if is_zero(zero) { (one, true) } else { (zero, false) };
                let (kept, mask) = (self.word(kept), self.mask(select, level));
                return Made::word(self.builder.ins().band(kept, mask));
            }
        }
        let (one, zero) = (self.operand(one, in_type), self.operand(zero, in_type));
        let select = self.byte(select);
        Made::of_type(in_type, self.builder.ins().select(select, one, zero))
    }

    /// All ones if `select` is `level`, else 0.
    fn mask(&mut self, select: Id, level: bool) -> Value {
        if let Some(mask) = self.made[select.index()].masks[usize::from(level)] {
            return mask;
        }
        let bit = self.word(select);
        let mask = if level { self.builder.ins().ineg(bit) } else { self.builder.ins().iadd_imm(bit, -1) };
        let mut made = self.made[select.index()];
        made.masks[usize::from(level)] = Some(mask);
        self.set(select, made);
        mask
    }
}
