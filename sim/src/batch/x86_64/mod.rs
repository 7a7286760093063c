//! A compiled design: executable memory, the state of its streams, and the one call into the code.
//!
//! Where a vector is half a slice, the code is that of half the streams, and is called for either half in every cycle: so
//! records come into the first-level cache once. Each half has its state in one piece.

mod allocate;
mod avx2;
mod avx512;
mod instruction_set;

use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use super::network::Network;
use super::{BatchError, Records, Slice};
use allocate::Instruction;
pub(super) use instruction_set::InstructionSet;

/// What [`InstructionSet::assemble`] makes: input record, output record, state, scratch.
type CycleFn = unsafe extern "sysv64" fn(*const u8, *mut u8, *mut u8, *mut u8);

/// Runs compiled cycles. Clones share the code and have a state of their own.
#[derive(Clone)]
pub(super) struct Machine {
    code: Arc<Code>,
    /// Of one part of the streams after the other.
    state: Vec<Slice>,
    /// All ones, and spilled values.
    scratch: Vec<Slice>,
}

struct Code {
    memory: Mmap,
    set: InstructionSet,
    records: Records,
}

/// What the code of a design comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Executed in a cycle of all streams.
    pub(super) instructions: usize,
    pub(super) operations: usize,
    pub(super) spills: usize,
    pub(super) code_bytes: usize,
    /// Of state and scratch, of all streams.
    pub(super) state_bytes: usize,
}

impl Machine {
    /// Compiles a network of so many registers, of gates that the instruction set has.
    pub(super) fn new(
        network: &Network,
        set: InstructionSet,
        registers: usize,
        records: Records,
    ) -> Result<(Self, Size), BatchError> {
        assert!(set.is_available(), "whoever chooses this machine has asked");
        let program = allocate::allocate(network, set);
        let code = set.assemble(&program.instructions);
        let mut memory = MmapMut::map_anon(code.len()).map_err(BatchError::Memory)?;
        memory.copy_from_slice(&code);
        let memory = memory.make_exec().map_err(BatchError::Memory)?;
        let operation = |instruction: &&Instruction| {
            matches!(instruction, Instruction::Binary { .. } | Instruction::Ternary { .. })
        };
        let slices = |vectors: usize| (vectors * set.bytes()).div_ceil(size_of::<Slice>());
        let mut scratch = vec![Slice::ZERO; slices(1 + program.spills as usize)];
        scratch[0] = Slice::ONES;
        let parts = size_of::<Slice>() / set.bytes();
        let state = vec![Slice::ZERO; parts * slices(registers)];
        let size = Size {
            instructions: parts * program.instructions.len(),
            operations: parts * program.instructions.iter().filter(operation).count(),
            spills: program.spills as usize,
            code_bytes: code.len(),
            state_bytes: size_of_val(&*state) + size_of_val(&*scratch),
        };
        Ok((Self { code: Arc::new(Code { memory, set, records }), state, scratch }, size))
    }

    /// Runs as many cycles as there are records.
    pub(super) fn run(&mut self, inputs: &[Slice], outputs: &mut [Slice], cycles: usize) {
        let Code { memory, set, records } = &*self.code;
        assert_eq!((inputs.len(), outputs.len()), (cycles * records.inputs, cycles * records.outputs));
        let parts = size_of::<Slice>() / set.bytes();
        let state_slices = self.state.len() / parts;
        // SAFETY: the memory holds what `assemble` made, a function of this type, and stays mapped as long as `code` is.
        let cycle = unsafe { std::mem::transmute::<*const u8, CycleFn>(memory.as_ptr()) };
        for at in 0..cycles {
            for part in 0..parts {
                let inputs = inputs[at * records.inputs..][..records.inputs].as_ptr();
                let outputs = outputs[at * records.outputs..][..records.outputs].as_mut_ptr();
                let state = self.state[part * state_slices..][..state_slices].as_mut_ptr();
                let offset = part * set.bytes();
                // SAFETY: the processor has the instructions (`new` has asked). The code reads and writes vectors behind
                // the four pointers at indices below the numbers that the network was made with: of the records, which
                // were just cut to them, the vectors at `offset` in each slice; state and scratch were allocated in
                // `new`, in whole slices. A slice is aligned as loads and stores need it, and so is `offset`. It leaves
                // nothing behind in registers that the convention says to keep.
                unsafe {
                    cycle(
                        inputs.cast::<u8>().add(offset),
                        outputs.cast::<u8>().add(offset),
                        state.cast(),
                        self.scratch.as_mut_ptr().cast(),
                    );
                }
            }
        }
    }

    pub(super) fn reset(&mut self) {
        self.state.fill(Slice::ZERO);
    }
}
