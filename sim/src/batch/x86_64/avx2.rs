//! AVX2: instructions in VEX encoding, on vectors of 256 bits.

use super::instruction::{Instruction, Vector};
use super::operand::Last;

/// Bytes of a vector.
pub(super) const VECTOR_BYTES: usize = 32;

const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
const EQUAL: u8 = 0x76;
const XOR: u8 = 0xef;

/// The opcode of a binary function, if any.
pub(super) fn opcode(table: u8) -> Option<u8> {
    match table {
        // vpand
        0b1000 => Some(0xdb),
        // vpandn, which complements the first operand
        0b0010 => Some(0xdf),
        // vpor
        0b1110 => Some(0xeb),
        // vpxor
        0b0110 => Some(XOR),
        _ => None,
    }
}

pub(super) fn emit(code: &mut Vec<u8>, instruction: Instruction) {
    let memory = |location| Last::at(location, VECTOR_BYTES);
    match instruction {
        // vmovdqa to, [location]
        Instruction::Load(to, location) => encode(code, LOAD, to, 0, memory(location)),
        // vmovdqa [location], from
        Instruction::Store(location, from) => encode(code, STORE, from, 0, memory(location)),
        // vmovdqa to, from
        Instruction::Move { to, from } => encode(code, LOAD, to, 0, Last::Vector(from)),
        // vpcmpeqd to, to, to or vpxor to, to, to
        Instruction::Fill(to, ones) => {
            encode(code, if ones { EQUAL } else { XOR }, to, to, Last::Vector(to));
        }
        // vpand, vpandn, vpor or vpxor to, b, c
        Instruction::Binary { to, b, c, table } => {
            let c = Last::of(c, VECTOR_BYTES);
            encode(code, opcode(table).expect("the library has what there is an opcode for"), to, b, c);
        }
        Instruction::Ternary { .. } => unreachable!("the library has no gates of three inputs"),
    }
}

/// An instruction with the prefix 66 in opcode map 0F, on whole vectors.
///
/// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.3 "Intel AVX"; the bits that extend
/// register numbers, and the number of the second operand, are complemented there.
fn encode(code: &mut Vec<u8>, opcode: u8, reg: Vector, second: Vector, last: Last) {
    let extension = |number: Vector| !number >> 3 & 1;
    let rest = (!second & 0xf) << 3 | 1 << 2 | 1;
    match last {
        // The short form has no bit that extends the last operand.
        Last::Vector(vector) if extension(vector) == 0 => {
            code.extend([0xc4, extension(reg) << 7 | 1 << 6 | 1, rest, opcode]);
        }
        Last::Vector(_) | Last::Memory(..) => code.extend([0xc5, extension(reg) << 7 | rest, opcode]),
    }
    last.emit(code, reg, 1);
}

#[cfg(test)]
mod tests {
    use super::super::instruction::{Location, Operand};
    use super::*;

    /// The expected bytes are the output of GNU as 2.40 for the line in the comment.
    #[test]
    fn instructions_are_encoded_as_an_assembler_does() {
        let binary = |to, b, c, table| Instruction::Binary { to, b, c, table };
        let cases: [(Instruction, &[u8]); 14] = [
            // vmovdqa ymm0, [rdi]
            (Instruction::Load(0, Location::Input(0)), &[0xc5, 0xfd, 0x6f, 0x07]),
            // vmovdqa ymm9, [rdi + 64]
            (Instruction::Load(9, Location::Input(1)), &[0xc5, 0x7d, 0x6f, 0x4f, 0x40]),
            // vmovdqa ymm15, [rdx + 9600]
            (Instruction::Load(15, Location::State(300)), &[0xc5, 0x7d, 0x6f, 0xba, 0x80, 0x25, 0x00, 0x00]),
            // vmovdqa [rsi + 8128], ymm7
            (Instruction::Store(Location::Output(127), 7), &[0xc5, 0xfd, 0x7f, 0xbe, 0xc0, 0x1f, 0x00, 0x00]),
            // vmovdqa [rcx + 96], ymm8
            (Instruction::Store(Location::Spill(2), 8), &[0xc5, 0x7d, 0x7f, 0x41, 0x60]),
            // vmovdqa ymm7, ymm3
            (Instruction::Move { to: 7, from: 3 }, &[0xc5, 0xfd, 0x6f, 0xfb]),
            // vmovdqa ymm12, ymm13
            (Instruction::Move { to: 12, from: 13 }, &[0xc4, 0x41, 0x7d, 0x6f, 0xe5]),
            // vpand ymm3, ymm14, ymm5
            (binary(3, 14, Operand::Vector(5), 0b1000), &[0xc5, 0x8d, 0xdb, 0xdd]),
            // vpandn ymm11, ymm2, ymm9
            (binary(11, 2, Operand::Vector(9), 0b0010), &[0xc4, 0x41, 0x6d, 0xdf, 0xd9]),
            // vpor ymm4, ymm15, [rdi + 128]
            (
                binary(4, 15, Operand::Memory(Location::Input(2)), 0b1110),
                &[0xc5, 0x85, 0xeb, 0xa7, 0x80, 0x00, 0x00, 0x00],
            ),
            // vpxor ymm10, ymm1, [rcx]
            (binary(10, 1, Operand::Memory(Location::Ones), 0b0110), &[0xc5, 0x75, 0xef, 0x11]),
            // vpandn ymm0, ymm8, [rdx + 96]
            (binary(0, 8, Operand::Memory(Location::State(3)), 0b0010), &[0xc5, 0xbd, 0xdf, 0x42, 0x60]),
            // vpxor ymm6, ymm6, ymm6
            (Instruction::Fill(6, false), &[0xc5, 0xcd, 0xef, 0xf6]),
            // vpcmpeqd ymm13, ymm13, ymm13
            (Instruction::Fill(13, true), &[0xc4, 0x41, 0x15, 0x76, 0xed]),
        ];
        for (instruction, expected) in cases {
            let mut code = Vec::new();
            emit(&mut code, instruction);
            assert_eq!(code, expected, "{instruction:?}");
        }
    }
}
