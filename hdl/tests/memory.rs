//! Memories: their text, the checks of their shape and connections, and the RAM that Yosys makes of them.

use std::process::Command;
use std::sync::Arc;

use expect_test::expect_file;
use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Builder, Collision, Design, Memory, Module, Read, ResetStyle, Rom};

fn text(module: Arc<Module>) -> String {
    let header = Header { command: "none".to_owned(), version: "0".to_owned(), ..Header::default() };
    verilog(&Design { top: module, reset: ResetStyle::SyncHigh }, &header)
}

fn registered(words: u32, width: u32, collision: Collision) -> Memory {
    Memory { read: Read::Registered(collision), ..Memory::new(words, width) }
}

#[test]
fn a_memory_is_written_as_an_array() {
    expect_file!["golden/memory_16x44.v"].assert_eq(&text(Memory::new(16, 44).module()));
    let unchecked = Memory { read_ports: 2, ..registered(256, 16, Collision::Undefined) };
    expect_file!["golden/memory_256x16_unchecked_2r.v"].assert_eq(&text(unchecked.module()));
    let transparent = registered(4, 1, Collision::New);
    expect_file!["golden/memory_4x1_transparent.v"].assert_eq(&text(transparent.module()));
}

/// A table of words that are their addresses times 7.
fn table(words: u64, width: u32, read_ports: usize) -> Arc<Module> {
    let all: Vec<u64> = (0..words).map(|address| address * 7 % (1 << width)).collect();
    Rom::new(&all, width, read_ports).module(Builder::new("multiples", "Multiples of 7."))
}

#[test]
fn a_table_is_written_as_an_array_with_words() {
    let text = text(table(6, 5, 2));
    for line in [
        "reg [4:0] mem [0:7];",
        "mem[3'h5] = 5'h03;",
        "mem[3'h6] = 5'h00;",
        "word_1_reg <= mem[address_1];",
        "assign word = word_reg;",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn a_memory_of_registers_has_no_array() {
    let text = text(Memory::new(4, 8).registers());
    assert!(text.contains("reg [7:0] word_3_reg") && !text.contains("mem"), "{text}");
}

#[test]
#[should_panic(expected = "a memory of 12 words: it can be 2, 4, 8 and so on")]
fn the_number_of_words_is_a_power_of_two() {
    Memory::new(12, 8).module();
}

#[test]
#[should_panic(
    expected = "width mismatch at port `write_data` of instance `beats` (module `memory_4x8`): the port has 8 bits, `payload` has 9"
)]
fn a_word_of_another_width_is_refused() {
    let m = Builder::new("fifo", "");
    let payload = m.input("payload", 9, "");
    m.instance("beats", &Memory::new(4, 8).module()).input("write_data", payload);
}

/// The number of cells of a kind that Yosys makes of a module by `synth`, up to where it has mapped memories.
fn cells(synth: &str, module: Arc<Module>, kind: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let top = module.name().to_owned();
    std::fs::write(folder.path().join("top.v"), text(module)).expect("the file is written");
    let steps = "-run begin:map_gates";
    let script =
        format!("read_verilog top.v; {synth} {steps} -top {top}; tee -o cells.txt select -list t:{kind}");
    let output = Command::new("yosys").args(["-q", "-p", &script]).current_dir(folder.path()).output();
    let output = output.unwrap_or_else(|error| panic!("yosys: {error}; tools/test installs it"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(folder.path().join("cells.txt")).expect("the list").lines().count()
}

/// Two ports read one block RAM.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn yosys_makes_rom_of_a_table() {
    for ports in [1, 2] {
        assert_eq!(cells("synth_ecp5", table(1024, 18, ports), "DP16KD"), 1, "{ports} ports");
    }
    assert_eq!(cells("synth_ecp5", table(2048, 16, 2), "DP16KD"), 2);
}

/// The sizes of the RAMs are those of the data sheets: 256 words of 16 bits (iCE40), 512 words of 36 bits, and 16 words of 4 bits (ECP5).
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn yosys_makes_ram_of_a_memory() {
    let block = registered(256, 16, Collision::Undefined);
    assert_eq!(cells("synth_ice40", block.module(), "SB_RAM40_4K"), 1);
    assert_eq!(cells("synth_ice40", registered(512, 32, Collision::Undefined).module(), "SB_RAM40_4K"), 4);
    let wide = registered(512, 72, Collision::Undefined);
    assert_eq!(cells("synth_ecp5", wide.module(), "DP16KD"), 2);
    assert_eq!(cells("synth_ecp5", registered(512, 36, Collision::Old).module(), "DP16KD"), 1);
    assert_eq!(cells("synth_ecp5", Memory::new(16, 44).module(), "TRELLIS_DPR16X4"), 11);
    assert_eq!(cells("synth_ecp5", Memory::new(32, 8).module(), "TRELLIS_DPR16X4"), 4);
    assert_eq!(cells("synth_ecp5", Memory::new(16, 8).registers(), "TRELLIS_DPR16X4"), 0);
    assert_eq!(cells("synth_ice40", block.registers(), "SB_RAM40_4K"), 0);
}
