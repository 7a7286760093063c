//! Scripts for Vivado: synthesis of the core out of context, and packing of the core for the IP catalogue.

use super::{Package, TextFile};

/// The part for which the scripts work unless they are given another.
const PART: &str = "xc7a35tcpg236-1";

/// The script that synthesises.
pub const SYNTHESISE: &str = "vivado/synth_ooc.tcl";

/// The script that packs.
pub const PACK: &str = "vivado/package_ip.tcl";

/// Both scripts; the second one if the ports count in bytes, as the catalogue wants it.
pub fn files(package: &Package) -> Vec<TextFile> {
    let mut files = vec![TextFile {
        path: SYNTHESISE.to_owned(),
        text: synthesise(package),
        about: "synthesis, placement and routing out of context, for Vivado (not run by its makers)",
    }];
    if package.core.counts_in_bytes() {
        files.push(TextFile {
            path: PACK.to_owned(),
            text: pack(package),
            about: "packs the core for Vivado's IP catalogue (not run by its makers)",
        });
    }
    files
}

fn synthesise(package: &Package) -> String {
    let module = package.module;
    let about = format!(
        "Takes {module} through Vivado out of context, with the clock of constraints/{module}.xdc, and reports area and timing. Written \
         from Vivado's documentation, and read by Tcl alone: nobody has run it in Vivado yet."
    );
    format!(
        "{head}#
# usage: vivado -mode batch -source {SYNTHESISE} [-tclargs PART]

set here [file dirname [file normalize [info script]]]
set part [expr {{$argc > 0 ? [lindex $argv 0] : \"{PART}\"}}]

read_verilog [file join $here .. {module}.v]
read_xdc -mode out_of_context [file join $here .. constraints {module}.xdc]
synth_design -top {module} -part $part -mode out_of_context
opt_design
place_design
route_design
report_utilization -file [file join $here utilization.txt]
report_timing_summary -file [file join $here timing.txt]
",
        head = package.head("#", &about),
    )
}

fn pack(package: &Package) -> String {
    let module = package.module;
    let reset = package.core.design.reset;
    let about = format!(
        "Packs {module} for Vivado's IP catalogue: a component of IEEE 1685-2009 with Vivado's own extensions, in the folder ip. Written \
         from Vivado's documentation, and read by Tcl alone: nobody has run it in Vivado yet."
    );
    let ports = |side: &str| {
        let names = package.ports.iter().map(|port| port.name.as_str()).filter(|name| name.starts_with(side));
        names.collect::<Vec<_>>().join(" ")
    };
    // The interfaces of some cores, and the ports of each.
    let of_status = package.core.spec.status.then_some(("status", "axis_rtl"));
    let of_registers = package.core.spec.has_axi_lite().then_some(("s_axil", "aximm_rtl"));
    let some: Vec<(&str, &str)> = of_status.into_iter().chain(of_registers).collect();
    // The catalogue counts versions in two numbers.
    let version: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').collect();
    format!(
        "{head}#
# usage: vivado -mode batch -source {PACK} [-tclargs PART [FOLDER]]

set here [file dirname [file normalize [info script]]]
set part [expr {{$argc > 0 ? [lindex $argv 0] : \"{PART}\"}}]
set folder [expr {{$argc > 1 ? [lindex $argv 1] : [file join $here ip]}}]

create_project -force {module} [file join $here project] -part $part
add_files -norecurse [file join $here .. {module}.v]
set_property top {module} [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $folder -vendor utfhdl -library codec -taxonomy /UserIP -import_files -force
set core [ipx::current_core]
set_property name {module} $core
set_property version {major}.{minor} $core
set_property core_revision {patch} $core
set_property display_name {{{module}}} $core
set_property description {{{description}}} $core

# Packing finds interfaces by the names of ports; one that it did not find is made here.
proc interface {{name ports type}} {{
    global core
    if {{[llength [ipx::get_bus_interfaces -quiet $name -of_objects $core]] == 0}} {{
        ipx::infer_bus_interface $ports $type $core
    }}
}}
interface clk clk xilinx.com:signal:clock_rtl:1.0
interface {rst} {rst} xilinx.com:signal:reset_rtl:1.0
interface s_axis {{{inputs}}} xilinx.com:interface:axis_rtl:1.0
interface m_axis {{{outputs}}} xilinx.com:interface:axis_rtl:1.0
{interfaces}
set reset [ipx::get_bus_interfaces {rst} -of_objects $core]
set_property value {polarity} [ipx::add_bus_parameter POLARITY $reset]
ipx::associate_bus_interfaces -clock clk -reset {rst} $core
ipx::associate_bus_interfaces -busif s_axis -clock clk $core
ipx::associate_bus_interfaces -busif m_axis -clock clk $core
{associated}
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
",
        head = package.head("#", &about),
        major = version[0],
        minor = version[1],
        patch = version[2],
        description = package.description(),
        rst = reset.port(),
        polarity = if reset.active_level() { "ACTIVE_HIGH" } else { "ACTIVE_LOW" },
        interfaces = some
            .iter()
            .map(|(name, bus)| format!(
                "interface {name} {{{}}} xilinx.com:interface:{bus}:1.0\n",
                ports(name)
            ))
            .collect::<String>(),
        associated = some
            .iter()
            .map(|(name, _)| format!("ipx::associate_bus_interfaces -busif {name} -clock clk $core\n"))
            .collect::<String>(),
        inputs = ports("s_axis"),
        outputs = ports("m_axis"),
    )
}
