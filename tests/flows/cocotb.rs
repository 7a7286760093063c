//! Other people's AXI4-Stream models bind to the cores and agree with other people's codecs: see cocotb/bench.py.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Python with cocotb and cocotbext-axi.
fn python() -> PathBuf {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cocotb/bin/python");
    assert!(python.exists(), "{} is missing: tools/test makes it", python.display());
    python
}

/// Generates a core; gives the name of its module.
fn generate(folder: &Path, core: &str) -> String {
    let mut utfhdl = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    let utfhdl = utfhdl.current_dir(folder).arg("generate").args(core.split(' ')).arg("--json");
    let output = utfhdl.output().unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    manifest["module"].as_str().unwrap().to_owned()
}

/// Runs the bench around a module; returns its output if it fails.
fn bench(folder: &Path, module: &str) -> Result<(), String> {
    run(folder, module, "bench")
}

/// Runs a bench by its name.
fn run(folder: &Path, module: &str, bench: &str) -> Result<(), String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cocotb/run.py");
    let output = Command::new(python()).arg(script).arg(folder).args([module, bench]).output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if output.status.success() { Ok(()) } else { Err(text) }
}

fn models_agree(cores: &[&str], axis: &str) {
    let folder = TempDir::new().unwrap();
    for core in cores {
        let module = generate(folder.path(), &format!("{core} --axis {axis}"));
        bench(folder.path(), &module).unwrap_or_else(|text| panic!("{module}:\n{text}"));
    }
}

#[test]
#[ignore = "needs Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn models_agree_with_cores_of_whole_lanes() {
    models_agree(&["utf-8 decoder", "utf-8 encoder", "utf-9 decoder", "utf-9 encoder"], "lane");
}

#[test]
#[ignore = "needs Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn models_agree_with_strict_cores() {
    models_agree(
        &["utf-8 decoder", "utf-8 encoder", "utf-9 decoder", "utf-9 encoder", "hunk-5 decoder"],
        "strict",
    );
}

/// Software reads totals, by a model of AXI4-Lite; a core that counts wrongly is found.
#[test]
#[ignore = "needs Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn a_master_reads_the_registers() {
    let folder = TempDir::new().unwrap();
    let module = generate(folder.path(), "utf-8 decoder --registers axi-lite");
    run(folder.path(), &module, "registers").unwrap_or_else(|text| panic!("{module}:\n{text}"));
    let path = folder.path().join(format!("{module}.v"));
    let text = fs::read_to_string(&path).unwrap();
    let [right, wrong] = ["6'd12: word_read = units_low_reg", "6'd12: word_read = errors_low_reg"];
    assert!(text.contains(right), "{text}");
    fs::write(&path, text.replace(right, wrong)).unwrap();
    let printed = run(folder.path(), &module, "registers").expect_err(wrong);
    assert!(printed.contains("AssertionError"), "{printed}");
}

/// The bench does look.
#[test]
#[ignore = "needs Icarus Verilog and cocotbext-axi: tools/test installs them and runs this"]
fn mistakes_are_seen() {
    let folder = TempDir::new().unwrap();
    for (core, right, wrong) in [
        ("utf-9 encoder --axis strict", "{7'd0, core_m_axis_tdata}", "{7'd1, core_m_axis_tdata}"),
        ("utf-9 encoder --axis strict", "{2{core_m_axis_tkeep}}", "{1'b0, core_m_axis_tkeep}"),
    ] {
        let module = generate(folder.path(), core);
        let path = folder.path().join(format!("{module}.v"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(right), "{core} has no {right}:\n{text}");
        fs::write(&path, text.replace(right, wrong)).unwrap();
        let printed = bench(folder.path(), &module).expect_err(wrong);
        assert!(printed.contains("AssertionError") || printed.contains("Timeout"), "{printed}");
    }
}
