//! Bit-blasting: from a design with signals of many bits to an and-inverter graph of single bits.

use utfhdl_hdl::netlist::{BinaryOp, Design, Pattern, ReduceOp};

use super::aig::{Aig, Leaf, Lit, Node};
use super::error::BatchError;
use crate::flat::{Flat, FlatOp, FlatRegister};

/// The most ANDs that a design may come to. Each takes eight bytes, and a few hundred while the design is compiled.
pub(crate) const MOST_ANDS: usize = 1 << 22;

/// A design in single bits: the value of each output, and what each register loads.
#[derive(Debug)]
pub(crate) struct Logic {
    pub(crate) aig: Aig,
    /// In the order of the output ports, low bits first.
    pub(crate) outputs: Vec<Lit>,
    /// What each bit of a register loads.
    pub(crate) next: Vec<Lit>,
}

/// Takes `design` apart into bits, and leaves out the registers that no output depends on. Input bits are numbered in the order
/// of the ports, after the reset where there is one.
pub(crate) fn blast(design: &Design) -> Result<Logic, BatchError> {
    Ok(blast_all(design, &Flat::new(design))?.without_dead_registers())
}

/// Takes `design`, of which `flat` is the flat form, apart into bits. Bits of registers are numbered in the order of the registers.
pub(crate) fn blast_all(design: &Design, flat: &Flat) -> Result<Logic, BatchError> {
    let mut blaster = Blaster { aig: Aig::new(), signals: vec![Vec::new(); flat.signals.len()] };
    let mut inputs = 0;
    let mut input = |aig: &mut Aig| {
        inputs += 1;
        aig.leaf(Leaf::Input(inputs - 1))
    };
    let reset = design.top.has_reset().then(|| input(&mut blaster.aig));
    let in_reset = match reset {
        Some(level) if design.reset.active_level() => level,
        Some(level) => !level,
        None => Lit::FALSE,
    };
    for &signal in &flat.inputs {
        let width = flat.signals[signal].width;
        blaster.signals[signal] = (0..width).map(|_| input(&mut blaster.aig)).collect();
    }
    let at_once = if design.reset.is_asynchronous() { in_reset } else { Lit::FALSE };
    let mut bits = 0;
    for register in &flat.registers {
        blaster.register(register, flat.signals[register.value].width, at_once, &mut bits);
    }
    for &signal in &flat.order {
        let op = &flat.signals[signal].op;
        if !matches!(op, FlatOp::Input(_) | FlatOp::Register(_)) {
            blaster.signals[signal] = blaster.signal(op, flat.signals[signal].width);
        }
        if blaster.aig.nodes().len() > MOST_ANDS {
            return Err(BatchError::TooLarge { most: MOST_ANDS });
        }
    }
    let next = flat.registers.iter().flat_map(|register| blaster.next(register, in_reset)).collect();
    let outputs = flat.outputs.iter().flat_map(|&signal| blaster.signals[signal].clone()).collect();
    Ok(Logic { aig: blaster.aig, outputs, next })
}

struct Blaster {
    aig: Aig,
    /// The bits of each signal, the lowest first.
    signals: Vec<Vec<Lit>>,
}

impl Blaster {
    /// Gives a register its bits. While an asynchronous reset is active, they show its reset value at once.
    fn register(&mut self, register: &FlatRegister, width: u32, at_once: Lit, bits: &mut u32) {
        let shown = (0..width).map(|bit| {
            let held = self.aig.leaf(Leaf::Register(*bits));
            *bits += 1;
            match &register.reset {
                Some(value) => self.aig.mux(at_once, Lit::constant(value.bit(bit)), held),
                None => held,
            }
        });
        self.signals[register.value] = shown.collect();
    }

    /// What a register loads at the end of the cycle.
    fn next(&mut self, register: &FlatRegister, in_reset: Lit) -> Vec<Lit> {
        let (value, next) = (self.signals[register.value].clone(), self.signals[register.next].clone());
        let loads = register.enable.map_or(Lit::TRUE, |enable| self.signals[enable][0]);
        let bits = value.into_iter().zip(next).enumerate().map(|(bit, (value, next))| {
            let loaded = self.aig.mux(loads, next, value);
            match &register.reset {
                Some(reset) => self.aig.mux(in_reset, Lit::constant(reset.bit(bit as u32)), loaded),
                None => loaded,
            }
        });
        bits.collect()
    }

    fn signal(&mut self, op: &FlatOp, width: u32) -> Vec<Lit> {
        let bits = |index: &usize| self.signals[*index].clone();
        match op {
            FlatOp::Input(_) | FlatOp::Register(_) => unreachable!("they have their bits already"),
            FlatOp::Const(value) => (0..width).map(|bit| Lit::constant(value.bit(bit))).collect(),
            FlatOp::Not(a) => bits(a).into_iter().map(|bit| !bit).collect(),
            FlatOp::Binary(op, a, b) => {
                let (a, b) = (bits(a), bits(b));
                self.binary(*op, &a, &b)
            }
            FlatOp::Reduce(op, a) => {
                let a = bits(a);
                vec![match op {
                    ReduceOp::And => self.all(&a),
                    ReduceOp::Or => !self.all(&a.iter().map(|&bit| !bit).collect::<Vec<_>>()),
                    ReduceOp::Xor => a.into_iter().fold(Lit::FALSE, |parity, bit| self.aig.xor(parity, bit)),
                }]
            }
            FlatOp::Mux(select, one, zero) => {
                let (select, one, zero) = (bits(select)[0], bits(one), bits(zero));
                self.mux(select, &one, &zero)
            }
            FlatOp::Case(key, arms, default) => {
                let (key, mut value) = (bits(key), bits(default));
                // The first arm that matches counts, so it becomes the outermost choice.
                for (labels, arm) in arms.iter().rev() {
                    let matches: Vec<Lit> = labels.iter().map(|label| !self.matches(&key, label)).collect();
                    let selected = !self.all(&matches);
                    let arm = self.signals[*arm].clone();
                    value = self.mux(selected, &arm, &value);
                }
                value
            }
            FlatOp::Slice(of, low) => bits(of)[*low as usize..(*low + width) as usize].to_vec(),
            FlatOp::Concat(parts) => parts.iter().rev().flat_map(bits).collect(),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let aig = &mut self.aig;
        let pairs = a.iter().zip(b);
        match op {
            BinaryOp::And => pairs.map(|(&a, &b)| aig.and(a, b)).collect(),
            BinaryOp::Or => pairs.map(|(&a, &b)| aig.or(a, b)).collect(),
            BinaryOp::Xor => pairs.map(|(&a, &b)| aig.xor(a, b)).collect(),
            BinaryOp::Add => self.sum(a, b, Lit::FALSE).0,
            BinaryOp::Sub => self.difference(a, b).0,
            BinaryOp::Eq => vec![self.equal(a, b)],
            BinaryOp::Ne => vec![!self.equal(a, b)],
            BinaryOp::Lt => vec![!self.difference(a, b).1],
            BinaryOp::Le => vec![self.difference(b, a).1],
            BinaryOp::Shl => {
                let reversed: Vec<Lit> = a.iter().rev().copied().collect();
                self.shifted_down(reversed, b).into_iter().rev().collect()
            }
            BinaryOp::Shr => self.shifted_down(a.to_vec(), b),
        }
    }

    /// Sum and carry.
    fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.aig.xor(a, b);
            sum.push(self.aig.xor(half, carry));
            carry = self.aig.majority(a, b, carry);
        }
        (sum, carry)
    }

    /// `a - b`, and whether `a >= b`.
    fn difference(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let complement: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
        self.sum(a, &complement, Lit::TRUE)
    }

    fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| !self.aig.xor(a, b)).collect();
        self.all(&same)
    }

    fn matches(&mut self, key: &[Lit], label: &Pattern) -> Lit {
        let compared = key
            .iter()
            .enumerate()
            .filter_map(|(at, &bit)| label.bit(at as u32).map(|expected| if expected { bit } else { !bit }));
        self.all(&compared.collect::<Vec<Lit>>())
    }

    /// The AND of all, as a tree.
    fn all(&mut self, bits: &[Lit]) -> Lit {
        match bits {
            [] => Lit::TRUE,
            [bit] => *bit,
            _ => {
                let (low, high) = bits.split_at(bits.len() / 2);
                let (low, high) = (self.all(low), self.all(high));
                self.aig.and(low, high)
            }
        }
    }

    fn mux(&mut self, select: Lit, one: &[Lit], zero: &[Lit]) -> Vec<Lit> {
        one.iter().zip(zero).map(|(&one, &zero)| self.aig.mux(select, one, zero)).collect()
    }

    /// `value >> amount`: one stage of choices for each bit of the amount. A bit that shifts everything out clears the value.
    fn shifted_down(&mut self, mut value: Vec<Lit>, amount: &[Lit]) -> Vec<Lit> {
        for (stage, &bit) in amount.iter().enumerate() {
            let by = 1_usize.checked_shl(stage as u32).unwrap_or(usize::MAX).min(value.len());
            let shifted: Vec<Lit> =
                value[by..].iter().copied().chain(std::iter::repeat_n(Lit::FALSE, by)).collect();
            value = self.mux(bit, &shifted, &value);
        }
        value
    }
}

impl Logic {
    /// How many ANDs there are, including those that nothing reads.
    pub(crate) fn ands(&self) -> usize {
        self.aig.nodes().iter().filter(|node| matches!(node, Node::And(..))).count()
    }

    /// Leaves out the registers that no output depends on, not even in later cycles, and numbers the others anew.
    fn without_dead_registers(mut self) -> Self {
        let mut alive = vec![false; self.aig.nodes().len()];
        let mut registers = vec![false; self.next.len()];
        let mut stack: Vec<usize> = self.outputs.iter().map(|lit| lit.node()).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut alive[node], true) {
                continue;
            }
            match self.aig.nodes()[node] {
                Node::And(a, b) => stack.extend([a.node(), b.node()]),
                Node::Leaf(Leaf::Register(index)) => {
                    registers[index as usize] = true;
                    stack.push(self.next[index as usize].node());
                }
                Node::False | Node::Leaf(Leaf::Input(_)) => {}
            }
        }
        let mut kept = 0;
        let numbers: Vec<Option<u32>> = registers
            .iter()
            .map(|alive| {
                alive.then(|| {
                    kept += 1;
                    kept - 1
                })
            })
            .collect();
        self.aig.renumber_registers(&numbers);
        let mut alive = registers.iter();
        self.next.retain(|_| *alive.next().expect("a flag a register"));
        self
    }
}
