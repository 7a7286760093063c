//! The tools of the `verilator` engine: missing, too old, and used by two at once.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use utfhdl_hdl::emit::verilog;
use utfhdl_hdl::netlist::{Design, ResetStyle};
use utfhdl_hdl::stream::skid_buffer;
use utfhdl_sim::Layout;
use utfhdl_sim::verilator::{Cache, Effort, Toolchain, Verilator};

use crate::common::bench::{native, outputs};
use crate::common::icarus::header;
use crate::common::stimulus::stimulus;

/// Says what the search for the tools ends with. A process of its own, since variables are a process's.
#[test]
#[ignore = "part of the tests below, which run it with other variables"]
fn find_tools() {
    match Toolchain::find() {
        Ok(_) => println!("FOUND: all"),
        Err(error) => println!("FOUND: {error}"),
    }
}

/// What the search for the tools ends with if these variables are set.
fn find_with(variables: &[(&str, &Path)]) -> String {
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "tools::find_tools", "--ignored", "--nocapture"])
        .env_remove("VERILATOR")
        .envs(variables.iter().copied())
        .output()
        .expect("this test runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.split_once("FOUND: ").unwrap_or_else(|| panic!("{text}")).1;
    found.lines().next().expect("a line").to_owned()
}

#[test]
fn without_verilator_the_package_is_named() {
    let empty = tempfile::tempdir().expect("a folder");
    assert_eq!(
        find_with(&[("PATH", empty.path())]),
        "Verilator was not found; install the package `verilator`, version 5.002 or later (Debian 12 has it)"
    );
}

#[cfg(unix)]
#[test]
fn a_verilator_too_old_is_told_with_its_version() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("verilator");
    std::fs::write(&script, "#!/bin/sh\necho 'Verilator 4.038 2020-07-11 rev v4.036-114-g0cd4a57ad'\n")
        .expect("the script is written");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it can be run");
    let expected = "Verilator 4.038 is too old: 5.002 or later is needed; install the package `verilator`, \
                    version 5.002 or later (Debian 12 has it)";
    assert_eq!(find_with(&[("VERILATOR", &script)]), expected);
    assert_eq!(find_with(&[("PATH", folder.path())]), expected, "on the path too");
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn without_a_compiler_the_package_is_named() {
    assert_eq!(
        find_with(&[("CXX", Path::new("no-such-compiler"))]),
        "a C++ compiler was not found; install a C++ compiler (package `g++`), or name one in the variable CXX"
    );
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn two_threads_can_build_one_design() {
    let folder = tempfile::tempdir().expect("a folder");
    let design = Arc::new(Design { top: skid_buffer(10), reset: ResetStyle::SyncHigh });
    let inputs = stimulus(&Layout::new(&design), true, 500, 3);
    let expected = outputs(&mut native(&design), &inputs);
    let run = || {
        let (text, cache) = (verilog(&design, &header()), Cache::in_folder(folder.path()));
        let mut model = Verilator::new(&design, &text, &cache, Effort::Quick)?;
        Ok::<_, utfhdl_sim::EngineError>(outputs(&mut model, &inputs))
    };
    let files = || {
        let entries = std::fs::read_dir(folder.path()).expect("the cache");
        let files = entries.map(|entry| entry.expect("a file"));
        let mut files: Vec<_> = files
            .map(|file| {
                (
                    file.file_name().into_string().expect("a name"),
                    file.metadata().unwrap().modified().unwrap(),
                )
            })
            .collect();
        files.sort();
        files
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(run), scope.spawn(run)];
        for thread in threads {
            let outputs = thread.join().expect("no panic").unwrap_or_else(|error| panic!("{error}"));
            assert!(outputs == expected, "a model of its own for each");
        }
    });
    let built = files();
    let mut kinds: Vec<&str> =
        built.iter().map(|(name, _)| name.rsplit('.').next().expect("a name")).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["a", "so"], "one runtime, one model, nothing half done: {built:?}");
    run().expect("it is there");
    assert_eq!(files(), built, "the third takes it from the cache");
}
