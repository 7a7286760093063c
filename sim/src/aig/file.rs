//! AIGER files, the format of model checkers (Biere, Heljanko and Wieringa, "AIGER 1.9 And Beyond", 2011), in the binary form.
//!
//! Variables are numbered from 1 on: inputs, then latches, then ANDs. A literal is twice the variable, plus one if
//! complemented; 0 and 1 are the constants. All latches start as 0.

use std::io::{self, Write};

use super::blast::Logic;
use super::graph::{Leaf, Lit, Node};

/// A literal of a file, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The literal.
    pub literal: u32,
}

/// The suffix of an output that is the next value of a register.
pub const NEXT: &str = "@next";

/// A latch: its name, and its next value.
pub type Latch = Named;

/// The contents of an AIGER file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aiger {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// The latches, which start as 0.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<Named>,
    /// Signals that must never be 1.
    pub bad: Vec<Named>,
    /// The ANDs: the operands of each are less than its own literal.
    pub ands: Vec<(u32, u32)>,
}

impl Aiger {
    /// A design with its registers as latches; its outputs are what must never be 1.
    pub fn sequential(logic: &Logic) -> Self {
        let numbers = Numbers::new(logic);
        let latches = logic.registers.iter().zip(&logic.next);
        let named = |(name, literal): (&String, u32)| Named { name: name.clone(), literal };
        Self {
            inputs: logic.inputs.clone(),
            latches: latches.map(|(bit, next)| named((&bit.name, numbers.literal(*next)))).collect(),
            outputs: Vec::new(),
            bad: logic.output_names.iter().zip(numbers.of(&logic.outputs)).map(named).collect(),
            ands: numbers.ands,
        }
    }

    /// One cycle of a design: registers become inputs, and their next values outputs, named as the register with [`NEXT`]
    /// appended.
    pub fn one_cycle(logic: &Logic) -> Self {
        let numbers = Numbers::new(logic);
        let registers = logic.registers.iter().map(|bit| bit.name.clone());
        let outputs = logic.output_names.iter().cloned().zip(numbers.of(&logic.outputs));
        let loaded = registers.clone().map(|name| name + NEXT).zip(numbers.of(&logic.next));
        let named = |(name, literal)| Named { name, literal };
        Self {
            inputs: logic.inputs.iter().cloned().chain(registers).collect(),
            latches: Vec::new(),
            outputs: outputs.chain(loaded).map(named).collect(),
            bad: Vec::new(),
            ands: numbers.ands,
        }
    }

    /// The variable of the first AND.
    fn first_and(&self) -> usize {
        1 + self.inputs.len() + self.latches.len()
    }

    /// The literal of a latch.
    pub fn latch(&self, index: usize) -> u32 {
        2 * (1 + self.inputs.len() + index) as u32
    }

    /// Adds an AND of two literals, and gives its literal.
    pub fn and(&mut self, a: u32, b: u32) -> u32 {
        self.ands.push((a, b));
        2 * (self.first_and() + self.ands.len() - 1) as u32
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { inputs, latches, outputs, bad, ands } = self;
        let variables = self.first_and() - 1 + ands.len();
        write!(out, "aig {variables} {} {} {} {}", inputs.len(), latches.len(), outputs.len(), ands.len())?;
        // A file without bad states is of the older form, which every tool reads.
        if !bad.is_empty() {
            write!(out, " {}", bad.len())?;
        }
        writeln!(out)?;
        for named in latches.iter().chain(outputs).chain(bad) {
            writeln!(out, "{}", named.literal)?;
        }
        for (literal, &(a, b)) in (self.first_and() as u32..).map(|variable| 2 * variable).zip(ands) {
            let (high, low) = (a.max(b), a.min(b));
            write_delta(out, literal - high)?;
            write_delta(out, high - low)?;
        }
        let names = |named: &[Named]| named.iter().map(|named| named.name.clone()).collect::<Vec<_>>();
        for (letter, names) in
            [('i', inputs.clone()), ('l', names(latches)), ('o', names(outputs)), ('b', names(bad))]
        {
            for (index, name) in names.iter().enumerate() {
                writeln!(out, "{letter}{index} {name}")?;
            }
        }
        Ok(())
    }

    /// The values of all variables in a cycle of 64 runs at once, by the values of latches and inputs.
    fn values(&self, state: &[u64], inputs: &[u64]) -> Vec<u64> {
        let mut values = Vec::with_capacity(self.first_and() + self.ands.len());
        values.push(0);
        values.extend_from_slice(inputs);
        values.extend_from_slice(state);
        for &(a, b) in &self.ands {
            let and = value(&values, a) & value(&values, b);
            values.push(and);
        }
        values
    }

    /// Runs a cycle of 64 runs at once, each a bit of every word: takes and changes the values of the latches, and gives those of
    /// outputs and bad states.
    ///
    /// # Panics
    /// If there are not as many words as latches or inputs.
    pub fn run(&self, state: &mut [u64], inputs: &[u64]) -> Vec<u64> {
        assert_eq!(
            (state.len(), inputs.len()),
            (self.latches.len(), self.inputs.len()),
            "latches and inputs"
        );
        let values = self.values(state, inputs);
        for (state, latch) in state.iter_mut().zip(&self.latches) {
            *state = value(&values, latch.literal);
        }
        self.outputs.iter().chain(&self.bad).map(|named| value(&values, named.literal)).collect()
    }
}

fn value(values: &[u64], literal: u32) -> u64 {
    let complement = if literal & 1 == 1 { u64::MAX } else { 0 };
    values[literal as usize >> 1] ^ complement
}

/// A number in sevens of bits, the lowest first.
fn write_delta(out: &mut impl Write, mut delta: u32) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(5);
    while delta > 0x7f {
        bytes.push(delta as u8 | 0x80);
        delta >>= 7;
    }
    bytes.push(delta as u8);
    out.write_all(&bytes)
}

/// The literals of the nodes of a graph.
struct Numbers {
    /// The literal of each node, not complemented; ANDs that nothing reads have none.
    literals: Vec<u32>,
    ands: Vec<(u32, u32)>,
}

impl Numbers {
    fn new(logic: &Logic) -> Self {
        let nodes = logic.aig.nodes();
        let mut read = vec![false; nodes.len()];
        logic.outputs.iter().chain(&logic.next).for_each(|root| read[root.node()] = true);
        for (index, node) in nodes.iter().enumerate().rev() {
            if let (Node::And(a, b), true) = (node, read[index]) {
                (read[a.node()], read[b.node()]) = (true, true);
            }
        }
        let (inputs, latches) = (logic.inputs.len() as u32, logic.registers.len() as u32);
        let mut numbers = Self { literals: Vec::with_capacity(nodes.len()), ands: Vec::new() };
        for (index, node) in nodes.iter().enumerate() {
            let literal = match *node {
                Node::Leaf(Leaf::Input(input)) => 2 * (1 + input),
                Node::Leaf(Leaf::Register(register)) if register < latches => 2 * (1 + inputs + register),
                Node::And(a, b) if read[index] => {
                    numbers.ands.push((numbers.literal(a), numbers.literal(b)));
                    2 * (inputs + latches + numbers.ands.len() as u32)
                }
                Node::False | Node::Leaf(_) | Node::And(..) => 0,
            };
            numbers.literals.push(literal);
        }
        numbers
    }

    fn literal(&self, lit: Lit) -> u32 {
        self.literals[lit.node()] | u32::from(lit.is_complement())
    }

    fn of<'n>(&'n self, lits: &'n [Lit]) -> impl Iterator<Item = u32> + 'n {
        lits.iter().map(|lit| self.literal(*lit))
    }
}
