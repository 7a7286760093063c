//! `campaign` as an array of tasks: the commands it prints, what becomes of their files, and `campaign status`.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;
use utfhdl::campaign::Line;

use crate::common::command::{campaign, in_shell, json, names};

const PAIRS: &str = "utf-8 decoder --exhaustive 2";

/// Runs shards of four of [`PAIRS`], each into a file `K.jsonl`.
fn shards(folder: &Path, numbers: &[u32]) {
    for shard in numbers {
        let (code, _, err) = campaign(folder, &format!("{PAIRS} --shard {shard}/4 --out {shard}.jsonl"));
        assert_eq!(code, 0, "{err}");
    }
}

/// A campaign that takes longer than anybody lives.
const ENDLESS: &str = "utf-8 decoder --random 18446744073709551615 --threads 1 --out r.jsonl --resume";

/// A run of [`ENDLESS`], which ends with the test.
struct Running(Option<Child>);

impl Running {
    /// Starts it, and waits for two more lines in its file.
    fn start(folder: &Path) -> Self {
        let lines = || fs::read_to_string(folder.join("r.jsonl")).map_or(0, |text| text.lines().count());
        let before = lines();
        let mut command = Command::new(cargo_bin("utfhdl"));
        command.current_dir(folder).arg("campaign").args(ENDLESS.split(' ')).stderr(Stdio::piped());
        let running = Self(Some(command.spawn().unwrap()));
        let start = Instant::now();
        while lines() < before + 2 {
            assert!(start.elapsed() < Duration::from_secs(120), "no part was done");
            std::thread::sleep(Duration::from_millis(20));
        }
        running
    }

    /// Ends it by a signal.
    fn end(mut self, signal: &str) -> Output {
        let child = self.0.take().unwrap();
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        child.wait_with_output().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn status_tells_what_is_done_and_what_is_missing() {
    let folder = TempDir::new().unwrap();
    let status = |arguments: &str| campaign(folder.path(), &format!("status {arguments}"));
    shards(folder.path(), &[1, 3]);
    let (code, out, err) = status(".");
    assert_eq!(code, 2);
    assert_eq!(
        err,
        "utfhdl: 32768 of 65536 inputs are missing: 16384 to 32767, 49152 to 65535; run shards 2, 4 of 4\n"
    );
    let mut lines = out.lines();
    let head = lines.next().unwrap();
    assert!(head.starts_with("utf-8 decoder --lanes 1 ") && head.contains(" (netlist "), "{out}");
    assert!(head.ends_with(&format!(", version {})", env!("CARGO_PKG_VERSION"))), "{out}");
    let rest: Vec<&str> = lines.collect();
    assert_eq!(
        rest,
        [
            "32768 of 65536 inputs are run, 32768 are missing; parts: 2",
            "shards: 4, of which done 2, failed 0, begun 0, missing 2",
            "done: 1, 3",
            "missing: 2, 4",
        ]
    );
    let (code, out, _) = status("1.jsonl 3.jsonl --json");
    let report = json(&out);
    assert_eq!((code, &report["total"], &report["inputs"]), (2, &65536.into(), &32768.into()));
    assert_eq!(
        report["missing"],
        serde_json::json!([{"start": 16384, "end": 32768}, {"start": 49152, "end": 65536}])
    );
    assert_eq!(report["shards"]["done"], serde_json::json!([{"start": 1, "end": 2}, {"start": 3, "end": 4}]));
    shards(folder.path(), &[2, 4]);
    let (code, out, err) = status(".");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.ends_with("\nshards: 4, of which done 4, failed 0, begun 0, missing 0\ndone: 1 to 4\n"),
        "{out}"
    );
    for (arguments, expected) in [
        ("nowhere", "unreadable: cannot open nowhere: No such file"),
        ("1.jsonl 1.jsonl", "unreadable: 1.jsonl, line 1: inputs 0 to 16383 are there twice"),
    ] {
        let (code, out, err) = status(arguments);
        assert_eq!(code, 2, "{arguments}: {err}");
        assert!(out.contains(expected) && err.lines().count() == 1, "{arguments}: {out}{err}");
    }
    fs::create_dir(folder.path().join("empty")).unwrap();
    for command in ["status empty", "--merge empty"] {
        let (code, out, err) = campaign(folder.path(), command);
        assert_eq!((code, out.as_str()), (2, ""));
        assert_eq!(err, "utfhdl: there are no results in empty: no file there ends in .jsonl\n");
    }
    let script = "$UTFHDL campaign status . >/dev/full";
    let (code, _, err) = in_shell(folder.path(), script);
    assert!(code == 2 && err.starts_with("utfhdl: cannot write standard output: "), "{err}");
    let (code, _, err) = in_shell(folder.path(), "$UTFHDL campaign status . | true; exit ${PIPESTATUS[0]}");
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn status_tells_failures_damage_and_lines_that_are_cut_off() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    let faulty = "utf-8 decoder --exhaustive 3 --fault stuck-at-0@low_only --failure-dir failures";
    for shard in ["1/4", "4/4"] {
        let out = format!("--shard {shard} --out {}.jsonl", &shard[..1]);
        assert!(campaign(folder.path(), &format!("{faulty} {out}")).0 < 2);
    }
    let (code, out, err) = campaign(folder.path(), "status .");
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("\nfailed: 1/4, input 60800: 00 ED 80\n"), "{out}");
    let (code, out, _) = campaign(folder.path(), "status . --json");
    let first = &json(&out)["failures"][0];
    assert_eq!((code, &first["shard"], &first["input"]), (1, &"1/4".into(), &60800.into()));
    // The last part is cut off; then the first is damaged. A busy machine makes more parts than an idle one.
    for name in ["1.jsonl", "4.jsonl"] {
        fs::remove_file(file(name)).unwrap();
    }
    let random = "utf-8 decoder --random 300000";
    assert_eq!(campaign(folder.path(), &format!("{random} --threads 1 --out r.jsonl")).0, 0);
    let whole = fs::read_to_string(file("r.jsonl")).unwrap();
    fs::write(file("r.jsonl"), &whole[..whole.len() - 9]).unwrap();
    let parts = whole.lines().count();
    let begun = json(whole.lines().last().unwrap())["first"].as_u64().unwrap();
    let cut = format!(
        "r.jsonl, line {parts}: the line is cut off: whoever wrote it was stopped, or the disk was full"
    );
    let (code, out, err) = campaign(folder.path(), "status r.jsonl");
    assert_eq!((code, err.lines().count()), (2, 1), "{err}");
    assert!(out.contains(&format!("\nbegun: 1/1, {begun} of 300000 inputs\n")), "{out}");
    assert!(out.ends_with(&format!("\ncut off: {cut}\n")), "{out}");
    let (code, out, err) = campaign(folder.path(), "--merge r.jsonl");
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(
        err,
        format!(
            "warning: {cut}; the shard goes on there by --resume\n\
             utfhdl: {} of 300000 inputs are missing: {begun} to 299999; run shard 1/1\n",
            300_000 - begun
        )
    );
    fs::write(file("d.jsonl"), whole.replacen("\"inputs\":", "\"inputs\":1", 1)).unwrap();
    let (code, out, err) = campaign(folder.path(), "status d.jsonl");
    assert_eq!((code, err.as_str()), (2, "utfhdl: 1 of 1 files can't be read to the end\n"));
    assert!(out.starts_with("unreadable: d.jsonl, line 1: the checksum is wrong: "), "{out}");
    // The warning of a run that continues, which then has all of it.
    let (code, _, err) = campaign(folder.path(), &format!("{random} --out r.jsonl --resume"));
    assert!(code == 0 && err.starts_with(&format!("warning: {cut}; its part is run again\n")), "{err}");
    let (code, out, _) = campaign(folder.path(), "status r.jsonl");
    assert!(code == 0 && out.contains("300000 of 300000 inputs are run"), "{out}");
}

/// A line of another version is right in itself.
#[test]
fn a_file_of_another_version_is_refused_by_all() {
    let folder = TempDir::new().unwrap();
    shards(folder.path(), &[1]);
    let path = folder.path().join("1.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let line = Line::from_text(text.trim_end().as_bytes()).unwrap();
    let other = Line { version: "0.0.9".to_owned(), ..line }.to_text() + "\n";
    fs::write(&path, &other).unwrap();
    let refused = format!(
        "1.jsonl, line 1: the result is of version 0.0.9, and this is version {}\n",
        env!("CARGO_PKG_VERSION")
    );
    for arguments in ["--merge 1.jsonl".to_owned(), format!("{PAIRS} --shard 1/4 --out 1.jsonl --resume")] {
        let (code, out, err) = campaign(folder.path(), &arguments);
        assert_eq!((code, out.as_str(), err), (2, "", format!("utfhdl: {refused}")));
    }
    let (code, out, _) = campaign(folder.path(), "status 1.jsonl");
    assert_eq!((code, out), (2, format!("unreadable: {refused}")));
    assert_eq!(fs::read_to_string(&path).unwrap(), other, "nothing is written");
}

/// Two runs at one file, and a run that is stopped as a scheduler stops it.
#[test]
fn a_file_belongs_to_one_run_until_that_ends() {
    let folder = TempDir::new().unwrap();
    let in_use = "utfhdl: r.jsonl is in use: another process writes results to it; wait for its end, or name another file\n";
    // The second time it continues, with a file that takes the place of the first.
    for ends in ["-TERM", "-KILL"] {
        let running = Running::start(folder.path());
        let script = format!("timeout 30 $UTFHDL campaign {ENDLESS}");
        let (code, out, err) = in_shell(folder.path(), &script);
        assert_eq!((code, out.as_str(), err.as_str()), (2, "", in_use));
        let output = running.end(ends);
        let err = String::from_utf8(output.stderr).unwrap();
        if ends == "-TERM" {
            assert_eq!(output.status.code(), Some(2), "{err}");
            assert!(err.starts_with("utfhdl: stopped after "), "{err}");
        }
        let (code, out, err) = campaign(folder.path(), "status r.jsonl");
        assert!(code == 2 && out.contains("\nbegun: 1/1, ") && !out.contains("unreadable"), "{out}{err}");
        assert_eq!(names(folder.path()), ["r.jsonl"], "nothing temporary is left");
    }
}

#[test]
fn the_command_of_a_task_runs_in_any_array() {
    let folder = TempDir::new().unwrap();
    let (code, whole, _) = campaign(folder.path(), &format!("{PAIRS} --json"));
    assert_eq!(code, 0);
    for (folder_name, script) in [
        // A variable of the environment, as a scheduler sets it, and a number in the place of a text.
        ("it's $HOME; 100%", "for i in 1 2 3; do NUMBER=$i bash -c \"$(task --task-index NUMBER)\"; done"),
        ("xargs", "task --task-index {} >line; for i in 3 1 2; do sed \"s/{}/$i/g\" line | bash; done"),
        ("-r", "for i in 3 2 1; do eval \"$(task --task-index '$i')\"; done"),
    ] {
        let quoted = format!("'{}'", folder_name.replace('\'', "'\\''"));
        let script = format!(
            "set -e; task() {{ $UTFHDL campaign {PAIRS} --array 3 --out={quoted} \"$@\"; }}\n{script}\n\
             $UTFHDL campaign {PAIRS} --merge ./{quoted}"
        );
        let (code, sum, err) = in_shell(folder.path(), &script);
        assert_eq!((code, json(&sum)), (0, json(&whole)), "{script}: {err}");
        let files = names(&folder.path().join(folder_name));
        assert_eq!(files, ["shard-1.jsonl", "shard-2.jsonl", "shard-3.jsonl"], "{err}");
    }
    // A variable is quoted. What is no name of one stands as it is.
    for (text, shown) in [
        ("X", "\"$X\""),
        ("HQ_TASK_ID", "\"$HQ_TASK_ID\""),
        ("_x1", "\"$_x1\""),
        ("{}", "{}"),
        ("1", "1"),
        ("$((i + 1))", "$((i + 1))"),
    ] {
        let script = format!("$UTFHDL campaign {PAIRS} --task-index '{text}' --out r");
        let (code, out, err) = in_shell(folder.path(), &script);
        let expected = format!(" --shard {shown}/64 --threads 1 --resume --out r/shard-{shown}.jsonl ");
        assert!(code == 0 && out.contains(&expected), "{text}: {out}{err}");
    }
}

/// A replacement for `sbatch` without a cluster: it keeps its input.
fn with_sbatch(folder: &Path, sbatch: &str, script: &str) -> (i32, String, String) {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("sbatch"), format!("#!/bin/bash\n{sbatch}\n")).unwrap();
    fs::set_permissions(bin.join("sbatch"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    in_shell(folder, &format!("export PATH=$PWD/bin:$PATH; {script}"))
}

#[test]
fn the_script_for_slurm_submits_what_submit_does() {
    let folder = TempDir::new().unwrap();
    let keeps = r#"n=$(cat n 2>/dev/null || echo 40); echo $((n + 1)) >n
        printf '%s\n' "$@" >$1.$n.options; cat >$1.$n.script; echo "$n;cluster""#;
    let slurm =
        format!("$UTFHDL campaign {PAIRS} --slurm --array 5 --partition 'a b' --threads 2 --out \"it's 5%\"");
    let (code, out, err) = with_sbatch(folder.path(), keeps, &format!("{slurm} --submit"));
    assert_eq!((code, out.as_str()), (0, "41\n"), "{err}");
    assert_eq!(err, "job 40 runs 5 shards, and job 41 adds them up\n");
    let kept = |name: &str| fs::read_to_string(folder.path().join(format!("--parsable.{name}"))).unwrap();
    let submitted = ["40.options", "40.script", "41.options", "41.script"].map(kept);
    assert_eq!(submitted[0], "--parsable\n--output=it's 5%%/logs/%A_%a.log\n--partition=a b\n");
    assert!(submitted[2].ends_with("\n--dependency=afterany:40\n"), "{}", submitted[2]);
    for line in ["#SBATCH --array=1-5", "#SBATCH --requeue", "#SBATCH --cpus-per-task=2", "set -euo pipefail"]
    {
        assert!(submitted[1].lines().any(|found| found == line), "{line}: {}", submitted[1]);
    }
    fs::remove_file(folder.path().join("n")).unwrap();
    let (code, out, err) = with_sbatch(folder.path(), keeps, &format!("{slurm} >s.sh; bash s.sh"));
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "41\n", "job 40 runs 5 shards, and job 41 adds them up\n")
    );
    assert_eq!(["40.options", "40.script", "41.options", "41.script"].map(kept), submitted);
    assert!(folder.path().join("it's 5%/logs").is_dir());
}

#[test]
fn what_slurm_can_not_take_is_exit_2_and_says_why() {
    let folder = TempDir::new().unwrap();
    let slurm = format!("$UTFHDL campaign {PAIRS} --slurm --out r");
    for (sbatch, expected) in [
        (
            "echo 'sbatch: error: no\nsbatch: such partition' >&2; exit 1",
            "(exit status: 1): sbatch: error: no; sbatch: such partition",
        ),
        ("cat >/dev/null; echo hello", "sbatch printed no number of a job, but \"hello\""),
        (
            "cat >/dev/null; [[ $* == *dependency* ]] && exit 3; echo 7",
            "job 7 runs the shards, but there is none that adds them up: ",
        ),
    ] {
        let (code, out, err) = with_sbatch(folder.path(), sbatch, &format!("{slurm} --submit"));
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
        assert!(err.contains(expected), "{err}");
    }
    let (code, out, err) = in_shell(folder.path(), &format!("PATH= {slurm} --submit"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("utfhdl: --submit needs sbatch, which is not on the path: "), "{err}");
    let (code, _, err) = in_shell(folder.path(), &format!("{slurm} >/dev/full"));
    assert!(code == 2 && err.starts_with("utfhdl: cannot write standard output: "), "{err}");
    fs::write(folder.path().join("file"), "").unwrap();
    for (arguments, expected) in [
        (format!("{PAIRS} --slurm"), "--out"),
        (format!("{PAIRS} --slurm --out -"), "--out needs a folder"),
        (
            format!("{PAIRS} --slurm --out file"),
            "--out file: the results of all tasks go to a folder, and this is none",
        ),
        (format!("{PAIRS} --slurm --out a\\b"), "--out a\\b: Slurm can't write logs there"),
        (format!("{PAIRS} --slurm --out r --array 129"), "shard 1/129 has nothing to run"),
        (format!("{PAIRS} --slurm --out r --array 0"), "it must be 1 or more"),
        (format!("{PAIRS} --slurm --out r --shard 1/2"), "cannot be used with"),
        (format!("{PAIRS} --slurm --out r --task-index X"), "cannot be used with"),
        (format!("{PAIRS} --out r --task-index="), "expected the name of a variable, or a text such as {}"),
        (format!("{PAIRS} --submit --out r"), "--slurm"),
        (format!("{PAIRS} --array 3 --out r"), "--task-index"),
        ("--merge r --exhaustive 3".to_owned(), "say which SYSTEM and which role, or --merge FILES"),
        ("status".to_owned(), "required arguments were not provided"),
        ("utf-8 decoder status .".to_owned(), "cannot be used with"),
    ] {
        let (code, out, err) = campaign(folder.path(), &arguments);
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{arguments}: {err}");
        assert!(err.contains(expected), "{arguments}: {err}");
    }
}
