//! Runs the emitted text in Icarus Verilog with a small test bench. Unlike the engines, Icarus Verilog has X.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use utfhdl_hdl::emit::{Header, verilog};
use utfhdl_hdl::netlist::{Design, Module};
use utfhdl_sim::{Layout, PortSlot};

/// The values of registers before the first cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// 0, as in the netlist: the test bench sets them.
    Zero,
    /// X, as in Verilog.
    Unknown,
}

/// The values of all outputs in a cycle, as bits of `0`, `1`, `x` and `z`, most significant first.
pub type Outputs = Vec<String>;

/// An empty header, for texts that only tools read.
pub fn header() -> Header {
    Header { command: "none".to_owned(), version: "0".to_owned(), ..Header::default() }
}

/// Runs `design` on input records and gives the outputs of each cycle.
pub fn run(design: &Design, inputs: &[u64], start: Start) -> Vec<Outputs> {
    let layout = Layout::new(design);
    let records: Vec<&[u64]> = inputs.chunks(layout.input_words).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    write("design.v", &verilog(design, &header()));
    write("bench.v", &bench(design, &layout, records.len(), start));
    let lines = records.iter().map(|record| join(&layout.inputs, record) + "\n");
    write("stimulus.txt", &lines.collect::<String>());
    let compile = ["-g2001", "-s", "bench", "-o", "bench.vvp", "design.v", "bench.v"];
    tool(folder.path(), "iverilog", &compile);
    let text = tool(folder.path(), "vvp", &["-n", "bench.vvp"]);
    text.lines().map(|line| split(&layout.outputs, line)).collect()
}

/// Output records as bits, as [`run`] gives them.
pub fn as_bits(layout: &Layout, records: &[u64]) -> Vec<Outputs> {
    let cycles = records.chunks(layout.output_words);
    cycles.map(|record| split(&layout.outputs, &join(&layout.outputs, record))).collect()
}

/// The bits of all ports, the first port in front.
fn join(ports: &[PortSlot], record: &[u64]) -> String {
    let mut bits = String::new();
    for port in ports {
        let mut value = vec![0; port.words()];
        port.read(record, &mut value);
        for bit in (0..port.width).rev() {
            bits.push(if value[(bit / 64) as usize] >> (bit % 64) & 1 == 1 { '1' } else { '0' });
        }
    }
    bits
}

fn split(ports: &[PortSlot], mut bits: &str) -> Outputs {
    let mut values = Vec::new();
    for port in ports {
        let (value, rest) = bits.split_at(port.width as usize);
        values.push(value.to_owned());
        bits = rest;
    }
    assert!(bits.is_empty(), "{} bits too many", bits.len());
    values
}

fn bench(design: &Design, layout: &Layout, cycles: usize, start: Start) -> String {
    let mut text = String::from("module bench;\n    reg clk = 0;\n");
    for port in &layout.inputs {
        // Reset is inactive at first, so that an asynchronous one has an edge.
        let value = if port.name == "rst_n" { 1 } else { 0 };
        writeln!(text, "    reg [{}:0] {} = {value};", port.width - 1, port.name).unwrap();
    }
    for port in &layout.outputs {
        writeln!(text, "    wire [{}:0] {};", port.width - 1, port.name).unwrap();
    }
    let clock = if design.top.has_clock() { vec!["clk"] } else { vec![] };
    let ports: Vec<&str> =
        layout.inputs.iter().chain(&layout.outputs).map(|port| port.name.as_str()).collect();
    let connections: Vec<String> =
        clock.iter().chain(&ports).map(|name| format!(".{name}({name})")).collect();
    writeln!(text, "    {} dut ({});", design.top.name(), connections.join(", ")).unwrap();
    let width: u32 = layout.inputs.iter().map(|port| port.width).sum();
    writeln!(text, "    reg [{}:0] stimulus [0:{}];\n    integer cycle;", width - 1, cycles - 1).unwrap();
    text += "    initial begin\n        $readmemb(\"stimulus.txt\", stimulus);\n        #1;\n";
    if start == Start::Zero {
        registers(&design.top, "dut", &mut text);
    }
    let (inputs, outputs) = ports.split_at(layout.inputs.len());
    writeln!(
        text,
        "        for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin\n            \
         {{{}}} = stimulus[cycle];\n            \
         #1 $display(\"%b\", {{{}}});\n            \
         #1 clk = 1;\n            \
         #1 clk = 0;\n        \
         end\n    \
         end\nendmodule",
        inputs.join(", "),
        outputs.join(", ")
    )
    .unwrap();
    text
}

/// Sets all registers to 0.
fn registers(module: &Module, path: &str, text: &mut String) {
    // The words of a memory are its first registers.
    let words = module.memory().map_or(0, |memory| memory.words as usize);
    for (index, register) in module.registers().iter().enumerate() {
        let name = match index < words {
            true => format!("mem[{index}]"),
            false => module.node(register.node).name.clone().expect("a register has a name"),
        };
        writeln!(text, "        {path}.{name} = 0;").unwrap();
    }
    for instance in module.instances() {
        registers(&instance.module, &format!("{path}.{}", instance.name), text);
    }
}

/// Runs a tool, which must succeed without a warning, and gives what it prints.
fn tool(folder: &Path, name: &str, arguments: &[&str]) -> String {
    let output = Command::new(name).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}; tools/test installs it"));
    let [printed, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && errors.is_empty(), "{name} ({}): {printed}{errors}", output.status);
    printed
}
