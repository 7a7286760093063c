//! The `native` engine: the netlist, levelised once and interpreted in the process. Nothing to install.
//!
//! Each signal has its words in one array; a step computes one signal from others by their places
//! in that array, with no name, width or pointer to look up on the way. Signals of up to 64 bits have steps of
//! their own; the rest share word-by-word ones.

mod registers;
mod step;
mod wide;

use utfhdl_hdl::netlist::Design;

use crate::flat::{Flat, FlatOp, Scope};
use crate::layout::{Layout, PortSlot};
use crate::{Engine, EngineError, Probe};
use registers::Registers;
use step::Program;

/// The engine; see [the module](self).
pub struct Native {
    layout: Layout,
    scope: Scope,
    /// First word and number of words of each signal.
    places: Vec<Place>,
    /// The words of all signals.
    values: Vec<u64>,
    program: Program,
    /// Input ports with the words of their signals; reset is not among them.
    inputs: Vec<(PortSlot, Place)>,
    outputs: Vec<(PortSlot, Place)>,
    reset: Option<ResetPort>,
    registers: Registers,
}

/// Words of a signal in the array of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    first: u32,
    width: u32,
}

impl Place {
    fn words(self) -> usize {
        self.width.div_ceil(64) as usize
    }

    fn range(self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.words()
    }
}

struct ResetPort {
    slot: PortSlot,
    active_level: u64,
    asynchronous: bool,
}

impl Native {
    /// An engine for `design`.
    pub fn new(design: &Design) -> Self {
        let flat = Flat::new(design);
        let layout = Layout::new(design);
        let (places, mut values) = place(&flat);
        for (signal, place) in flat.signals.iter().zip(&places) {
            if let FlatOp::Const(value) = &signal.op {
                values[place.range()].copy_from_slice(value.words());
            }
        }
        let (reset, ports) = layout.split_reset(design);
        let reset = reset.map(|slot| ResetPort {
            slot: slot.clone(),
            active_level: u64::from(design.reset.active_level()),
            asynchronous: design.reset.is_asynchronous(),
        });
        let inputs = ports.iter().cloned().zip(flat.inputs.iter().map(|&i| places[i])).collect();
        let outputs = layout.outputs.iter().cloned().zip(flat.outputs.iter().map(|&o| places[o])).collect();
        Self {
            registers: Registers::new(&flat.registers, &places),
            program: Program::new(&flat, &places),
            layout,
            scope: flat.scope,
            places,
            values,
            inputs,
            outputs,
            reset,
        }
    }

    /// Applies the inputs, computes every signal, and what each register will load.
    fn settle(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let in_reset = self.reset.as_ref().is_some_and(|r| r.slot.get(inputs) == r.active_level);
        if in_reset && self.reset.as_ref().is_some_and(|r| r.asynchronous) {
            self.registers.reset_at_once(&mut self.values);
        }
        for (slot, place) in &self.inputs {
            slot.read(inputs, &mut self.values[place.range()]);
        }
        self.program.run(&mut self.values);
        for (slot, place) in &self.outputs {
            slot.write(outputs, &self.values[place.range()]);
        }
        self.registers.compute(&self.values, in_reset);
    }
}

/// Gives every signal its words.
fn place(flat: &Flat) -> (Vec<Place>, Vec<u64>) {
    let mut first = 0;
    let mut places = Vec::with_capacity(flat.signals.len());
    for signal in &flat.signals {
        let place = Place { first, width: signal.width };
        first += place.words() as u32;
        places.push(place);
    }
    (places, vec![0; first as usize])
}

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        let (input_words, output_words) = (self.layout.input_words, self.layout.output_words);
        for cycle in 0..self.layout.cycles(inputs, outputs) {
            self.registers.load(&mut self.values);
            self.settle(
                &inputs[cycle * input_words..][..input_words],
                &mut outputs[cycle * output_words..][..output_words],
            );
        }
        Ok(())
    }

    fn probe(&self) -> Option<&dyn Probe> {
        Some(self)
    }
}

impl Probe for Native {
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn value(&self, signal: usize) -> &[u64] {
        &self.values[self.places[signal].range()]
    }
}
