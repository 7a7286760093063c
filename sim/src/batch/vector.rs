//! A compiled design: executable memory, the state of its streams, and the one call into the code.

use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use super::allocate::{self, Instruction};
use super::network::Network;
use super::{BatchError, Slice, avx512};

/// What [`avx512::assemble`] makes: input record, output record, state, spilled values.
type CycleFn = unsafe extern "sysv64" fn(*const Slice, *mut Slice, *mut Slice, *mut Slice);

/// Runs compiled cycles. Clones share the code and have a state of their own.
#[derive(Clone)]
pub(super) struct Machine {
    code: Arc<Code>,
    state: Vec<Slice>,
    spills: Vec<Slice>,
}

struct Code {
    memory: Mmap,
    inputs: usize,
    outputs: usize,
}

/// What the code of a design comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) instructions: usize,
    pub(super) operations: usize,
    pub(super) spills: usize,
    pub(super) code_bytes: usize,
}

impl Machine {
    /// Compiles a network of so many registers that reads and writes records of so many slices.
    pub(super) fn new(
        network: &Network,
        registers: usize,
        inputs: usize,
        outputs: usize,
    ) -> Result<(Self, Size), BatchError> {
        assert!(is_x86_feature_detected!("avx512f"), "whoever chooses this machine has asked");
        let program = allocate::allocate(network, avx512::VECTORS);
        let code = avx512::assemble(&program.instructions);
        let mut memory = MmapMut::map_anon(code.len()).map_err(BatchError::Memory)?;
        memory.copy_from_slice(&code);
        let memory = memory.make_exec().map_err(BatchError::Memory)?;
        let operation = |instruction: &&Instruction| matches!(instruction, Instruction::Ternary { .. });
        let size = Size {
            instructions: program.instructions.len(),
            operations: program.instructions.iter().filter(operation).count(),
            spills: program.spills as usize,
            code_bytes: code.len(),
        };
        let machine = Self {
            code: Arc::new(Code { memory, inputs, outputs }),
            state: vec![Slice::ZERO; registers],
            spills: vec![Slice::ZERO; program.spills as usize],
        };
        Ok((machine, size))
    }

    /// Runs a cycle.
    pub(super) fn cycle(&mut self, inputs: &[Slice], outputs: &mut [Slice]) {
        let Code { memory, inputs: input_slices, outputs: output_slices } = &*self.code;
        assert_eq!((inputs.len(), outputs.len()), (*input_slices, *output_slices), "records of a cycle");
        // SAFETY: the memory holds what `assemble` made, a function of this type, and stays mapped as long as `code` is.
        let cycle = unsafe { std::mem::transmute::<*const u8, CycleFn>(memory.as_ptr()) };
        // SAFETY: the processor has AVX-512F (`new` has asked). The code reads and writes slices behind the four pointers
        // at indices below the lengths that the network was made with: two are asserted above, the state and the spilled
        // values were allocated in `new`. Slices are aligned as its loads and stores need. It leaves nothing behind in
        // registers that the convention says to keep.
        unsafe {
            cycle(inputs.as_ptr(), outputs.as_mut_ptr(), self.state.as_mut_ptr(), self.spills.as_mut_ptr());
        }
    }

    pub(super) fn reset(&mut self) {
        self.state.fill(Slice::ZERO);
    }
}
