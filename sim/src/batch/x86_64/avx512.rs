//! AVX-512: instructions in EVEX encoding, on vectors of 512 bits.

use super::instruction::{Instruction, Vector};
use super::operand::Last;

/// Bytes of a vector.
pub(super) const VECTOR_BYTES: usize = 64;

/// The three leading fields of an instruction in EVEX encoding: prefix, opcode map, opcode.
#[derive(Clone, Copy)]
struct Opcode {
    /// 1 for 66.
    prefix: u8,
    /// 1 for 0F, 3 for 0F3A.
    map: u8,
    opcode: u8,
}

const LOAD: Opcode = Opcode { prefix: 1, map: 1, opcode: 0x6f };
const STORE: Opcode = Opcode { prefix: 1, map: 1, opcode: 0x7f };
const TERNARY: Opcode = Opcode { prefix: 1, map: 3, opcode: 0x25 };

pub(super) fn emit(code: &mut Vec<u8>, instruction: Instruction) {
    let memory = |location| Last::at(location, VECTOR_BYTES);
    let last = |operand| Last::of(operand, VECTOR_BYTES);
    match instruction {
        // vmovdqa64 to, [location]
        Instruction::Load(to, location) => encode(code, LOAD, to, 0, memory(location)),
        // vmovdqa64 [location], from
        Instruction::Store(location, from) => encode(code, STORE, from, 0, memory(location)),
        // vmovdqa64 to, from
        Instruction::Move { to, from } => encode(code, LOAD, to, 0, Last::Vector(from)),
        // vpternlogq to, to, to, 0 or ff
        Instruction::Fill(to, ones) => ternary(code, to, to, Last::Vector(to), if ones { 0xff } else { 0 }),
        // vpternlogq to, b, c, table, whatever `to` holds
        Instruction::Binary { to, b, c, table } => ternary(code, to, b, last(c), table << 4 | table),
        // vpternlogq to, b, c, table
        Instruction::Ternary { to, b, c, table } => ternary(code, to, b, last(c), table),
    }
}

fn ternary(code: &mut Vec<u8>, to: Vector, b: Vector, c: Last, table: u8) {
    encode(code, TERNARY, to, b, c);
    code.push(table);
}

/// An instruction on whole 512-bit vectors of 64-bit elements, up to its immediate.
///
/// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.7 "Intel AVX-512 Encoding"; the
/// bits that extend register numbers are complemented there.
fn encode(code: &mut Vec<u8>, opcode: Opcode, reg: Vector, second: Vector, last: Last) {
    let bit = |number: u8, index: u8| !number >> index & 1;
    // The last operand's number is extended by X and B where it is a vector; the pointers need no extension.
    let (x, b) = match last {
        Last::Vector(vector) => (bit(vector, 4), bit(vector, 3)),
        Last::Memory(..) => (1, 1),
    };
    let p0 = bit(reg, 3) << 7 | x << 6 | b << 5 | bit(reg, 4) << 4 | opcode.map;
    let p1 = 1 << 7 | (!second & 0xf) << 3 | 1 << 2 | opcode.prefix;
    let p2 = 0b10 << 5 | bit(second, 4) << 3;
    code.extend([0x62, p0, p1, p2, opcode.opcode]);
    // A short displacement counts in vectors.
    last.emit(code, reg, VECTOR_BYTES as i32);
}

#[cfg(test)]
mod tests {
    use super::super::instruction::{Location, Operand};
    use super::*;

    /// The expected bytes are the output of GNU as 2.40 for the line in the comment.
    #[test]
    fn instructions_are_encoded_as_an_assembler_does() {
        let ternary = |to, b, c, table| Instruction::Ternary { to, b, c, table };
        let cases: [(Instruction, &[u8]); 10] = [
            // vmovdqa64 zmm0, [rdi]
            (Instruction::Load(0, Location::Input(0)), &[0x62, 0xf1, 0xfd, 0x48, 0x6f, 0x07]),
            // vmovdqa64 zmm9, [rdi + 320]
            (Instruction::Load(9, Location::Input(5)), &[0x62, 0x71, 0xfd, 0x48, 0x6f, 0x4f, 0x05]),
            // vmovdqa64 zmm31, [rdx + 19200]
            (
                Instruction::Load(31, Location::State(300)),
                &[0x62, 0x61, 0xfd, 0x48, 0x6f, 0xba, 0x00, 0x4b, 0x00, 0x00],
            ),
            // vmovdqa64 [rsi + 8128], zmm17
            (Instruction::Store(Location::Output(127), 17), &[0x62, 0xe1, 0xfd, 0x48, 0x7f, 0x4e, 0x7f]),
            // vmovdqa64 [rcx + 8192], zmm8
            (
                Instruction::Store(Location::Spill(127), 8),
                &[0x62, 0x71, 0xfd, 0x48, 0x7f, 0x81, 0x00, 0x20, 0x00, 0x00],
            ),
            // vmovdqa64 zmm7, zmm30
            (Instruction::Move { to: 7, from: 30 }, &[0x62, 0x91, 0xfd, 0x48, 0x6f, 0xfe]),
            // vpternlogq zmm3, zmm14, zmm29, 0xca
            (ternary(3, 14, Operand::Vector(29), 0xca), &[0x62, 0x93, 0x8d, 0x48, 0x25, 0xdd, 0xca]),
            // vpternlogq zmm25, zmm18, [rcx + 128], 0x96
            (
                ternary(25, 18, Operand::Memory(Location::Spill(1)), 0x96),
                &[0x62, 0x63, 0xed, 0x40, 0x25, 0x49, 0x02, 0x96],
            ),
            // vpternlogq zmm2, zmm4, [rcx], 0x66
            (
                Instruction::Binary { to: 2, b: 4, c: Operand::Memory(Location::Ones), table: 0b0110 },
                &[0x62, 0xf3, 0xdd, 0x48, 0x25, 0x11, 0x66],
            ),
            // vpternlogq zmm16, zmm16, zmm16, 0xff
            (Instruction::Fill(16, true), &[0x62, 0xa3, 0xfd, 0x40, 0x25, 0xc0, 0xff]),
        ];
        for (instruction, expected) in cases {
            let mut code = Vec::new();
            emit(&mut code, instruction);
            assert_eq!(code, expected, "{instruction:?}");
        }
    }
}
