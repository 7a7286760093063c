//! The `batch` engine: one netlist, 512 streams at once, each a bit of every word.
//!
//! ```text
//! design ──> and-inverter graph ──> gates ──> order ─┬─> vector registers ──> machine code
//!            crate::aig             cover,   network │   x86_64/allocate      x86_64/avx512, x86_64/avx2
//!                                   library          └─> runs of one function, interpreted
//!                                                        plan                  portable
//! ```
//!
//! A [`Slice`] is one bit of the design in every stream; the record of a cycle is a slice for each bit of each port. A
//! gate is one instruction on a vector of streams. With AVX-512, `vpternlogq` is any function of three vectors of 512
//! streams. With AVX2, there are AND, AND with a complement, OR and exclusive OR of two vectors of 256 streams, so the code
//! runs twice for each cycle. Where the processor has neither, gates are interpreted.
//!
//! Streams run in lockstep and do not affect each other: each has its own reset, inputs and state.

mod backend;
mod cover;
mod error;
mod gate;
mod library;
mod network;
mod plan;
mod portable;
mod slice;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use std::ops::Range;

use utfhdl_hdl::netlist::Design;

use crate::aig::{Logic, Start, blast};
use crate::layout::{Layout, PortSlot};
use library::Library;
use slice::Records;

pub use backend::{Backend, BackendError};
pub use error::BatchError;
pub use slice::{STREAMS, Slice, Streams, transpose};

/// The size of a design in the batch engine, and so the cost of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// ANDs of the and-inverter graph.
    pub ands: usize,
    /// Gates that cover it.
    pub gates: usize,
    /// Bits of the registers that outputs depend on.
    pub registers: usize,
    /// Bits of the input record.
    pub inputs: usize,
    /// Bits of the output record.
    pub outputs: usize,
    /// Instructions of a cycle of all streams, with loads and stores; 0 where gates are interpreted.
    pub instructions: usize,
    /// Instructions that compute; where gates are interpreted, operations.
    pub operations: usize,
    /// Values that are kept in memory for want of vector registers.
    pub spills: usize,
    /// Bytes of machine code; 0 where gates are interpreted.
    pub code_bytes: usize,
    /// Bytes of state and of other values that are kept in memory, of all streams.
    pub state_bytes: usize,
}

/// The engine; see [the module](self). A clone shares the code, and starts with the state of the original.
#[derive(Clone)]
pub struct Batch {
    layout: Layout,
    evaluator: Evaluator,
    backend: Backend,
    size: Size,
}

#[derive(Clone)]
enum Evaluator {
    #[cfg(target_arch = "x86_64")]
    Compiled(x86_64::CompiledCycle),
    Portable(portable::Interpreter),
}

impl Batch {
    /// The engine for `design`, on the backend that `UTFHDL_BATCH` in the environment names. If it names none, the fastest
    /// available is taken, or [`Backend::Portable`] where the system gives no memory for code.
    ///
    /// # Errors
    /// If the design is too large, or the environment names a backend that is unknown or not available.
    pub fn new(design: &Design) -> Result<Self, BatchError> {
        if let Some(backend) = Backend::of_environment()? {
            return Self::with_backend(design, backend);
        }
        match Self::with_backend(design, Backend::best()) {
            Err(BatchError::Memory(_)) => Self::with_backend(design, Backend::Portable),
            made => made,
        }
    }

    /// The engine for `design` on a backend.
    ///
    /// # Errors
    /// If the design is too large, the backend is not [available](Backend::available), or there is no memory for code.
    pub fn with_backend(design: &Design, backend: Backend) -> Result<Self, BatchError> {
        let backend = backend.among(&Backend::available())?;
        let layout = Layout::new(design);
        let records = Records { inputs: planes(&layout.inputs), outputs: planes(&layout.outputs) };
        let logic = blast(design, Start::Zero)?.without_dead_registers();
        let size = Size {
            ands: logic.ands(),
            registers: logic.next.len(),
            inputs: records.inputs,
            outputs: records.outputs,
            ..Size::default()
        };
        let (evaluator, size) = Evaluator::new(&logic, backend, records, size)?;
        Ok(Self { layout, evaluator, backend, size })
    }

    /// The evaluator of the gates.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The size of the design.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many slices an input record has.
    pub fn input_planes(&self) -> usize {
        self.size.inputs
    }

    /// How many slices an output record has.
    pub fn output_planes(&self) -> usize {
        self.size.outputs
    }

    /// The slices of an input port in a record, its lowest bit first. The reset is an input port, too.
    pub fn input(&self, name: &str) -> Option<Range<usize>> {
        find(&self.layout.inputs, name)
    }

    /// The slices of an output port in a record, its lowest bit first.
    pub fn output(&self, name: &str) -> Option<Range<usize>> {
        find(&self.layout.outputs, name)
    }

    /// Runs a cycle for each record in `inputs`, and fills `outputs` with as many records. In each stream, a cycle is that of
    /// an [`Engine`](crate::Engine).
    ///
    /// # Panics
    /// If the lengths are not those of the same number of records.
    pub fn run(&mut self, inputs: &[Slice], outputs: &mut [Slice]) {
        let (of_input, of_output) = (self.size.inputs, self.size.outputs);
        let cycles = match of_input {
            0 => outputs.len() / of_output.max(1),
            _ => inputs.len() / of_input,
        };
        assert_eq!(inputs.len(), cycles * of_input, "slices of {cycles} input records");
        assert_eq!(outputs.len(), cycles * of_output, "slices of {cycles} output records");
        match &mut self.evaluator {
            #[cfg(target_arch = "x86_64")]
            Evaluator::Compiled(code) => code.run(inputs, outputs, cycles),
            Evaluator::Portable(interpreter) => interpreter.run(inputs, outputs, cycles),
        }
    }

    /// Puts all registers of all streams to 0, as before the first cycle.
    pub fn restart(&mut self) {
        match &mut self.evaluator {
            #[cfg(target_arch = "x86_64")]
            Evaluator::Compiled(code) => code.reset(),
            Evaluator::Portable(interpreter) => interpreter.reset(),
        }
    }
}

impl Evaluator {
    /// Compiles `logic` for a backend, or plans it for the interpreter; completes `size` with the result.
    fn new(
        logic: &Logic,
        backend: Backend,
        records: Records,
        size: Size,
    ) -> Result<(Self, Size), BatchError> {
        #[cfg(target_arch = "x86_64")]
        if let Some(set) = backend.instruction_set() {
            let network = cover::cover(logic, set.library());
            let (cycle, code) = x86_64::CompiledCycle::new(&network, set, size.registers, records)?;
            let size = Size {
                gates: network.gates.len(),
                instructions: code.instructions,
                operations: code.operations,
                spills: code.spills,
                code_bytes: code.code_bytes,
                state_bytes: code.state_bytes,
                ..size
            };
            return Ok((Self::Compiled(cycle), size));
        }
        assert_eq!(backend, Backend::Portable, "the others are of x86-64");
        let network = cover::cover(logic, Library::Choices);
        let interpreter = portable::Interpreter::new(&network, size.registers, records);
        let (gates, operations, state_bytes) =
            (network.gates.len(), interpreter.operations(), interpreter.state_bytes());
        Ok((Self::Portable(interpreter), Size { gates, operations, state_bytes, ..size }))
    }
}

fn planes(ports: &[PortSlot]) -> usize {
    ports.iter().map(|port| port.width as usize).sum()
}

fn find(ports: &[PortSlot], name: &str) -> Option<Range<usize>> {
    let at = ports.iter().position(|port| port.name == name)?;
    let first = planes(&ports[..at]);
    Some(first..first + ports[at].width as usize)
}
