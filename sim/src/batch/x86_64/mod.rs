//! A compiled design: executable memory, the state of all streams, and the call into the code.
//!
//! With AVX2 a vector is half a slice, so the code computes half of the streams, and runs once for each half. The code is
//! cut into pieces. A piece runs for both halves before the next piece begins, so records, and code that is too large for
//! the first-level cache, are loaded into that cache once a cycle. Each half has its own state and its own spilled values.

mod allocate;
mod avx2;
mod avx512;
mod instruction;
pub(super) mod instruction_set;
mod operand;

use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use super::error::BatchError;
use super::network::Network;
use super::slice::{Records, Slice};
use instruction::Instruction;
use instruction_set::InstructionSet;

/// A function that [`InstructionSet::assemble`] makes, of input record, output record, state and scratch.
type PieceFn = unsafe extern "sysv64" fn(*const u8, *mut u8, *mut u8, *mut u8);

/// Bytes of a cache line. Each piece begins with one.
const CACHE_LINE: usize = 64;

/// The code of a cycle, and the state of all streams. Clones share the code; each has a state of its own.
#[derive(Clone)]
pub(super) struct CompiledCycle {
    code: Arc<Code>,
    /// The registers, one part of the streams after the other.
    state: Vec<Slice>,
    /// All ones, then spilled values; one part of the streams after the other.
    scratch: Vec<Slice>,
}

struct Code {
    memory: Mmap,
    /// The offset of each piece in the memory.
    pieces: Vec<usize>,
    set: InstructionSet,
    records: Records,
}

/// The size of a design's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CodeSize {
    /// Instructions executed in a cycle of all streams.
    pub(super) instructions: usize,
    /// Instructions that compute.
    pub(super) operations: usize,
    /// Locations for spilled values.
    pub(super) spills: usize,
    pub(super) code_bytes: usize,
    /// Bytes of state and scratch of all streams.
    pub(super) state_bytes: usize,
}

impl CompiledCycle {
    /// Compiles a network with `registers` bits of registers, of gates that the instruction set has.
    pub(super) fn new(
        network: &Network,
        set: InstructionSet,
        registers: usize,
        records: Records,
    ) -> Result<(Self, CodeSize), BatchError> {
        assert!(set.is_available(), "the backend was found to be available");
        let program = allocate::allocate(network, set);
        let (mut code, mut pieces) = (Vec::new(), Vec::new());
        for piece in &program.pieces {
            code.resize(code.len().next_multiple_of(CACHE_LINE), 0);
            pieces.push(code.len());
            code.extend(set.assemble(piece));
        }
        let mut memory = MmapMut::map_anon(code.len()).map_err(BatchError::Memory)?;
        memory.copy_from_slice(&code);
        let memory = memory.make_exec().map_err(BatchError::Memory)?;
        let operation = |instruction: &&Instruction| {
            matches!(instruction, Instruction::Binary { .. } | Instruction::Ternary { .. })
        };
        let slices = |vectors: usize| (vectors * set.bytes()).div_ceil(size_of::<Slice>());
        let mut scratch = vec![Slice::ZERO; slices(1 + program.spills as usize)];
        scratch[0] = Slice::ONES;
        let scratch = scratch.repeat(set.parts());
        let state = vec![Slice::ZERO; set.parts() * slices(registers)];
        let instructions = || program.pieces.iter().flatten();
        let size = CodeSize {
            instructions: set.parts() * instructions().count(),
            operations: set.parts() * instructions().filter(operation).count(),
            spills: program.spills as usize,
            code_bytes: code.len(),
            state_bytes: size_of_val(&*state) + size_of_val(&*scratch),
        };
        Ok((Self { code: Arc::new(Code { memory, pieces, set, records }), state, scratch }, size))
    }

    /// Runs as many cycles as there are records.
    pub(super) fn run(&mut self, inputs: &[Slice], outputs: &mut [Slice], cycles: usize) {
        let Code { memory, pieces, set, records } = &*self.code;
        assert_eq!((inputs.len(), outputs.len()), (cycles * records.inputs, cycles * records.outputs));
        let state_slices = self.state.len() / set.parts();
        let scratch_slices = self.scratch.len() / set.parts();
        for at in 0..cycles {
            let inputs = inputs[at * records.inputs..][..records.inputs].as_ptr();
            let outputs = outputs[at * records.outputs..][..records.outputs].as_mut_ptr();
            for piece in pieces {
                // SAFETY: what `assemble` made, a function of this type, begins at this place of the memory, which stays
                // mapped as long as `code` is.
                let piece = unsafe { std::mem::transmute::<*const u8, PieceFn>(memory[*piece..].as_ptr()) };
                for part in 0..set.parts() {
                    let state = self.state[part * state_slices..][..state_slices].as_mut_ptr();
                    let scratch = self.scratch[part * scratch_slices..][..scratch_slices].as_mut_ptr();
                    let offset = part * set.bytes();
                    // SAFETY: the processor has the instructions (`new` has asked). The code reads and writes vectors
                    // at the four pointers, at indices below the numbers that the network was made with: in the
                    // records, which were just cut to these numbers, the vectors at `offset` in each slice; state and
                    // scratch of a part were allocated in `new`, in whole slices. Slices and `offset` are aligned as
                    // loads and stores need it. The code preserves the registers that the calling convention demands.
                    unsafe {
                        piece(
                            inputs.cast::<u8>().add(offset),
                            outputs.cast::<u8>().add(offset),
                            state.cast(),
                            scratch.cast(),
                        );
                    }
                }
            }
        }
    }

    pub(super) fn reset(&mut self) {
        self.state.fill(Slice::ZERO);
    }
}
