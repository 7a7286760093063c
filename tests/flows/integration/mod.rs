//! Cores in designs of other people, as their file lists have them: a register slice with a timescale in front of the core and
//! another one downstream of it, and the files in every order. No tool has anything to warn about, and text comes through.
//!
//! The design around the core has the name and the ports of the core that the generated bench is for, so the bench checks it.

use std::fs;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;
use utfhdl_hdl::core::{Core, CoreSpec, Max, Role, System};

use crate::common::samples::{is_all, one_in};

const SLICE: &str = include_str!("register_slice.v");

/// The name of the core inside of the design.
const INNER: &str = "inner_core";

/// The files of the design.
const FILES: [&str; 3] = ["register_slice.v", "inner_core.v", "design.v"];

/// Every order of the files.
fn orders() -> Vec<[&'static str; 3]> {
    let [a, b, c] = FILES;
    vec![[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
}

/// The cores that the design is made with in turn, by number of lanes: one of three, or all with `UTFHDL_VERILOG=all`.
fn specs(lanes: u32) -> Vec<CoreSpec> {
    let of = |role| CoreSpec { lanes, ..CoreSpec::new(System::Utf8, role) };
    let to = System::Utf9 { max: Max::Unicode };
    match lanes {
        64 => vec![of(Role::Decoder)],
        _ => one_in(
            3,
            is_all("UTFHDL_VERILOG"),
            [of(Role::Decoder), of(Role::Encoder), of(Role::Transcoder { to })],
        ),
    }
}

/// A folder with the design: the core between two slices. `timescale` is an argument of `generate`.
struct Design {
    folder: TempDir,
    /// The module of the design, and of the core that its bench is for.
    top: String,
}

impl Design {
    fn new(spec: CoreSpec, timescale: Option<&str>) -> Self {
        let folder = TempDir::new().expect("a folder");
        let core = Core::new(spec).expect("a core");
        let top = core.design.top.name().to_owned();
        let generate = |rest: &str| {
            let mut command = Command::new(cargo_bin("utfhdl"));
            command.arg("generate").args(spec.to_string().split(' ')).args(rest.split(' '));
            command.args(timescale.into_iter().flat_map(|timescale| ["--timescale", timescale]));
            let output = command.current_dir(folder.path()).output().expect("the tool runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        generate("--with testbench -o bench");
        generate(&format!("--name {INNER} -o ."));
        fs::write(folder.path().join("register_slice.v"), SLICE).expect("the slice is written");
        fs::write(folder.path().join("design.v"), design(&core)).expect("the design is written");
        Self { folder, top }
    }

    /// Runs a tool, whose exit code must be 0 and whose standard error must be empty; gives its standard output.
    #[track_caller]
    fn run(&self, tool: &str, arguments: &[&str]) -> String {
        let output = Command::new(tool).args(arguments).current_dir(self.folder.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; tools/test installs it"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{tool} {}:\n{out}{err}", arguments.join(" "));
        out
    }

    /// Verilator and Icarus Verilog, which know timescales, read the files in this order.
    fn is_simulated(&self, order: [&str; 3], icarus: &[&str]) {
        let [a, b, c] = order;
        let out = self.run(
            "verilator",
            &["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", &self.top, a, b, c],
        );
        assert_eq!(out, "", "verilator {order:?}");
        let arguments =
            [&["-g2001", "-Wall"], icarus, &["-s", &self.top, "-o", "design.vvp", a, b, c]].concat();
        assert_eq!(self.run("iverilog", &arguments), "", "iverilog {order:?}");
    }

    /// Yosys reads the files in this order.
    fn is_synthesised(&self, order: [&str; 3], synthesises: bool) {
        let [a, b, c] = order;
        let synth =
            if synthesises { format!("synth -run begin:fine -top {}; ", self.top) } else { String::new() };
        let script = format!(
            "read_verilog {a} {b} {c}; hierarchy -check -top {}; proc; {synth}check -assert",
            self.top
        );
        assert_eq!(self.run("yosys", &["-q", "-p", &script]), "", "yosys {order:?}");
    }

    /// The bench of the core passes with the design in the core's place, compiled after the other files and, if `anywhere`, before them.
    fn passes(&self, order: [&str; 3], anywhere: bool) {
        let bench = format!("bench/tb/{}_tb.v", self.top);
        let [a, b, c] = order;
        let orders = [[a, b, c, bench.as_str()], [bench.as_str(), a, b, c]];
        for files in orders.into_iter().take(1 + usize::from(anywhere)) {
            let arguments = [&["-g2001", "-Wall", "-Wno-timescale", "-o", "tb.vvp"][..], &files].concat();
            assert_eq!(self.run("iverilog", &arguments), "", "{files:?}");
            let out = self.run("vvp", &["-N", "tb.vvp"]);
            assert!(out.starts_with("PASS: "), "{files:?}: {out}");
        }
    }
}

/// A module with the ports of `core` around one with the same ports called [`INNER`] and a slice on either side. Its file has a
/// timescale, which is there for the files after it, too.
fn design(core: &Core) -> String {
    let top = &core.design.top;
    let width = |name: &str| top.ports().iter().find(|port| port.name == name).map_or(0, |port| port.width);
    let ports = top.ports().iter().map(|port| {
        let direction = if top.inputs().any(|input| input.name == port.name) { "input" } else { "output" };
        format!("    {direction} wire [{}:0] {}", port.width - 1, port.name)
    });
    let ports: Vec<String> =
        ["clk", "rst"].map(|name| format!("    input wire {name}")).into_iter().chain(ports).collect();
    let mut text = format!("`timescale 1ns / 1ps\n\nmodule {} (\n{}\n);\n", top.name(), ports.join(",\n"));
    let signals = ["tdata", "tkeep", "tuser", "tvalid", "tlast", "tready"];
    let side = |port: &str, wire: &str, has_user: bool, none: &str| {
        let connect = |signal: &str| match (signal, has_user) {
            ("tuser", false) => format!("        .{port}_{signal} ({none}),\n"),
            _ => format!("        .{port}_{signal} ({wire}_{signal}),\n"),
        };
        signals.map(connect).concat()
    };
    for (name, outer, inner) in [("front", "s_axis", "a"), ("back", "m_axis", "b")] {
        let user = width(&format!("{outer}_tuser"));
        for signal in signals {
            let bits = width(&format!("{outer}_{signal}"));
            if bits > 0 {
                text += &format!("    wire [{}:0] {inner}_{signal};\n", bits - 1);
            }
        }
        // An input of the core without tuser leaves the one of its slice unread.
        if user == 0 {
            text += &format!("    wire {name}_tuser_unused;\n");
        }
        let (given, taken) = if outer == "s_axis" { (outer, inner) } else { (inner, outer) };
        text += &format!(
            "    register_slice #(.DATA_WIDTH({}), .KEEP_WIDTH({}), .USER_WIDTH({})) {name} (\n{}{}        .clk (clk),\n        \
             .rst (rst)\n    );\n",
            width(&format!("{outer}_tdata")),
            width(&format!("{outer}_tkeep")),
            user.max(1),
            side("s_axis", given, user > 0, "1'b0"),
            side("m_axis", taken, user > 0, &format!("{name}_tuser_unused")),
        );
    }
    let of_core = top.ports().iter().map(|port| {
        let (outer, signal) = port.name.rsplit_once('_').expect("ports are called side_signal");
        format!("        .{} ({}_{signal}),\n", port.name, if outer == "s_axis" { "a" } else { "b" })
    });
    text += &format!(
        "    {INNER} core (\n{}        .clk (clk),\n        .rst (rst)\n    );\n",
        of_core.collect::<String>()
    );
    text + "endmodule\n"
}

/// `-Wno-timescale`: the core has no timescale, and the other files have one.
fn are_read_and_pass(lanes: u32) {
    for spec in specs(lanes) {
        let design = Design::new(spec, None);
        // The tools take seconds for 8 lanes, and minutes for 64, in whatever order.
        let (simulated, synthesised, run) = match lanes {
            1 => (6, 6, 2),
            8 => (2, 1, 1),
            _ => (1, 1, 1),
        };
        for order in orders().into_iter().take(simulated) {
            design.is_simulated(order, &["-Wno-timescale"]);
        }
        for order in orders().into_iter().take(synthesised) {
            design.is_synthesised(order, lanes < 64);
        }
        for order in [FILES, ["design.v", "inner_core.v", "register_slice.v"]].into_iter().take(run) {
            design.passes(order, lanes < 64);
        }
    }
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn cores_of_one_lane_go_into_any_file_list() {
    are_read_and_pass(1);
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn cores_of_eight_lanes_go_into_any_file_list() {
    are_read_and_pass(8);
}

#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn cores_of_64_lanes_go_into_any_file_list() {
    are_read_and_pass(64);
}

/// With a timescale in every file, Icarus Verilog has nothing to warn about either.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn with_a_timescale_no_warning_is_switched_off() {
    let design = Design::new(CoreSpec::new(System::Utf8, Role::Decoder), Some("1ns/1ps"));
    let core = fs::read_to_string(design.folder.path().join("inner_core.v")).expect("the core is read");
    assert!(core.contains("\n`timescale 1ns / 1ps\n") && core.contains(" --timescale 1ns/1ps\n"), "{core}");
    for order in orders() {
        design.is_simulated(order, &[]);
        design.is_synthesised(order, true);
    }
    design.passes(FILES, true);
}

/// The attributes are no comment: every tool reads the text with them, and they name each port once.
#[test]
#[ignore = "needs verilator, iverilog and yosys: tools/test installs them and runs it"]
fn attributes_for_vivado_disturb_no_other_tool() {
    let folder = TempDir::new().expect("a folder");
    let run = |tool: &str, arguments: &str| {
        let output = Command::new(tool).args(arguments.split(' ')).current_dir(folder.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; tools/test installs it"));
        let text =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.success(), text)
    };
    let utfhdl = cargo_bin("utfhdl");
    let utfhdl = utfhdl.to_str().expect("a path in UTF-8");
    let (done, text) = run(utfhdl, "generate utf-8 decoder --lanes 2 --x-interface");
    assert!(!done && text.contains("add --axis strict"), "{text}");
    let (done, text) = run(
        utfhdl,
        "generate utf-8 decoder --lanes 2 --axis strict --reset async-low --x-interface --name text_in",
    );
    assert!(done, "{text}");
    for (tool, arguments) in [
        ("verilator", "--lint-only -Wall text_in.v"),
        ("iverilog", "-g2001 -Wall -o text_in.vvp text_in.v"),
        ("yosys", "-q -o text_in.il text_in.v"),
    ] {
        assert_eq!(run(tool, arguments), (true, String::new()), "{tool}");
    }
    let text = fs::read_to_string(folder.path().join("text_in.v")).expect("the core is read");
    for expected in [
        "(* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 clk CLK\" *)",
        "(* X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF s_axis:m_axis, ASSOCIATED_RESET rst_n\" *)",
        "(* X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_LOW\" *)",
        "(* X_INTERFACE_INFO = \"xilinx.com:interface:axis:1.0 s_axis TDATA\" *)",
        "XIL_INTERFACENAME m_axis, TDATA_NUM_BYTES 8, TUSER_WIDTH 8, HAS_TREADY 1",
    ] {
        assert_eq!(text.matches(expected).count(), 1, "{expected}");
    }
    assert_eq!(text.matches("X_INTERFACE_INFO").count(), 2 + 5 + 6);
}
