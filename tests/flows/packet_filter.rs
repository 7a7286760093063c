//! The block of examples/packet_filter passes its tests, and no tool warns of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::samples::{is_all, one_in};

/// The validator, as the Makefile writes it.
const ARGUMENTS: &str = "generate utf-8 validator --lanes 64 --tid 8 --streams 4";
const CORE: &str = "utf_8_validator_x64_tid_8_streams_4";

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/packet_filter")
}

fn read(name: &str) -> String {
    fs::read_to_string(example().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A folder with the validator.
fn with_validator() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut utfhdl = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    let written = utfhdl.args(ARGUMENTS.split(' ')).arg("-o").arg(folder.path()).output().unwrap();
    assert!(written.status.success());
    folder
}

/// Runs the tests of a block; returns their output if they fail.
fn tests(folder: &Path, block: &Path) -> Result<(), String> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cocotb/bin/python");
    assert!(python.exists(), "{} is missing: tools/test makes it", python.display());
    let mut run = Command::new(python);
    let output = run.arg(example().join("test/run.py")).arg(folder).arg(block).output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if output.status.success() { Ok(()) } else { Err(text) }
}

#[test]
fn its_files_name_the_validator() {
    assert!(read("Makefile").contains(ARGUMENTS) && read("README.md").contains(ARGUMENTS));
    assert!(read("test/run.py").contains(CORE));
    assert!(read("utf8_packet_filter.v").contains(&format!("{CORE} validator (")));
}

#[test]
#[ignore = "needs Verilator, Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn it_passes_its_tests_without_warnings() {
    let folder = with_validator();
    let (block, core) = (example().join("utf8_packet_filter.v"), folder.path().join(format!("{CORE}.v")));
    for (tool, arguments) in [
        ("verilator", &["--lint-only", "-Wall", "--top-module", "utf8_packet_filter"][..]),
        ("iverilog", &["-g2001", "-Wall", "-o", "/dev/null"]),
    ] {
        let output = Command::new(tool).args(arguments).args([&block, &core]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.is_empty(), "{tool}: {text}");
    }
    tests(folder.path(), &block).unwrap_or_else(|text| panic!("{text}"));
}

/// The tests do look: each of these mistakes fails one. The commit draws which is tried.
#[test]
#[ignore = "needs Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn its_tests_see_mistakes() {
    let folder = with_validator();
    let right = read("utf8_packet_filter.v");
    let block = folder.path().join("utf8_packet_filter.v");
    let mistakes = [
        ("had_error[stream] || beat_has_error", "beat_has_error"),
        ("write_at[stream] <= commit_at[stream]", "write_at[stream] <= next"),
    ];
    for (from, to) in one_in(2, is_all("UTFHDL_VERILOG"), mistakes) {
        assert_eq!(right.matches(from).count(), 1, "{from}");
        fs::write(&block, right.replace(from, to)).unwrap();
        let printed = tests(folder.path(), &block).expect_err(from);
        assert!(printed.contains("AssertionError") || printed.contains("Timeout"), "{printed}");
    }
}
