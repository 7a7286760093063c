//! A campaign as jobs of Slurm: an array that runs a shard in each task, and a dependent job that adds up the results.

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use utfhdl::shell;

use super::task_index::TaskIndex;
use super::tasks::Tasks;
use crate::cmd::output::{self, message};

/// The jobs of a campaign.
pub(super) struct Jobs<'t> {
    tasks: &'t Tasks,
    partition: Option<&'t str>,
    /// The prefix of the names of all logs, in the syntax of Slurm.
    logs: String,
}

impl<'t> Jobs<'t> {
    /// The jobs that run `tasks`.
    pub(super) fn new(tasks: &'t Tasks, partition: Option<&'t str>) -> anyhow::Result<Self> {
        let folder = tasks.folder.join("logs");
        let name = folder.to_str().filter(|name| !name.contains('\\') && !name.contains(char::is_control));
        let name = name.with_context(|| {
            format!(
                "--out {}: Slurm can't write logs there: choose a folder whose name is UTF-8, without \\ and control \
                 characters",
                tasks.folder.shown()
            )
        })?;
        Ok(Self { tasks, partition, logs: name.replace('%', "%%") })
    }

    /// A script of bash that submits both jobs.
    pub(super) fn script(&self) -> String {
        let Tasks { name, count, folder, .. } = self.tasks;
        let folder = shell::quoted(folder.as_os_str());
        let submit = |options: Vec<String>| shell::command([vec!["sbatch".to_owned()], options].concat());
        let (array, merge) = (submit(self.array_options()), submit(self.merge_options()));
        let (task, sum) = (self.task_script(), self.merge_script());
        format!(
            r#"#!/usr/bin/env bash
# Submits a campaign of {name} to Slurm: an array of {count} tasks, each of which runs a shard of the
# inputs, and a job that adds up what they found. The exit code of that job is the verdict: 0 if the core agrees with the
# reference on every input, 1 if it does not, 2 if something is missing. Submitted again, it goes on with what is missing.

set -euo pipefail

mkdir -p {folder}/logs

array=$({array} <<'TASK'
{task}TASK
)
array=${{array%%;*}} # JOB, or JOB;CLUSTER

merge=$({merge} --dependency=afterany:"$array" <<'MERGE'
{sum}MERGE
)
merge=${{merge%%;*}}

echo "job $array runs {count} shards, and job $merge adds them up" >&2
echo "$merge"
"#
        )
    }

    /// Submits both jobs, and prints the number of the one that adds up.
    pub(super) fn submit(&self) -> anyhow::Result<()> {
        let logs = self.tasks.folder.join("logs");
        fs::create_dir_all(&logs).with_context(|| format!("cannot make the folder {}", logs.shown()))?;
        let array = sbatch(&self.array_options(), &self.task_script())?;
        let mut options = self.merge_options();
        options.push(format!("--dependency=afterany:{array}"));
        let merge = sbatch(&options, &self.merge_script()).with_context(|| {
            format!(
                "job {array} runs the shards, but there is none that adds them up: {}",
                self.tasks.merge()
            )
        })?;
        let count = self.tasks.count;
        message(format!("job {array} runs {count} shards, and job {merge} adds them up"));
        output::print(|out| writeln!(out, "{merge}"))
    }

    fn array_options(&self) -> Vec<String> {
        self.options("%A_%a")
    }

    fn merge_options(&self) -> Vec<String> {
        self.options("merge_%j")
    }

    /// The options that are given on the command line and not in the script, since words of users can be quoted there.
    fn options(&self, log: &str) -> Vec<String> {
        let partition = self.partition.map(|partition| format!("--partition={partition}"));
        let output = format!("--output={}/{log}.log", self.logs);
        ["--parsable".to_owned(), output].into_iter().chain(partition).collect()
    }

    /// The script of a task.
    fn task_script(&self) -> String {
        let Tasks { name, count, threads, .. } = self.tasks;
        let command = self.tasks.command(&TaskIndex::Variable("SLURM_ARRAY_TASK_ID".to_owned()));
        let command = command.join(" \\\n    ");
        format!(
            r#"#!/usr/bin/env bash
#SBATCH --job-name={name}
#SBATCH --array=1-{count}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={threads}
# Slurm queues a task again that was preempted or lost its node. Its log goes on then, and so does its shard.
#SBATCH --requeue
#SBATCH --open-mode=append
# Nobody queues a task again that has used up its time: it is told a minute before, and does so itself.
#SBATCH --signal=B:USR1@60

set -euo pipefail

{command} &
campaign=$!

# Slurm sends SIGTERM to all processes of the task, and SIGUSR1 to this shell alone. The campaign stops at SIGTERM; what it
# has done is in its file of results.
requeue=
trap 'signal=TERM' TERM
trap 'signal=USR1; requeue=yes; kill -TERM "$campaign" || true' USR1
until
    signal=
    code=0
    wait "$campaign" || code=$?
    [[ -z $signal ]] # else it was the signal that ended `wait`
do :; done

# From 2 on, the exit code says that the shard is not done. (SLURM_JOB_ID of the last task stands for the whole array.)
if [[ -n $requeue && $code -ge 2 ]]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
fi
exit "$code"
"#
        )
    }

    /// The script of the job that adds up.
    fn merge_script(&self) -> String {
        let name = &self.tasks.name;
        let (status, merge) = (self.tasks.status(), self.tasks.merge());
        let folder = shell::quoted(self.tasks.folder.as_os_str());
        format!(
            r#"#!/usr/bin/env bash
#SBATCH --job-name={name}-merge
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append

set -euo pipefail

{status} || true # for the log
exec {merge} \
    >{folder}/sum.json
"#
        )
    }
}

/// Submits a script; gives the number of the job.
fn sbatch(options: &[String], script: &str) -> anyhow::Result<String> {
    let spawned = Command::new("sbatch")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "--submit needs sbatch, which is not on the path: use it where Slurm is installed; without --submit the script is \
             printed, to be run there"
        ),
        spawned => spawned.context("cannot run sbatch")?,
    };
    // Whoever ends before it has read everything says why on standard error.
    let written = child.stdin.take().expect("it is a pipe").write_all(script.as_bytes());
    let output = child.wait_with_output().context("cannot run sbatch")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        bail!("sbatch did not take the job ({}): {}", output.status, said.join("; "));
    }
    written.context("cannot write to sbatch")?;
    if !said.trim().is_empty() {
        message(said.trim());
    }
    // JOB, or JOB;CLUSTER.
    let text = String::from_utf8_lossy(&output.stdout);
    let job = text.trim().split(';').next().unwrap_or_default();
    if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!("sbatch printed no number of a job, but {:?}", text.trim());
    }
    Ok(job.to_owned())
}
