//! A package for FuseSoC: a core description of CAPI2.

use super::{Package, TextFile, testbench};

pub fn files(package: &Package) -> Vec<TextFile> {
    let module = package.module;
    let (bench, top) = (testbench::path(module), testbench::top(module));
    let head =
        package.head("#", &format!("{module} for FuseSoC, with targets sim, sim_verilator, lint and synth."));
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
      iverilog_options: [-g2001, -Wall]

  sim_verilator:
    description: The bench in Verilator
    filesets: [rtl, bench]
    toplevel: {top}
    flow: sim
    flow_options:
      tool: verilator
      mode: binary
      verilator_options: [-Wall]

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
        description = package.description(),
    );
    vec![TextFile { path: format!("{module}.core"), text, about: "a package for FuseSoC" }]
}

/// Vendor, library, name and version.
pub fn vlnv(package: &Package) -> String {
    format!("utfhdl:codec:{}:{}", package.module, env!("CARGO_PKG_VERSION"))
}
