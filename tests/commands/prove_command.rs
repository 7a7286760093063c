//! `prove` as its users run it: the table, JSON, files of a counterexample, exit codes, and tools that are missing or go wrong.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::common::command::{in_shell, json, names};

/// A program that runs the given script.
fn fake(folder: &Path, name: &str, script: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn what_is_proved_is_a_table_or_json() {
    let folder = TempDir::new().unwrap();
    let (code, out, err) = in_shell(folder.path(), "$UTFHDL prove utf-18 decoder emitted stream");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("property  rule "), "{out}");
    assert_eq!(out.lines().count(), 14, "{out}");
    assert!(out.lines().skip(1).all(|line| line.contains("  proved  ")), "{out}");
    let (code, out, _) = in_shell(folder.path(), "$UTFHDL prove utf-18 encoder emitted --json");
    let rows = json(&out);
    assert_eq!(
        (code, rows[0]["rule"].as_str(), rows[0]["result"].as_str()),
        (0, Some("emitted"), Some("proved"))
    );
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

/// A file that was edited in form is the netlist, and one that was edited in function is not.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn verilog_from_a_file_is_compared() {
    let folder = TempDir::new().unwrap();
    let (code, _, err) = in_shell(folder.path(), "$UTFHDL generate utf-18 decoder");
    assert_eq!(code, 0, "{err}");
    let text = fs::read_to_string(folder.path().join("utf_18_decoder_x1.v")).unwrap();
    let statement = "!valid_reg || m_ready";
    assert!(text.contains(statement), "{text}");
    for (name, text, code, says) in [
        ("same", text.replace("    ", "  "), 0, ""),
        ("other", text.replace(statement, "!valid_reg && m_ready"), 1, "the Verilog in the file"),
        (
            "none",
            text.replace("module utf_18_decoder_x1", "module other"),
            2,
            "yosys failed (exit status: 1)",
        ),
    ] {
        fs::write(folder.path().join(format!("{name}.v")), text).unwrap();
        let run = format!("$UTFHDL prove utf-18 decoder --verilog {name}.v --json");
        let (found, out, err) = in_shell(folder.path(), &run);
        assert_eq!(found, code, "{name}: {out}{err}");
        assert!(format!("{out}{err}").contains(says), "{name}: {out}{err}");
    }
    // A warning names what the proof does not see.
    let initial = "reg odd; initial odd = 0;\n    assign s_axis_tready";
    fs::write(folder.path().join("odd.v"), text.replace("assign s_axis_tready", initial)).unwrap();
    let (_, _, err) = in_shell(folder.path(), "$UTFHDL prove utf-18 decoder --verilog odd.v");
    assert!(
        err.starts_with("warning: odd.v:") && err.contains("`initial`: synthesis may ignore it"),
        "{err}"
    );
}

/// The command that is printed fails in the same way.
#[test]
#[ignore = "needs yosys: tools/test installs it and runs it"]
fn a_counterexample_becomes_a_co_simulation() {
    let folder = TempDir::new().unwrap();
    let fault = "stuck-at-0@low_only";
    let script = format!("$UTFHDL prove utf-8 decoder spec --fault {fault} --failure-dir found --json");
    let (code, out, err) = in_shell(folder.path(), &script);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("cycle   0  s_axis "), "{err}");
    let rows = json(&out);
    assert_eq!(rows[0]["result"].as_str(), Some("fails"));
    let command = rows[0]["command"].as_str().unwrap();
    let stem = format!("utf_8_decoder_x1-{fault}-spec.failure");
    let files = ["gtkw", "sucl", "units", "vcd"].map(|extension| format!("{stem}.{extension}"));
    assert_eq!(names(&folder.path().join("found")), files);
    let again = command.strip_prefix("utfhdl ").unwrap();
    let (code, _, err) = in_shell(folder.path(), &format!("$UTFHDL {again} --failure-dir again"));
    assert_eq!(code, 1, "{err}");
}

#[test]
fn what_is_missing_or_makes_no_sense_is_an_error() {
    let folder = TempDir::new().unwrap();
    for (script, says) in [
        ("PATH=/none $UTFHDL prove utf-8 decoder emitted", "yosys was not found, which `emitted` needs"),
        ("PATH=/none $UTFHDL prove utf-8 decoder stream", "yosys-abc or rIC3 was not found: install"),
        (
            "$UTFHDL prove utf-inf-8 encoder spec",
            "nothing to prove of spec for the utf-inf-8 encoder: there are emitted, ",
        ),
        ("$UTFHDL prove utf-8 decoder --mapped none.lib", "nor a liberty file that is there"),
        ("$UTFHDL prove utf-8 decoder stream --mapped ice40", "--mapped says what `emitted` compares"),
        ("$UTFHDL prove utf-8 decoder nonsense", "nonsense"),
        ("$UTFHDL prove utf-8 decoder --verilog none.v", "cannot read --verilog none.v"),
        ("$UTFHDL prove utf-8 decoder stream --verilog /dev/null", "--verilog says what `emitted` compares"),
        ("$UTFHDL prove utf-8 decoder --verilog none.v --mapped ice40", "cannot read --verilog none.v"),
        ("$UTFHDL campaign utf-8 decoder --mutants 0", "0 is not in 1.."),
        ("$UTFHDL campaign utf-8 decoder --mutants 3 --random 5", "cannot be used with"),
        ("$UTFHDL cosim utf-8 decoder --resets 51", "expected a percentage from 0 to 50"),
        ("$UTFHDL cosim utf-8 decoder --resets 1 --html x.html", "cannot be used with"),
        (
            "$UTFHDL cosim utf-8 decoder --fault mutant-99999@pace",
            "there is no module \"pace\" in the utf-8 decoder",
        ),
        (
            "$UTFHDL cosim utf-8 decoder --fault mutant-99999@utf_8_decoder_x1",
            "there is no mutant 99999 of module \"utf_8_decoder_x1\": there are ",
        ),
    ] {
        let (code, out, err) = in_shell(folder.path(), script);
        assert_eq!((code, out.as_str()), (2, ""), "{script}: {err}");
        assert!(err.contains(says), "{script}: {err}");
    }
}

/// Only a real proof in a checker's output counts as a proof.
#[test]
fn a_checker_that_goes_wrong_proves_nothing() {
    let folder = TempDir::new().unwrap();
    for (script, says) in [
        (
            "echo 'Property proved.  Time = 0 sec'; echo 'Invariant F[2] : 3 clauses'",
            "abc said: Property proved.",
        ),
        ("echo Property UNDECIDED.", "abc said: Property UNDECIDED."),
        ("echo broken; exit 3", "abc pdr failed (exit status: 3): broken"),
        (
            "[ \"$1\" = -h ] || { echo too large; kill -9 $$; }",
            "abc pdr failed (signal: 9 (SIGKILL)): too large",
        ),
        (
            "echo 'Output 0 of miter \"p\" was asserted in frame 2.'; echo 000 > trace.txt",
            "does not fail here",
        ),
        ("exec sleep 20", "no answer in 1 s"),
    ] {
        fake(folder.path(), "yosys-abc", script);
        let run = "PATH=$PWD:$PATH $UTFHDL prove utf-8 decoder spec --time 1 --json";
        let (code, out, err) = in_shell(folder.path(), run);
        assert_eq!(code, 2, "{script}: {err}");
        assert!(err.ends_with(" are not decided\n"), "{script}: {err}");
        let rows = json(&out);
        assert_eq!(rows[0]["result"].as_str(), Some("undecided"), "{script}: {rows}");
        assert!(rows[0]["detail"].as_str().unwrap().contains(says), "{script}: {rows}");
    }
}

/// `--progress` tells of each problem, when a checker starts to work on it and when it is done.
#[test]
fn progress_is_told_line_by_line() {
    let folder = TempDir::new().unwrap();
    fake(folder.path(), "yosys-abc", "echo Property UNDECIDED.");
    let run = "PATH=$PWD:$PATH $UTFHDL prove utf-8 decoder spec --progress";
    let (code, out, err) = in_shell(folder.path(), run);
    assert_eq!((code, out.lines().count()), (2, 2), "{out}{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines[0], "spec, problem 1 of 1: spec, by abc pdr");
    assert!(lines[1].starts_with("spec: spec undecided by abc pdr in "), "{err}");
    assert!(lines[1].ends_with(" s: abc said: Property UNDECIDED."), "{err}");
}

/// A signal ends the checker, too.
#[test]
fn a_signal_ends_the_checker() {
    let folder = TempDir::new().unwrap();
    fake(
        folder.path(),
        "yosys-abc",
        "[ \"$1\" = -h ] && exit; echo $$ > \"$OLDPWD_OF_TEST/pid\"; exec sleep 60",
    );
    let script = "export OLDPWD_OF_TEST=$PWD TMPDIR=$PWD; PATH=$PWD:$PATH $UTFHDL prove utf-8 decoder stream & \
                  for i in $(seq 100); do [ -s pid ] && break; sleep 0.1; done; kill -TERM $!; wait $!; \
                  code=$?; sleep 0.2; kill -0 $(cat pid) 2>/dev/null && echo alive; exit $code";
    let (code, out, err) = in_shell(folder.path(), script);
    assert_eq!(code, 2, "{err}");
    assert!(!out.contains("alive") && err.contains("stopped: "), "{out}{err}");
    assert_eq!(names(folder.path()), ["pid", "yosys-abc"]);
}

/// Every property that a core has makes a problem.
#[test]
fn every_property_makes_a_problem() {
    let folder = TempDir::new().unwrap();
    for (core, count) in [
        ("utf-8 encoder inverse", 4),
        ("utf-9 encoder spec inverse", 5),
        ("utf-18 encoder inverse", 4),
        ("utf-8 decoder --lanes 4 lanes", 5),
        ("utf-8 transcoder:utf-16 spec", 2),
        ("cesu-8 decoder elastic", 1),
    ] {
        let (code, _, err) = in_shell(folder.path(), &format!("$UTFHDL prove {core} --export x"));
        assert_eq!((code, err), (0, format!("wrote {count} problems to x\n")), "{core}");
    }
}

#[test]
fn problems_are_files_for_other_checkers() {
    let folder = TempDir::new().unwrap();
    let (code, _, err) =
        in_shell(folder.path(), "PATH=/none $UTFHDL prove utf-9 decoder spec stream --export a/b");
    assert_eq!((code, err.as_str()), (0, "wrote 12 problems to a/b\n"));
    let files = names(&folder.path().join("a/b"));
    assert!(files.contains(&"utf_9_decoder_x1-spec.aig".to_owned()), "{files:?}");
    for file in files {
        let bytes = fs::read(folder.path().join("a/b").join(file)).unwrap();
        assert!(bytes.starts_with(b"aig "));
    }
}
