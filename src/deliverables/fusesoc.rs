//! A package for FuseSoC: a core description of CAPI2.

use super::{Deliverable, Package, TextFile, testbench, verification};

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let (bench, top) = (testbench::path(module), testbench::top(module));
    let head =
        package.head("#", &format!("{module} for FuseSoC, with targets sim, sim_verilator, lint and synth."));
    let of_assertions = package.wanted.contains(&Deliverable::Assertions).then(|| {
        let path = verification::assertions_path(module);
        format!("  assertions:\n    files: [{path}]\n    file_type: systemVerilogSource\n")
    });
    let [fileset, assert, with_assertions] = match of_assertions {
        Some(_) => [", assertions", ", --assert", ", with the assertions bound to the core"],
        None => [""; 3],
    };
    let assertions = of_assertions.map_or(String::new(), |fileset| format!("\n{fileset}"));
    // FuseSoC wants its first line to be this.
    let text = format!(
        "CAPI=2:
{head}
name: {vlnv}
description: \"{module}: {description}\"

filesets:
  rtl:
    files: [{module}.v]
    file_type: verilogSource
  bench:
    files: [{bench}]
    file_type: verilogSource
{assertions}
targets:
  default:
    description: What a design gets that depends on this core
    filesets: [rtl]

  sim:
    description: The bench in Icarus Verilog
    filesets: [rtl, bench]
    toplevel: {top}
    flow: sim
    flow_options:
      tool: icarus
      iverilog_options: [{icarus}]

  sim_verilator:
    description: The bench in Verilator{with_assertions}
    filesets: [rtl, bench{fileset}]
    toplevel: {top}
    flow: sim
    flow_options:
      tool: verilator
      mode: binary
      verilator_options: [-Wall{assert}]

  lint:
    description: Warnings of Verilator
    filesets: [rtl]
    toplevel: {module}
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]

  synth:
    description: Synthesis in Yosys, for iCE40; for another family change arch
    filesets: [rtl]
    toplevel: {module}
    flow: generic
    flow_options:
      tool: yosys
      arch: ice40
      output_format: json
      yosys_synth_options: [-abc9]
",
        vlnv = vlnv(package),
        icarus = testbench::icarus_options(package).replace(' ', ", "),
        description = package.description(),
    );
    vec![TextFile { path: format!("{module}.core"), text, about: "a package for FuseSoC" }]
}

/// Vendor, library, name and version.
pub fn vlnv(package: &Package) -> String {
    format!("utfhdl:codec:{}:{}", package.module, env!("CARGO_PKG_VERSION"))
}
