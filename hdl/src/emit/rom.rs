//! The body of a table's module: an array with initial contents, which synthesis maps to ROM in block RAM.

use super::declaration::ranged;
use crate::netlist::{Rom, rom_suffix};

/// Words that one block sets. Yosys takes longer for a block than in proportion to its length: half a minute for 8192 words.
const WORDS_OF_BLOCK: usize = 256;

/// The paragraphs of the body.
pub(super) fn paragraphs(rom: &Rom) -> Vec<String> {
    let Rom { words, width, read_ports } = rom;
    let [address_digits, digits] = [rom.address_bits(), *width].map(|bits| bits.div_ceil(4) as usize);
    let mut declared = "    // FPGAs load the words with their configuration.\n".to_owned();
    declared += "    // Cells cannot: there, take a core with --memory registers.\n";
    declared += &format!("    reg {} [0:{}];\n", ranged("mem", *width), words.len() - 1);
    let (mut loads, mut outputs) = (String::new(), String::new());
    for suffix in (0..*read_ports).map(rom_suffix) {
        declared += &format!("    reg {};\n", ranged(&format!("word{suffix}_reg"), *width));
        loads += &format!("            word{suffix}_reg <= mem[address{suffix}];\n");
        outputs += &format!("    assign word{suffix} = word{suffix}_reg;\n");
    }
    let block = |(number, block): (usize, &[u64])| {
        let word = |(index, word): (usize, &u64)| {
            let (address, bits) = (number * WORDS_OF_BLOCK + index, rom.address_bits());
            format!("        mem[{bits}'h{address:0address_digits$x}] = {width}'h{word:0digits$x};\n")
        };
        format!("    initial begin\n{}    end\n", block.iter().enumerate().map(word).collect::<String>())
    };
    let blocks = words.chunks(WORDS_OF_BLOCK).enumerate().map(block);
    let read =
        format!("    always @(posedge clk) begin\n        if (advance) begin\n{loads}        end\n    end\n");
    [declared].into_iter().chain(blocks).chain([read, outputs]).collect()
}
