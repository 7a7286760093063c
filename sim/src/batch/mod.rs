//! The `batch` engine: one netlist, 512 streams at once, each a bit of every word.
//!
//! ```text
//! design ─> and-inverter graph ─> gates of three inputs ─> order ─> vector registers ─> machine code
//!           aig, blast            cover                    network  allocate             avx512, vector
//! ```
//!
//! A [`Slice`] is one bit of the design in every stream; a record of a cycle is a slice for each bit of each port. A
//! gate is one instruction on whole slices: with AVX-512, `vpternlogq` is any function of three of them. Where the
//! processor has no AVX-512, gates of two inputs are interpreted.
//!
//! Streams run in lockstep and know nothing of each other: reset, inputs and state are each stream's own.

mod aig;
mod allocate;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blast;
mod cover;
mod network;
mod portable;
mod slice;
#[cfg(target_arch = "x86_64")]
mod vector;

use std::fmt;
use std::ops::Range;

use utfhdl_hdl::netlist::Design;

use crate::layout::{Layout, PortSlot};

pub use slice::{STREAMS, Slice, transpose};

/// Why a design can't be run.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The design is too large.
    #[error("the design has more than {most} gates of two inputs: that is the limit of the batch engine")]
    TooLarge {
        /// The most that can be.
        most: usize,
    },
    /// The system gives no memory for code.
    #[error("there is no memory that can hold machine code")]
    Memory(#[source] std::io::Error),
}

/// What evaluates the gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Machine code for x86-64 with AVX-512F.
    Avx512,
    /// An interpreter, on any machine; with AVX2 vectors where there are such.
    Portable,
}

impl Backend {
    /// Those that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            return vec![Self::Avx512, Self::Portable];
        }
        vec![Self::Portable]
    }

    /// The fastest that this machine can run.
    pub fn best() -> Self {
        Self::available()[0]
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Avx512 => "avx512",
            Self::Portable => "portable",
        })
    }
}

/// What a design comes to: what a cycle costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// ANDs of the and-inverter graph.
    pub ands: usize,
    /// Gates that cover it.
    pub gates: usize,
    /// Bits of state, of those registers that outputs depend on.
    pub registers: usize,
    /// Bits of the input record.
    pub inputs: usize,
    /// Bits of the output record.
    pub outputs: usize,
    /// Instructions of a cycle, loads and stores included; 0 where gates are interpreted.
    pub instructions: usize,
    /// Those of them that compute.
    pub operations: usize,
    /// Values that are kept in memory for want of vector registers.
    pub spills: usize,
    /// Bytes of machine code.
    pub code_bytes: usize,
}

/// The engine; see [the module](self). A clone shares the code, and starts with the state of the original.
#[derive(Clone)]
pub struct Batch {
    layout: Layout,
    machine: Machine,
    backend: Backend,
    size: Size,
}

#[derive(Clone)]
enum Machine {
    #[cfg(target_arch = "x86_64")]
    Vector(vector::Machine),
    Portable(portable::Machine),
}

impl Batch {
    /// The engine for `design`, on the fastest backend there is.
    ///
    /// # Errors
    /// If the design is too large, or there is no memory for its code.
    pub fn new(design: &Design) -> Result<Self, BatchError> {
        Self::with_backend(design, Backend::best())
    }

    /// The engine for `design` on a backend.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// If the backend is not [available](Backend::available).
    pub fn with_backend(design: &Design, backend: Backend) -> Result<Self, BatchError> {
        assert!(Backend::available().contains(&backend), "this machine can't run {backend}");
        let layout = Layout::new(design);
        let (inputs, outputs) = (planes(&layout.inputs), planes(&layout.outputs));
        let logic = blast::blast(design)?;
        let registers = logic.next.len();
        let network = cover::cover(&logic, if backend == Backend::Portable { 2 } else { 3 });
        let mut size = Size {
            ands: logic.ands(),
            gates: network.gates.len(),
            registers,
            inputs,
            outputs,
            ..Size::default()
        };
        let machine = match backend {
            Backend::Portable => Machine::Portable(portable::Machine::new(&network, registers, inputs)),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => {
                let (machine, code) = vector::Machine::new(&network, registers, inputs, outputs)?;
                (size.instructions, size.operations) = (code.instructions, code.operations);
                (size.spills, size.code_bytes) = (code.spills, code.code_bytes);
                Machine::Vector(machine)
            }
            #[cfg(not(target_arch = "x86_64"))]
            Backend::Avx512 => unreachable!("it is available on x86-64 only"),
        };
        Ok(Self { layout, machine, backend, size })
    }

    /// What evaluates the gates.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// What the design comes to.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Slices of an input record.
    pub fn input_planes(&self) -> usize {
        self.size.inputs
    }

    /// Slices of an output record.
    pub fn output_planes(&self) -> usize {
        self.size.outputs
    }

    /// The slices of an input port in a record, its lowest bit first; the reset is one.
    pub fn input(&self, name: &str) -> Option<Range<usize>> {
        find(&self.layout.inputs, name)
    }

    /// The slices of an output port in a record, its lowest bit first.
    pub fn output(&self, name: &str) -> Option<Range<usize>> {
        find(&self.layout.outputs, name)
    }

    /// Runs as many cycles as `inputs` holds records and fills `outputs` with as many. A cycle is that of
    /// [`Engine`](crate::Engine), in each stream.
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
        for cycle in 0..cycles {
            let inputs = &inputs[cycle * of_input..][..of_input];
            let outputs = &mut outputs[cycle * of_output..][..of_output];
            match &mut self.machine {
                #[cfg(target_arch = "x86_64")]
                Machine::Vector(machine) => machine.cycle(inputs, outputs),
                Machine::Portable(machine) => machine.cycle(inputs, outputs),
            }
        }
    }

    /// Puts all registers of all streams to 0, as before the first cycle.
    pub fn restart(&mut self) {
        match &mut self.machine {
            #[cfg(target_arch = "x86_64")]
            Machine::Vector(machine) => machine.reset(),
            Machine::Portable(machine) => machine.reset(),
        }
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
