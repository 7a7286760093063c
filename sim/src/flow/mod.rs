//! Information flow: which registers hold a part of what, cycle by cycle.
//!
//! Bits of the inputs and of the outputs carry *labels*, such as the number of the text's code point that they are part of. A
//! bit of a register *holds a part* of a label in a cycle if two things are true:
//!
//! - other values of the inputs with that label could have changed the bit;
//! - the bit, changed along with them, could have changed an output with that label.
//!
//! Both are decided gate by gate, on the values that the gates had in the run: where one operand of an AND is 0, the other does
//! not matter (Tiwari et al., "Complete Information Flow Tracking from the Gates Up", 2009). The first goes forward through the
//! run, the second backward from its outputs. The rule of the gates is conservative: a bit that two operands change in ways that
//! cancel each other counts as changed. So a register that holds a part of a label has it, and now and then one more.
//!
//! ```text
//!   inputs ──── forward: which labels could have changed a bit ────>
//!   <──── backward: of these, which could change the outputs with that label ──── outputs
//! ```

mod gates;
mod registers;
#[cfg(test)]
mod tests;

use std::ops::Range;

use utfhdl_hdl::netlist::Design;

use crate::aig::{Start, TooLarge, blast};
use crate::flat::Flat;
use crate::layout::{Layout, PortSlot};
use gates::{Gates, Marks};

pub use registers::FlowRegister;

/// The least number of cycles whose marks of all registers are in memory at once.
const LEAST_CHUNK: usize = 16;

/// Some bits of a port, and their label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The number of the bit among all bits of the inputs, or of the outputs: see [`Flow::input`] and [`Flow::output`].
    pub bits: Range<usize>,
    /// The label.
    pub label: u32,
}

/// The labels of a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowCycle {
    /// The inputs with a label. Labels come first in ascending order.
    pub inputs: Vec<Labelled>,
    /// The outputs with a label.
    pub outputs: Vec<Labelled>,
}

/// The labels that the registers hold in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct Held<'f> {
    /// Bits of the registers, in the order of [`Flow::registers`].
    pub values: &'f [bool],
    marks: &'f Marks,
    /// The label after the last that has come in by the end of this cycle.
    end: u32,
}

impl Held<'_> {
    /// Whether two bits of the registers hold parts of the same labels.
    pub fn are_same(&self, bit: usize, other: usize) -> bool {
        self.marks.are_same(bit, other)
    }

    /// The labels that this bit of the registers holds a part of, lowest first.
    pub fn labels(&self, bit: usize) -> impl Iterator<Item = u32> {
        let (ring, end) = (self.marks.labels(), self.end);
        let mut labels: Vec<u32> = self
            .marks
            .set(bit)
            .map(|mark| {
                let behind = (end + ring - 1 - mark) % ring;
                end - 1 - behind
            })
            .collect();
        labels.sort_unstable();
        labels.into_iter()
    }
}

/// Follows labels through a design.
pub struct Flow {
    gates: Gates,
    registers: Vec<FlowRegister>,
    layout: Layout,
    /// The number of the first bit of each port.
    first_input: Vec<usize>,
    first_output: Vec<usize>,
}

impl Flow {
    /// Prepares `design`.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn new(design: &Design) -> Result<Self, TooLarge> {
        let flat = Flat::new(design);
        let logic = blast(design, Start::Zero)?;
        let layout = Layout::new(design);
        let first = |ports: &[PortSlot]| {
            let widths = ports.iter().map(|port| port.width as usize);
            let first = widths.scan(0, |bits, width| Some(std::mem::replace(bits, *bits + width)));
            first.collect::<Vec<_>>()
        };
        let (first_input, first_output) = (first(&layout.inputs), first(&layout.outputs));
        let inputs = layout.inputs.iter().map(|port| port.width as usize).sum();
        let registers = registers::named(&flat);
        Ok(Self { gates: Gates::new(logic, inputs), registers, layout, first_input, first_output })
    }

    /// The registers that have a name.
    pub fn registers(&self) -> &[FlowRegister] {
        &self.registers
    }

    /// How records are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of the first bit of an input, among all bits of the inputs.
    pub fn input(&self, name: &str) -> Option<usize> {
        self.layout.inputs.iter().position(|port| port.name == name).map(|port| self.first_input[port])
    }

    /// The number of the first bit of an output, among all bits of the outputs.
    pub fn output(&self, name: &str) -> Option<usize> {
        self.layout.outputs.iter().position(|port| port.name == name).map(|port| self.first_output[port])
    }

    /// The state of the registers after the cycles of `inputs`, which are records.
    pub fn state_after(&self, state: Option<Vec<bool>>, inputs: &[u64]) -> Vec<bool> {
        let mut state = state.unwrap_or_else(|| vec![false; self.gates.registers()]);
        let mut values = self.gates.values();
        for record in inputs.chunks(self.layout.input_words) {
            self.gates.evaluate(&self.input_bits(record), &state, &mut values);
            self.gates.step(&values, &mut state);
        }
        state
    }

    /// Bytes of memory that [`follow`](Self::follow) takes for `cycles` cycles, about.
    pub fn bytes(&self, cycles: usize, most: u32) -> usize {
        let of_cycle = self.gates.registers() * (1 + 8 * most.div_ceil(64) as usize);
        let chunk = chunk(cycles);
        of_cycle.saturating_mul(chunk + cycles.div_ceil(chunk))
    }

    /// Follows the labels of `cycles` through a run that begins in `state` (`None`: all registers are 0). `inputs` holds a record
    /// for each cycle. At most `most` labels are under way at once: an older one is forgotten. `visit` is called for each
    /// cycle, the last one first.
    ///
    /// # Panics
    /// If there are not as many records as cycles.
    pub fn follow(
        &self,
        state: Option<Vec<bool>>,
        inputs: &[u64],
        cycles: &[FlowCycle],
        most: u32,
        visit: &mut dyn FnMut(usize, Held),
    ) {
        let width = self.layout.input_words;
        assert_eq!(inputs.len(), cycles.len() * width, "a record a cycle");
        let ends = ends(cycles);
        let run = Run { flow: self, inputs, cycles, ends, most: most.div_ceil(64) * 64 };
        let mut now = Now {
            state: state.unwrap_or_else(|| vec![false; self.gates.registers()]),
            marks: Marks::new(self.gates.registers(), run.most),
        };
        // The state at the start of each chunk, and from the last chunk on all cycles of one chunk at a time.
        let chunk_cycles = chunk(cycles.len());
        let mut starts = Vec::new();
        let (mut values, mut forward) = (self.gates.values(), self.gates.marks(run.most));
        for cycle in 0..cycles.len() {
            if cycle % chunk_cycles == 0 {
                starts.push(now.clone());
            }
            run.forward(cycle, &mut now, &mut values, &mut forward);
        }
        let mut wanted = Marks::new(self.gates.registers(), run.most);
        let mut backward = self.gates.marks(run.most);
        for (chunk, start) in starts.into_iter().enumerate().rev() {
            let first = chunk * chunk_cycles;
            let behind = (first + chunk_cycles).min(cycles.len());
            let mut now = start;
            let mut befores = Vec::new();
            for cycle in first..behind {
                befores.push(now.clone());
                run.forward(cycle, &mut now, &mut values, &mut forward);
            }
            for (cycle, mut before) in (first..behind).zip(befores).rev() {
                let held = before.state.clone();
                run.forward(cycle, &mut before, &mut values, &mut forward);
                run.backward(cycle, &values, &forward, &mut wanted, &mut backward);
                let held = Held { values: &held, marks: &wanted, end: run.ends[cycle] };
                visit(cycle, held);
                run.forget_new(cycle, &mut wanted);
            }
        }
    }

    /// The bits of a record of inputs.
    fn input_bits(&self, record: &[u64]) -> Vec<bool> {
        let mut bits = Vec::new();
        for port in &self.layout.inputs {
            let value = port.value(record);
            bits.extend((0..port.width as usize).map(|bit| value[bit / 64] >> (bit % 64) & 1 == 1));
        }
        bits
    }
}

/// The number of cycles whose marks are in memory at once. The starts of as many such pieces are kept.
fn chunk(cycles: usize) -> usize {
    cycles.isqrt().max(LEAST_CHUNK)
}

/// For each cycle, the label after the last that has come in by the end of the cycle.
fn ends(cycles: &[FlowCycle]) -> Vec<u32> {
    let mut end = 0;
    let of_cycle = |cycle: &FlowCycle| {
        end = cycle.inputs.iter().map(|input| input.label + 1).fold(end, u32::max);
        end
    };
    cycles.iter().map(of_cycle).collect()
}

/// The registers at the start of a cycle, and which labels could have changed them.
#[derive(Clone)]
struct Now {
    state: Vec<bool>,
    marks: Marks,
}

struct Run<'f> {
    flow: &'f Flow,
    inputs: &'f [u64],
    cycles: &'f [FlowCycle],
    ends: Vec<u32>,
    /// Labels under way at once: the mark of a label is its remainder.
    most: u32,
}

impl Run<'_> {
    /// Forgets older labels with the marks of those that come in first in this cycle.
    fn forget_new(&self, cycle: usize, marks: &mut Marks) {
        let before = if cycle == 0 { 0 } else { self.ends[cycle - 1] };
        (before..self.ends[cycle]).for_each(|label| marks.forget(label % self.most));
    }

    /// Runs a cycle, with the labels of its inputs. Leaves values and marks of all gates.
    fn forward(&self, cycle: usize, now: &mut Now, values: &mut [bool], marks: &mut Marks) {
        let Self { flow, inputs, cycles, most, .. } = self;
        let gates = &flow.gates;
        self.forget_new(cycle, &mut now.marks);
        let width = flow.layout.input_words;
        gates.evaluate(&flow.input_bits(&inputs[cycle * width..][..width]), &now.state, values);
        gates.mark_leaves(&now.marks, marks);
        for Labelled { bits, label } in &cycles[cycle].inputs {
            bits.clone().for_each(|bit| gates.mark_input(bit, label % most, marks));
        }
        gates.forward(values, marks);
        gates.step(values, &mut now.state);
        gates.step_marks(marks, &mut now.marks);
    }

    /// Propagates the marks wanted of the registers after a cycle, and of the outputs in the cycle, to the registers before the cycle.
    fn backward(
        &self,
        cycle: usize,
        values: &[bool],
        forward: &Marks,
        wanted: &mut Marks,
        backward: &mut Marks,
    ) {
        let gates = &self.flow.gates;
        backward.clear();
        gates.want_next(wanted, forward, backward);
        for Labelled { bits, label } in &self.cycles[cycle].outputs {
            bits.clone().for_each(|bit| gates.want_output(bit, label % self.most, forward, backward));
        }
        gates.backward(values, forward, backward);
        gates.wanted_of_registers(backward, wanted);
    }
}
