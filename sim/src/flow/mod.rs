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
mod sets;
#[cfg(test)]
mod tests;

use std::ops::Range;

use utfhdl_hdl::netlist::Design;

use crate::aig::{Start, TooLarge, blast};
use crate::flat::Flat;
use crate::layout::{Layout, PortSlot};
use gates::Gates;
use sets::Sets;

pub use registers::FlowRegister;

/// Memory for the marks of all gates in some cycles, in bytes, about.
const GATES_BYTES: usize = 32 << 20;
/// Words of a set of marks, about, that has room for many more.
const MOST_WORDS: usize = 8;

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
    marks: &'f Sets,
    /// The number of different marks.
    ring: u32,
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
        let (ring, end) = (self.ring, self.end);
        let label = |mark| end - 1 - (end + ring - 1 - mark) % ring;
        let mut labels: Vec<u32> = self.marks.marks(bit).map(label).collect();
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
        let registers = registers::named(&flat);
        Ok(Self { gates: Gates::new(logic), registers, layout, first_input, first_output })
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
            self.gates.evaluate(&self.layout.input_bits(record), &state, &mut values);
            self.gates.step(&values, &mut state);
        }
        state
    }

    /// Bytes of memory that [`follow`](Self::follow) takes for `cycles` cycles, about.
    pub fn bytes(&self, cycles: usize, most: u32) -> usize {
        let chunk = self.chunk(cycles, most);
        let of_gates = bytes_of_sets(self.gates.gates(), most).saturating_mul(chunk);
        let of_starts = bytes_of_sets(self.gates.registers(), most).saturating_mul(cycles.div_ceil(chunk));
        of_gates.saturating_add(of_starts)
    }

    /// The number of cycles whose marks of all gates are in memory at once. Of each such chunk the start is kept.
    fn chunk(&self, cycles: usize, most: u32) -> usize {
        (GATES_BYTES / bytes_of_sets(self.gates.gates(), most)).max(cycles.isqrt()).clamp(1, cycles.max(1))
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
        let labels = ends.last().copied().unwrap_or_default();
        let run = Run { flow: self, inputs, cycles, ends, most: most.min(labels).max(1).div_ceil(64) * 64 };
        let start = Now {
            state: state.unwrap_or_else(|| vec![false; self.gates.registers()]),
            marks: Sets::empty(self.gates.registers()),
        };
        self.follow_in_chunks(&run, start, self.chunk(cycles.len(), run.most), visit);
    }

    /// Follows the labels of a run. The marks of all gates are in memory for `chunk_cycles` cycles at once.
    fn follow_in_chunks(
        &self,
        run: &Run,
        mut now: Now,
        chunk_cycles: usize,
        visit: &mut dyn FnMut(usize, Held),
    ) {
        let cycles = run.cycles;
        // The starts of all chunks, and from the last chunk on all cycles of one chunk at a time.
        let mut passed = vec![Passed::default()];
        let mut starts = vec![now.clone()];
        for cycle in 0..cycles.len().saturating_sub(1) / chunk_cycles * chunk_cycles {
            run.forward(cycle, &mut now, &mut passed[0]);
            if (cycle + 1) % chunk_cycles == 0 {
                starts.push(now.clone());
            }
        }
        let mut wanted = Sets::empty(self.gates.registers());
        let mut backward = Vec::new();
        for (chunk, mut now) in starts.into_iter().enumerate().rev() {
            let first = chunk * chunk_cycles;
            let end = (first + chunk_cycles).min(cycles.len());
            passed.resize_with(passed.len().max(end - first), Passed::default);
            for (cycle, passed) in (first..end).zip(&mut passed) {
                run.forward(cycle, &mut now, passed);
            }
            for (cycle, passed) in (first..end).zip(&passed).rev() {
                run.backward(cycle, passed, &mut wanted, &mut backward);
                let held =
                    Held { values: &passed.state, marks: &wanted, ring: run.most, end: run.ends[cycle] };
                visit(cycle, held);
                run.forget_new(cycle, &mut wanted);
            }
        }
    }
}

/// Bytes of a value and a set for each of some bits, about.
fn bytes_of_sets(bits: usize, most: u32) -> usize {
    bits * (9 + 8 * (most.div_ceil(64) as usize).min(MOST_WORDS))
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
    marks: Sets,
}

/// A cycle: the registers at its start, and the values and the marks of all gates.
#[derive(Clone, Default)]
struct Passed {
    state: Vec<bool>,
    values: Vec<bool>,
    marks: Sets,
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
    fn forget_new(&self, cycle: usize, marks: &mut Sets) {
        let before = if cycle == 0 { 0 } else { self.ends[cycle - 1] };
        (before..self.ends[cycle])
            .filter(|label| *label >= self.most)
            .for_each(|label| marks.forget(label % self.most));
    }

    /// Runs a cycle, with the labels of its inputs.
    fn forward(&self, cycle: usize, now: &mut Now, passed: &mut Passed) {
        let Self { flow, inputs, cycles, most, .. } = self;
        let (gates, Passed { state, values, marks }) = (&flow.gates, passed);
        self.forget_new(cycle, &mut now.marks);
        let width = flow.layout.input_words;
        let bits = flow.layout.input_bits(&inputs[cycle * width..][..width]);
        state.clone_from(&now.state);
        values.resize(gates.gates(), false);
        gates.evaluate(&bits, &now.state, values);
        let words = *most as usize / 64;
        let mut of_inputs = vec![0; bits.len() * words];
        for Labelled { bits, label } in &cycles[cycle].inputs {
            let mark = (label % most) as usize;
            bits.clone().for_each(|bit| of_inputs[bit * words + mark / 64] |= 1 << (mark % 64));
        }
        gates.forward(values, (&of_inputs, words), &now.marks, marks);
        gates.step(values, &mut now.state);
        gates.step_marks(marks, &mut now.marks);
    }

    /// Propagates the marks wanted of the registers after a cycle, and of the outputs in the cycle, to the registers before the cycle.
    fn backward(&self, cycle: usize, passed: &Passed, wanted: &mut Sets, backward: &mut Vec<u64>) {
        let (gates, Passed { values, marks, .. }) = (&self.flow.gates, passed);
        backward.clear();
        backward.resize(marks.data().len(), 0);
        gates.want_next(wanted, marks, backward);
        for Labelled { bits, label } in &self.cycles[cycle].outputs {
            bits.clone().for_each(|bit| gates.want_output(bit, label % self.most, marks, backward));
        }
        gates.backward(values, marks, backward);
        gates.wanted_of_registers(marks, backward, wanted);
    }
}
