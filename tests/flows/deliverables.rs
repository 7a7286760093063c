//! The files that `utfhdl generate --with` writes, and whether the benches among them find mistakes. `tools/flows` gives every
//! file to the tool that it is for.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::command::{Ran, in_shell, json, names};
use crate::common::samples::{is_all, one_in};
use tempfile::TempDir;

/// Generates a core in `folder`; the arguments have single spaces between.
fn generate(folder: &Path, arguments: &str) -> Ran {
    in_shell(folder, &format!("\"$UTFHDL\" generate {arguments}"))
}

#[test]
fn everything_goes_into_one_folder() {
    let folder = TempDir::new().unwrap();
    let (code, out, err) = generate(folder.path(), "utf-8 decoder --with all -o ip");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.ends_with("wrote 21 files; ip/README.md lists them\n"), "{err}");
    let ip = folder.path().join("ip");
    assert_eq!(
        names(&ip),
        [
            "Bender.yml",
            "README.md",
            "cocotb",
            "constraints",
            "quartus",
            "tb",
            "utf_8_decoder_x1.core",
            "utf_8_decoder_x1.json",
            "utf_8_decoder_x1.v",
            "utf_8_decoder_x1.xml",
            "utf_8_decoder_x1_assertions.sv",
            "utf_8_decoder_x1_formal.sby",
            "utf_8_decoder_x1_formal.sv",
            "utf_8_decoder_x1_instance.vh",
            "vhdl",
            "vivado",
        ]
    );
    page_names_every_file(&ip);
}

fn page_names_every_file(folder: &Path) {
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    for file in in_shell(folder, "find . -type f -printf '%P\\n'").1.lines() {
        assert!(page.contains(&format!("| {file} |")), "{file} is not in README.md");
    }
}

/// The second description of a system follows the units of one stream, so SymbiYosys proves the handshake alone.
#[test]
fn cores_of_several_streams_have_no_second_description() {
    let folder = TempDir::new().unwrap();
    for (role, has_spec) in
        [("decoder", true), ("decoder --tid 1 --streams 2", false), ("validator --tid 1 --streams 2", false)]
    {
        let (code, _, err) = generate(folder.path(), &format!("utf-8 {role} --formal --name core"));
        assert_eq!(code, 0, "{role}: {err}");
        let tasks = fs::read_to_string(folder.path().join("core_formal.sby")).unwrap();
        assert_eq!(tasks.contains("spec"), has_spec, "{role}: {tasks}");
    }
}

/// `--assertions` and `--formal` are the same as their names in the list of `--with`.
#[test]
fn flags_beside_with_are_part_of_the_folder() {
    let folder = TempDir::new().unwrap();
    let (code, _, err) =
        generate(folder.path(), "utf-8 decoder --with instance --assertions --formal -o flags");
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = generate(folder.path(), "utf-8 decoder --with assertions,instance,formal -o list");
    assert_eq!(code, 0, "{err}");
    assert_eq!(in_shell(folder.path(), "diff -r flags list"), (0, String::new(), String::new()));
    page_names_every_file(&folder.path().join("list"));
    // Without `--with` there is no page.
    let (code, _, err) = generate(folder.path(), "utf-8 decoder --assertions -o alone");
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        names(&folder.path().join("alone")),
        ["utf_8_decoder_x1.json", "utf_8_decoder_x1.v", "utf_8_decoder_x1_assertions.sv"]
    );
}

/// The kinds of docs/interface.md, in each file that a user reads them from: page, head of the Verilog, manifest, template and
/// package.
#[test]
fn the_kinds_of_slots_are_named_everywhere() {
    let folder = TempDir::new().unwrap();
    assert_eq!(generate(folder.path(), "utf-8 decoder --lanes 2 --with all -o ip").0, 0);
    let read = |path: &str| fs::read_to_string(folder.path().join("ip").join(path)).unwrap();
    let module = "utf_8_decoder_x2";
    let manifest = json(&read(&format!("{module}.json")));
    let contract = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/interface.md")).unwrap();
    let of_errors =
        contract.split("\n## ").find(|section| section.starts_with("Errors\n")).expect("a section");
    let mut kinds = 0;
    for line in of_errors.lines().filter(|line| line.starts_with("| ") && line.contains(" | `")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let (Ok(code), name) =
            (cells[0].trim_start_matches("| ").parse::<usize>(), cells[1].trim_matches('`'))
        else {
            continue;
        };
        // `utf-8` has the first six.
        let is_made = code <= 6;
        kinds += 1;
        let constant = format!("SLOT_{}", name.replace('-', "_").to_uppercase());
        let head = read(&format!("{module}.v"));
        let is_in_head = head.lines().any(|line| {
            line.starts_with("// ")
                && line.split_whitespace().skip(1).take(2).eq([code.to_string().as_str(), name])
        });
        assert_eq!(is_in_head, is_made, "{name} in the head of the Verilog");
        assert_eq!(
            read("README.md").contains(&format!("| {code} | {name} |")),
            is_made,
            "{name} in README.md"
        );
        let kind = manifest["kinds"].as_array().unwrap().iter().find(|kind| kind["name"] == name);
        assert_eq!(kind.map(|kind| kind["code"].as_u64().unwrap()), is_made.then_some(code as u64), "{name}");
        let template = read(&format!("{module}_instance.vh"));
        let in_template = template.lines().any(|line| {
            line.starts_with(&format!("localparam [3:0] {constant} "))
                && line.contains(&format!(" = 4'd{code};"))
        });
        assert_eq!(in_template, is_made, "{constant} in the template");
        let vhdl = read(&format!("vhdl/{module}.vhd"));
        let in_vhdl = vhdl.lines().any(|line| {
            line.trim_start().starts_with(&format!("constant {constant} "))
                && line.contains(&format!("\"{code:04b}\""))
        });
        assert_eq!(in_vhdl, is_made, "{constant} in the package of VHDL");
    }
    assert_eq!(kinds, 10, "kinds in docs/interface.md");
    // Bits of a lane.
    let ports = manifest["ports"].as_array().unwrap();
    let of_lane = |name: &str| ports.iter().find(|port| port["name"] == name).unwrap()["lane_bits"].as_u64();
    assert_eq!(
        ["s_axis_tdata", "s_axis_tkeep", "m_axis_tdata", "m_axis_tkeep", "m_axis_tuser", "m_axis_tlast"]
            .map(of_lane),
        [Some(8), Some(1), Some(32), Some(1), Some(4), None]
    );
    assert!(
        read(&format!("{module}_instance.vh")).contains("wire [7:0] codec_m_axis_tuser;  // 4 bits a lane: ")
    );
}

/// What `tclsh` prints of a script of Vivado or Quartus. Each command of these tools is one that prints itself.
fn in_tcl(script: &Path) -> Ran {
    let stubs =
        "proc unknown {args} { puts [join $args { }]; return [lindex $args 1] }\nset argc 0\nset argv {}\n";
    let folder = script.parent().unwrap();
    let path = folder.join("stubs.tcl");
    // `package require` is a command of Tcl itself.
    let package = "rename package tcl_package\nproc package {args} { puts \"package [join $args { }]\" }\n";
    // No interface is found by name, so the scripts have to name the ports of each.
    let found = "namespace eval ipx {}\nproc ipx::get_bus_interfaces {args} { return {} }\n";
    fs::write(&path, format!("{package}{stubs}{found}source {}\n", script.display())).unwrap();
    let ran = in_shell(folder, "exec tclsh stubs.tcl");
    fs::remove_file(path).unwrap();
    ran
}

/// Vivado and Quartus are not free software, so Tcl alone reads the scripts; and what they say of the ports is held against the
/// manifest.
#[test]
#[ignore = "needs tclsh: tools/test installs it and runs this"]
fn scripts_for_vivado_and_quartus_are_tcl_and_name_every_port() {
    for (reset, polarity, role) in
        [("sync-high", "ACTIVE_HIGH", "reset"), ("async-low", "ACTIVE_LOW", "reset_n")]
    {
        let folder = TempDir::new().unwrap();
        let core = format!(
            "utf-9 transcoder:utf-8 --lanes 4 --axis strict --tid 3 --tdest 2 --tuser 6 --registers axi-lite --reset {reset}"
        );
        let (code, _, err) = generate(folder.path(), &format!("{core} --with vivado,quartus --name text_in"));
        assert_eq!(code, 0, "{err}");
        assert_eq!(names(&folder.path().join("constraints")), ["text_in.pcf", "text_in.sdc", "text_in.xdc"]);
        let manifest = json(&fs::read_to_string(folder.path().join("text_in.json")).unwrap());
        let run = |script: &str| {
            let (code, out, err) = in_tcl(&folder.path().join(script));
            assert_eq!((code, err.as_str()), (0, ""), "{script}: {out}");
            out
        };
        let packed = run("vivado/package_ip.tcl");
        assert!(packed.contains(&format!("set_property value {polarity} ")), "{packed}");
        let synthesised = run("vivado/synth_ooc.tcl");
        assert!(synthesised.contains("synth_design -top text_in -part xc7a35tcpg236-1 -mode out_of_context"));
        let component = run("quartus/text_in_hw.tcl");
        assert!(component.contains(&format!(
            "add_interface_port reset {} {role} Input 1",
            manifest["ports"][1]["name"].as_str().unwrap()
        )));
        let project = run("quartus/synth.tcl");
        assert!(project.contains("set_global_assignment -name TOP_LEVEL_ENTITY text_in"), "{project}");
        for port in &manifest["ports"].as_array().unwrap()[2..] {
            let name = port["name"].as_str().unwrap();
            let (side, role) = name.rsplit_once('_').unwrap();
            let direction = if port["direction"] == "input" { "Input" } else { "Output" };
            let line = format!("add_interface_port {side} {name} {role} {direction} {}\n", port["width"]);
            assert!(component.contains(&line), "{line} is not in {component}");
            assert!(packed.contains(name), "{name} is not in {packed}");
        }
        // Every file that a script reads is there.
        for path in
            ["vivado/package_ip.tcl", "vivado/synth_ooc.tcl", "quartus/text_in_hw.tcl", "quartus/synth.tcl"]
        {
            let text = fs::read_to_string(folder.path().join(path)).unwrap();
            for name in
                ["text_in.v", "text_in.xdc", "text_in.sdc"].into_iter().filter(|name| text.contains(name))
            {
                let file = if name == "text_in.v" { name.to_owned() } else { format!("constraints/{name}") };
                assert!(folder.path().join(&file).exists(), "{path} reads {file}");
            }
        }
    }
}

/// Ports that count in lanes make no block of Vivado or Platform Designer: the page says what to do.
#[test]
fn blocks_are_for_ports_that_count_in_bytes() {
    let folder = TempDir::new().unwrap();
    assert_eq!(generate(folder.path(), "utf-8 decoder --with vivado,quartus").0, 0);
    assert_eq!(names(&folder.path().join("vivado")), ["synth_ooc.tcl"]);
    assert_eq!(names(&folder.path().join("quartus")), ["synth.tcl"]);
    let page = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert_eq!(page.matches("generate the core with `--axis strict`").count(), 2, "{page}");
    // A scrubber has octets on both sides, which count as bytes whatever the option.
    let (code, _, err) =
        generate(folder.path(), "utf-8 transcoder:utf-8 --with vivado -o scrubber --x-interface");
    assert_eq!(code, 0, "{err}");
    assert_eq!(names(&folder.path().join("scrubber/vivado")), ["package_ip.tcl", "synth_ooc.tcl"]);
}

/// A package is of no use without the bench that its targets run.
#[test]
fn a_package_brings_the_bench() {
    let folder = TempDir::new().unwrap();
    for package in ["fusesoc", "bender"] {
        let (code, _, err) = generate(folder.path(), &format!("utf-9 encoder --with {package} -o {package}"));
        assert_eq!(code, 0, "{err}");
        assert_eq!(names(&folder.path().join(package).join("tb")), ["utf_9_encoder_x1_tb.v"]);
    }
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    for name in ["one", "two", "one"] {
        let (code, _, err) = generate(folder.path(), &format!("utf-8 decoder --with all -o {name}"));
        assert_eq!(code, 0, "{err}");
    }
    assert_eq!(in_shell(folder.path(), "diff -r one two"), (0, String::new(), String::new()));
}

/// README.md, Bender.yml and the like have the same name for every core, and may be the user's own.
#[test]
fn what_is_somebody_elses_is_not_overwritten() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("README.md"), "# My design\n").unwrap();
    let (code, _, err) = generate(folder.path(), "utf-8 decoder --with instance");
    assert_eq!(code, 2);
    let expected =
        "./README.md exists and was not written for utf_8_decoder_x1: choose another folder with -o";
    assert!(err.contains(expected), "{err}");
    assert_eq!(names(folder.path()), ["README.md"], "nothing is written");
    assert_eq!(generate(folder.path(), "utf-8 decoder --with cocotb -o ip").0, 0);
    let (code, _, err) = generate(folder.path(), "utf-8 decoder --lanes 2 --with cocotb -o ip");
    assert_eq!(code, 2);
    assert!(err.contains("ip/README.md exists and was not written for utf_8_decoder_x2"), "{err}");
}

#[test]
fn bad_arguments_are_refused() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        ("--with diamond", "invalid value 'diamond' for '--with <LIST>' [possible values: all, testbench,"),
        ("--timescale 1ps/1ns", "the precision is longer than the unit"),
        ("--timescale 1ns", "expected a unit and a precision, each 1, 10 or 100 of s, ms, us, ns, ps or fs"),
        ("--x-interface", "--x-interface: the interfaces of Vivado count tdata and tkeep in bytes"),
        ("--with all --clock-mhz 0", "expected a frequency in MHz, from 0.001 to 100000"),
        ("--with all --clock-mhz NaN", "expected a frequency in MHz, from 0.001 to 100000"),
        ("--with all -o /dev/null", "cannot make the folder /dev/null"),
        ("--tid 33", "invalid value '33' for '--tid <N>': 33 is not in 1..=32"),
        ("--tuser 0", "invalid value '0' for '--tuser <N>': 0 is not in 1..=64"),
        ("--tstrb", "TSTRB marks position bytes"),
    ] {
        let (code, _, err) = generate(folder.path(), &format!("utf-8 decoder {arguments}"));
        assert_eq!(code, 2, "{arguments}");
        assert!(err.contains(expected), "{arguments}: {err}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn the_clock_goes_into_all_constraints() {
    let folder = TempDir::new().unwrap();
    let arguments = "utf-8 decoder --reset async-low --with constraints --clock-mhz 250";
    assert_eq!(generate(folder.path(), arguments).0, 0);
    let read = |extension| {
        let path = folder.path().join(format!("constraints/utf_8_decoder_x1_async_low.{extension}"));
        fs::read_to_string(path).unwrap()
    };
    assert!(read("sdc").contains("create_clock -name clk -period 4.000 [get_ports {clk}]"));
    assert!(read("sdc").contains("set_false_path -from [get_ports {rst_n}]"));
    assert!(read("xdc").contains("create_clock -name clk -period 4.000 [get_ports {clk}]"));
    assert!(read("pcf").contains("\nset_frequency clk 250\n"));
}

/// Names that are no basic identifiers of VHDL.
#[test]
#[ignore = "needs GHDL: tools/test installs it and runs this"]
fn ghdl_takes_every_name() {
    for name in ["entity", "_in", "a__b", "out_"] {
        let folder = TempDir::new().unwrap();
        let (code, _, err) = generate(folder.path(), &format!("utf-8 decoder --with vhdl --name {name}"));
        assert_eq!(code, 0, "{err}");
        let (code, out, err) = in_shell(folder.path(), &format!("ghdl -a --std=93 vhdl/{name}.vhd"));
        assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""), "{name}");
    }
}

/// Runs the bench of the only core in `folder`; returns its exit code and its output.
fn bench(folder: &Path) -> (i32, String) {
    let (code, out, err) = in_shell(
        folder,
        "iverilog -g2001 -Wall -Wno-timescale -o tb.vvp tb/*_tb.v $(ls *.v) && exec vvp -N tb.vvp",
    );
    assert_eq!(err, "", "warnings of Icarus Verilog");
    (code, out)
}

#[test]
#[ignore = "needs Icarus Verilog: tools/test installs it and runs this"]
fn cores_of_all_kinds_pass_their_benches() {
    let cores = [
        "utf-8 decoder --lanes 8 --reset async-low",
        "utf-8 decoder --lanes 64",
        "utf-8 encoder --lanes 8",
        "utf-8 encoder --lanes 4 --on-error drop",
        "utf-8 transcoder:utf-9 --lanes 8",
        "utf-inf-8 encoder --lanes 4",
        "utf-8 decoder --on-error drop --tid 3 --tdest 9 --tuser 12",
        "utf-9 encoder --axis strict --on-error drop --tuser 5",
        "utf-9 decoder --lanes 16 --axis strict --pack dense --tid 1 --tuser 3",
        "utf-8 encoder --lanes 4 --tdest 2 --tuser 1",
        "utf-8 transcoder:utf-16 --reset sync-low --status",
        "utf-8 validator --lanes 4 --registers axi-lite",
        "table:windows-1253 decoder --table-port axi-lite",
        "utf-8 validator --lanes 2 --tid 10 --tuser 2 --streams 1024",
        "utf-8 decoder --tid 2 --streams 4",
        "utf-8 decoder --lanes 4 --axis strict --bus short --tid 2 --tuser 3 --streams 4",
        "auto decoder --among latin-1,utf-8,utf-16le --choose bom",
        "utf-8 transcoder:ascii --on-error drop",
        "utf-inf-8 decoder",
        "utf-inf-8 encoder",
        "corrected-utf-8,document=on decoder",
        "corrected-utf-8,document=on encoder --reset async-high",
        "hunk-5 decoder --axis strict",
    ];
    for core in one_in(2, is_all("UTFHDL_VERILOG"), cores) {
        let folder = TempDir::new().unwrap();
        let (code, _, err) = generate(folder.path(), &format!("{core} --with testbench"));
        assert_eq!(code, 0, "{core}: {err}");
        let (code, out) = bench(folder.path());
        assert_eq!(code, 0, "{core}: {out}");
        assert!(out.starts_with("PASS: "), "{core}: {out}");
    }
}

/// Wraps the module in a file with one that replaces an output by an expression of the original output.
fn wrap(path: &Path, port: &str, wrong: &str) {
    let text = fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_str().unwrap();
    let module = format!("module {name} (");
    let start = text.find(&module).unwrap();
    let ports = &text[start + module.len()..][..text[start..].find("\n);").unwrap() - module.len()];
    let declaration = ports.lines().find(|line| line.contains(port)).unwrap();
    let wire = declaration.trim().strip_prefix("output ").unwrap().split(',').next().unwrap();
    let wire = wire.split("//").next().unwrap();
    let wrong = wrong.replace(port, "right");
    let wire = wire.replace(port, "right");
    let inside = text.replace(&module, &format!("module {name}_inside ("));
    let connections: Vec<String> = ports
        .lines()
        .filter_map(|line| {
            line.split("//").next().unwrap().trim().trim_end_matches(',').split(' ').next_back()
        })
        .filter(|name| !name.is_empty())
        .map(|name| format!(".{name}({})", if name == port { "right" } else { name }))
        .collect();
    let wrapper = format!(
        "{module}{ports}\n);\n{wire};\nassign {port} = {wrong};\n{name}_inside inside ({});\nendmodule\n",
        connections.join(", ")
    );
    fs::write(path, format!("{inside}\n{wrapper}")).unwrap();
}

/// A port of the core is driven with a wrong value, and the bench reports the first error.
#[test]
#[ignore = "needs Icarus Verilog: tools/test installs it and runs this"]
fn the_bench_sees_mistakes() {
    for (core, port, wrong, expected) in [
        (
            "utf-8 decoder",
            "m_axis_tuser",
            "{3'd0, m_axis_tuser[0]}",
            "tuser is 0, expected 6, with tdata 0000fffd",
        ),
        ("utf-8 decoder", "m_axis_tlast", "1'b0", "tlast is 0, expected 1"),
        ("utf-8 decoder", "m_axis_tkeep", "1'b1", "the end of the frame alone is expected"),
        (
            "utf-8 decoder",
            "m_axis_tdata",
            "m_axis_tdata ^ {31'd0, !m_axis_tready}",
            "a beat changed that was offered",
        ),
        ("utf-8 decoder", "m_axis_tvalid", "1'b0", "nothing came for 1000 cycles"),
        ("utf-8 decoder", "s_axis_tready", "1'b1", "in reset, m_axis_tvalid is 0 and s_axis_tready 1"),
        ("utf-8 decoder", "m_axis_tdata", "32'bx", "tdata is xxxxxxxx, expected 00000075"),
        ("utf-8 encoder", "m_axis_tuser", "1'b0", "tuser is 0, expected 1"),
        ("utf-8 encoder", "m_axis_tdata", "m_axis_tdata ^ 8'h20", "tdata is 55, expected 75"),
        (
            "utf-9 encoder --axis strict",
            "m_axis_tdata",
            "{7'd1, m_axis_tdata[8:0]}",
            "tdata is 0275, expected 0075",
        ),
        (
            "utf-8 decoder --lanes 4",
            "m_axis_tkeep",
            "m_axis_tkeep ^ 4'd2",
            "lane 1 is not in use and not zero",
        ),
        (
            "utf-8 decoder --lanes 4",
            "m_axis_tdata",
            "m_axis_tdata | {31'd0, !m_axis_tkeep[3], 96'd0}",
            "lane 3 is not in use and not zero: tkeep 0, tuser 0, tdata 00000001",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        generate(folder.path(), &format!("{core} --with testbench"));
        let verilog = names(folder.path()).into_iter().find(|name| name.ends_with(".v")).unwrap();
        wrap(&folder.path().join(verilog), port, wrong);
        let (code, out) = bench(folder.path());
        assert_eq!(code, 1, "{core}, {port}, {wrong}: {out}");
        assert!(out.starts_with("FAIL: cycle ") && out.contains(expected), "{core}, {port}, {wrong}: {out}");
    }
}

/// Python with cocotb and cocotbext-axi.
fn with_cocotb(folder: &Path) -> Ran {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cocotb/bin");
    assert!(python.exists(), "{} is missing: tools/test makes it", python.display());
    let path = format!("{}:{}", python.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("make").arg("-C").arg(folder.join("cocotb")).env("PATH", path).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
#[ignore = "needs Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn cores_of_all_kinds_pass_in_cocotb() {
    let cores = [
        "utf-8 decoder --lanes 4 --reset async-low",
        "utf-9 encoder --axis strict --on-error drop",
        "utf-8 transcoder:utf-16 --status",
        "utf-8 validator --lanes 2 --registers axi-lite",
        "table:windows-1253 decoder --table-port axi-lite",
    ];
    for core in one_in(2, is_all("UTFHDL_VERILOG"), cores) {
        let folder = TempDir::new().unwrap();
        generate(folder.path(), &format!("{core} --with cocotb"));
        let (code, out, err) = with_cocotb(folder.path());
        assert_eq!(code, 0, "{core}: {out}{err}");
        assert!(out.contains("TESTS=1 PASS=1 FAIL=0 SKIP=0"), "{core}: {out}");
    }
}

/// The manifest is the same with and without deliverables.
#[test]
fn the_manifest_stays_the_same() {
    let folder = TempDir::new().unwrap();
    let plain = generate(folder.path(), "utf-8 decoder --json -o plain").1;
    let with = generate(folder.path(), "utf-8 decoder --json --with all -o with").1;
    assert_eq!(json(&plain), json(&with));
}
