//! The files of examples/tiny_tapeout agree with each other, and its tests pass on the Verilog and on the
//! gates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The decoder, as a module and as a file.
const CORE: &str = "utf_8_decoder_x1_async_low";
const TOP: &str = "tt_um_utfhdl_utf8_decoder";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tiny_tapeout")
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_decoder_is_what_the_command_writes() {
    let arguments = "generate utf-8 decoder --reset async-low";
    let target = TempDir::new().unwrap();
    let mut utfhdl = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    let written = utfhdl.args(arguments.split(' ')).arg("-o").arg(target.path()).output().unwrap();
    assert!(written.status.success());
    let text = fs::read_to_string(target.path().join(format!("{CORE}.v"))).unwrap();
    assert!(
        text == read(&format!("src/{CORE}.v")),
        "src/{CORE}.v is old: `make src` in examples/tiny_tapeout writes it"
    );
    assert!(read("Makefile").contains(arguments) && read("README.md").contains(arguments));
}

/// Every pin has a name, every source is listed, and the name of the top module is the same everywhere.
#[test]
fn info_yaml_describes_the_design() {
    let info = read("info.yaml");
    for (port, bits) in [("ui", 8), ("uo", 8), ("uio", 8)] {
        for bit in 0..bits {
            let line = info.lines().find(|line| line.starts_with(&format!("  {port}[{bit}]: \"")));
            let name = line.unwrap_or_else(|| panic!("{port}[{bit}] is missing")).split('"').nth(1).unwrap();
            assert!(!name.is_empty(), "{port}[{bit}] has no name");
        }
    }
    let mut listed: Vec<&str> =
        info.lines().filter_map(|line| line.strip_prefix("    - \"")?.strip_suffix('"')).collect();
    listed.sort();
    let mut sources: Vec<String> = fs::read_dir(folder().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    sources.sort();
    assert_eq!(listed, sources);
    assert!(info.contains(&format!("top_module:  \"{TOP}\"")));
    assert!(read("src/project.v").contains(&format!("module {TOP} (")));
    assert!(read("test/tb.v").contains(&format!("{TOP} user_project (")));
    let directions = |name: &str| info.lines().filter(|line| line.ends_with(&format!("({name})\""))).count();
    assert_eq!((directions("in"), directions("out")), (5, 3));
    assert!(read("src/project.v").contains("assign uio_oe = 8'b11100000;"));
}

/// Runs make in a copy of the example, with cocotb on the path.
fn make(folder: &Path, output: &Path, target: &str) -> Output {
    let bin = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cocotb/bin");
    assert!(bin.join("cocotb-config").exists(), "{} is missing: tools/test makes it", bin.display());
    let path = std::env::join_paths(
        [bin].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut make = Command::new("make");
    let make = make.current_dir(folder).env("PATH", path.unwrap()).args(["--silent", target]);
    make.arg(format!("OUT={}", output.display())).output().expect("make is installed")
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// Expects all five tests of test/test.py to pass.
fn tests_pass(output: &Output) {
    let text = text(output);
    assert!(output.status.success() && text.contains("TESTS=5 PASS=5 FAIL=0"), "{text}");
}

#[test]
#[ignore = "needs Icarus Verilog and cocotb: tools/test installs them and runs this"]
fn tests_pass_on_the_verilog() {
    let target = TempDir::new().unwrap();
    tests_pass(&make(&folder(), target.path(), "test"));
}

#[test]
#[ignore = "needs Icarus Verilog, Yosys, osu018 and cocotb: tools/test installs them and runs this"]
fn tests_pass_on_the_gates() {
    let target = TempDir::new().unwrap();
    tests_pass(&make(&folder(), target.path(), "test-gates"));
    let gates = fs::read_to_string(target.path().join("gates.v")).unwrap();
    assert!(gates.contains("DFFSR") && !gates.contains("always"), "all is cells");

    let area = text(&make(&folder(), target.path(), "area"));
    let number = |text: &str, label: &str| -> f64 {
        let (_, rest) = text.split_once(label).unwrap_or_else(|| panic!("no {label} in:\n{text}"));
        let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit()).next().unwrap();
        digits.parse().unwrap_or_else(|_| panic!("no number behind {label} in:\n{text}"))
    };
    let readme = read("README.md");
    for label in ["flip-flops:", "other cells:", "estimate for sky130:"] {
        let (found, said) = (number(&area, label), number(&readme, label));
        assert!((found / said - 1.0).abs() < 0.03, "README.md says {label} {said}, and it is {found}");
    }
    let percent = number(&area, "estimate for sky130:") / (167.0 * 108.0) * 100.0;
    assert!((percent - number(&readme, "the cells take some")).abs() < 1.0, "{percent} % of a tile");
}

/// The command that README.md shows.
#[test]
#[ignore = "needs Yosys and osu018: tools/test installs them and runs this"]
fn the_gates_of_the_decoder_are_proved() {
    let readme = read("README.md");
    let command = readme.split('`').find_map(|code| code.strip_prefix("utfhdl prove ")).expect("a command");
    let mut utfhdl = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    let output = utfhdl.arg("prove").args(command.split_whitespace()).output().unwrap();
    assert!(output.status.success() && text(&output).contains(" proved "), "{}", text(&output));
}

/// The tests do look: a design with a mistake fails them.
#[test]
#[ignore = "needs Icarus Verilog and cocotb: tools/test installs them and runs this"]
fn mistakes_are_seen() {
    let target = TempDir::new().unwrap();
    let copy = target.path().join("example");
    for name in ["src", "test"] {
        fs::create_dir_all(copy.join(name)).unwrap();
        for entry in fs::read_dir(folder().join(name)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, copy.join(name).join(path.file_name().unwrap())).unwrap();
        }
    }
    fs::copy(folder().join("Makefile"), copy.join("Makefile")).unwrap();
    let design = read("src/project.v");
    for (right, wrong) in
        [("m_axis_tdata[15:8]", "m_axis_tdata[14:7]"), ("get_reg[1] && !get_reg[2])", "get_reg[1])")]
    {
        assert!(design.contains(right), "{right}");
        fs::write(copy.join("src/project.v"), design.replace(right, wrong)).unwrap();
        let output = make(&copy, &target.path().join("out"), "test");
        assert!(!output.status.success(), "{wrong} passes:\n{}", text(&output));
        assert!(text(&output).contains("FAIL"), "{}", text(&output));
    }
}

/// No tool has anything to warn about. A shuttle wants the name of the file.
#[test]
#[ignore = "needs Verilator and Icarus Verilog: tools/test installs them and runs this"]
fn tools_do_not_warn() {
    let sources = ["src/project.v".to_owned(), format!("src/{CORE}.v")];
    let tools: [(&str, &[&str]); 2] = [
        ("verilator", &["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", TOP]),
        ("iverilog", &["-g2001", "-Wall", "-o", "/dev/null"]),
    ];
    for (tool, arguments) in tools {
        let output =
            Command::new(tool).current_dir(folder()).args(arguments).args(&sources).output().unwrap();
        assert!(output.status.success() && text(&output).is_empty(), "{tool}: {}", text(&output));
    }
}
