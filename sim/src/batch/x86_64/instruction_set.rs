//! The instruction sets: what differs between them, and the machine code that both have in common.

use super::instruction::Instruction;
use super::{avx2, avx512};
use crate::batch::library::Library;
use crate::batch::slice::Slice;

/// Vector instructions of x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::batch) enum InstructionSet {
    /// AVX2: 16 vectors of 256 bits, functions of two.
    Avx2,
    /// AVX-512F: 32 vectors of 512 bits, and any function of three.
    Avx512,
}

impl InstructionSet {
    /// Whether this processor has it.
    pub(in crate::batch) fn is_available(self) -> bool {
        match self {
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
        }
    }

    /// The gates that have instructions.
    pub(in crate::batch) fn library(self) -> Library {
        match self {
            Self::Avx2 => Library::Simple,
            Self::Avx512 => Library::Lookup,
        }
    }

    /// How many vector registers there are.
    pub(super) fn vectors(self) -> usize {
        match self {
            Self::Avx2 => 16,
            Self::Avx512 => 32,
        }
    }

    /// Bytes of a vector.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Avx2 => avx2::VECTOR_BYTES,
            Self::Avx512 => avx512::VECTOR_BYTES,
        }
    }

    /// How many vectors a slice is cut into. The code runs once for each of these parts.
    pub(super) fn parts(self) -> usize {
        size_of::<Slice>() / self.bytes()
    }

    /// The most instructions of a piece. Where a slice has several parts, a piece runs for all of them before the next piece
    /// begins: its code is then in the first-level cache for every part but the first.
    pub(super) fn most_instructions(self) -> usize {
        if self.parts() > 1 { 2500 } else { usize::MAX }
    }

    /// Whether there is an instruction for the [binary](Instruction::Binary) function of this table, with its operands in this
    /// order.
    pub(super) fn has(self, table: u8) -> bool {
        match self {
            Self::Avx2 => avx2::opcode(table).is_some(),
            Self::Avx512 => true,
        }
    }

    /// The code of a piece: a function of the System V calling convention that takes four pointers, to the input record, the
    /// output record, the state and the [scratch](Location::Ones) vectors. The code calls nothing, jumps nowhere, and touches no
    /// memory but what the pointers lead to. Where a slice has several parts, the code reads and writes one part of each slice
    /// of the records.
    pub(super) fn assemble(self, piece: &[Instruction]) -> Vec<u8> {
        let mut code = Vec::with_capacity(piece.len() * 8);
        let emit = match self {
            Self::Avx2 => avx2::emit,
            Self::Avx512 => avx512::emit,
        };
        piece.iter().for_each(|instruction| emit(&mut code, *instruction));
        // vzeroupper, ret: the caller may run SSE code, which would be slow otherwise.
        code.extend([0xc5, 0xf8, 0x77, 0xc3]);
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_in_vzeroupper_and_ret() {
        for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
            assert_eq!(set.assemble(&[]), [0xc5, 0xf8, 0x77, 0xc3]);
        }
    }

    /// Functions of two bits that have an opcode, with the operands in either order.
    #[test]
    fn simple_gates_are_one_instruction() {
        for table in [0b1000, 0b0010, 0b0100, 0b1110, 0b0110] {
            let exchanged = table & 0b1001 | (table & 0b0010) << 1 | (table & 0b0100) >> 1;
            assert!(InstructionSet::Avx2.has(table) || InstructionSet::Avx2.has(exchanged), "{table:04b}");
        }
    }
}
