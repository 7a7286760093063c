//! Scripts for Quartus: a project with the core alone, and a component of Platform Designer.

use super::{Package, TextFile};

/// The script that makes the project.
pub const SYNTHESISE: &str = "quartus/synth.tcl";

/// The path of the component.
pub fn component_path(module: &str) -> String {
    format!("quartus/{module}_hw.tcl")
}

/// Both scripts; the second one if the ports count in bytes, as Platform Designer wants it.
pub fn files(package: &Package) -> Vec<TextFile> {
    let mut files = vec![TextFile {
        path: SYNTHESISE.to_owned(),
        text: synthesise(package),
        about: "a project with the core alone, for Quartus (not run by its makers)",
    }];
    if package.core.counts_in_bytes() {
        files.push(TextFile {
            path: component_path(package.module),
            text: component(package),
            about: "a component of Platform Designer (not run by its makers)",
        });
    }
    files
}

fn synthesise(package: &Package) -> String {
    let module = package.module;
    let about = format!(
        "Compiles {module} alone in Quartus, its ports as virtual pins, with the clock of constraints/{module}.sdc. Written from \
         Quartus' documentation, and read by Tcl alone: nobody has run it in Quartus yet."
    );
    format!(
        "{head}#
# usage: quartus_sh -t {SYNTHESISE} [FAMILY [DEVICE]]

package require ::quartus::project
package require ::quartus::flow

set here [file dirname [file normalize [info script]]]
set arguments [expr {{[info exists quartus(args)] ? $quartus(args) : {{}}}}]
set family [expr {{[llength $arguments] > 0 ? [lindex $arguments 0] : \"Cyclone V\"}}]
set device [expr {{[llength $arguments] > 1 ? [lindex $arguments 1] : \"AUTO\"}}]

project_new -overwrite {module}
set_global_assignment -name FAMILY $family
set_global_assignment -name DEVICE $device
set_global_assignment -name TOP_LEVEL_ENTITY {module}
set_global_assignment -name VERILOG_FILE [file join $here .. {module}.v]
set_global_assignment -name SDC_FILE [file join $here .. constraints {module}.sdc]
set_instance_assignment -name VIRTUAL_PIN ON -to *
set_instance_assignment -name VIRTUAL_PIN OFF -to clk
execute_flow -compile
project_close
",
        head = package.head("#", &about),
    )
}

fn component(package: &Package) -> String {
    let module = package.module;
    let reset = package.core.design.reset;
    let about = format!(
        "{module} as a component of Platform Designer: put the folder into the search path for IP. Written from Intel's documentation, \
         and read by Tcl alone: nobody has run it in Platform Designer yet."
    );
    let mut text = package.head("#", &about);
    text += &format!(
        "
package require -exact qsys 16.1

set_module_property NAME {module}
set_module_property VERSION {version}
set_module_property DISPLAY_NAME {{{module}}}
set_module_property DESCRIPTION {{{description}}}
set_module_property GROUP {{Text codecs}}

foreach kind {{QUARTUS_SYNTH SIM_VERILOG}} {{
    add_fileset $kind $kind {{}} {{}}
    set_fileset_property $kind TOP_LEVEL {module}
    add_fileset_file {module}.v VERILOG PATH ../{module}.v TOP_LEVEL_FILE
}}

add_interface clk clock end
set_interface_property clk clockRate 0
add_interface_port clk clk clk Input 1

add_interface reset reset end
set_interface_property reset associatedClock clk
set_interface_property reset synchronousEdges {edges}
add_interface_port reset {rst} {role} Input 1
",
        version = env!("CARGO_PKG_VERSION"),
        description = package.description(),
        edges = if reset.is_asynchronous() { "DEASSERT" } else { "BOTH" },
        rst = reset.port(),
        role = if reset.active_level() { "reset" } else { "reset_n" },
    );
    let status = package.core.spec.status.then_some(("status", "start"));
    let status = status.map(|(side, end)| (side, end, "axi4stream"));
    let registers = package.core.spec.has_axi_lite().then_some(("s_axil", "end", "axi4lite"));
    let streams = [("s_axis", "end", "axi4stream"), ("m_axis", "start", "axi4stream")];
    for (side, end, bus) in streams.into_iter().chain(status).chain(registers) {
        text += &format!(
            "\nadd_interface {side} {bus} {end}\nset_interface_property {side} associatedClock clk\n\
             set_interface_property {side} associatedReset reset\n"
        );
        for port in package.ports.iter().filter(|port| port.name.starts_with(side)) {
            let role = &port.name[side.len() + 1..];
            let direction = if port.is_input() { "Input" } else { "Output" };
            text += &format!("add_interface_port {side} {} {role} {direction} {}\n", port.name, port.width);
        }
    }
    text
}
