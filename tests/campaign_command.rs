//! `campaign` from the outside: results on disk, shards, going on, and exit codes.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// Exit code, standard output, standard error.
fn campaign(folder: &Path, arguments: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let output = command.current_dir(folder).arg("campaign").args(arguments.split(' ')).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn shards_on_disk_add_up_to_what_one_run_says() {
    let folder = TempDir::new().unwrap();
    let pairs = "utf-8 decoder --exhaustive 2";
    let (code, whole, err) = campaign(folder.path(), &format!("{pairs} --json"));
    assert_eq!(code, 0, "{err}");
    assert!(err.ends_with("\nthe core agrees with the reference on every input\n"), "{err}");
    assert!(err.contains(
        "utf-8 decoder --lanes 1 --reset sync-high --on-error flag --exhaustive 2: 65536 inputs, "
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
    let (code, _, err) = campaign(folder.path(), "--merge 1.jsonl 3.jsonl");
    assert_eq!(code, 2);
    assert!(
        err.contains("inputs are missing: ") && err.ends_with("there is nothing of shard 2/3\n"),
        "{err}"
    );
    let (code, _, err) = campaign(folder.path(), "--merge 1.jsonl 2.jsonl 3.jsonl 2.jsonl");
    assert_eq!(code, 2);
    assert!(err.contains("are there twice, of shard 2/3 and of shard 2/3"), "{err}");
}

#[test]
fn encoders_and_transcoders_have_campaigns_too() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        // Of Unicode 2,048 code points are surrogates; behind it come 4,608 that UTF-8 does not have.
        (
            "utf-8 encoder --exhaustive 1 --shard 1/3840",
            "shard 1/3840: 1118720 inputs, 1118720 code points, 6656 errors\nerrors: 6656 unencodable\n",
        ),
        ("utf-8 encoder --exhaustive 2 --on-error drop", "--exhaustive 2: 4096 inputs, "),
        ("utf-9 encoder --random 1000 --stall 20", "--random 1000 --seed 1 --stall 20: 1000 inputs, "),
        // Of 256 octets 128 are code points.
        ("utf-8 transcoder:utf-18 --exhaustive 1", "--exhaustive 1: 256 inputs, 128 code points, 128 errors"),
    ] {
        let (code, _, err) = campaign(folder.path(), arguments);
        assert_eq!(code, 0, "{arguments}: {err}");
        assert!(err.contains(expected), "{arguments}: {err}");
        assert!(err.ends_with("\nthe core agrees with the reference on every input\n"), "{err}");
    }
}

/// What a campaign leaves of an encoder's input that fails are slots as they stand on the bus, whatever is wrong with them.
#[test]
fn slots_of_a_file_are_run_again() {
    let folder = TempDir::new().unwrap();
    // A head that is cut, what is no slot, an error with a letter in its tdata, a limb without a head, and a code point.
    fs::write(folder.path().join("f.slots"), "14:2\n12:41\n3:41\n15:1\nU+20AC\n0:41\n").unwrap();
    let mut command = Command::cargo_bin("utfhdl").unwrap();
    let arguments = "cosim utf-8 encoder f.slots --frames 3 --json";
    let output = command.current_dir(folder.path()).args(arguments.split(' ')).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((&report["taken"], &report["frames"]), (&6.into(), &2.into()));
    // The head with the slot that is none is one error; each error is the three octets of U+FFFD, and so is U+20AC.
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
    assert_eq!(all.lines().count(), 3, "parts of 2^17 frames");
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
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(
        sorted(&fs::read_to_string(&results).unwrap()),
        sorted(&all),
        "the same, however often it was begun"
    );
    let (code, _, err) = campaign(folder.path(), "utf-8 decoder --exhaustive 1 --out r.jsonl --resume");
    assert_eq!(code, 2);
    assert!(err.contains("r.jsonl is of another campaign, `utf-8 decoder "), "{err}");
}

#[test]
fn what_can_not_be_run_is_exit_2_and_says_why() {
    let folder = TempDir::new().unwrap();
    for (arguments, expected) in [
        ("utf-8 decoder", "say what to run: --exhaustive N for every input of N units, or --random COUNT"),
        ("utf-8 encoder --lanes 3 --exhaustive 1", "there is no utf-8 encoder of 3 lanes: --lanes can be 1"),
        ("utf-8 encoder --exhaustive 0", "0 slots are not 1 to 9: the inputs of 9 slots of utf-8 are 2^54"),
        ("utf-8 decoder --exhaustive 7", "7 units are not 1 to 6"),
        ("utf-8 decoder --exhaustive 1 --shard 3/2", "expected K/N, K from 1 to N, such as 3/8"),
        ("utf-8 decoder --exhaustive 1 --random 5", "cannot be used with"),
        ("--exhaustive 1", "required arguments were not provided"),
        ("--merge nowhere.jsonl", "cannot open nowhere.jsonl"),
        ("utf-8 decoder --exhaustive 1 --out nowhere/r.jsonl", "cannot write nowhere/r.jsonl"),
    ] {
        let (code, out, err) = campaign(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {err}");
        assert!(err.contains(expected) && err.lines().count() == 1, "{arguments}: {err}");
    }
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    let (code, _, err) = campaign(folder.path(), "--merge empty.jsonl");
    assert_eq!((code, err.as_str()), (2, "utfhdl: there are no results in empty.jsonl\n"));
}

/// Ctrl-C: what is done is kept, and the exit code says that it is not all.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = TempDir::new().unwrap();
    let results = folder.path().join("r.jsonl");
    // Hours, if nobody interrupts it.
    let child = Command::new(assert_cmd::cargo::cargo_bin("utfhdl"))
        .current_dir(folder.path())
        .args("campaign utf-8 decoder --exhaustive 5 --threads 1 --out r.jsonl".split(' '))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::read_to_string(&results).map_or(0, |text| text.lines().count()) < 2 {
        assert!(start.elapsed() < Duration::from_secs(120), "no part was done");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("utfhdl: stopped after ") && err.contains("--resume goes on with it"), "{err}");
    let text = fs::read_to_string(&results).unwrap();
    assert!(text.ends_with('\n') && text.lines().all(|line| json(line)["inputs"] == 1 << 22));
}
