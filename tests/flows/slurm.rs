//! Campaigns on a cluster of Slurm that the test starts: nothing is lost and nothing counted twice, however often tasks are
//! queued again, and the exit code of the last job is the verdict.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use crate::common::command::{campaign, json};
use crate::common::slurm::{Cluster, wait_for};

/// Inputs of each shard: they take some seconds.
const INPUTS: u64 = 6_291_456 / 4;

/// Submits a campaign with its results in a folder; gives the numbers of its two jobs.
fn submit(cluster: &Cluster, folder: &Path, arguments: &str, out: &str) -> (String, String) {
    let mut command = cluster.command(cargo_bin("utfhdl"));
    command.current_dir(folder).arg("campaign").args(arguments.split(' '));
    let output = command.args(["--slurm", "--submit", "--out", out]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let array =
        said.strip_prefix("job ").and_then(|said| said.split_once(' ')).expect("the number of the array").0;
    (array.to_owned(), String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

#[test]
#[ignore = "needs slurm-wlm and munge: tools/test installs them and runs this"]
fn an_array_adds_up_to_what_one_run_says() {
    let cluster = Cluster::start();
    let folder = TempDir::new().unwrap();
    // Four shards of INPUTS inputs.
    let random = "utf-8 decoder --random 6291456 --seed 3";
    let (array, merge) = submit(&cluster, folder.path(), &format!("{random} --array 4"), "results");
    let inputs = |shard: u32| -> u64 {
        let file = folder.path().join(format!("results/shard-{shard}.jsonl"));
        let text = fs::read_to_string(file).unwrap_or_default();
        // A line that is being written has no line feed yet.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| json(line)["inputs"].as_u64().expect("a line has inputs")).sum()
    };
    // At most two tasks run at a time. One of the last two queues itself again, as it does when its time is up; the other is
    // queued again from outside. (While tasks of the array wait, scancel delivers a signal, reports that it could not, and
    // tries again.)
    let tasks = [3, 4].map(|shard| format!("{array}_{shard}"));
    wait_for("the first parts of shards 3 and 4", || (inputs(3) > 0 && inputs(4) > 0).then_some(()));
    cluster.run("scancel", &["--batch", "--signal=USR1", &tasks[1]]);
    cluster.run("scontrol", &["requeue", &tasks[0]]);
    for (task, shard) in tasks.iter().zip(3..) {
        wait_for("a task that is queued again", || (cluster.of_job(task, "Restarts")? == "1").then_some(()));
        assert!((1..INPUTS).contains(&inputs(shard)), "{task} was stopped in the middle");
    }
    verdicts_are_exit_codes(&cluster);
    assert_eq!(cluster.exit_code(&merge), 0);
    let sum = json(&fs::read_to_string(folder.path().join("results/sum.json")).unwrap());
    let (code, whole, err) = campaign(folder.path(), &format!("{random} --json"));
    assert_eq!((code, json(&whole)), (0, sum), "{err}");
    assert_eq!([1, 2, 3, 4].map(inputs), [INPUTS; 4]);
    let log = |name: &str| fs::read_to_string(folder.path().join("results/logs").join(name)).unwrap();
    for task in [3, 4] {
        let log = log(&format!("{array}_{task}.log"));
        assert!(log.contains("utfhdl: stopped after ") && log.contains("the core agrees with"), "{log}");
    }
    let log = log(&format!("merge_{merge}.log"));
    assert!(log.contains("\nshards: 4, of which done 4, failed 0, begun 0, missing 0\n"), "{log}");
    let (code, out, err) = campaign(folder.path(), "status results");
    assert_eq!(code, 0, "{out}{err}");
}

/// While tasks wait to be run again, others have the node.
fn verdicts_are_exit_codes(cluster: &Cluster) {
    let folder = TempDir::new().unwrap();
    // A fault that is found, in a folder whose name a shell and Slurm would take apart.
    let strange = "it's $HOME; a `new` \"folder\" 100%a # more";
    let fault = "utf-8 decoder --exhaustive 2 --fault stuck-at-0@low_only --array 2 --partition all";
    let (_, failed) = submit(cluster, folder.path(), fault, strange);
    // Nobody runs it: the folder stays without results.
    let (array, nothing) =
        submit(cluster, folder.path(), "utf-8 decoder --exhaustive 6 --array 2", "nothing");
    cluster.run("scancel", &[&array]);
    assert_eq!(cluster.exit_code(&failed), 1);
    let sum = json(&fs::read_to_string(folder.path().join(strange).join("sum.json")).unwrap());
    assert!(sum["failure"]["input"].is_u64(), "{sum}");
    assert!(folder.path().join(strange).join("failures").is_dir());
    assert_eq!(cluster.exit_code(&nothing), 2);
}
