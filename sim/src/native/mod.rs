//! The `native` engine: the netlist, run in the process. Nothing to install.
//!
//! Where it can, it compiles the design's [`Logic`](crate::logic::Logic) to machine code: a small design before its
//! first cycle, which takes a millisecond or two, a large one in a thread of its own, while it is interpreted. What
//! can't be compiled is interpreted throughout: on processors that the compiler does not know, in builds without the
//! feature `jit`, and where a design has so many words that compiling would take too long.
//!
//! The interpreter also serves [`Probe`]: compiled code computes what the outputs and the registers need and nothing
//! else, so the signals in between are found by interpreting the one cycle that is looked at.

#[cfg(compiles)]
mod compiled;
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
    compiler: Option<JoinHandle<Option<Compiled>>>,
}

enum Machine {
    #[cfg(compiles)]
    Compiled(Box<Compiled>),
    Interpreted(Box<Interpreter>),
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
        if flat.order.len() < LARGE
            && let Some(compiled) = Compiled::new(design, &flat, &layout)
        {
            return Ok(Self { layout, flat, machine: Machine::Compiled(Box::new(compiled)), compiler: None });
        }
        let mut engine = Self::of(design, flat, layout)?;
        let (design, flat, layout) = (design.clone(), engine.flat.clone(), engine.layout.clone());
        let compile = move || Compiled::new(&design, &flat, &layout);
        // Without a thread it is interpreted.
        engine.compiler = Builder::new().name("compiler".to_owned()).spawn(compile).ok();
        Ok(engine)
    }

    /// An engine for `design`. This build can't compile it.
    ///
    /// # Errors
    /// If the design is too large.
    #[cfg(not(compiles))]
    pub fn new(design: &Design) -> Result<Self, EngineError> {
        Self::interpreted(design)
    }

    /// An engine for `design` that interprets it.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn interpreted(design: &Design) -> Result<Self, EngineError> {
        Self::of(design, Flat::new(design), Layout::new(design))
    }

    fn of(design: &Design, flat: Flat, layout: Layout) -> Result<Self, EngineError> {
        let interpreter = Interpreter::new(&flat, &layout, ResetPort::of(design, &layout))?;
        Ok(Self {
            layout,
            flat,
            machine: Machine::Interpreted(Box::new(interpreter)),
            #[cfg(compiles)]
            compiler: None,
        })
    }

    /// Waits until the design is compiled, if it is being compiled.
    pub fn compiled(mut self) -> Self {
        self.take_over();
        self
    }

    /// Whether it runs machine code by now.
    pub fn is_compiled(&self) -> bool {
        !matches!(self.machine, Machine::Interpreted(_))
    }

    /// Goes on with what the compiler has made, once it has.
    fn take_over(&mut self) {
        #[cfg(compiles)]
        if let Some(compiler) = self.compiler.take()
            && let Ok(Some(compiled)) = compiler.join()
            && let Machine::Interpreted(interpreter) =
                std::mem::replace(&mut self.machine, Machine::Compiled(Box::new(compiled)))
            && let Machine::Compiled(compiled) = &mut self.machine
        {
            compiled.take_over(interpreter);
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
            Machine::Interpreted(interpreter) => {
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
}

impl Probe for Native {
    fn scope(&self) -> &Scope {
        &self.flat.scope
    }

    fn value(&self, signal: usize) -> &[u64] {
        match &self.machine {
            #[cfg(compiles)]
            Machine::Compiled(compiled) => compiled.shown(&self.flat, &self.layout).value(signal),
            Machine::Interpreted(interpreter) => interpreter.value(signal),
        }
    }
}
