//! Operands in machine code: the encoding shared by all instruction sets.

use super::instruction::{Location, Operand, Vector};
use crate::batch::slice::Slice;

/// The registers that hold the pointers, by their numbers in an instruction.
#[derive(Clone, Copy)]
pub(super) enum Base {
    Rdi = 7,
    Rsi = 6,
    Rdx = 2,
    Rcx = 1,
}

/// The last operand of an instruction, as it is encoded.
#[derive(Clone, Copy)]
pub(super) enum Last {
    Vector(Vector),
    Memory(Base, i32),
}

impl Last {
    /// An operand of an instruction on vectors of `vector_bytes` bytes.
    pub(super) fn of(operand: Operand, vector_bytes: usize) -> Self {
        match operand {
            Operand::Vector(vector) => Self::Vector(vector),
            Operand::Memory(location) => Self::at(location, vector_bytes),
        }
    }

    /// A location in memory, for an instruction on vectors of `vector_bytes` bytes.
    pub(super) fn at(location: Location, vector_bytes: usize) -> Self {
        let (slice, vector) = (size_of::<Slice>(), vector_bytes);
        let (base, offset) = match location {
            Location::Input(index) => (Base::Rdi, index as usize * slice),
            Location::Output(index) => (Base::Rsi, index as usize * slice),
            Location::State(index) => (Base::Rdx, index as usize * vector),
            Location::Ones => (Base::Rcx, 0),
            Location::Spill(index) => (Base::Rcx, (index as usize + 1) * vector),
        };
        Self::Memory(base, i32::try_from(offset).expect("records and state of less than two gigabytes"))
    }

    /// Writes the ModRM byte, which has the numbers of two operands, and the displacement. A displacement of one byte counts
    /// in units of `scale` bytes.
    pub(super) fn emit(self, code: &mut Vec<u8>, reg: Vector, scale: i32) {
        let reg = (reg & 7) << 3;
        match self {
            Self::Vector(vector) => code.push(0b11 << 6 | reg | vector & 7),
            Self::Memory(base, 0) => code.push(reg | base as u8),
            Self::Memory(base, offset) => match i8::try_from(offset / scale) {
                Ok(short) if offset % scale == 0 => {
                    code.extend([0b01 << 6 | reg | base as u8, short as u8]);
                }
                _ => {
                    code.push(0b10 << 6 | reg | base as u8);
                    code.extend(offset.to_le_bytes());
                }
            },
        }
    }
}
