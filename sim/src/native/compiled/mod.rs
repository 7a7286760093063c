//! A design as machine code, which Cranelift makes.
//!
//! One function runs any number of cycles over packed records and writes the state in place. The state before the last
//! cycle is kept, so that the interpreter can compute that cycle again when a probe asks for a signal.

mod code;
mod detours;
mod plan;
mod translate;
mod values;

use std::cell::{Cell, OnceCell};

use utfhdl_hdl::netlist::Design;

use super::interpreter::Interpreter;
use super::mode::Reason;
use crate::flat::Flat;
use crate::layout::Layout;
use crate::logic::{Logic, ResetPort};
use code::Code;

/// Designs with more values are not compiled: the compiler would take many seconds and much memory.
const MAX_VALUES: usize = 200_000;

/// A design while it runs.
pub(super) struct Compiled {
    code: Code,
    /// The state before the next cycle, and the state before the last one.
    state: Vec<u64>,
    before: Vec<u64>,
    /// The inputs of the last cycle, if one was run.
    inputs: Vec<u64>,
    has_run: bool,
    reset: Option<ResetPort>,
    /// Every signal of the last cycle, if a probe has asked for one.
    shown: OnceCell<Box<Interpreter>>,
    /// The interpreter that showed an earlier cycle, kept to be used again.
    idle: Cell<Option<Box<Interpreter>>>,
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
        let state = vec![0; logic.state.len()];
        Ok(Self {
            code: Code::new(&logic, layout)?,
            before: state.clone(),
            state,
            inputs: Vec::new(),
            has_run: false,
            reset: logic.reset,
            shown: OnceCell::new(),
            idle: Cell::new(None),
        })
    }

    /// Runs `cycles` cycles; there are as many records of inputs and of outputs.
    pub(super) fn run(&mut self, inputs: &[u64], outputs: &mut [u64], cycles: usize) {
        if cycles == 0 {
            return;
        }
        if let Some(shown) = self.shown.take() {
            // A cycle with the same state and inputs as the one before has the same signals.
            if cycles == 1 && self.has_run && self.before == self.state && self.inputs == inputs {
                self.shown = OnceCell::from(shown);
            } else {
                self.idle.set(Some(shown));
            }
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

    /// Continues the run of an interpreter.
    pub(super) fn take_over(&mut self, interpreter: Box<Interpreter>) {
        self.state.copy_from_slice(interpreter.state());
        self.shown = OnceCell::from(interpreter);
    }

    /// Every signal with the value to which it settled in the last cycle.
    pub(super) fn shown(&self, flat: &Flat, layout: &Layout) -> &Interpreter {
        self.shown.get_or_init(|| {
            let mut interpreter = self.idle.take().unwrap_or_else(|| {
                let made = Interpreter::new(flat, layout, self.reset.clone());
                Box::new(made.expect("what is small enough to compile has room"))
            });
            if self.has_run {
                interpreter.show(&self.before, &self.inputs);
            }
            interpreter
        })
    }
}
