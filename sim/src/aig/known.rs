//! Simulation with three values: 0, 1, and unknown. A value that is known here holds in every run.

use utfhdl_hdl::netlist::Design;

use super::{Leaf, Lit, Logic, Node, Start, TooLarge, blast};
use crate::layout::Layout;

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

/// A design whose registers are unknown at first.
pub struct UnknownStart {
    logic: Logic,
    layout: Layout,
    state: Vec<Known>,
}

impl UnknownStart {
    /// A design before its first cycle.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn new(design: &Design) -> Result<Self, TooLarge> {
        let logic = blast(design, Start::Zero)?;
        let state = vec![None; logic.next.len()];
        Ok(Self { logic, layout: Layout::new(design), state })
    }

    /// Runs a cycle. Returns the record of the outputs with unknown bits as 0, and with unknown bits as 1.
    pub fn cycle(&mut self, inputs: &[u64]) -> [Vec<u64>; 2] {
        let bits: Vec<bool> = self.layout.input_bits(inputs);
        let values = self.logic.known_values(&self.state, |input| Some(bits[input as usize]));
        let records = [false, true].map(|unknown| {
            let mut record = vec![0; self.layout.output_words];
            let mut outputs = self.logic.outputs.iter();
            for port in &self.layout.outputs {
                let mut value = vec![0; port.words()];
                for (bit, lit) in outputs.by_ref().take(port.width as usize).enumerate() {
                    let set = self.logic.known(&values, *lit).unwrap_or(unknown);
                    value[bit / 64] |= u64::from(set) << (bit % 64);
                }
                port.write(&mut record, &value);
            }
            record
        });
        self.state = self.logic.known_next(&values);
        records
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
            let layout = Layout::new(&design);
            let mut start = UnknownStart::new(&design).expect("a small design");
            let mut cycle = |in_reset: bool, data: u64, load: u64| {
                let mut inputs = vec![0; layout.input_words];
                let level = in_reset == (style == ResetStyle::SyncHigh);
                let values = [u64::from(level), data, load];
                layout.inputs.iter().zip(values).for_each(|(port, value)| port.set(&mut inputs, value));
                let records = start.cycle(&inputs);
                ["reset", "free", "masked"].map(|name| {
                    let port = layout.output(name).expect("a port");
                    records.each_ref().map(|record| port.get(record))
                })
            };
            cycle(true, 0, 0);
            assert_eq!(cycle(false, 1, 1), [[2, 2], [0, 3], [0, 2]], "{style}");
            assert_eq!(cycle(false, 3, 0), [[1, 1], [1, 1], [1, 1]], "{style}");
        }
    }
}
