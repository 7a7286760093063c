//! The tools of the `verilator` engine: missing, too old, and used by two at once; and the cache of what they build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use utfhdl_hdl::emit::verilog;
use utfhdl_hdl::netlist::{Design, ResetStyle};
use utfhdl_hdl::stream::skid_buffer;
use utfhdl_sim::Layout;
use utfhdl_sim::tool::ToolError;
use utfhdl_sim::verilator::{Cache, Effort, Toolchain, Verilator};

use crate::common::bench::{native, outputs};
use crate::common::icarus::header;
use crate::common::stimulus::stimulus;

/// Prints the result of the search for the tools. The tests below run this in a process of its own, since environment
/// variables belong to a process.
#[test]
#[ignore = "part of the tests below, which run it with other variables"]
fn find_tools() {
    match Toolchain::find() {
        Ok(_) => println!("FOUND: all"),
        Err(error) => println!("FOUND: {error}"),
    }
}

/// Prints where the user's cache has a file, and its remark; in a process of its own too.
#[test]
#[ignore = "part of the tests below, which run it with other variables"]
fn find_cache() {
    let cache = Cache::of_user();
    let build = |folder: &Path| {
        let path = folder.join("built");
        std::fs::write(&path, "built").map_err(|error| ToolError::io(&path, error))?;
        Ok::<_, ToolError>(path)
    };
    let file = cache.file(&["a file of a test"], "txt", build).expect("a folder to build in");
    println!("FOUND: {} {}", file.display(), cache.remark().unwrap_or_default());
}

/// The output of one of the two tests above with these variables set, and without others that matter.
fn found_by(test: &str, variables: &[(&str, &Path)]) -> String {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", &format!("tools::{test}"), "--ignored", "--nocapture"]);
    for variable in ["VERILATOR", "CXX", "UTFHDL_CACHE", "XDG_CACHE_HOME", "HOME"] {
        command.env_remove(variable);
    }
    let output = command.envs(variables.iter().copied()).output().expect("this test runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.split_once("FOUND: ").unwrap_or_else(|| panic!("{text}")).1;
    found.lines().next().expect("a line").to_owned()
}

/// The result of the search for the tools with these variables set.
fn find_with(variables: &[(&str, &Path)]) -> String {
    found_by("find_tools", variables)
}

#[test]
fn without_verilator_the_package_is_named() {
    let empty = tempfile::tempdir().expect("a folder");
    assert_eq!(
        find_with(&[("PATH", empty.path())]),
        "Verilator was not found; install the package `verilator`, version 5.002 or later (Debian 12 has it)"
    );
}

/// A program `verilator` in `folder` that prints one line.
#[cfg(unix)]
fn verilator_that_prints(line: &str, folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let script = folder.join("verilator");
    std::fs::write(&script, format!("#!/bin/sh\necho '{line}'\n")).expect("the script is written");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it can be run");
    script
}

#[cfg(unix)]
#[test]
fn what_is_not_verilator_is_told_with_what_it_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = verilator_that_prints("Another Tool 5.006", folder.path());
    let expected = format!(
        "\"{}\" is not Verilator: with --version it prints \"Another Tool 5.006\"; install the package `verilator`, \
         version 5.002 or later (Debian 12 has it)",
        other.display()
    );
    assert_eq!(find_with(&[("VERILATOR", &other)]), expected);
}

#[cfg(unix)]
#[test]
fn a_verilator_too_old_is_told_with_its_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = verilator_that_prints("Verilator 4.038 2020-07-11 rev v4.036-114-g0cd4a57ad", folder.path());
    let expected = "Verilator 4.038 is too old: 5.002 or later is needed; install the package `verilator`, \
                    version 5.002 or later (Debian 12 has it)";
    assert_eq!(find_with(&[("VERILATOR", &script)]), expected);
    assert_eq!(find_with(&[("PATH", folder.path())]), expected, "on the path too");
}

#[test]
fn a_variable_that_names_no_program_is_told() {
    assert_eq!(
        find_with(&[("VERILATOR", Path::new("/no/such/verilator"))]),
        "VERILATOR names \"/no/such/verilator\", which can't be run (No such file or directory (os error 2)): set it to \
         the path of Verilator, or unset it"
    );
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn without_a_compiler_the_variable_or_the_package_is_named() {
    assert_eq!(
        find_with(&[("CXX", Path::new("no-such-compiler"))]),
        "CXX names \"no-such-compiler\", which can't be run (No such file or directory (os error 2)): set it to the path \
         of a C++ compiler, or unset it"
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
        let mut files = files_below(folder.path());
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
    let mut kinds: Vec<_> = built.iter().map(|(path, _)| path.extension().expect("a kind")).collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        ["a", "gch", "so"],
        "one runtime with its headers, one model, nothing half done: {built:?}"
    );
    run().expect("it is there");
    assert_eq!(files(), built, "the third takes it from the cache");
}

/// All files in a folder and below, with the time of the last change.
fn files_below(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
    entries
        .flat_map(|entry| match entry.metadata().expect("it is there") {
            metadata if metadata.is_dir() => files_below(&entry.path()),
            metadata => vec![(entry.path(), metadata.modified().expect("the system knows"))],
        })
        .collect()
}

#[test]
#[ignore = "needs verilator: tools/test installs it and runs it"]
fn a_model_that_is_cut_short_or_of_no_use_is_built_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let design = Design { top: skid_buffer(9), reset: ResetStyle::SyncHigh };
    let inputs = stimulus(&Layout::new(&design), true, 100, 7);
    let expected = outputs(&mut native(&design), &inputs);
    let check = |what: &str| {
        let cache = Cache::in_folder(folder.path());
        let model = Verilator::new(&design, &verilog(&design, &header()), &cache, Effort::Quick);
        assert!(outputs(&mut model.unwrap_or_else(|error| panic!("{what}: {error}")), &inputs) == expected);
    };
    let model = || {
        let files = files_below(folder.path()).into_iter().map(|(path, _)| path);
        files.into_iter().find(|path| path.extension().is_some_and(|kind| kind == "so")).expect("a model")
    };
    check("new");
    // A full disk can leave a library that ends early. The system loads such a library, and kills the process when it
    // reads past the end. The loaded file is therefore replaced, not cut.
    let whole = std::fs::read(model()).expect("the model");
    let half = folder.path().join("half");
    std::fs::write(&half, &whole[..whole.len() / 2]).expect("it is written");
    std::fs::rename(half, model()).expect("it is moved");
    check("cut short");
    // A file with the right checksum that the system cannot load.
    let text = "other";
    let cache = Cache::in_folder(folder.path().join("other"));
    let build = |folder: &Path| {
        let path = folder.join("other");
        std::fs::write(&path, text).map_err(|error| ToolError::io(&path, error))?;
        Ok::<_, ToolError>(path)
    };
    let other = cache.file(&[], "so", build).expect("a file");
    let good = model();
    std::fs::rename(&other, good.with_file_name(other.file_name().expect("a name"))).expect("it is moved");
    std::fs::remove_file(good).expect("the good one is removed");
    check("of no use");
}

#[cfg(unix)]
#[test]
fn without_a_home_the_cache_is_a_folder_for_the_user_alone() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (shared, elsewhere) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("it is ours");
    };
    mode(shared.path(), 0o1777);
    let temporary = [("TMPDIR", shared.path())];
    let found = found_by("find_cache", &temporary);
    let file = Path::new(found.trim_end());
    let own = file.parent().and_then(Path::parent).expect("a folder in the cache");
    assert!(own.parent() == Some(shared.path()), "{found}");
    assert_eq!(own.metadata().expect("it is there").permissions().mode() & 0o777, 0o700);
    assert_eq!(found_by("find_cache", &temporary), found, "again");

    // Somebody else was there first: their link is left alone, and a folder of this process is used.
    let planted = elsewhere.path().join("planted");
    std::fs::rename(own, &planted).expect("it is moved");
    symlink(&planted, own).expect("a link");
    let found = found_by("find_cache", &temporary);
    assert!(!found.starts_with(own.to_str().expect("a name")), "{found}");
    assert!(found.contains("is not trusted, because something else was put in its place"), "{found}");
    assert!(found.contains("what is built is in"), "{found}");
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    std::fs::create_dir(&cache).expect("a folder");
    std::fs::set_permissions(&cache, PermissionsExt::from_mode(0o777)).expect("it is ours");
    let found = found_by("find_cache", &[("UTFHDL_CACHE", &cache), ("TMPDIR", folder.path())]);
    assert!(found.starts_with(&format!("{}/utfhdl-", folder.path().display())), "{found}");
    assert!(
        found.contains("other users can write there (mode 777; `chmod go-w` takes that right away)"),
        "{found}"
    );
    let built = found_by("find_cache", &[("UTFHDL_CACHE", &cache), ("TMPDIR", folder.path())]);
    assert_eq!(built, found, "it is kept there for the next run");
}
