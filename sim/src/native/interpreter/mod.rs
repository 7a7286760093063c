//! The interpreter, which runs on every processor and computes every signal of the design.
//!
//! One array has the words of all signals. An instruction computes a signal from others by the indices of their
//! words, so no name, width or pointer is looked up in a cycle. Instructions on signals of up to 64 bits compute one
//! word; those on wider signals go through them word by word.

mod program;
mod registers;
mod span;
mod wide;

use super::mode::TooLarge;
use super::named::Named;
use crate::flat::{Flat, FlatOp};
use crate::layout::{Layout, PortSlot};
use crate::logic::ResetPort;
use program::Program;
use registers::Registers;
use span::{Span, allocate};

/// Words that all signals together may have: an index of one has 32 bits.
const MAX_WORDS: usize = 1 << 28;

/// A design while it runs.
pub(super) struct Interpreter {
    /// The words of each signal in `values`.
    spans: Vec<Span>,
    /// The words of all signals.
    values: Vec<u64>,
    program: Program,
    /// Input ports with the words of their signals; reset is not among them.
    inputs: Vec<(PortSlot, Span)>,
    outputs: Vec<(PortSlot, Span)>,
    reset: Option<ResetPort>,
    registers: Registers,
}

impl Interpreter {
    /// A design before its first cycle.
    pub(super) fn new(flat: &Flat, layout: &Layout, reset: Option<ResetPort>) -> Result<Self, TooLarge> {
        let (spans, mut values) = allocate(flat, MAX_WORDS)?;
        for (signal, span) in flat.signals.iter().zip(&spans) {
            if let FlatOp::Const(value) = &signal.op {
                values[span.range()].copy_from_slice(value.words());
            }
        }
        let ports = &layout.inputs[usize::from(reset.is_some())..];
        let inputs = ports.iter().cloned().zip(flat.inputs.iter().map(|&i| spans[i])).collect();
        let outputs = layout.outputs.iter().cloned().zip(flat.outputs.iter().map(|&o| spans[o])).collect();
        let (registers, program) = (Registers::new(&flat.registers, &spans), Program::new(flat, &spans));
        Ok(Self { registers, program, spans, values, inputs, outputs, reset })
    }

    /// Sets all registers to random values, before the first cycle.
    pub(super) fn randomize(&mut self, flat: &Flat, seed: u64) {
        let ones = flat.registers.iter().flat_map(|register| {
            let width = flat.signals[register.value].width;
            (0..width.div_ceil(64)).map(move |word| u64::MAX >> (64 - (width - 64 * word).min(64)))
        });
        self.registers.randomize(ones, seed);
    }

    /// Runs one cycle.
    pub(super) fn cycle(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.registers.load(&mut self.values);
        let in_reset = self.settle(inputs);
        for (slot, span) in &self.outputs {
            slot.write(outputs, &self.values[span.range()]);
        }
        self.registers.compute(&self.values, in_reset);
    }

    /// Computes every signal of a cycle that was run elsewhere, from the state before it and its inputs.
    #[cfg(compiles)]
    pub(super) fn show(&mut self, state: &[u64], inputs: &[u64]) {
        self.registers.set(state);
        self.registers.load(&mut self.values);
        self.settle(inputs);
    }

    /// The state before the next cycle: the words of all registers, in order.
    #[cfg(compiles)]
    pub(super) fn state(&self) -> &[u64] {
        self.registers.pending()
    }

    /// Copies the words of the named signals in the cycle last run or shown.
    pub(super) fn copy_named(&self, named: &Named, values: &mut [u64]) {
        for &signal in &named.signals {
            values[named.place(signal)].copy_from_slice(&self.values[self.spans[signal].range()]);
        }
    }

    /// Applies the inputs and computes every signal. Returns whether the cycle is in reset.
    fn settle(&mut self, inputs: &[u64]) -> bool {
        let reset = self.reset.as_ref().filter(|reset| reset.is_active(inputs));
        if reset.is_some_and(|reset| reset.asynchronous) {
            self.registers.reset_at_once(&mut self.values);
        }
        for (slot, span) in &self.inputs {
            slot.read(inputs, &mut self.values[span.range()]);
        }
        self.program.run(&mut self.values);
        reset.is_some()
    }
}
