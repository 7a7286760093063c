//! Gates of two inputs, interpreted: what runs where there is no machine code.

use std::sync::Arc;

use super::Slice;
use super::network::{Network, Source, Step, Target};

/// One gate, by places in the array of values.
#[derive(Clone, Copy, Debug)]
struct Operation {
    to: u32,
    a: u32,
    b: u32,
    /// Bit `a + 2 * b` is the value.
    table: u8,
}

/// A root: where its value is, and where it goes.
#[derive(Clone, Copy, Debug)]
enum Copy {
    ToOutput { from: u32, output: u32 },
    ToState { from: u32, state: u32 },
}

/// Interprets a network. Its values are inputs, state, gates, and both constants.
#[derive(Clone)]
pub(super) struct Machine {
    operations: Arc<[Operation]>,
    copies: Arc<[Copy]>,
    inputs: usize,
    registers: usize,
    values: Vec<Slice>,
}

impl Machine {
    pub(super) fn new(network: &Network, registers: usize, inputs: usize) -> Self {
        let place = |source: Source| match source {
            Source::Input(index) => index,
            Source::Register(index) => inputs as u32 + index,
            Source::Gate(index) => (inputs + registers) as u32 + index,
        };
        let steps = network.schedule();
        let operations = steps.iter().filter_map(|step| match step {
            Step::Gate(index) => Some(*index),
            Step::Store(_) => None,
        });
        let operations = operations.map(|index| {
            let gate = &network.gates[index as usize];
            let (a, b) = match gate.inputs[..] {
                [a] => (place(a), place(a)),
                [a, b] => (place(a), place(b)),
                _ => unreachable!("this machine covers with gates of two inputs"),
            };
            // Of one input, the table says nothing of what can't be: a = 1 is read at 3 too.
            let table =
                if gate.inputs.len() == 1 { gate.table & 1 | (gate.table & 2) << 2 } else { gate.table };
            Operation { to: place(Source::Gate(index)), a, b, table }
        });
        let constants = (inputs + registers + network.gates.len()) as u32;
        let copies = network.roots.iter().map(|root| {
            let from = root.source.map_or(constants + u32::from(root.complement), place);
            match root.target {
                Target::Output(output) => Copy::ToOutput { from, output },
                Target::Register(index) => Copy::ToState { from, state: inputs as u32 + index },
            }
        });
        let mut values = vec![Slice::ZERO; constants as usize + 2];
        values[constants as usize + 1] = Slice([u64::MAX; 8]);
        Self { operations: operations.collect(), copies: copies.collect(), inputs, registers, values }
    }

    /// Runs a cycle.
    pub(super) fn cycle(&mut self, inputs: &[Slice], outputs: &mut [Slice]) {
        self.values[..self.inputs].copy_from_slice(inputs);
        evaluate(&self.operations, &mut self.values);
        // Roots are gates, not registers, so the order of these does not matter.
        for copy in &*self.copies {
            match *copy {
                Copy::ToOutput { from, output } => outputs[output as usize] = self.values[from as usize],
                Copy::ToState { from, state } => self.values[state as usize] = self.values[from as usize],
            }
        }
    }

    pub(super) fn reset(&mut self) {
        self.values[self.inputs..self.inputs + self.registers].fill(Slice::ZERO);
    }
}

/// Computes all gates, with the widest vectors that the processor has.
fn evaluate(operations: &[Operation], values: &mut [Slice]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2(operations: &[Operation], values: &mut [Slice]) {
            evaluate_as_compiled(operations, values);
        }
        // SAFETY: the processor has AVX2.
        return unsafe { with_avx2(operations, values) };
    }
    evaluate_as_compiled(operations, values);
}

#[inline(always)]
fn evaluate_as_compiled(operations: &[Operation], values: &mut [Slice]) {
    for &Operation { to, a, b, table } in operations {
        let (a, b) = (values[a as usize], values[b as usize]);
        values[to as usize] = apply(table, a, b);
    }
}

#[inline(always)]
fn apply(table: u8, a: Slice, b: Slice) -> Slice {
    match table {
        0b1000 => each(a, b, |a, b| a & b),
        0b0010 => each(a, b, |a, b| a & !b),
        0b0100 => each(a, b, |a, b| !a & b),
        0b0001 => each(a, b, |a, b| !a & !b),
        0b0111 => each(a, b, |a, b| !(a & b)),
        0b1101 => each(a, b, |a, b| !a | b),
        0b1011 => each(a, b, |a, b| a | !b),
        0b1110 => each(a, b, |a, b| a | b),
        0b0110 => each(a, b, |a, b| a ^ b),
        0b1001 => each(a, b, |a, b| !(a ^ b)),
        _ => each(a, b, |a, b| {
            let minterms = [!a & !b, a & !b, !a & b, a & b];
            (0..4).filter(|at| table >> at & 1 == 1).fold(0, |value, at| value | minterms[at])
        }),
    }
}

#[inline(always)]
fn each(a: Slice, b: Slice, function: impl Fn(u64, u64) -> u64) -> Slice {
    let mut value = Slice::ZERO;
    for word in 0..value.0.len() {
        value.0[word] = function(a.0[word], b.0[word]);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_two_bits_is_its_table() {
        let (a, b) = (Slice([0b1010; 8]), Slice([0b1100; 8]));
        for table in 0..16_u8 {
            assert_eq!(apply(table, a, b).0[3] & 0xf, u64::from(table));
        }
    }
}
