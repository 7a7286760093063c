//! Completions, as the shells themselves make them: each is given the script, and asked what can follow a line.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// The completions of a shell for a line, in a folder with one file called `input.txt`.
fn offered(shell: &str, line: &str) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("input.txt"), "").unwrap();
    let script = folder.path().join("_utfhdl");
    let utfhdl = Path::new(env!("CARGO_BIN_EXE_utfhdl"));
    let text = Command::new(utfhdl).args(["completions", shell]).output().unwrap().stdout;
    fs::write(&script, text).unwrap();
    let ask = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/completions").join(format!("ask.{shell}"));
    let mut asked = Command::new(shell);
    asked.arg(ask).arg(&script).arg(line).current_dir(folder.path()).env("HOME", folder.path());
    let output = asked.output().unwrap_or_else(|error| panic!("{shell}: {error}; tools/test installs it"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{shell}: {text}{}", String::from_utf8_lossy(&output.stderr));
    // Fish adds a description after a tab.
    text.lines()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Lines, the completions that must be offered after each, and one that must not. Bash replaces the text after the last `:`
/// or `=`.
const LINES: [(&str, &[&str], &str); 15] = [
    ("utfhdl ge", &["generate"], "cosim"),
    ("utfhdl generate utf-", &["utf-8", "utf-18", "utf-inf-8", "utf-9,max=7fffffff"], "decoder"),
    ("utfhdl generate utf-8 ", &["decoder", "encoder", "transcoder:utf-18"], "utf-8"),
    ("utfhdl cosim utf-8 transcoder:hunk-", &["transcoder:hunk-1", "transcoder:hunk-9"], "decoder"),
    ("utfhdl generate utf-8 decoder --reset ", &["sync-high", "sync-low", "async-high", "async-low"], "lane"),
    ("utfhdl generate utf-8 decoder --on-error ", &["flag", "replace", "drop"], "lane"),
    ("utfhdl campaign utf-8 decoder --axis ", &["lane", "strict"], "drop"),
    ("utfhdl campaign ", &["status", "utf-8"], "decoder"),
    ("utfhdl campaign status in", &["input.txt"], "utf-8"),
    ("utfhdl cosim utf-8 decoder --engine ", &["native", "verilator"], "reference"),
    ("utfhdl decode utf-8 --engine ", &["reference", "native", "verilator"], "input.txt"),
    ("utfhdl convert --from corr", &["corrected-utf-8", "corrected-utf-8,document=on"], "utf-8"),
    ("utfhdl validate utf-", &["utf-8", "utf-16le,bom=on"], "input.txt"),
    ("utfhdl decode utf-8 in", &["input.txt"], "utf-inf-8"),
    ("utfhdl report utf-8 tr", &["transcoder", "transcoder:utf-9"], "utf-8"),
];

fn offers_values(shell: &str) {
    for (line, expected, never) in LINES {
        let offered = offered(shell, line);
        let shown = |value: &str| match line.split_once("transcoder:") {
            Some(_) if shell == "bash" => value.trim_start_matches("transcoder:").to_owned(),
            _ => value.to_owned(),
        };
        for value in expected {
            assert!(offered.contains(&shown(value)), "{shell}: {line:?}: {value} is not in {offered:?}");
        }
        assert!(!offered.iter().any(|value| value == never), "{shell}: {line:?}: {never} is in {offered:?}");
    }
}

#[test]
#[ignore = "needs bash 4: tools/test runs it"]
fn bash_offers_values() {
    offers_values("bash");
    assert_eq!(offered("bash", "utfhdl generate utf-9,max="), ["7fffffff"]);
    assert_eq!(offered("bash", "utfhdl generate utf-8 decoder --on-error=d"), ["drop"]);
}

#[test]
#[ignore = "needs fish: tools/test installs it and runs this"]
fn fish_offers_values() {
    offers_values("fish");
}

#[test]
#[ignore = "needs zsh: tools/test installs it and runs this"]
fn zsh_offers_values() {
    offers_values("zsh");
}

#[test]
fn every_shell_has_a_script_that_calls_the_program() {
    let utfhdl = Path::new(env!("CARGO_BIN_EXE_utfhdl"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = Command::new(utfhdl).args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.contains("UTFHDL_COMPLETE") && script.contains(utfhdl.to_str().unwrap()), "{script}");
    }
}
