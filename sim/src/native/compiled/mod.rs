//! Machine code, made by Cranelift.
//!
//! One function runs any number of cycles over packed records, and writes the state in place. The state in which the last
//! cycle began is kept for a probe that asks.

mod code;
mod detours;
mod plan;
mod translate;
mod values;

use std::cell::{Cell, OnceCell};

use utfhdl_hdl::netlist::Design;

use super::form::Reason;
use super::interpreter::Interpreter;
use crate::flat::Flat;
use crate::layout::Layout;
use crate::logic::{Logic, ResetPort};
use code::Code;

/// Values that are compiled at most: beyond, the compiler takes many seconds and much memory.
const MAX_VALUES: usize = 200_000;

/// A design in the midst of a run.
pub(super) struct Compiled {
    code: Code,
    /// The state before the next cycle, and that before the last.
    state: Vec<u64>,
    before: Vec<u64>,
    /// The inputs of the last cycle, if it has run one.
    inputs: Vec<u64>,
    has_run: bool,
    reset: Option<ResetPort>,
    /// Every signal of the last cycle, once somebody asks.
    shown: OnceCell<Box<Interpreter>>,
    /// What showed an earlier cycle.
    idle: Cell<Option<Box<Interpreter>>>,
}

impl Compiled {
    /// `design` before its first cycle, or why it can't be compiled.
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

    /// Runs `cycles` cycles, with as many records.
    pub(super) fn run(&mut self, inputs: &[u64], outputs: &mut [u64], cycles: usize) {
        if cycles == 0 {
            return;
        }
        if let Some(shown) = self.shown.take() {
            // A cycle that repeats the one before looks like it.
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

    /// Goes on where the interpreter is.
    pub(super) fn take_over(&mut self, interpreter: Box<Interpreter>) {
        self.state.copy_from_slice(interpreter.state());
        self.shown = OnceCell::from(interpreter);
    }

    /// Every signal as it settled in the last cycle.
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
