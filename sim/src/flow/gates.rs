//! The gates of a design, with a set of marks for each.

use crate::aig::{Leaf, Lit, Logic, Node};

/// A set of marks for each of some bits.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    /// Words of a set.
    words: usize,
    sets: Vec<u64>,
}

impl Marks {
    /// Empty sets of `labels` labels, a multiple of 64.
    pub(super) fn new(bits: usize, labels: u32) -> Self {
        let words = labels as usize / 64;
        Self { words, sets: vec![0; bits * words] }
    }

    /// How many different marks there are.
    pub(super) fn labels(&self) -> u32 {
        self.words as u32 * 64
    }

    pub(super) fn clear(&mut self) {
        self.sets.fill(0);
    }

    /// The marks of a bit.
    pub(super) fn set(&self, bit: usize) -> impl Iterator<Item = u32> {
        let set = self.of(bit).iter().enumerate();
        set.flat_map(|(at, word)| {
            (0..64).filter(move |mark| word >> mark & 1 == 1).map(move |mark| at as u32 * 64 + mark)
        })
    }

    /// Whether two bits have the same marks.
    pub(super) fn are_same(&self, bit: usize, other: usize) -> bool {
        self.of(bit) == self.of(other)
    }

    /// Takes a mark from all bits.
    pub(super) fn forget(&mut self, mark: u32) {
        let (word, mask) = (mark as usize / 64, !(1 << (mark % 64)));
        self.sets[word..].iter_mut().step_by(self.words).for_each(|set| *set &= mask);
    }

    fn of(&self, bit: usize) -> &[u64] {
        &self.sets[bit * self.words..][..self.words]
    }

    fn of_mut(&mut self, bit: usize) -> &mut [u64] {
        &mut self.sets[bit * self.words..][..self.words]
    }

    fn insert(&mut self, bit: usize, mark: u32) {
        self.of_mut(bit)[mark as usize / 64] |= 1 << (mark % 64);
    }

    fn contains(&self, bit: usize, mark: u32) -> bool {
        self.of(bit)[mark as usize / 64] >> (mark % 64) & 1 == 1
    }
}

/// A design in ANDs and complements.
pub(super) struct Gates {
    nodes: Vec<Node>,
    outputs: Vec<Lit>,
    next: Vec<Lit>,
    /// The node of each bit of the inputs and of the registers.
    inputs: Vec<Option<usize>>,
    registers: Vec<Option<usize>>,
}

impl Gates {
    pub(super) fn new(logic: Logic, input_bits: usize) -> Self {
        let nodes = logic.aig.nodes().to_vec();
        let (mut inputs, mut registers) = (vec![None; input_bits], vec![None; logic.next.len()]);
        for (index, node) in nodes.iter().enumerate() {
            match node {
                Node::Leaf(Leaf::Input(bit)) => inputs[*bit as usize] = Some(index),
                Node::Leaf(Leaf::Register(bit)) => registers[*bit as usize] = Some(index),
                Node::False | Node::And(..) => {}
            }
        }
        Self { nodes, outputs: logic.outputs, next: logic.next, inputs, registers }
    }

    /// How many bits the registers have.
    pub(super) fn registers(&self) -> usize {
        self.next.len()
    }

    /// Room for the values of all gates.
    pub(super) fn values(&self) -> Vec<bool> {
        vec![false; self.nodes.len()]
    }

    /// Room for the marks of all gates.
    pub(super) fn marks(&self, labels: u32) -> Marks {
        Marks::new(self.nodes.len(), labels)
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

    /// Computes the marks of the state after a cycle.
    pub(super) fn step_marks(&self, marks: &Marks, state: &mut Marks) {
        for (bit, next) in self.next.iter().enumerate() {
            state.of_mut(bit).copy_from_slice(marks.of(next.node()));
        }
    }

    /// Sets the marks of the registers, and clears those of the inputs.
    pub(super) fn mark_leaves(&self, state: &Marks, marks: &mut Marks) {
        for (bit, node) in self.registers.iter().enumerate() {
            if let Some(node) = node {
                marks.of_mut(*node).copy_from_slice(state.of(bit));
            }
        }
        self.inputs.iter().flatten().for_each(|node| marks.of_mut(*node).fill(0));
    }

    /// Marks a bit of the inputs.
    pub(super) fn mark_input(&self, bit: usize, mark: u32, marks: &mut Marks) {
        if let Some(node) = self.inputs[bit] {
            marks.insert(node, mark);
        }
    }

    /// Finds the marks of all ANDs: what could have changed their values.
    pub(super) fn forward(&self, values: &[bool], marks: &mut Marks) {
        let words = marks.words;
        for (index, node) in self.nodes.iter().enumerate() {
            let Node::And(a, b) = node else { continue };
            let (through_a, through_b) = (all_if(value(values, *b)), all_if(value(values, *a)));
            let (below, from) = marks.sets.split_at_mut(index * words);
            let (of_a, of_b) = (&below[a.node() * words..][..words], &below[b.node() * words..][..words]);
            for ((set, a), b) in from[..words].iter_mut().zip(of_a).zip(of_b) {
                *set = a & b | a & through_a | b & through_b;
            }
        }
    }

    /// Marks wanted of a register after a cycle are wanted of its next value.
    pub(super) fn want_next(&self, wanted: &Marks, forward: &Marks, backward: &mut Marks) {
        for (bit, next) in self.next.iter().enumerate() {
            let marks = wanted.of(bit).iter().zip(forward.of(next.node()));
            let into = backward.of_mut(next.node());
            into.iter_mut().zip(marks).for_each(|(into, (wanted, forward))| *into |= wanted & forward);
        }
    }

    /// Wants a mark of an output bit, if the bit has that mark.
    pub(super) fn want_output(&self, bit: usize, mark: u32, forward: &Marks, backward: &mut Marks) {
        let node = self.outputs[bit].node();
        if forward.contains(node, mark) {
            backward.insert(node, mark);
        }
    }

    /// Propagates the wanted marks from gates to their operands.
    pub(super) fn backward(&self, values: &[bool], forward: &Marks, backward: &mut Marks) {
        let words = backward.words;
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let Node::And(a, b) = node else { continue };
            let (below, from) = backward.sets.split_at_mut(index * words);
            let wanted = &from[..words];
            if wanted.iter().all(|set| *set == 0) {
                continue;
            }
            let (through_a, through_b) = (all_if(value(values, *b)), all_if(value(values, *a)));
            for (at, wanted) in wanted.iter().enumerate() {
                let (of_a, of_b) = (forward.of(a.node())[at], forward.of(b.node())[at]);
                below[a.node() * words + at] |= wanted & of_a & (of_b | through_a);
                below[b.node() * words + at] |= wanted & of_b & (of_a | through_b);
            }
        }
    }

    /// Collects the marks wanted of the registers before a cycle.
    pub(super) fn wanted_of_registers(&self, backward: &Marks, wanted: &mut Marks) {
        for (bit, node) in self.registers.iter().enumerate() {
            match node {
                Some(node) => wanted.of_mut(bit).copy_from_slice(backward.of(*node)),
                None => wanted.of_mut(bit).fill(0),
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
