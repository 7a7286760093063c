//! The body of a memory's module: an array that synthesis maps to RAM.
//!
//! One process writes it, and there is no reset, as the guides of Vivado (UG901, "RAM HDL Coding Techniques") and of Quartus
//! ("Inferring Memory Functions from HDL Code") and Yosys' `memory_libmap` want it.

use crate::netlist::{Collision, Memory, Read};

use super::declaration::ranged;

/// The name of the array.
const ARRAY: &str = "mem";

/// The name of a bit of word `index` of the array.
pub(super) fn word(index: usize) -> String {
    format!("{ARRAY}[{index}]")
}

/// The paragraphs of the body.
pub(super) fn paragraphs(memory: Memory) -> Vec<String> {
    let Memory { words, width, read, read_ports } = memory;
    let attribute = match read {
        Read::Registered(Collision::Undefined) => {
            "    // No word is read and written at the same edge.\n    (* no_rw_check *)\n"
        }
        Read::Asynchronous | Read::Registered(_) => "",
    };
    let mut declared = format!("{attribute}    reg {} [0:{}];\n", ranged(ARRAY, width), words - 1);
    let mut loads =
        format!("        if (write) begin\n            {ARRAY}[write_address] <= write_data;\n        end\n");
    let mut outputs = String::new();
    for suffix in ["", "_1"].into_iter().take(read_ports as usize) {
        let from = match read {
            Read::Asynchronous => format!("{ARRAY}[read_address{suffix}]"),
            Read::Registered(Collision::New) => {
                let register = format!("read_address{suffix}_reg");
                declared += &format!("    reg {};\n", ranged(&register, memory.address_bits()));
                loads += &format!("        {register} <= read_address{suffix};\n");
                format!("{ARRAY}[{register}]")
            }
            Read::Registered(_) => {
                let register = format!("read_data{suffix}_reg");
                declared += &format!("    reg {};\n", ranged(&register, width));
                loads += &format!("        {register} <= {ARRAY}[read_address{suffix}];\n");
                register
            }
        };
        outputs += &format!("    assign read_data{suffix} = {from};\n");
    }
    vec![declared, format!("    always @(posedge clk) begin\n{loads}    end\n"), outputs]
}
