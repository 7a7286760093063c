//! The messages and files of `campaign` for a core that fails: other runs do not overwrite the files, and the command can be
//! pasted into a shell.

use std::fs;

use tempfile::TempDir;

use crate::common::command::{campaign, in_shell, json, names};

/// ED and F4 then take the upper trailing octets, not the lower; 00 ED 80 is the first of three octets that shows it.
const FAULTY: &str = "utf-8 decoder --exhaustive 3 --fault stuck-at-0@low_only";

/// The command that a failure is repeated with, as a script of `in_shell`.
fn repeated(command: &str) -> String {
    format!("$UTFHDL{}", command.strip_prefix("utfhdl").expect("a command of the tool"))
}

#[test]
fn a_fault_is_exit_1_with_the_shortest_input_that_fails() {
    let folder = TempDir::new().unwrap();
    let (code, out, err) = campaign(folder.path(), &format!("{FAULTY} --json"));
    assert_eq!(code, 1, "{err}");
    for line in [
        "utf_8_decoder_x1: input 60800 fails: 00 ED 80",
        "the shortest input that fails: ED 80",
        "utf_8_decoder_x1: cycle 9, m_axis_tuser: the reference expects 2, the core gives 3 (frame 0, units 0..2: error truncated)",
    ] {
        assert!(err.lines().any(|found| found == line), "{line}: {err}");
    }
    let report = json(&out);
    assert!(report["campaign"].as_str().unwrap().contains(" --fault stuck-at-0@low_only "), "{report}");
    let failure = &report["failure"];
    assert_eq!((&failure["input"], &failure["frame"]), (&60800.into(), &"00 ED 80".into()));
    assert_eq!((&failure["shrunk"], &failure["is_shortest"]), (&serde_json::json!(["ED 80"]), &true.into()));
    assert_eq!((&failure["cycle"], &failure["port"]), (&9.into(), &"m_axis_tuser".into()));
    assert_eq!((&failure["expected"], &failure["actual"]), (&"2".into(), &"3".into()));
    let stem = "utf_8_decoder_x1-stuck-at-0@low_only-exhaustive-3-input-60800.failure";
    let files = ["gtkw", "sucl", "units", "vcd"].map(|extension| format!("{stem}.{extension}"));
    assert_eq!(names(folder.path()), files);
    let mut listed: Vec<&str> =
        failure["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    listed.sort();
    assert_eq!(listed, files);
    assert_eq!(fs::read(folder.path().join(&files[2])).unwrap(), [0xED, 0x80]);
    let command = failure["command"].as_str().unwrap();
    assert!(err.contains(&format!("to repeat it: {command}\n")), "{err}");
    let (code, _, again) = in_shell(folder.path(), &repeated(command));
    assert_eq!(code, 1, "{again}");
    assert!(again.contains("cycle 9, m_axis_tuser: the reference expects 2, the core gives 3 ("), "{again}");
}

/// A folder whose name a shell would take apart.
#[test]
fn the_command_that_repeats_a_failure_can_be_pasted_wherever_its_file_is() {
    let folder = TempDir::new().unwrap();
    let strange = folder.path().join("it's $HOME; a `new` \"folder\" & more");
    for arguments in
        [FAULTY, "utf-9,max=7fffffff encoder --random 5000 --stall 30 --fault stuck-at-1@output_slice.load"]
    {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("utfhdl"));
        let command = command.current_dir(folder.path()).arg("campaign").args(arguments.split(' '));
        let output = command.arg("--json").arg("--failure-dir").arg(&strange).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let report = json(&String::from_utf8(output.stdout).unwrap());
        let (code, _, err) =
            in_shell(folder.path(), &repeated(report["failure"]["command"].as_str().unwrap()));
        assert_eq!(code, 1, "{err}");
        let failure = &report["failure"];
        let expected = format!("cycle {}, {}: ", failure["cycle"], failure["port"].as_str().unwrap());
        assert!(err.contains(&expected), "{expected}: {err}");
    }
    assert_eq!(names(&strange).len(), 8, "{:?}", names(&strange));
}

/// Jobs of an array share a folder: each leaves its own files.
#[test]
fn failures_of_several_shards_and_seeds_do_not_overwrite_each_other() {
    let folder = TempDir::new().unwrap();
    let mut count = 0;
    for arguments in [
        "--exhaustive 3 --shard 1/2",
        "--exhaustive 3 --shard 2/2",
        "--exhaustive 2",
        "--random 10000",
        "--random 10000 --seed 2",
        "--random 10000 --stall 20",
    ] {
        let (code, _, err) = campaign(
            folder.path(),
            &format!("utf-8 decoder {arguments} --fault stuck-at-0@low_only --failure-dir failures"),
        );
        assert_eq!(code, 1, "{err}");
        let names = names(&folder.path().join("failures"));
        assert_eq!(names.len(), count + 4, "{arguments}: {names:?}");
        count = names.len();
    }
    assert_eq!(names(folder.path()), ["failures"]);
}

#[test]
fn a_folder_that_can_not_be_written_hides_no_failure() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let (code, out, err) =
        campaign(folder.path(), &format!("{FAULTY} --shard 1/2 --json --failure-dir file/in"));
    assert_eq!(code, 1, "{err}");
    assert!(
        err.contains("input 60800 fails: 00 ED 80\n") && err.contains("m_axis_tuser: the reference"),
        "{err}"
    );
    assert!(err.contains("warning: cannot make the folder file/in: "), "{err}");
    let failure = &json(&out)["failure"];
    assert_eq!((&failure["port"], failure.get("files")), (&"m_axis_tuser".into(), None));
    // The input is in no file: the campaign itself repeats the failure.
    let command = failure["command"].as_str().unwrap();
    assert!(
        command.starts_with("utfhdl campaign utf-8 decoder ") && command.ends_with(" --shard 1/2"),
        "{command}"
    );
    let (code, _, again) = in_shell(folder.path(), &repeated(command));
    assert!(code == 1 && again.contains("input 60800 fails: 00 ED 80\n"), "{again}");
}

/// Nothing that goes wrong besides is worse than a core that is wrong.
#[cfg(unix)]
#[test]
fn output_that_can_not_be_written_hides_no_failure() {
    let folder = TempDir::new().unwrap();
    for (redirection, expected) in [
        (">/dev/full", "warning: cannot write standard output: "),
        (">&-", "input 60800 fails"),
        ("2>/dev/full", ""),
        ("| true; exit ${PIPESTATUS[0]}", "input 60800 fails"),
        ("--out /dev/null/r.jsonl", "cannot write /dev/null/r.jsonl: "),
    ] {
        let (code, _, err) =
            in_shell(folder.path(), &format!("$UTFHDL campaign {FAULTY} --json {redirection}"));
        assert_eq!(code, if redirection.contains("--out") { 2 } else { 1 }, "{redirection}: {err}");
        assert!(err.contains(expected) && !err.contains("panicked"), "{redirection}: {err}");
    }
    // The disk is full when the part that fails is to be written.
    let script = format!("ulimit -f 0; trap '' XFSZ; $UTFHDL campaign {FAULTY} --out r.jsonl");
    let (code, _, err) = in_shell(folder.path(), &script);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("input 60800 fails") && err.contains("warning: cannot write r.jsonl: "), "{err}");
}

#[test]
fn results_of_a_failure_are_added_up_and_run_again() {
    let folder = TempDir::new().unwrap();
    for shard in 1..=2 {
        let shard = format!("{FAULTY} --shard {shard}/2 --out {shard}.jsonl --failure-dir f --threads 1");
        assert_eq!(campaign(folder.path(), &shard).0, 1);
    }
    let (code, out, err) = campaign(folder.path(), "--merge 2.jsonl 1.jsonl");
    assert_eq!(code, 1, "{err}");
    let failure = &json(&out)["failure"];
    assert_eq!((&failure["input"], &failure["frame"]), (&60800.into(), &"00 ED 80".into()));
    let command = failure["command"].as_str().unwrap();
    assert!(command.ends_with(" --fault stuck-at-0@low_only --exhaustive 3 --shard 1/2"), "{command}");
    assert!(err.contains(" --exhaustive 3: input 60800 fails: 00 ED 80\n"), "{err}");
    assert!(err.ends_with(&format!("to look into it: {command}\n")), "{err}");
    // The failed input is run again, and fails again.
    let (code, _, err) = campaign(
        folder.path(),
        &format!("{FAULTY} --shard 1/2 --out 1.jsonl --resume --failure-dir f --threads 1"),
    );
    assert!(code == 1 && err.contains("input 60800 fails: 00 ED 80\n"), "{err}");
    let results = fs::read_to_string(folder.path().join("1.jsonl")).unwrap();
    assert_eq!(results.matches("\"failure\"").count(), 1, "{results}");
    // A faulty core is not the core.
    let (code, _, _) = campaign(folder.path(), "utf-8 decoder --exhaustive 3 --shard 2/2 --out sound.jsonl");
    assert_eq!(code, 0);
    let (code, _, err) = campaign(folder.path(), "--merge 1.jsonl sound.jsonl");
    assert_eq!(code, 2);
    assert!(err.starts_with("utfhdl: sound.jsonl, line 1: this is of another campaign: "), "{err}");
}

/// Every kind of fault, at signals of every role.
#[test]
fn faults_of_every_kind_are_noticed() {
    let folder = TempDir::new().unwrap();
    for arguments in [
        "utf-8 decoder --exhaustive 2 --fault stuck-at-1@slot_last_reg",
        "utf-8 decoder --exhaustive 2 --fault shifted@slot_data_reg",
        "utf-8 encoder --exhaustive 3 --fault inverted@group_continues",
        "utf-8 transcoder:utf-18 --random 4000 --stall 30 --fault stuck-at-1@output_slice.load",
    ] {
        let (code, _, err) = campaign(folder.path(), arguments);
        assert_eq!(code, 1, "{arguments}: {err}");
        assert!(
            err.contains(" fails: ") && err.contains("to repeat it: utfhdl cosim "),
            "{arguments}: {err}"
        );
    }
}
