//! Gates: functions of one to three bits, between the bits that a cycle reads and the bits that it writes.

use crate::aig::Leaf;

/// The table of a gate that gives its one input.
pub(super) const BUFFER: u8 = 0b10;
/// The table of a gate that gives the complement of its one input.
pub(super) const INVERTER: u8 = 0b01;

/// The source of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Input(u32),
    Register(u32),
    Gate(u32),
}

impl From<Leaf> for Source {
    fn from(leaf: Leaf) -> Self {
        match leaf {
            Leaf::Input(index) => Self::Input(index),
            Leaf::Register(index) => Self::Register(index),
        }
    }
}

/// The target of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Output(u32),
    Register(u32),
}

/// A function of one to three bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) inputs: Vec<Source>,
    /// Bit `i` is the value of the gate where input `j` is bit `j` of `i`.
    pub(super) table: u8,
}

impl Gate {
    fn mask(&self) -> u8 {
        ((1_u16 << (1 << self.inputs.len())) - 1) as u8
    }

    pub(super) fn complement(&mut self) {
        self.table = !self.table & self.mask();
    }

    /// Changes the table to suit the inputs whose complement is given.
    pub(super) fn complement_inputs(&mut self, is_complement: impl Fn(Source) -> bool) {
        for input in 0..self.inputs.len() {
            if is_complement(self.inputs[input]) {
                self.complement_input(input);
            }
        }
    }

    fn complement_input(&mut self, input: usize) {
        let mut table = 0;
        for assignment in 0..1 << self.inputs.len() {
            table |= (self.table >> (assignment ^ 1 << input) & 1) << assignment;
        }
        self.table = table;
    }

    /// The inputs that are gates.
    pub(super) fn gate_inputs(&self) -> impl Iterator<Item = u32> {
        self.inputs.iter().filter_map(|input| match input {
            Source::Gate(gate) => Some(*gate),
            Source::Input(_) | Source::Register(_) => None,
        })
    }
}

/// A bit that is written at the end of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) target: Target,
    /// `None` for a constant.
    pub(super) source: Option<Source>,
    /// Whether the complement of the source is left; once the network is made, this is so only of the constant.
    pub(super) complement: bool,
}
