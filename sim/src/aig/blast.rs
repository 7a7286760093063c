//! Bit-blasting: from a design with signals of many bits to an and-inverter graph of single bits.

use std::collections::BTreeMap;

use utfhdl_hdl::netlist::{BinaryOp, Design, Mark, Pattern, ReduceOp, RegisterRole};

use super::graph::{Aig, Leaf, Lit, Node};
use crate::flat::{Flat, FlatOp, FlatRegister, Scope};

/// The most ANDs that a design may come to. Each takes eight bytes, and a few hundred while the design is compiled.
pub const MOST_ANDS: usize = 1 << 22;

/// The error that a design has more than [`MOST_ANDS`] ANDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the design has more than {MOST_ANDS} gates of two inputs")]
pub struct TooLarge;

/// The state that a design starts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// All registers hold 0, as in an engine. Reset is an input.
    Zero,
    /// The design was in reset for one clock edge at least: registers with a reset value hold that, and of the others nothing is
    /// known. Each of their bits comes from an input of its own in the first cycle.
    AfterReset {
        /// Whether reset can come again, and is an input.
        again: bool,
    },
    /// The state after a reset that can come again, except that registers without a reset value hold 0.
    Cleared,
}

/// A bit of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterBit {
    /// The names of the instances from the top down, then that of the register, with dots; the bit in brackets, where the
    /// register has several.
    pub name: String,
    /// Whether the bit is the complement of the register: the register starts as 1, and the bit as 0.
    pub complemented: bool,
    /// Which bit of the register it is.
    pub bit: u32,
    /// The pipeline stage of the register.
    pub stage: Option<u32>,
    /// The lane of the beat that the value belongs to.
    pub lane: Option<u32>,
    /// Whether the register is in an instance whose pipeline is a part of its own, with stages from 1 on.
    pub is_in_part: bool,
    /// The function of the register in the pipeline.
    pub role: RegisterRole,
}

/// A design in single bits: the value of each output, and what each register loads. All registers start as 0.
#[derive(Clone, Debug)]
pub struct Logic {
    /// All ANDs.
    pub aig: Aig,
    /// The names of the inputs. An input of one bit has the name of its port; bits of wider ports have their number in
    /// brackets.
    pub inputs: Vec<String>,
    /// The registers.
    pub registers: Vec<RegisterBit>,
    /// The value that each register loads.
    pub next: Vec<Lit>,
    /// In the order of the output ports, low bits first.
    pub outputs: Vec<Lit>,
    /// The names of the outputs.
    pub output_names: Vec<String>,
    /// The bits of the signals at boundaries between parts of the pipeline, low bits first.
    pub marks: Vec<(Mark, Vec<Lit>)>,
    /// For each mark of a signal that is cut: the inputs that drive the signal.
    pub cuts: Vec<(Mark, Vec<Lit>)>,
}

/// Splits `design` into bits. Input bits are numbered in the order of the ports, with the reset, if any, first; the inputs that
/// give registers their initial values are last.
///
/// # Errors
/// If the design is too large.
pub fn blast(design: &Design, start: Start) -> Result<Logic, TooLarge> {
    blast_cut(design, start, |_| false)
}

/// Splits `design` into bits as [`blast`] does, and cuts it at the marks that `is_cut` accepts: inputs, [`Logic::cuts`], drive such a signal. They come after
/// the inputs of the ports. A register with a mark loads the inputs.
///
/// # Errors
/// If the design is too large.
pub fn blast_cut(design: &Design, start: Start, is_cut: impl Fn(Mark) -> bool) -> Result<Logic, TooLarge> {
    let flat = Flat::new(design);
    let mut blaster = Blaster {
        aig: Aig::new(),
        signals: vec![Vec::new(); flat.signals.len()],
        inputs: Vec::new(),
        registers: Vec::new(),
        bits: flat.registers.iter().map(|register| flat.signals[register.value].width).sum(),
        started: None,
    };
    let has_reset = design.top.has_reset() && start != Start::AfterReset { again: false };
    let in_reset = match has_reset.then(|| blaster.input(design.reset.port().to_owned())) {
        Some(level) if design.reset.active_level() => level,
        Some(level) => !level,
        None => Lit::FALSE,
    };
    for (&signal, port) in flat.inputs.iter().zip(design.top.inputs()) {
        blaster.signals[signal] =
            (0..port.width).map(|bit| blaster.input(bit_name(&port.name, bit, port.width))).collect();
    }
    let at_once = if design.reset.is_asynchronous() { in_reset } else { Lit::FALSE };
    let names = register_names(&flat);
    for register in &flat.registers {
        let width = flat.signals[register.value].width;
        blaster.register(register, &names[register.value], width, at_once, start);
    }
    let mut cut: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
    for &(_, signal) in flat.marks.iter().filter(|(mark, _)| is_cut(*mark)) {
        let width = flat.signals[signal].width;
        let name = |bit| bit_name(&format!("cut_{signal}"), bit, width);
        cut.entry(signal).or_insert_with(|| (0..width).map(|bit| blaster.input(name(bit))).collect());
    }
    for &signal in &flat.order {
        let op = &flat.signals[signal].op;
        match (op, cut.get(&signal)) {
            (FlatOp::Register(_), _) => {}
            (_, Some(cut)) => blaster.signals[signal].clone_from(cut),
            (FlatOp::Input(_), None) => {}
            (_, None) => blaster.signals[signal] = blaster.signal(op, flat.signals[signal].width),
        }
        if blaster.aig.nodes().len() > MOST_ANDS {
            return Err(TooLarge);
        }
    }
    let mut next: Vec<Lit> =
        flat.registers.iter().flat_map(|register| blaster.next(register, in_reset, &cut)).collect();
    for (next, register) in next.iter_mut().zip(&blaster.registers) {
        *next = if register.complemented { !*next } else { *next };
    }
    if blaster.started.is_some() {
        next.push(Lit::TRUE);
        blaster.registers.push(RegisterBit {
            name: STARTED.to_owned(),
            complemented: false,
            bit: 0,
            stage: None,
            lane: None,
            is_in_part: false,
            role: RegisterRole::Data,
        });
    }
    let outputs = flat.outputs.iter().flat_map(|&signal| blaster.signals[signal].clone()).collect();
    let output_names = design.top.outputs().flat_map(|port| {
        let (name, width) = (port.name.clone(), port.width);
        (0..width).map(move |bit| bit_name(&name, bit, width))
    });
    let output_names = output_names.collect();
    let bits_of = |&(mark, signal): &(Mark, usize)| (mark, blaster.signals[signal].clone());
    let marks = flat.marks.iter().map(bits_of).collect();
    let cut_at = |&(mark, signal): &(Mark, usize)| Some((mark, cut.get(&signal)?.clone()));
    let cuts = flat.marks.iter().filter_map(cut_at).collect();
    let Blaster { aig, inputs, registers, .. } = blaster;
    Ok(Logic { aig, inputs, registers, next, outputs, output_names, marks, cuts })
}

/// The register that is 0 in the first cycle only.
const STARTED: &str = "started";

fn bit_name(name: &str, bit: u32, width: u32) -> String {
    if width == 1 { name.to_owned() } else { format!("{name}[{bit}]") }
}

/// The name of each signal that is a register, with the path of instances to it.
fn register_names(flat: &Flat) -> Vec<String> {
    fn visit(scope: &Scope, above: &str, names: &mut [String]) {
        let registers = scope.signals.iter().filter(|signal| signal.register);
        for signal in registers.filter(|signal| !signal.name.is_empty()) {
            let name = &mut names[signal.signal];
            if name.is_empty() {
                *name = format!("{above}{}", signal.name);
            }
        }
        for child in &scope.children {
            visit(child, &format!("{above}{}.", child.name), names);
        }
    }
    let mut names = vec![String::new(); flat.signals.len()];
    visit(&flat.scope, "", &mut names);
    names
}

struct Blaster {
    aig: Aig,
    /// The bits of each signal, the lowest first.
    signals: Vec<Vec<Lit>>,
    inputs: Vec<String>,
    registers: Vec<RegisterBit>,
    /// How many bits the registers of the design have.
    bits: u32,
    /// The register that is 0 in the first cycle only, if some register needs it.
    started: Option<Lit>,
}

impl Blaster {
    fn input(&mut self, name: String) -> Lit {
        self.inputs.push(name);
        self.aig.leaf(Leaf::Input(self.inputs.len() as u32 - 1))
    }

    /// Gives a register its bits. While an asynchronous reset is active, they show its reset value at once.
    fn register(&mut self, register: &FlatRegister, name: &str, width: u32, at_once: Lit, start: Start) {
        let mut shown = Vec::new();
        for bit in 0..width {
            let name = bit_name(name, bit, width);
            let reset = register.reset.as_ref().map(|value| value.bit(bit));
            let complemented = start != Start::Zero && reset == Some(true);
            let leaf = self.aig.leaf(Leaf::Register(self.registers.len() as u32));
            let held = if complemented { !leaf } else { leaf };
            shown.push(match (reset, start) {
                (Some(value), _) => self.aig.mux(at_once, Lit::constant(value), held),
                (None, Start::Zero | Start::Cleared) => held,
                // Nothing is known of what it holds in the first cycle.
                (None, Start::AfterReset { .. }) => {
                    let first = self.input(format!("{name}@start"));
                    let started = self.started();
                    self.aig.mux(started, held, first)
                }
            });
            self.registers.push(RegisterBit {
                name,
                complemented,
                bit,
                stage: register.stage,
                lane: register.lane,
                is_in_part: register.is_in_part,
                role: register.role,
            });
        }
        self.signals[register.value] = shown;
    }

    /// The register that is 0 in the first cycle only. It becomes the last of all.
    fn started(&mut self) -> Lit {
        *self.started.get_or_insert_with(|| self.aig.leaf(Leaf::Register(self.bits)))
    }

    /// The value that a register loads at the end of the cycle.
    fn next(&mut self, register: &FlatRegister, in_reset: Lit, cut: &BTreeMap<usize, Vec<Lit>>) -> Vec<Lit> {
        let next = cut.get(&register.value).unwrap_or(&self.signals[register.next]);
        let (value, next) = (self.signals[register.value].clone(), next.clone());
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
            FlatOp::Input(_) | FlatOp::Register(_) => {
                unreachable!("inputs and registers have their bits from the start")
            }
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
            FlatOp::Lookup(key, words) => {
                let key = bits(key);
                (0..width).map(|bit| self.looked_up(&key, words, bit)).collect()
            }
            FlatOp::Slice(of, low) => bits(of)[*low as usize..(*low + width) as usize].to_vec(),
            FlatOp::Concat(parts) => parts.iter().rev().flat_map(bits).collect(),
        }
    }

    /// A bit of the word that the key selects: multiplexers, of which equal ones are one.
    fn looked_up(&mut self, key: &[Lit], words: &[u64], bit: u32) -> Lit {
        let mut level: Vec<Lit> = words.iter().map(|word| Lit::constant(word >> bit & 1 == 1)).collect();
        for &select in key {
            level = level.chunks(2).map(|pair| self.aig.mux(select, pair[1], pair[0])).collect();
        }
        level[0]
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
    pub fn ands(&self) -> usize {
        self.aig.nodes().iter().filter(|node| matches!(node, Node::And(..))).count()
    }

    /// Leaves out the registers that no output depends on, not even in later cycles, and numbers the others anew.
    pub fn without_dead_registers(mut self) -> Self {
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
        let number = |alive: &bool| {
            alive.then(|| {
                kept += 1;
                kept - 1
            })
        };
        let numbers: Vec<Option<u32>> = registers.iter().map(number).collect();
        self.aig.renumber_registers(&numbers);
        let mut alive = registers.iter();
        self.next.retain(|_| *alive.next().expect("there is a flag for each register"));
        let mut alive = registers.iter();
        self.registers.retain(|_| *alive.next().expect("there is a flag for each register"));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfhdl_hdl::netlist::{Builder, ResetStyle};

    #[test]
    fn inputs_drive_what_is_cut() {
        let m = Builder::new("cut", "A marked signal and a marked register.");
        let (a, b) = (m.input("a", 1, ""), m.input("b", 1, ""));
        let both = a & b;
        both.mark(Mark::MakesSlot(0));
        let register = m.reg("one_reg", 1);
        register.next(a ^ b);
        register.q.mark(Mark::SlotMade(0));
        m.output("out", both | register.q, "");
        let design = Design { top: m.built(), reset: ResetStyle::SyncHigh };

        let whole = blast(&design, Start::Zero).expect("a small design");
        assert_eq!((whole.inputs.len(), whole.cuts.len(), whole.marks.len()), (2, 0, 2));

        let cut = blast_cut(&design, Start::Zero, |_| true).expect("a small design");
        let of = |mark: Mark| cut.cuts.iter().find(|(at, _)| *at == mark).expect("it is cut").1[0];
        let (both, one) = (of(Mark::MakesSlot(0)), of(Mark::SlotMade(0)));
        let leaf = |lit: Lit| cut.aig.nodes()[lit.node()];
        assert!(matches!(
            [leaf(both), leaf(one)],
            [Node::Leaf(Leaf::Input(2..)), Node::Leaf(Leaf::Input(2..))]
        ));
        assert_eq!(cut.next, [one]);
        let mut read = vec![cut.outputs[0].node()];
        while let Some(node) = read.pop() {
            match cut.aig.nodes()[node] {
                Node::And(a, b) => read.extend([a.node(), b.node()]),
                Node::Leaf(Leaf::Input(index)) => assert_eq!(node, both.node(), "input {index}"),
                Node::Leaf(Leaf::Register(0)) => {}
                other => panic!("{other:?}"),
            }
        }

        // A cut at one mark leaves the other signal as it is.
        let half = blast_cut(&design, Start::Zero, |mark| mark == Mark::SlotMade(0)).expect("a small design");
        assert_eq!(half.cuts.len(), 1);
        assert_ne!(half.next, whole.next);
    }
}
