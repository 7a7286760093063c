//! `campaign` from the outside: results on disk, shards, resuming, and exit codes.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::common::command::{campaign, in_shell, json};

#[test]
fn shards_on_disk_add_up_to_what_one_run_says() {
    let folder = TempDir::new().unwrap();
    let pairs = "utf-8 decoder --exhaustive 2";
    let (code, whole, err) = campaign(folder.path(), &format!("{pairs} --json"));
    assert_eq!(code, 0, "{err}");
    assert!(err.ends_with("\nthe core agrees with the reference on every input\n"), "{err}");
    assert!(err.contains(
        "utf-8 decoder --lanes 1 --reset sync-high --on-error flag --axis lane --exhaustive 2: 65536 inputs, "
    ));
    for shard in 1..=3 {
        let (code, out, err) =
            campaign(folder.path(), &format!("{pairs} --shard {shard}/3 --out {shard}.jsonl --threads 1"));
        assert_eq!((code, out.as_str()), (0, ""), "{err}");
        assert!(err.contains(&format!("--exhaustive 2, shard {shard}/3: ")), "{err}");
    }
    let (code, sum, err) = campaign(folder.path(), "--merge 3.jsonl 1.jsonl 2.jsonl");
    assert_eq!(code, 0, "{err}");
    assert_eq!(json(&sum), json(&whole));
    let (code, sum, err) =
        in_shell(folder.path(), "cat 1.jsonl 2.jsonl | $UTFHDL campaign --merge 3.jsonl -");
    assert_eq!((code, json(&sum)), (0, json(&whole)), "{err}");
    let (code, _, err) = campaign(folder.path(), "--merge 1.jsonl 3.jsonl");
    assert_eq!(code, 2);
    assert!(err.contains("inputs are missing: ") && err.ends_with("; run shard 2/3\n"), "{err}");
    let (code, _, err) = campaign(folder.path(), "--merge 1.jsonl 2.jsonl 3.jsonl 2.jsonl");
    assert_eq!(code, 2);
    assert!(
        err.contains("2.jsonl, line 1: inputs ")
            && err.contains(" are there twice, here and in 2.jsonl, line 1"),
        "{err}"
    );
}

#[test]
fn encoders_and_transcoders_have_campaigns_too() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        // Unicode has 2,048 surrogates; after its code points come 4,608 inputs that UTF-8 does not have.
        (
            "utf-8 encoder --exhaustive 1 --shard 1/3840",
            "shard 1/3840: 1118720 inputs, 1118720 code points, 6656 errors\nerrors: 6656 unencodable\n",
        ),
        ("utf-8 encoder --exhaustive 2 --on-error drop", "--exhaustive 2: 4096 inputs, "),
        ("utf-9 encoder --random 1000 --stall 20", "--random 1000 --seed 1 --stall 20: 1000 inputs, "),
        // Half of the 256 octets are code points.
        ("utf-8 transcoder:utf-18 --exhaustive 1", "--exhaustive 1: 256 inputs, 128 code points, 128 errors"),
    ] {
        let (code, _, err) = campaign(folder.path(), arguments);
        assert_eq!(code, 0, "{arguments}: {err}");
        assert!(err.contains(expected), "{arguments}: {err}");
        assert!(err.ends_with("\nthe core agrees with the reference on every input\n"), "{err}");
    }
}

/// The slots of a failing encoder input are written as they are on the bus, legal or not.
#[test]
fn slots_of_a_file_are_run_again() {
    let folder = TempDir::new().unwrap();
    // A head that is cut, an illegal slot, an error with a letter in its tdata, a limb without a head, and a code point.
    fs::write(folder.path().join("f.slots"), "14:2\n12:41\n3:41\n15:1\nU+20AC\n0:41\n").unwrap();
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let arguments = "cosim utf-8 encoder f.slots --frames 3 --json";
    let output = command.current_dir(folder.path()).args(arguments.split(' ')).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((&report["taken"], &report["frames"]), (&6.into(), &2.into()));
    // The head and the illegal slot are one error; each error is the three octets of U+FFFD, and U+20AC has three
    // octets, too.
    assert_eq!(report["errors"], serde_json::json!({ "invalid": 1, "overlong": 1, "unexpected": 1 }));
    assert_eq!(report["given"], 3 + 3 + 3 + 3 + 1);
    fs::write(folder.path().join("f.slots"), "16:41\n").unwrap();
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.current_dir(folder.path()).args(arguments.split(' ')).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_run_goes_on_where_it_was_stopped() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("r.jsonl");
    let random = "utf-8 decoder --random 300000 --seed 4 --stall 20 --out r.jsonl";
    assert_eq!(campaign(folder.path(), random).0, 0);
    let all = fs::read_to_string(&results).unwrap();
    // A part ends after 2^17 frames, or after a quarter of a second on a busy machine.
    assert!(all.lines().count() >= 3, "{all}");
    let (code, _, err) = campaign(folder.path(), random);
    assert_eq!(code, 2);
    assert!(
        err.contains("r.jsonl is there already: go on with it by --resume, or name another file"),
        "{err}"
    );
    // Killed in the middle of the last line.
    fs::write(&results, &all[..all.len() - 30]).unwrap();
    let (code, sum, err) = campaign(folder.path(), &format!("{random} --resume --json"));
    assert_eq!(code, 0, "{err}");
    assert_eq!(json(&sum)["inputs"], 300_000);
    let total =
        |text: &str, count: &str| text.lines().map(|line| json(line)[count].as_u64().unwrap()).sum::<u64>();
    let again = fs::read_to_string(&results).unwrap();
    for count in ["inputs", "code_points"] {
        assert_eq!(total(&again, count), total(&all, count), "the same, however often it was begun");
    }
    let (code, _, err) = campaign(folder.path(), "utf-8 decoder --exhaustive 1 --out r.jsonl --resume");
    assert_eq!(code, 2);
    assert_eq!(
        err,
        "utfhdl: r.jsonl, line 1: this is of another campaign: inputs --random 300000 --seed 4 --stall 20, not \
         --exhaustive 1\n"
    );
}

#[test]
fn what_can_not_be_run_is_exit_2_and_says_why() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        (
            "utf-8 decoder",
            "say what to run: --exhaustive N for every input of N units, --random COUNT, or --mutants N",
        ),
        (
            "utf-8 encoder --lanes 3 --exhaustive 1",
            "there is no utf-8 encoder of 3 lanes: --lanes can be 1, 2, 4",
        ),
        ("utf-8 encoder --exhaustive 0", "cannot run every input of 0 slots: for utf-8, choose 1 to 9 slots"),
        ("utf-8 decoder --exhaustive 99999999", "choose 1 to 6 units (6 units are already 2^48 inputs)"),
        ("hunk-1 decoder --exhaustive 9 --shard 1/3", "shard 1/3 has nothing to run: the 512 inputs of this"),
        ("utf-8 decoder --random 0", "0 is not in 1.."),
        ("utf-8 decoder --random 18446744073709551616", "the number is larger than the option can hold"),
        ("utf-8 decoder --exhaustive 1 --threads 0", "0 is not in 1..=1024"),
        ("utf-8 decoder --exhaustive 1 --threads 1000000", "1000000 is not in 1..=1024"),
        ("utf-8 decoder --exhaustive 1 --fault low_only", "expected KIND@SIGNAL, such as "),
        (
            "utf-8 decoder --exhaustive 1 --fault inverted@low_onyl",
            "(the nearest: low_only); `utfhdl list --signals utf-8",
        ),
        ("utf-8 decoder --exhaustive 1 --shard 3/2", "expected K/N, K from 1 to N, such as 3/8"),
        ("utf-8 decoder --exhaustive 1 --random 5", "cannot be used with"),
        ("--exhaustive 1", "required arguments were not provided"),
        ("--merge nowhere.jsonl", "cannot open nowhere.jsonl"),
        ("utf-8 decoder --exhaustive 1 --out nowhere/r.jsonl", "cannot write nowhere/r.jsonl"),
        ("utf-8 decoder --exhaustive 1 --out .", ". is a directory: name a file"),
        ("utf-8 decoder --exhaustive 1 --out -", "--out needs a file for the results of each part"),
        ("--merge .", "there are no results in .: no file there ends in .jsonl"),
    ] {
        let (code, out, err) = campaign(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {err}");
        assert!(err.contains(expected) && err.lines().count() == 1, "{arguments}: {err}");
    }
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    let (code, _, err) = campaign(folder.path(), "--merge empty.jsonl");
    assert_eq!((code, err.as_str()), (2, "utfhdl: there are no results in empty.jsonl\n"));
}

/// Runs a campaign that takes longer than anybody lives, until it has written two lines, and interrupts it.
#[cfg(unix)]
fn interrupted(folder: &std::path::Path, arguments: &str) -> (i32, String) {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let results = folder.join("r.jsonl");
    // A shell that sets limits and becomes the tool.
    let script = format!(
        "ulimit -v 700000; exec '{}' campaign {arguments} --threads 1 --out r.jsonl",
        assert_cmd::cargo::cargo_bin("utfhdl").display()
    );
    let child = Command::new("bash")
        .current_dir(folder)
        .args(["-c", &script])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::read_to_string(&results).map_or(0, |text| text.lines().count()) < 2 {
        assert!(start.elapsed() < Duration::from_secs(120), "{arguments}: no part was done");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// After Ctrl-C, the finished parts are kept, and the exit code says that they are not all. Memory does not limit the
/// number of inputs.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    for (arguments, chunk) in [
        ("utf-8 decoder --exhaustive 6", 1 << 15),
        ("utf-8 decoder --random 18446744073709551615", 1 << 12),
        ("utf-8 decoder --random 1152921504606846976 --stall 20 --shard 7/9", 1 << 12),
    ] {
        let folder = TempDir::new().unwrap();
        let (code, err) = interrupted(folder.path(), arguments);
        assert_eq!(code, 2, "{arguments}: {err}");
        assert!(err.starts_with("utfhdl: stopped after "), "{arguments}: {err}");
        assert!(err.ends_with(" inputs; r.jsonl has them, and --resume continues from there\n"), "{err}");
        let text = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
        // Parts end with a chunk, whatever their number of inputs is.
        let ends_with_chunk = |line: &str| {
            let line = json(line);
            let end: u64 = line["first"].as_u64().unwrap() + line["inputs"].as_u64().unwrap();
            end.is_multiple_of(chunk)
        };
        assert!(text.ends_with('\n') && text.lines().all(ends_with_chunk), "{text}");
    }
}

/// Killed before the first line was whole, or with nothing to do any more.
#[test]
fn every_file_that_a_run_can_leave_is_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("r.jsonl");
    let pairs = "utf-8 decoder --exhaustive 2 --out r.jsonl";
    let (code, _, err) = campaign(folder.path(), pairs);
    assert_eq!(code, 0, "{err}");
    let whole = fs::read_to_string(&results).unwrap();
    for begun in [0, 1, 40, whole.len() - 20, whole.len() - 2, whole.len() - 1] {
        fs::write(&results, &whole[..begun]).unwrap();
        let (code, _, err) = campaign(folder.path(), &format!("{pairs} --resume"));
        assert_eq!(code, 0, "cut off at {begun}: {err}");
        assert_eq!(fs::read_to_string(&results).unwrap(), whole, "cut off at {begun}");
    }
    let (code, out, err) = campaign(folder.path(), &format!("{pairs} --resume --json"));
    assert_eq!(code, 0, "{err}");
    assert!(err.starts_with("nothing is left to run: the results have all 65536 inputs\n"), "{err}");
    assert_eq!(json(&out)["inputs"], 65536);
    fs::remove_file(&results).unwrap();
    assert_eq!(campaign(folder.path(), &format!("{pairs} --resume")).0, 0, "nothing to go on with");
    assert_eq!(fs::read_to_string(&results).unwrap(), whole);
}

#[test]
fn results_that_do_not_belong_together_are_told_by_file_and_line() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let run = |arguments: &str| {
        let (code, out, err) = campaign(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {err}");
        err
    };
    let (code, _, err) = campaign(folder.path(), "utf-8 decoder --exhaustive 2 --out r.jsonl");
    assert_eq!(code, 0, "{err}");
    let good = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    for (name, text, expected) in [
        (
            "garbage.jsonl",
            format!("{good}garbage\n"),
            "garbage.jsonl, line 2: this is no result of a campaign",
        ),
        (
            "edited.jsonl",
            good.replace("65536,\"code", "65535,\"code"),
            "edited.jsonl, line 1: the checksum is wrong: the line was changed after it was written",
        ),
        (
            "twice.jsonl",
            good.repeat(2),
            "twice.jsonl, line 2: inputs 0 to 65535 are there twice, here and in twice.jsonl, line 1",
        ),
    ] {
        write(name, &text);
        for arguments in
            [format!("--merge {name}"), format!("utf-8 decoder --exhaustive 2 --out {name} --resume")]
        {
            let err = run(&arguments);
            assert!(err.starts_with(&format!("utfhdl: {expected}")) && err.lines().count() == 1, "{err}");
        }
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text, "nothing is written");
    }
    let err = run("utf-8 decoder --exhaustive 2 --stall 3 --out r.jsonl --resume");
    assert!(err.contains("of --exhaustive, nothing stalls"), "{err}");
    for (other, differs) in [
        ("utf-8 decoder --exhaustive 2 --shard 1/2", "shard 1/1, not 1/2"),
        ("utf-8 decoder --exhaustive 2 --on-error drop", "--on-error flag, not drop"),
        ("utf-8 decoder --exhaustive 2 --fault inverted@low_only", "--fault none, not inverted@low_only"),
        ("utf-8 decoder --exhaustive 3", "inputs --exhaustive 2, not --exhaustive 3"),
        ("wtf-8 decoder --exhaustive 2", "system utf-8, not wtf-8"),
    ] {
        for arguments in [format!("{other} --out r.jsonl --resume"), format!("{other} --merge r.jsonl")] {
            if other.contains("--shard") && arguments.contains("--merge") {
                continue;
            }
            let err = run(&arguments);
            assert_eq!(err, format!("utfhdl: r.jsonl, line 1: this is of another campaign: {differs}\n"));
        }
    }
    assert_eq!(fs::read_to_string(folder.path().join("r.jsonl")).unwrap(), good);
    let err = run("utf-8 decoder --exhaustive 2 --out . --resume");
    assert!(err.contains(". is no regular file") || err.contains("cannot open ."), "{err}");
}

/// The rights of a new file, or those that it had.
#[cfg(unix)]
#[test]
fn a_file_of_results_has_the_rights_of_any_other() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    let pairs = "utf-8 decoder --exhaustive 2";
    for (umask, rights) in [("022", 0o644), ("007", 0o660), ("077", 0o600)] {
        let file = format!("{umask}.jsonl");
        for resume in ["", "--resume"] {
            let script = format!("umask {umask}; $UTFHDL campaign {pairs} --out {file} {resume}");
            let (code, _, err) = in_shell(folder.path(), &script);
            assert_eq!((code, mode(&file)), (0, rights), "{umask} {resume}: {err}");
        }
    }
    fs::set_permissions(folder.path().join("022.jsonl"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("022.jsonl", folder.path().join("link.jsonl")).unwrap();
    let (code, _, err) =
        in_shell(folder.path(), &format!("$UTFHDL campaign {pairs} --out link.jsonl --resume"));
    assert_eq!((code, mode("022.jsonl")), (0, 0o640), "{err}");
    assert!(fs::symlink_metadata(folder.path().join("link.jsonl")).unwrap().is_symlink());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing temporary is left");
}

/// A file that can't grow, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_leaves_whole_lines() {
    let folder = TempDir::new().unwrap();
    let script = "ulimit -f 1; trap '' XFSZ; \
         exec $UTFHDL campaign utf-8 decoder --random 2000000 --threads 1 --out r.jsonl";
    let (code, out, err) = in_shell(folder.path(), script);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.starts_with("utfhdl: cannot write r.jsonl: ") && err.lines().count() == 1, "{err}");
    let text = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    assert!(text.len() <= 1024 && text.lines().count() > 1 && text.ends_with('\n'), "{text}");
    let (code, _, err) =
        campaign(folder.path(), "utf-8 decoder --random 2000000 --threads 1 --out r.jsonl --resume");
    assert_eq!(code, 0, "{err}");
}

/// Output that can't be written, or that nobody reads, and no home.
#[cfg(unix)]
#[test]
fn a_campaign_asks_nothing_of_its_surroundings() {
    let folder = TempDir::new().unwrap();
    let pairs = "$UTFHDL campaign utf-8 decoder --exhaustive 2 --json";
    for (script, code, expected) in [
        (format!("{pairs} >&-"), 2, "utfhdl: cannot write standard output: it is closed"),
        (format!("{pairs} 2>&-"), 0, ""),
        (format!("{pairs} 2>/dev/full"), 0, ""),
        (format!("{pairs} >/dev/full"), 2, "utfhdl: cannot write standard output: "),
        (format!("{pairs} | true; exit ${{PIPESTATUS[0]}}"), 0, "the core agrees"),
        (format!("exec env -i {pairs}"), 0, "the core agrees"),
    ] {
        let (found, _, err) = in_shell(folder.path(), &script);
        assert_eq!(found, code, "{script}: {err}");
        assert!(err.contains(expected), "{script}: {err}");
        assert!(!err.contains("panicked") && !err.contains('\r') && !err.contains('\x1b'), "{script}: {err}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_run_says_what_evaluated_it() {
    let folder = TempDir::new().unwrap();
    let (_, out, err) = campaign(folder.path(), "utf-8 decoder --exhaustive 2 --json --threads 2");
    let backend = json(&out)["backends"][0].as_str().unwrap().to_owned();
    assert!(["avx512", "avx2", "portable"].contains(&backend.as_str()), "{out}");
    assert!(err.contains(&format!(" s on 2 threads with {backend}, ")), "{err}");
}
