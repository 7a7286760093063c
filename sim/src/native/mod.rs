//! The `native` engine: the netlist, run in the process. Nothing to install.
//!
//! Where it can, it compiles the design's [`Logic`](crate::logic::Logic) to machine code: a small design before its
//! first cycle, which takes a millisecond or two, a large one in a thread of its own, while it is interpreted. What
//! can't be compiled is interpreted throughout: on processors that the compiler does not know, in builds without the
//! feature `jit`, and where a design has so many words that compiling would take too long. [`Native::form`] says which
//! it is, and why.
//!
//! The interpreter also serves [`Probe`]: compiled code computes what the outputs and the registers need and nothing
//! else, so the signals in between are found by interpreting the one cycle that is looked at.

#[cfg(compiles)]
mod compiled;
mod form;
mod interpreter;

#[cfg(compiles)]
use std::thread::{Builder, JoinHandle};

use utfhdl_hdl::netlist::Design;

use crate::flat::{Flat, Scope};
use crate::layout::Layout;
use crate::logic::ResetPort;
use crate::{Engine, EngineError, Probe};
#[cfg(compiles)]
use compiled::Compiled;
pub use form::{Form, Reason};
use interpreter::Interpreter;

/// Signals from which on a design is compiled in a thread of its own.
#[cfg(compiles)]
const LARGE: usize = 2000;

/// The engine; see [the module](self).
pub struct Native {
    layout: Layout,
    flat: Flat,
    machine: Machine,
    /// The compiler at work on what is interpreted so far.
    #[cfg(compiles)]
    compiler: Option<JoinHandle<Result<Compiled, Reason>>>,
}

enum Machine {
    #[cfg(compiles)]
    Compiled(Box<Compiled>),
    /// With the reason, unless it is being compiled.
    Interpreted(Box<Interpreter>, Option<Reason>),
}

/// A design with more words than there is room for.
#[derive(Clone, Copy, Debug)]
struct TooLarge {
    /// How many there may be.
    limit: usize,
}

impl From<TooLarge> for EngineError {
    fn from(TooLarge { limit }: TooLarge) -> Self {
        Self::TooLarge { engine: "native", limit, what: "words of 64 bits in all signals together" }
    }
}

impl Native {
    /// An engine for `design`, compiled where that can be done: [`compiled`](Self::compiled) waits for it.
    ///
    /// # Errors
    /// If the design is too large even to be interpreted.
    #[cfg(compiles)]
    pub fn new(design: &Design) -> Result<Self, EngineError> {
        let (flat, layout) = (Flat::new(design), Layout::new(design));
        if flat.order.len() < LARGE {
            return match Compiled::new(design, &flat, &layout) {
                Ok(compiled) => {
                    let machine = Machine::Compiled(Box::new(compiled));
                    Ok(Self { layout, flat, machine, compiler: None })
                }
                Err(reason) => Self::of(design, flat, layout, Some(reason)),
            };
        }
        let mut engine = Self::of(design, flat, layout, None)?;
        let (design, flat, layout) = (design.clone(), engine.flat.clone(), engine.layout.clone());
        let compile = move || Compiled::new(&design, &flat, &layout);
        match Builder::new().name("compiler".to_owned()).spawn(compile) {
            Ok(compiler) => engine.compiler = Some(compiler),
            Err(error) => engine.stay_interpreted(Reason::Unfinished(error.to_string())),
        }
        Ok(engine)
    }

    /// An engine for `design`. This build can't compile it.
    ///
    /// # Errors
    /// If the design is too large.
    #[cfg(not(compiles))]
    pub fn new(design: &Design) -> Result<Self, EngineError> {
        let reason = if cfg!(feature = "jit") {
            Reason::Processor(format!("it is {}", std::env::consts::ARCH))
        } else {
            Reason::NoCompiler
        };
        Self::of(design, Flat::new(design), Layout::new(design), Some(reason))
    }

    /// An engine for `design` that interprets it.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn interpreted(design: &Design) -> Result<Self, EngineError> {
        Self::of(design, Flat::new(design), Layout::new(design), Some(Reason::Asked))
    }

    fn of(design: &Design, flat: Flat, layout: Layout, reason: Option<Reason>) -> Result<Self, EngineError> {
        let interpreter = Interpreter::new(&flat, &layout, ResetPort::of(design, &layout))?;
        Ok(Self {
            layout,
            flat,
            machine: Machine::Interpreted(Box::new(interpreter), reason),
            #[cfg(compiles)]
            compiler: None,
        })
    }

    /// Waits until the design is compiled, if it is being compiled.
    #[cfg_attr(not(compiles), allow(unused_mut, reason = "nothing is being compiled"))]
    pub fn compiled(mut self) -> Self {
        #[cfg(compiles)]
        self.take_over();
        self
    }

    /// Whether it runs machine code by now.
    pub fn is_compiled(&self) -> bool {
        self.form() == Form::Compiled
    }

    /// How it runs by now, and why.
    pub fn form(&self) -> Form {
        match &self.machine {
            #[cfg(compiles)]
            Machine::Compiled(_) => Form::Compiled,
            Machine::Interpreted(_, Some(reason)) => Form::Interpreted(reason.clone()),
            Machine::Interpreted(_, None) => Form::Compiling,
        }
    }

    /// Goes on with what the compiler has made, once it has.
    #[cfg(compiles)]
    fn take_over(&mut self) {
        let Some(compiler) = self.compiler.take() else { return };
        let made = compiler.join().unwrap_or_else(|_| Err(Reason::Unfinished("it panicked".to_owned())));
        match made {
            Ok(compiled) => {
                let compiled = Machine::Compiled(Box::new(compiled));
                if let (Machine::Interpreted(interpreter, _), Machine::Compiled(compiled)) =
                    (std::mem::replace(&mut self.machine, compiled), &mut self.machine)
                {
                    compiled.take_over(interpreter);
                }
            }
            Err(reason) => self.stay_interpreted(reason),
        }
    }

    #[cfg(compiles)]
    fn stay_interpreted(&mut self, why: Reason) {
        if let Machine::Interpreted(_, reason) = &mut self.machine {
            *reason = Some(why);
        }
    }
}

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        #[cfg(compiles)]
        if self.compiler.as_ref().is_some_and(JoinHandle::is_finished) {
            self.take_over();
        }
        let (input_words, output_words) = (self.layout.input_words, self.layout.output_words);
        let cycles = self.layout.cycles(inputs, outputs);
        match &mut self.machine {
            #[cfg(compiles)]
            Machine::Compiled(compiled) => compiled.run(inputs, outputs, cycles),
            Machine::Interpreted(interpreter, _) => {
                for cycle in 0..cycles {
                    interpreter.cycle(
                        &inputs[cycle * input_words..][..input_words],
                        &mut outputs[cycle * output_words..][..output_words],
                    );
                }
            }
        }
        Ok(())
    }

    fn probe(&self) -> Option<&dyn Probe> {
        Some(self)
    }

    fn remark(&self) -> Option<String> {
        match self.form() {
            Form::Interpreted(reason) if reason != Reason::Asked => {
                Some(format!("it is interpreted, which is slow: {reason}"))
            }
            Form::Interpreted(_) | Form::Compiling | Form::Compiled => None,
        }
    }
}

impl Probe for Native {
    fn scope(&self) -> &Scope {
        &self.flat.scope
    }

    fn value(&self, signal: usize) -> &[u64] {
        match &self.machine {
            #[cfg(compiles)]
            Machine::Compiled(compiled) => compiled.shown(&self.flat, &self.layout).value(signal),
            Machine::Interpreted(interpreter, _) => interpreter.value(signal),
        }
    }
}
