//! A design as machine code, which Cranelift makes.
//!
//! One function runs any number of cycles over packed records and writes the state in place. The state before the last
//! cycle is kept. When a probe first asks for a signal, a second function is compiled, which computes every named signal
//! of a cycle from that state and the inputs.

mod code;
mod detours;
mod plan;
mod translate;
mod values;

use std::cell::{OnceCell, RefCell};
use std::convert::Infallible;

use utfhdl_hdl::netlist::Design;

use super::interpreter::Interpreter;
use super::mode::Reason;
use super::named::Named;
use crate::feed::{Fed, Feed};
use crate::flat::Flat;
use crate::layout::Layout;
use crate::logic::{Logic, Packed, ResetPort};
use code::Code;

/// Designs with more values are not compiled: the compiler would take many seconds and much memory.
const MAX_VALUES: usize = 200_000;

/// A design while it runs.
pub(super) struct Compiled {
    code: Code,
    /// The positions of the registers in the state.
    packed: Packed,
    /// The state before the next cycle, and the state before the last one.
    state: Vec<u64>,
    before: Vec<u64>,
    /// The inputs of the last cycle, if one was run.
    inputs: Vec<u64>,
    has_run: bool,
    design: Design,
    /// The evaluator of the named signals, made when a probe first asks for one.
    show: OnceCell<Show>,
}

/// An evaluator of every named signal of a cycle.
enum Show {
    /// The code, and a copy of the state that it may change.
    Code(Box<Code>, RefCell<Vec<u64>>),
    /// The interpreter, where the compiler does not take all signals.
    Interpreter(Box<RefCell<Interpreter>>),
}

impl Show {
    fn new(design: &Design, flat: &Flat, layout: &Layout, named: &Named) -> Self {
        let logic = Logic::of_signals(design, flat, layout, &named.signals);
        let fits = logic.values().len() <= MAX_VALUES;
        match fits.then(|| Code::new(&logic, layout)) {
            Some(Ok(code)) => Self::Code(Box::new(code), RefCell::new(vec![0; logic.state.len()])),
            _ => {
                let made = Interpreter::new(flat, layout, ResetPort::of(design, layout));
                Self::Interpreter(Box::new(made.expect("what is small enough to compile has room").into()))
            }
        }
    }
}

impl Compiled {
    /// `design` before its first cycle, or the reason why it cannot be compiled.
    pub(super) fn new(design: &Design, flat: &Flat, layout: &Layout) -> Result<Self, Reason> {
        let words = flat.signals.iter().map(|signal| signal.width.div_ceil(64) as usize);
        if words.sum::<usize>() > MAX_VALUES {
            return Err(Reason::TooLarge { most: MAX_VALUES });
        }
        let logic = Logic::new(design, flat, layout);
        if logic.values().len() > MAX_VALUES {
            return Err(Reason::TooLarge { most: MAX_VALUES });
        }
        let packed = Packed::new(logic, flat).tabulated();
        let state = vec![0; packed.logic.state.len()];
        Ok(Self {
            code: Code::new(&packed.logic, layout)?,
            packed,
            before: state.clone(),
            state,
            inputs: Vec::new(),
            has_run: false,
            design: design.clone(),
            show: OnceCell::new(),
        })
    }

    /// Runs `cycles` cycles; there are as many records of inputs and of outputs.
    pub(super) fn run(&mut self, inputs: &[u64], outputs: &mut [u64], cycles: usize) {
        if cycles == 0 {
            return;
        }
        let (first, last) = inputs.split_at(inputs.len() / cycles * (cycles - 1));
        let (first_outputs, last_outputs) = outputs.split_at_mut(outputs.len() / cycles * (cycles - 1));
        if cycles > 1 {
            self.code.run(first, first_outputs, cycles - 1, &mut self.state);
        }
        self.before.copy_from_slice(&self.state);
        self.code.run(last, last_outputs, 1, &mut self.state);
        self.inputs.clear();
        self.inputs.extend_from_slice(last);
        self.has_run = true;
    }

    /// Runs the cycles of `feed`.
    pub(super) fn run_fed(&mut self, feed: &Feed, words: (usize, usize), fed: &mut Fed) {
        let Self { code, state, before, inputs: last_inputs, has_run, .. } = self;
        let ran: Result<(), Infallible> = feed.run(words, fed, |inputs, outputs, may_be_last| {
            if may_be_last {
                before.copy_from_slice(state);
                last_inputs.clear();
                last_inputs.extend_from_slice(inputs);
                *has_run = true;
            }
            code.run(inputs, outputs, 1, state);
            Ok(())
        });
        ran.unwrap_or_else(|never| match never {});
    }

    /// Continues the run of an interpreter.
    pub(super) fn take_over(&mut self, interpreter: &Interpreter) {
        self.packed.pack(interpreter.state(), &mut self.state);
    }

    /// Computes every named signal with the value to which it settled in the last cycle.
    pub(super) fn show(&self, flat: &Flat, layout: &Layout, named: &Named, values: &mut [u64]) {
        if !self.has_run {
            return;
        }
        match self.show.get_or_init(|| Show::new(&self.design, flat, layout, named)) {
            Show::Code(code, state) => {
                let mut state = state.borrow_mut();
                self.packed.unpack(&self.before, &mut state);
                code.run(&self.inputs, values, 1, &mut state);
            }
            Show::Interpreter(interpreter) => {
                let mut interpreter = interpreter.borrow_mut();
                let mut before = vec![0; self.packed.plain_words()];
                self.packed.unpack(&self.before, &mut before);
                interpreter.show(&before, &self.inputs);
                interpreter.copy_named(named, values);
            }
        }
    }
}
