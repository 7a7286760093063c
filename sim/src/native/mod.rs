//! The `native` engine runs the netlist in the process. It needs nothing installed.
//!
//! It compiles the design's [`Logic`](crate::logic::Logic) to machine code: a small design before its first cycle, which
//! takes a millisecond or two, a large one in a thread of its own while it is interpreted. A design is interpreted
//! throughout on processors that the compiler does not know, in builds without the feature `jit`, and if compiling its
//! words would take too long. [`Native::mode`] says how a design runs, and why.
//!
//! Compiled code computes only what the outputs and the registers need. A [`Probe`] has code of its own, compiled when it
//! is first asked, which computes all named signals of the one cycle that is looked at.

#[cfg(compiles)]
mod compiled;
mod interpreter;
mod mode;
mod named;

use std::cell::{Cell, OnceCell};
use std::ops::Range;
#[cfg(compiles)]
use std::thread::{Builder, JoinHandle};

use utfhdl_hdl::netlist::Design;

use crate::feed::{Fed, Feed};
use crate::flat::{Flat, Scope};
use crate::layout::Layout;
use crate::logic::ResetPort;
use crate::{Engine, EngineError, Probe};
#[cfg(compiles)]
use compiled::Compiled;
use interpreter::Interpreter;
pub use mode::{Mode, Reason};
use named::Named;

/// A design with at least this many signals is compiled in a thread of its own.
#[cfg(compiles)]
const LARGE: usize = 2000;

/// The engine; see [the module](self).
pub struct Native {
    layout: Layout,
    flat: Flat,
    named: Named,
    runner: Runner,
    /// The words of the named signals in the last cycle, if a probe has asked for one.
    shown: OnceCell<Vec<u64>>,
    /// Room for such words, to be used again.
    room: Cell<Option<Vec<u64>>>,
    /// The compiler, while it works.
    #[cfg(compiles)]
    compiler: Option<JoinHandle<Result<Compiled, Reason>>>,
}

enum Runner {
    #[cfg(compiles)]
    Compiled(Box<Compiled>),
    /// With the reason, unless the compiler is still at work.
    Interpreted(Box<Interpreter>, Option<Reason>),
}

impl Native {
    /// An engine for `design`, compiled if that can be done. [`compiled`](Self::compiled) waits for that.
    ///
    /// # Errors
    /// If the design is too large even to be interpreted.
    #[cfg(compiles)]
    pub fn new(design: &Design) -> Result<Self, EngineError> {
        let (flat, layout) = (Flat::new(design), Layout::new(design));
        if flat.order.len() < LARGE {
            return match Compiled::new(design, &flat, &layout) {
                Ok(compiled) => Ok(Self::with(layout, flat, Runner::Compiled(Box::new(compiled)))),
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

    /// An engine for `design`, which this build cannot compile.
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

    /// An engine that interprets `design` throughout.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn interpreted(design: &Design) -> Result<Self, EngineError> {
        Self::of(design, Flat::new(design), Layout::new(design), Some(Reason::Asked))
    }

    /// An engine whose registers have random values before the first cycle. It interprets `design` throughout: compiled code
    /// relies on bits that stay 0 from the start.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn with_random_start(design: &Design, seed: u64) -> Result<Self, EngineError> {
        let mut engine = Self::interpreted(design)?;
        match &mut engine.runner {
            Runner::Interpreted(interpreter, _) => interpreter.randomize(&engine.flat, seed),
            #[cfg(compiles)]
            Runner::Compiled(..) => unreachable!("the engine interprets"),
        }
        Ok(engine)
    }

    fn of(design: &Design, flat: Flat, layout: Layout, reason: Option<Reason>) -> Result<Self, EngineError> {
        let interpreter = Interpreter::new(&flat, &layout, ResetPort::of(design, &layout))?;
        Ok(Self::with(layout, flat, Runner::Interpreted(Box::new(interpreter), reason)))
    }

    fn with(layout: Layout, flat: Flat, runner: Runner) -> Self {
        Self {
            layout,
            named: Named::new(&flat),
            flat,
            runner,
            shown: OnceCell::new(),
            room: Cell::new(None),
            #[cfg(compiles)]
            compiler: None,
        }
    }

    /// Waits for the compiler, if it is at work on the design.
    #[cfg_attr(not(compiles), allow(unused_mut, reason = "nothing is being compiled"))]
    pub fn compiled(mut self) -> Self {
        #[cfg(compiles)]
        self.take_over();
        self
    }

    /// Whether the engine runs machine code by now.
    pub fn is_compiled(&self) -> bool {
        self.mode() == Mode::Compiled
    }

    /// How the engine runs by now, and why.
    pub fn mode(&self) -> Mode {
        match &self.runner {
            #[cfg(compiles)]
            Runner::Compiled(_) => Mode::Compiled,
            Runner::Interpreted(_, Some(reason)) => Mode::Interpreted(reason.clone()),
            Runner::Interpreted(_, None) => Mode::Compiling,
        }
    }

    /// Waits for the compiler and continues with the machine code.
    #[cfg(compiles)]
    fn take_over(&mut self) {
        let Some(compiler) = self.compiler.take() else { return };
        let made = compiler.join().unwrap_or_else(|_| Err(Reason::Unfinished("it panicked".to_owned())));
        match made {
            Ok(compiled) => {
                let compiled = Runner::Compiled(Box::new(compiled));
                if let (Runner::Interpreted(interpreter, _), Runner::Compiled(compiled)) =
                    (std::mem::replace(&mut self.runner, compiled), &mut self.runner)
                {
                    // The code has run no cycle yet, so the interpreter gives a probe the values of the last cycle.
                    self.shown.get_or_init(|| {
                        let mut values = vec![0; self.named.words];
                        interpreter.copy_named(&self.named, &mut values);
                        values
                    });
                    compiled.take_over(&interpreter);
                }
            }
            Err(reason) => self.stay_interpreted(reason),
        }
    }

    /// Switches to the machine code if it is ready. `any` says that cycles follow, so that a probe's values become
    /// stale.
    fn prepare(&mut self, any: bool) {
        #[cfg(compiles)]
        if self.compiler.as_ref().is_some_and(JoinHandle::is_finished) {
            self.take_over();
        }
        if any && let Some(room) = self.shown.take() {
            self.room.set(Some(room));
        }
    }

    #[cfg(compiles)]
    fn stay_interpreted(&mut self, why: Reason) {
        if let Runner::Interpreted(_, reason) = &mut self.runner {
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
        let (input_words, output_words) = self.layout.words();
        let cycles = self.layout.cycles(inputs, outputs);
        self.prepare(cycles > 0);
        match &mut self.runner {
            #[cfg(compiles)]
            Runner::Compiled(compiled) => compiled.run(inputs, outputs, cycles),
            Runner::Interpreted(interpreter, _) => {
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

    fn run_fed(&mut self, feed: &Feed, fed: &mut Fed) -> Result<(), EngineError> {
        self.prepare(!feed.records.is_empty() && !feed.sink_takes.is_empty());
        match &mut self.runner {
            #[cfg(compiles)]
            Runner::Compiled(compiled) => compiled.run_fed(feed, self.layout.words(), fed),
            Runner::Interpreted(interpreter, _) => {
                feed.run(self.layout.words(), fed, |inputs, outputs, _| {
                    interpreter.cycle(inputs, outputs);
                    Ok::<(), EngineError>(())
                })?
            }
        }
        Ok(())
    }

    fn probe(&self) -> Option<&dyn Probe> {
        Some(self)
    }

    fn remark(&self) -> Option<String> {
        match self.mode() {
            Mode::Interpreted(reason) if reason != Reason::Asked => {
                Some(format!("the design is interpreted, which is slow: {reason}"))
            }
            Mode::Interpreted(_) | Mode::Compiling | Mode::Compiled => None,
        }
    }
}

impl Probe for Native {
    fn scope(&self) -> &Scope {
        &self.flat.scope
    }

    fn values(&self) -> &[u64] {
        self.shown.get_or_init(|| {
            let mut values = self.room.take().unwrap_or_else(|| vec![0; self.named.words]);
            match &self.runner {
                #[cfg(compiles)]
                Runner::Compiled(compiled) => {
                    compiled.show(&self.flat, &self.layout, &self.named, &mut values);
                }
                Runner::Interpreted(interpreter, _) => interpreter.copy_named(&self.named, &mut values),
            }
            values
        })
    }

    fn place(&self, signal: usize) -> Range<usize> {
        self.named.place(signal)
    }
}
