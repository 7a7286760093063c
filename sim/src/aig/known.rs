//! Simulation with three values: 0, 1, and unknown. A value that is known here holds in every run.

use utfhdl_hdl::netlist::Design;

use super::{Leaf, Lit, Logic, Node, Start, TooLarge, blast};

/// The value of a bit; `None` if unknown.
pub type Known = Option<bool>;

impl Logic {
    /// The value of a literal, by the values of all nodes.
    pub fn known(&self, values: &[Known], lit: Lit) -> Known {
        values[lit.node()].map(|value| value != lit.is_complement())
    }

    /// The value of each node.
    pub fn known_values(&self, state: &[Known], input: impl Fn(u32) -> Known) -> Vec<Known> {
        let mut values: Vec<Known> = Vec::with_capacity(self.aig.nodes().len());
        for node in self.aig.nodes() {
            let value = match *node {
                Node::False => Some(false),
                Node::Leaf(Leaf::Input(index)) => input(index),
                Node::Leaf(Leaf::Register(index)) => state[index as usize],
                Node::And(a, b) => match (self.known(&values, a), self.known(&values, b)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
            };
            values.push(value);
        }
        values
    }

    /// The state after a cycle with these values.
    pub fn known_next(&self, values: &[Known]) -> Vec<Known> {
        self.next.iter().map(|lit| self.known(values, *lit)).collect()
    }
}

/// 64 runs of a design, in each of which all registers are unknown at first. A word has a bit for each run.
pub struct UnknownStart {
    logic: Logic,
    /// The registers.
    state: Vec<Bit>,
}

/// A bit in each of 64 runs: the runs in which it can be 0, and those in which it can be 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    /// The runs in which the bit can be 0.
    pub zero: u64,
    /// The runs in which the bit can be 1.
    pub one: u64,
}

impl Bit {
    const UNKNOWN: Self = Self { zero: u64::MAX, one: u64::MAX };

    /// The runs in which the bit is unknown.
    pub fn unknown(self) -> u64 {
        self.zero & self.one
    }

    fn known(one: u64) -> Self {
        Self { zero: !one, one }
    }

    fn and(self, other: Self) -> Self {
        Self { zero: self.zero | other.zero, one: self.one & other.one }
    }

    fn complement_if(self, is_complement: bool) -> Self {
        if is_complement { Self { zero: self.one, one: self.zero } } else { self }
    }
}

impl UnknownStart {
    /// The runs before their first cycle.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn new(design: &Design) -> Result<Self, TooLarge> {
        let logic = blast(design, Start::Zero)?;
        let state = vec![Bit::UNKNOWN; logic.next.len()];
        Ok(Self { logic, state })
    }

    /// Runs a cycle in which the bits of all inputs, in the order of the ports, have these values. Returns the bits of all outputs.
    pub fn cycle(&mut self, inputs: &[u64]) -> Vec<Bit> {
        let mut values: Vec<Bit> = Vec::with_capacity(self.logic.aig.nodes().len());
        let of = |values: &[Bit], lit: Lit| values[lit.node()].complement_if(lit.is_complement());
        for node in self.logic.aig.nodes() {
            let value = match *node {
                Node::False => Bit::known(0),
                Node::Leaf(Leaf::Input(index)) => Bit::known(inputs[index as usize]),
                Node::Leaf(Leaf::Register(index)) => self.state[index as usize],
                Node::And(a, b) => of(&values, a).and(of(&values, b)),
            };
            values.push(value);
        }
        self.state = self.logic.next.iter().map(|lit| of(&values, *lit)).collect();
        self.logic.outputs.iter().map(|lit| of(&values, *lit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Builder, ResetStyle};

    use super::*;

    /// A register with a reset value is known after a reset, and one without as soon as it has loaded something known.
    #[test]
    fn what_was_before_a_reset_is_unknown_until_it_is_overwritten() {
        for style in [ResetStyle::SyncHigh, ResetStyle::AsyncLow] {
            let m = Builder::new("registers", "Two registers.");
            let (data, load) = (m.input("data", 2, ""), m.input("load", 1, ""));
            let (reset, free) = (m.reg("with_reset", 2).reset(2), m.reg("without_reset", 2));
            reset.next_when(load, data);
            free.next_when(load, data);
            m.output("reset", reset.q, "");
            m.output("free", free.q, "");
            m.output("masked", free.q & reset.q, "");
            let design = Design { top: m.finish().expect("a correct module"), reset: style };
            let mut start = UnknownStart::new(&design).expect("a small design");
            let mut cycle = |in_reset: bool, data: u64, load: u64| {
                let level = in_reset == (style == ResetStyle::SyncHigh);
                let bits = [u64::from(level), data & 1, data >> 1, load];
                let outputs = start.cycle(&bits.map(|bit| if bit == 1 { u64::MAX } else { 0 }));
                [0, 2, 4].map(|port| {
                    let value =
                        |of: fn(&Bit) -> u64| of(&outputs[port]) & 1 | (of(&outputs[port + 1]) & 1) << 1;
                    [!value(|bit| bit.zero) & 3, value(|bit| bit.one)]
                })
            };
            cycle(true, 0, 0);
            assert_eq!(cycle(false, 1, 1), [[2, 2], [0, 3], [0, 2]], "{style}");
            assert_eq!(cycle(false, 3, 0), [[1, 1], [1, 1], [1, 1]], "{style}");
        }
    }
}
