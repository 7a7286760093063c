//! Signals end the tool as they end any program, but for the temporary files, which it removes first.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// A Verilator that says its version, and then works for a while.
fn slow_verilator(folder: &Path) -> PathBuf {
    let script = folder.join("verilator");
    let text = "#!/bin/sh\ncase $1 in\n--version) echo 'Verilator 5.006 2023-01-22' ;;\n--getenv) echo / ;;\n\
                *) exec sleep 20 ;;\nesac\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// A compiler that prints its version, and writes the requested file.
fn quick_compiler(folder: &Path) -> PathBuf {
    let script = folder.join("compiler");
    let text = "#!/bin/sh\nfor last; do :; done\n[ \"$1\" = --version ] || : > \"$last\"\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// Builds a model, sends the signal while Verilator works, and returns the tool's exit status and the files left in
/// the cache. `shell` runs the tool.
fn end_a_build(signal: &str, shell: &str) -> (ExitStatus, Vec<String>) {
    let folder = TempDir::new().unwrap();
    let cache = folder.path().join("cache");
    let mut child = Command::new("sh")
        .args(["-c", shell, "sh"])
        .arg(assert_cmd::cargo::cargo_bin!("utfhdl"))
        .args(["cosim", "utf-8", "decoder", "--random", "1", "--engine", "verilator"])
        .env("UTFHDL_CACHE", &cache)
        .env("VERILATOR", slow_verilator(folder.path()))
        .env("CXX", quick_compiler(folder.path()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (start, scratch) = (Instant::now(), |name: &String| name.starts_with(".utfhdl-"));
    let is_building = || {
        let folders = names(&cache).into_iter().filter(scratch).map(|name| cache.join(name));
        folders.into_iter().any(|folder| names(&folder).iter().any(|name| name.ends_with(".v")))
    };
    while !is_building() {
        assert!(child.try_wait().unwrap().is_none(), "it does not get to Verilator");
        assert!(start.elapsed() < Duration::from_secs(60), "it does not begin to build: {:?}", names(&cache));
        sleep(Duration::from_millis(20));
    }
    let id = child.id();
    let kill = |signal: &str| {
        let command = format!("kill -s {signal} {id}");
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    };
    kill(signal);
    let status = match shell.contains("trap ''") {
        false => child.wait().unwrap(),
        true => {
            sleep(Duration::from_millis(300));
            assert!(child.try_wait().unwrap().is_none(), "the signal is ignored");
            kill("TERM");
            child.wait().unwrap()
        }
    };
    (status, names(&cache).into_iter().filter(scratch).collect())
}

#[test]
fn a_build_that_is_ended_leaves_nothing() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let (status, left) = end_a_build(name, "exec \"$@\"");
        assert_eq!((status.signal(), left), (Some(number), vec![]), "after {name}");
    }
}

/// A signal may be ignored from the start, as with `nohup` and in a shell's background jobs.
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let (status, left) = end_a_build("HUP", "trap '' HUP; exec \"$@\"");
    assert_eq!((status.signal(), left), (Some(15), vec![]));
}
