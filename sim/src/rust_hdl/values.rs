//! The values of a module's nodes, and what each operation makes of them.

use utfhdl_hdl::netlist::{BinaryOp, Module, Node, NodeId, Op, ReduceOp, Register};

use super::agenda::Agenda;
use super::words::{self, copy_bits, words_of};

/// Where the words of a node are.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: u32,
    width: u32,
    /// Whether the node, or one that it reads, has more than 64 bits.
    wide: bool,
}

/// The value of every node of a module; bits past a width are zero.
#[derive(Debug)]
pub(super) struct Values {
    places: Vec<Place>,
    words: Vec<u64>,
    /// For one value in the making.
    scratch: Vec<u64>,
    /// What the registers are about to hold, in their order.
    loading: Vec<u64>,
    agenda: Agenda,
}

impl Values {
    /// Zero, but for the constants.
    pub fn new(module: &Module, agenda: Agenda) -> Self {
        let nodes = module.nodes();
        let is_wide = |node: &Node| node.width > 64;
        let mut places = Vec::with_capacity(nodes.len());
        let mut words = Vec::new();
        for node in nodes {
            let wide = is_wide(node) || node.op.operands().iter().any(|&id| is_wide(module.node(id)));
            places.push(Place { first: words.len() as u32, width: node.width, wide });
            match &node.op {
                Op::Const(value) => words.extend_from_slice(value.words()),
                _ => words.resize(words.len() + words_of(node.width), 0),
            }
        }
        let widest = nodes.iter().map(|node| words_of(node.width)).max().unwrap_or(0);
        Self { places, words, scratch: vec![0; widest], loading: Vec::new(), agenda }
    }

    /// What is to be done since values changed.
    pub fn agenda(&mut self) -> &mut Agenda {
        &mut self.agenda
    }

    /// Whether nothing is to be done.
    pub fn is_settled(&self) -> bool {
        self.agenda.is_empty()
    }

    /// Value of a node, least significant word first.
    pub fn get(&self, id: NodeId) -> &[u64] {
        let place = self.places[id.index()];
        &self.words[place.first as usize..][..words_of(place.width)]
    }

    /// Gives a node a value; if that is another than before, its readers have something to do.
    pub fn set(&mut self, id: NodeId, value: &[u64]) {
        let place = self.places[id.index()];
        let old = &mut self.words[place.first as usize..][..words_of(place.width)];
        if old != value {
            old.copy_from_slice(value);
            self.agenda.add_readers(id);
        }
    }

    /// The rising edge: all `registers` load at once.
    pub fn load(&mut self, registers: &[Register], in_reset: bool) {
        // One register may load another's value: all are read before any is written.
        let mut loading = std::mem::take(&mut self.loading);
        loading.clear();
        for register in registers {
            loading.extend_from_slice(self.loaded(register, in_reset));
        }
        let mut rest = &loading[..];
        for register in registers {
            let (mine, others) = rest.split_at(words_of(self.width(register.node)));
            self.set(register.node, mine);
            rest = others;
        }
        self.loading = loading;
    }

    /// What a register holds after the edge.
    fn loaded<'v>(&'v self, register: &'v Register, in_reset: bool) -> &'v [u64] {
        let enabled = register.enable.is_none_or(|enable| self.word(enable) == 1);
        match &register.reset {
            Some(reset) if in_reset => reset.words(),
            _ if enabled => self.get(register.next.expect("a finished module is driven")),
            _ => self.get(register.node),
        }
    }

    /// Computes a node from those it reads. Inputs, constants, registers and outputs of instances are not
    /// computed, but set.
    pub fn evaluate(&mut self, id: NodeId, op: &Op) {
        let place = self.places[id.index()];
        if place.wide {
            let mut scratch = std::mem::take(&mut self.scratch);
            let value = &mut scratch[..words_of(place.width)];
            value.fill(0);
            self.wide(op, place.width, value);
            self.set(id, value);
            self.scratch = scratch;
        } else {
            let value = self.narrow(op, place.width);
            if std::mem::replace(&mut self.words[place.first as usize], value) != value {
                self.agenda.add_readers(id);
            }
        }
    }

    fn word(&self, id: NodeId) -> u64 {
        self.words[self.places[id.index()].first as usize]
    }

    fn width(&self, id: NodeId) -> u32 {
        self.places[id.index()].width
    }

    /// What `op` computes where it and all it reads have at most 64 bits.
    fn narrow(&self, op: &Op, width: u32) -> u64 {
        let mask = u64::MAX >> (64 - width);
        match op {
            Op::Input(_) | Op::Const(_) | Op::Register(_) | Op::InstanceOutput(..) => unreachable!("set"),
            Op::Wire(driver) => self.word(driver.expect("a finished module is driven")),
            Op::Not(a) => !self.word(*a) & mask,
            Op::Binary(op, a, b) => narrow_binary(*op, self.word(*a), self.word(*b)) & mask,
            Op::Reduce(ReduceOp::And, a) => u64::from(self.word(*a) == u64::MAX >> (64 - self.width(*a))),
            Op::Reduce(ReduceOp::Or, a) => u64::from(self.word(*a) != 0),
            Op::Reduce(ReduceOp::Xor, a) => u64::from(self.word(*a).count_ones() & 1),
            Op::Mux(select, one, zero) => self.word(if self.word(*select) == 1 { *one } else { *zero }),
            Op::Case(key, arms, default) => {
                let key = self.word(*key);
                let arm = arms.iter().find(|arm| arm.matches(&[key]));
                self.word(arm.map_or(*default, |arm| arm.value))
            }
            Op::Slice(of, low) => self.word(*of) >> low & mask,
            Op::Concat(parts) => {
                parts.iter().fold(0, |high, part| {
                    // A single part of 64 bits would be a shift by all of them, but there is nothing above it.
                    high.checked_shl(self.width(*part)).unwrap_or(0) | self.word(*part)
                })
            }
        }
    }

    /// What `op` computes at any width, into `to`, which holds zeros.
    fn wide(&self, op: &Op, width: u32, to: &mut [u64]) {
        match op {
            Op::Input(_) | Op::Const(_) | Op::Register(_) | Op::InstanceOutput(..) => unreachable!("set"),
            Op::Wire(driver) => to.copy_from_slice(self.get(driver.expect("a finished module is driven"))),
            Op::Not(a) => words::not(self.get(*a), to, width),
            Op::Binary(op, a, b) => words::binary(*op, self.get(*a), self.get(*b), to, width),
            Op::Reduce(op, a) => to[0] = u64::from(words::reduce(*op, self.get(*a), self.width(*a))),
            Op::Mux(select, one, zero) => {
                to.copy_from_slice(self.get(if self.word(*select) == 1 { *one } else { *zero }));
            }
            Op::Case(key, arms, default) => {
                let key = self.get(*key);
                let arm = arms.iter().find(|arm| arm.matches(key));
                to.copy_from_slice(self.get(arm.map_or(*default, |arm| arm.value)));
            }
            Op::Slice(of, low) => copy_bits(to, 0, self.get(*of), *low, width),
            Op::Concat(parts) => {
                let mut at = width;
                for part in parts {
                    at -= self.width(*part);
                    copy_bits(to, at, self.get(*part), 0, self.width(*part));
                }
            }
        }
    }
}

/// Bits past the width are still to be cut off.
fn narrow_binary(op: BinaryOp, a: u64, b: u64) -> u64 {
    let shift = |shifted: fn(u64, u32) -> Option<u64>| u32::try_from(b).ok().and_then(|by| shifted(a, by));
    match op {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Eq => u64::from(a == b),
        BinaryOp::Ne => u64::from(a != b),
        BinaryOp::Lt => u64::from(a < b),
        BinaryOp::Le => u64::from(a <= b),
        BinaryOp::Shl => shift(u64::checked_shl).unwrap_or(0),
        BinaryOp::Shr => shift(u64::checked_shr).unwrap_or(0),
    }
}
