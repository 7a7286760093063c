//! The C++ shim, which runs a Verilator model on packed records.

use std::fmt::Write;

use utfhdl_hdl::netlist::Design;

use crate::layout::{Layout, PortSlot};

/// Class of the model, set with `--prefix`.
pub(super) const CLASS: &str = "Vmodel";

/// Names of the shim's functions.
pub(super) const NEW: &str = "utfhdl_new";
pub(super) const RUN: &str = "utfhdl_run";
pub(super) const DELETE: &str = "utfhdl_delete";

/// The shim of a design, which is compiled after the model's own sources in one unit.
pub(super) fn source(design: &Design, layout: &Layout) -> String {
    let has_clock = design.top.has_clock();
    let edge = |level: u8| if has_clock { format!("        model->clk = {level};\n") } else { String::new() };
    let mut text = String::from("\n#include <cstdint>\n#include <memory>\n\nnamespace {\n");
    // Registers start at 0 with seed 0, else at random values. The context is set before the model exists.
    text += "struct Context : VerilatedContext {\n    explicit Context(int seed) {\n";
    text += "        if (seed != 0) {\n            randReset(2);\n            randSeed(seed);\n        }\n    }\n};\n";
    text += "struct Bench {\n    Context context;\n    Vmodel model{&context};\n";
    text += "    explicit Bench(int seed) : context(seed) {}\n};\n}\n\n";
    text += "#define EXPORT extern \"C\" __attribute__((visibility(\"default\")))\n\n";
    // One evaluation with reset inactive, so that an asynchronous reset in the first cycle has an edge.
    writeln!(text, "EXPORT void* {NEW}(int seed) {{\n    auto* bench = new Bench(seed);")
        .expect("writing to a string");
    if design.top.has_reset() {
        let level = u8::from(!design.reset.active_level());
        writeln!(text, "    bench->model.{} = {level};", design.reset.port()).expect("writing to a string");
    }
    text += "    bench->model.eval();\n    return bench;\n}\n\n";
    writeln!(text, "EXPORT void {RUN}(void* bench, const uint64_t* in, uint64_t* out, uint64_t cycles) {{")
        .expect("writing to a string");
    text += "    auto* model = &static_cast<Bench*>(bench)->model;\n";
    text += "    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {\n";
    layout.inputs.iter().for_each(|port| text += &input(port));
    text += &edge(0);
    text += "        model->eval();\n";
    layout.outputs.iter().for_each(|port| text += &output(port));
    if has_clock {
        text += &edge(1);
        text += "        model->eval();\n";
    }
    write!(
        text,
        "        in += {};\n        out += {};\n    }}\n}}\n\n",
        layout.input_words, layout.output_words
    )
    .expect("writing to a string");
    write!(text, "EXPORT void {DELETE}(void* bench) {{\n    delete static_cast<Bench*>(bench);\n}}\n")
        .expect("writing to a string");
    text
}

fn input(port: &PortSlot) -> String {
    let PortSlot { name, width, word, shift } = port;
    if *width <= 64 {
        let mask = u64::MAX >> (64 - width);
        return format!("        model->{name} = in[{word}] >> {shift} & {mask:#x}ULL;\n");
    }
    // Verilator keeps wide ports in words of 32 bits.
    (0..width.div_ceil(32) as usize)
        .map(|half| {
            let (from, low) = (word + half / 2, 32 * (half % 2));
            format!("        model->{name}[{half}] = static_cast<uint32_t>(in[{from}] >> {low});\n")
        })
        .collect()
}

fn output(port: &PortSlot) -> String {
    let PortSlot { name, width, word, shift } = port;
    if *width <= 64 {
        let assign = if *shift == 0 { "=" } else { "|=" };
        return format!("        out[{word}] {assign} static_cast<uint64_t>(model->{name}) << {shift};\n");
    }
    (0..width.div_ceil(32) as usize)
        .map(|half| {
            let (to, low) = (word + half / 2, 32 * (half % 2));
            let assign = if low == 0 { "=" } else { "|=" };
            format!("        out[{to}] {assign} static_cast<uint64_t>(model->{name}[{half}]) << {low};\n")
        })
        .collect()
}
