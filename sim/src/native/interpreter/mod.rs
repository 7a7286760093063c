//! The interpreter: runs everywhere, and has sight of every signal.
//!
//! Each signal has its words in one array; a step computes one signal from others by their places
//! in that array, with no name, width or pointer to look up on the way. Signals of up to 64 bits have steps of
//! their own; the rest share word-by-word ones.

mod registers;
mod step;
mod wide;

use super::TooLarge;
use crate::flat::{Flat, FlatOp};
use crate::layout::{Layout, PortSlot};
use crate::logic::ResetPort;
use registers::Registers;
use step::Program;

/// Words of all signals together: indices have 32 bits, and steps of more than one word a few words each.
const MAX_WORDS: usize = 1 << 28;

/// A design in the midst of a run.
pub(super) struct Interpreter {
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

impl Interpreter {
    /// A design before its first cycle.
    pub(super) fn new(flat: &Flat, layout: &Layout, reset: Option<ResetPort>) -> Result<Self, TooLarge> {
        let (places, mut values) = place(flat, MAX_WORDS)?;
        for (signal, place) in flat.signals.iter().zip(&places) {
            if let FlatOp::Const(value) = &signal.op {
                values[place.range()].copy_from_slice(value.words());
            }
        }
        let ports = &layout.inputs[usize::from(reset.is_some())..];
        let inputs = ports.iter().cloned().zip(flat.inputs.iter().map(|&i| places[i])).collect();
        let outputs = layout.outputs.iter().cloned().zip(flat.outputs.iter().map(|&o| places[o])).collect();
        let (registers, program) = (Registers::new(&flat.registers, &places), Program::new(flat, &places));
        Ok(Self { registers, program, places, values, inputs, outputs, reset })
    }

    /// Runs one cycle.
    pub(super) fn cycle(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.registers.load(&mut self.values);
        let in_reset = self.settle(inputs);
        for (slot, place) in &self.outputs {
            slot.write(outputs, &self.values[place.range()]);
        }
        self.registers.compute(&self.values, in_reset);
    }

    /// Shows a cycle that was run elsewhere: the state in which it began, and its inputs.
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

    /// Value of a signal in the cycle last run or shown.
    pub(super) fn value(&self, signal: usize) -> &[u64] {
        &self.values[self.places[signal].range()]
    }

    /// Applies the inputs and computes every signal; gives whether the cycle is in reset.
    fn settle(&mut self, inputs: &[u64]) -> bool {
        let reset = self.reset.as_ref().filter(|reset| reset.is_active(inputs));
        if reset.is_some_and(|reset| reset.asynchronous) {
            self.registers.reset_at_once(&mut self.values);
        }
        for (slot, place) in &self.inputs {
            slot.read(inputs, &mut self.values[place.range()]);
        }
        self.program.run(&mut self.values);
        reset.is_some()
    }
}

/// Gives every signal its words, `limit` at most.
fn place(flat: &Flat, limit: usize) -> Result<(Vec<Place>, Vec<u64>), TooLarge> {
    let mut first = 0_usize;
    let mut places = Vec::with_capacity(flat.signals.len());
    for signal in &flat.signals {
        let place = Place { first: first as u32, width: signal.width };
        first += place.words();
        places.push(place);
        if first > limit {
            return Err(TooLarge { limit });
        }
    }
    let mut values = Vec::new();
    values.try_reserve_exact(first).map_err(|_| TooLarge { limit: first - 1 })?;
    values.resize(first, 0);
    Ok((places, values))
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};

    use super::*;
    use crate::EngineError;

    #[test]
    fn a_design_beyond_all_room_is_refused_with_the_limit() {
        let m = Builder::new("inverter", "Three words in, three out.");
        m.output("y", !m.input("a", 129, ""), "");
        let flat = Flat::new(&Design { top: m.finish().expect("sound"), reset: ResetStyle::SyncHigh });
        assert_eq!(place(&flat, 6).expect("room for six").1.len(), 6);
        let refused: EngineError = place(&flat, 5).expect_err("a word too few").into();
        assert_eq!(
            refused.to_string(),
            "the design is too large for the native engine: it has room for 5 words of 64 bits in all signals together"
        );
    }
}
