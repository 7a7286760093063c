//! The `native` engine runs the netlist in the process. It needs nothing installed.
//!
//! The first few thousand cycles of a run are interpreted, since a shorter run ends before compiling would pay. For a longer
//! run, the engine compiles the design's [`Logic`](crate::logic::Logic) to machine code. A small design is compiled at once, in a
//! millisecond or two. A large design is compiled in a thread of its own, while the run is still interpreted. Whole runs are
//! interpreted on processors that the compiler does not know, in builds without the feature `jit`, and where compiling the words of the
//! design would take too long. [`Native::mode`] says how a design runs, and why.
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

/// Cycles before a design is compiled. Compiling it takes as long as interpreting it for some thousands.
#[cfg(compiles)]
const BEFORE_COMPILED: u64 = 3000;

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
    #[cfg(compiles)]
    compiler: Compiler,
}

/// How far the compiler is.
#[cfg(compiles)]
enum Compiler {
    /// The compiler starts on the design after `cycles` more cycles.
    Waits { design: Design, cycles: u64 },
    /// The compiler works on the design in this thread.
    Works(JoinHandle<Result<Compiled, Reason>>),
    /// The compiler has finished, or the design is interpreted throughout.
    Done,
}

enum Runner {
    #[cfg(compiles)]
    Compiled(Box<Compiled>),
    /// With the reason, unless the compiler is still at work.
    Interpreted(Box<Interpreter>, Option<Reason>),
}

impl Native {
    /// An engine for `design`, which compiles it once it has run for some thousand cycles. [`compiled`](Self::compiled) does
    /// so at once.
    ///
    /// # Errors
    /// If the design is too large even to be interpreted.
    #[cfg(compiles)]
    pub fn new(design: &Design) -> Result<Self, EngineError> {
        let mut engine = Self::of(design, None)?;
        engine.compiler = Compiler::Waits { design: design.clone(), cycles: BEFORE_COMPILED };
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
        Self::of(design, Some(reason))
    }

    /// An engine that interprets `design` throughout.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn interpreted(design: &Design) -> Result<Self, EngineError> {
        Self::of(design, Some(Reason::Asked))
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

    /// An engine that interprets `design`, throughout if there is a reason.
    fn of(design: &Design, reason: Option<Reason>) -> Result<Self, EngineError> {
        let (flat, layout) = (Flat::new(design), Layout::new(design));
        let interpreter = Interpreter::new(&flat, &layout, ResetPort::of(design, &layout))?;
        Ok(Self {
            layout,
            named: Named::new(&flat),
            flat,
            runner: Runner::Interpreted(Box::new(interpreter), reason),
            shown: OnceCell::new(),
            room: Cell::new(None),
            #[cfg(compiles)]
            compiler: Compiler::Done,
        })
    }

    /// Compiles the design, if that can be done, and waits until it is.
    #[cfg_attr(not(compiles), allow(unused_mut, reason = "nothing is compiled"))]
    pub fn compiled(mut self) -> Self {
        #[cfg(compiles)]
        {
            self.compile();
            self.take_over();
        }
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

    /// Starts the compiler if it waits. A small design is compiled when this returns; a large one is being compiled in a thread.
    #[cfg(compiles)]
    fn compile(&mut self) {
        let Compiler::Waits { design, .. } = &self.compiler else { return };
        if self.flat.order.len() < LARGE {
            let made = Compiled::new(design, &self.flat, &self.layout);
            return self.go_on_with(made);
        }
        let (design, flat, layout) = (design.clone(), self.flat.clone(), self.layout.clone());
        let compile = move || Compiled::new(&design, &flat, &layout);
        match Builder::new().name("compiler".to_owned()).spawn(compile) {
            Ok(thread) => self.compiler = Compiler::Works(thread),
            Err(error) => self.go_on_with(Err(Reason::Unfinished(error.to_string()))),
        }
    }

    /// Waits for the compiler if it works, and continues with the machine code.
    #[cfg(compiles)]
    fn take_over(&mut self) {
        let Compiler::Works(thread) = std::mem::replace(&mut self.compiler, Compiler::Done) else { return };
        let made = thread.join();
        self.go_on_with(made.unwrap_or_else(|_| Err(Reason::Unfinished("it panicked".to_owned()))));
    }

    /// Continues with what the compiler has made.
    #[cfg(compiles)]
    fn go_on_with(&mut self, made: Result<Compiled, Reason>) {
        self.compiler = Compiler::Done;
        match made {
            Ok(mut compiled) => {
                // The code has run no cycle yet, so a probe keeps the values that the interpreter has of the last one.
                self.values();
                if let Runner::Interpreted(interpreter, _) = &self.runner {
                    compiled.take_over(interpreter);
                }
                self.runner = Runner::Compiled(Box::new(compiled));
            }
            Err(reason) => {
                if let Runner::Interpreted(_, why_not) = &mut self.runner {
                    *why_not = Some(reason);
                }
            }
        }
    }

    /// Prepares for `cycles` cycles or more: starts the compiler if it is time, and switches to the machine code if it is ready.
    fn prepare(&mut self, cycles: usize) {
        #[cfg(compiles)]
        match &mut self.compiler {
            Compiler::Waits { cycles: left, .. } => match left.checked_sub(cycles as u64) {
                Some(fewer) => *left = fewer,
                None => self.compile(),
            },
            Compiler::Works(thread) if thread.is_finished() => self.take_over(),
            Compiler::Works(_) | Compiler::Done => {}
        }
        // A probe's values become stale.
        if cycles > 0
            && let Some(room) = self.shown.take()
        {
            self.room.set(Some(room));
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
        self.prepare(cycles);
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
        let words = self.layout.words();
        // Each record takes a cycle, or more.
        self.prepare(feed.sink_takes.len().min(feed.records.len() / words.0));
        match &mut self.runner {
            #[cfg(compiles)]
            Runner::Compiled(compiled) => compiled.run_fed(feed, words, fed),
            Runner::Interpreted(interpreter, _) => feed.run(words, fed, |inputs, outputs, _| {
                interpreter.cycle(inputs, outputs);
                Ok::<(), EngineError>(())
            })?,
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
