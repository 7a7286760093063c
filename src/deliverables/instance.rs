//! A template for an instance, to be copied into a design.

use utfhdl_hdl::emit::ranged;

use super::{Package, TextFile};

/// The name of the instance, which its wires begin with.
const INSTANCE: &str = "codec";

/// The template's path in the folder. The template is no complete module, so its name does not end in `.v`.
pub fn path(module: &str) -> String {
    format!("{module}_instance.vh")
}

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let mut text =
        package.head("//", &format!("Template for an instance of {module}: copy it into a module of yours."));
    let constants = package.slot_constants();
    if !constants.is_empty() {
        text += &format!(
            "\n// {} A constant that you leave unused is none to be warned of.\n\
             /* verilator lint_off UNUSEDPARAM */\n",
            package.about_constants()
        );
        let longest = constants.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        for (name, value, meaning) in constants {
            text += &format!("localparam [3:0] {name:longest$} = 4'd{value};  // {meaning}\n");
        }
        text += "/* verilator lint_on UNUSEDPARAM */\n";
    }
    text.push('\n');
    // Clock and reset are the first two.
    for port in &package.ports[2..] {
        let wire = ranged(&format!("{INSTANCE}_{}", port.name), port.width);
        let of_lane = port.lane_bits.filter(|&bits| bits < port.width);
        let stride = of_lane
            .map_or(String::new(), |bits| format!("{bits} bit{} a lane: ", if bits == 1 { "" } else { "s" }));
        text += &format!("wire {wire};  // {stride}{}\n", port.meaning);
    }
    let longest = package.ports.iter().map(|port| port.name.len()).max().unwrap_or(0);
    let connections = package.ports.iter().enumerate().map(|(index, port)| {
        let wire = if index < 2 { port.name.clone() } else { format!("{INSTANCE}_{}", port.name) };
        format!("    .{:longest$} ({wire})", port.name)
    });
    text += &format!("\n{module} {INSTANCE} (\n{}\n);\n", connections.collect::<Vec<_>>().join(",\n"));
    vec![TextFile { path: path(module), text, about: "a template for an instance" }]
}
