//! The gates of a design, with a set of marks for each.

use super::sets::Sets;
use crate::aig::{Leaf, Lit, Logic, Node};

/// A design in ANDs and complements.
pub(super) struct Gates {
    nodes: Vec<Node>,
    outputs: Vec<Lit>,
    next: Vec<Lit>,
    /// The node of each bit of the registers.
    registers: Vec<Option<usize>>,
}

impl Gates {
    pub(super) fn new(logic: Logic) -> Self {
        let nodes = logic.aig.nodes().to_vec();
        let mut registers = vec![None; logic.next.len()];
        for (index, node) in nodes.iter().enumerate() {
            if let Node::Leaf(Leaf::Register(bit)) = node {
                registers[*bit as usize] = Some(index);
            }
        }
        Self { nodes, outputs: logic.outputs, next: logic.next, registers }
    }

    /// How many bits the registers have.
    pub(super) fn registers(&self) -> usize {
        self.next.len()
    }

    /// Room for the values of all gates.
    pub(super) fn values(&self) -> Vec<bool> {
        vec![false; self.nodes.len()]
    }

    /// How many gates there are.
    pub(super) fn gates(&self) -> usize {
        self.nodes.len()
    }

    /// Computes the values of all gates.
    pub(super) fn evaluate(&self, inputs: &[bool], state: &[bool], values: &mut [bool]) {
        for (index, node) in self.nodes.iter().enumerate() {
            values[index] = match node {
                Node::False => false,
                Node::Leaf(Leaf::Input(bit)) => inputs[*bit as usize],
                Node::Leaf(Leaf::Register(bit)) => state[*bit as usize],
                Node::And(a, b) => value(values, *a) && value(values, *b),
            };
        }
    }

    /// Computes the state after a cycle.
    pub(super) fn step(&self, values: &[bool], state: &mut [bool]) {
        state.iter_mut().zip(&self.next).for_each(|(bit, next)| *bit = value(values, *next));
    }

    /// Collects the marks of the state after a cycle.
    pub(super) fn step_marks(&self, marks: &Sets, state: &mut Sets) {
        state.clear();
        self.next.iter().for_each(|next| state.push_from(marks, next.node()));
    }

    /// Finds the marks of all gates: what could have changed their values. `inputs` has the `words` words of each bit of the inputs.
    pub(super) fn forward(
        &self,
        values: &[bool],
        (inputs, words): (&[u64], usize),
        state: &Sets,
        marks: &mut Sets,
    ) {
        marks.clear();
        for node in &self.nodes {
            match node {
                Node::False => marks.push_empty(),
                Node::Leaf(Leaf::Input(bit)) => {
                    marks.push(0, inputs[*bit as usize * words..][..words].iter().copied());
                }
                Node::Leaf(Leaf::Register(bit)) => marks.push_from(state, *bit as usize),
                Node::And(a, b) => {
                    let (through_a, through_b) = (all_if(value(values, *b)), all_if(value(values, *a)));
                    marks.push_join((a.node(), through_a), (b.node(), through_b));
                }
            }
        }
    }

    /// Wants marks of the registers after a cycle: they are wanted of the next values.
    pub(super) fn want_next(&self, wanted: &Sets, forward: &Sets, backward: &mut [u64]) {
        for (bit, next) in self.next.iter().enumerate() {
            for (_, of_bit, of_next) in wanted.span(bit).common(forward.span(next.node())) {
                backward[of_next] |= wanted.data()[of_bit] & forward.data()[of_next];
            }
        }
    }

    /// Wants a mark of an output bit, if the bit has that mark.
    pub(super) fn want_output(&self, bit: usize, mark: u32, forward: &Sets, backward: &mut [u64]) {
        if let Some(place) = forward.place_of(self.outputs[bit].node(), mark) {
            backward[place] |= 1 << (mark % 64);
        }
    }

    /// Propagates the wanted marks from gates to their operands. The words of `backward` are those of `forward`.
    pub(super) fn backward(&self, values: &[bool], forward: &Sets, backward: &mut [u64]) {
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let Node::And(a, b) = node else { continue };
            let span = forward.span(index);
            if backward[span.range()].iter().all(|word| *word == 0) {
                continue;
            }
            for (operand, other) in [(a, b), (b, a)] {
                let (of_operand, of_other) = (forward.span(operand.node()), forward.span(other.node()));
                let through = all_if(value(values, *other));
                for (word, from, into) in span.common(of_operand) {
                    let passed = forward.data()[into] & (forward.word(of_other, word) | through);
                    backward[into] |= backward[from] & passed;
                }
            }
        }
    }

    /// Collects the marks wanted of the registers before a cycle.
    pub(super) fn wanted_of_registers(&self, forward: &Sets, backward: &[u64], wanted: &mut Sets) {
        wanted.clear();
        for node in &self.registers {
            match node {
                Some(node) => wanted.push_part(forward.span(*node), backward),
                None => wanted.push_empty(),
            }
        }
    }
}

fn value(values: &[bool], lit: Lit) -> bool {
    values[lit.node()] != lit.is_complement()
}

fn all_if(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}
