//! A campaign as an array of tasks on a cluster, each of which runs a shard: the command of a task, for any scheduler.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, bail};
use utfhdl::campaign::{BLOCK, Campaign, Shard};
use utfhdl::shell;

use super::args::Args;
use super::task_index::TaskIndex;
use crate::cmd::program;

/// The most tasks of an array, where nobody says how many.
const TASKS: u64 = 64;

/// The tasks of a campaign.
pub(super) struct Tasks {
    /// The path of this program.
    program: PathBuf,
    /// The arguments that say which campaign, with all options spelled out.
    campaign: Vec<String>,
    /// The prefix of names on the cluster.
    pub(super) name: String,
    /// The number of tasks.
    pub(super) count: u64,
    /// Threads of each.
    pub(super) threads: u32,
    /// The folder for results.
    pub(super) folder: PathBuf,
    failures: PathBuf,
}

impl Tasks {
    /// The tasks that the arguments ask for.
    pub(super) fn new(args: &Args, campaign: &Campaign) -> anyhow::Result<Self> {
        let folder = args.out.as_deref().context("--out DIR says which folder is for the results")?;
        if folder == Path::new("-") {
            bail!("--out needs a folder for the results of all tasks");
        }
        if folder.exists() && !folder.is_dir() {
            bail!("--out {}: the results of all tasks go to a folder, and this is none", folder.shown());
        }
        let count = args.array.map_or(campaign.total().div_ceil(BLOCK).min(TASKS), NonZero::get);
        // The first shard is empty if any is.
        campaign.range_of(Shard::new(1, count).context("--array can't be 0")?)?;
        let folder = not_an_option(folder);
        let failures = args.failure_dir.as_deref().map_or_else(|| folder.join("failures"), not_an_option);
        Ok(Self {
            program: program::path(),
            campaign: campaign.name().split(' ').map(str::to_owned).collect(),
            name: campaign.core.design.top.name().to_owned(),
            count,
            threads: args.threads.unwrap_or(1),
            folder,
            failures,
        })
    }

    /// The command that runs or continues the shard of a task, as lines of a shell script.
    pub(super) fn command(&self, index: &TaskIndex) -> [String; 3] {
        let (count, threads, index) = (self.count, self.threads, index.in_shell());
        let (folder, failures) =
            (shell::quoted(self.folder.as_os_str()), shell::quoted(self.failures.as_os_str()));
        [
            self.start(),
            format!("--shard {index}/{count} --threads {threads} --resume"),
            format!("--out {folder}/shard-{index}.jsonl --failure-dir {failures}"),
        ]
    }

    /// The command on one line, which creates the folder first.
    pub(super) fn line(&self, index: &TaskIndex) -> String {
        let folder = shell::quoted(self.folder.as_os_str());
        format!("mkdir -p {folder} && {}", self.command(index).join(" "))
    }

    /// The command that adds up the results of all tasks.
    pub(super) fn merge(&self) -> String {
        format!("{} --merge {}", self.start(), shell::quoted(self.folder.as_os_str()))
    }

    /// The command that says how far the tasks are.
    pub(super) fn status(&self) -> String {
        let folder = shell::quoted(self.folder.as_os_str());
        format!("{} campaign status {folder}", shell::quoted(self.program.as_os_str()))
    }

    /// The first words of all commands about this campaign.
    fn start(&self) -> String {
        let campaign = shell::command(&self.campaign);
        format!("{} campaign {campaign}", shell::quoted(self.program.as_os_str()))
    }
}

/// A path that does not begin as an option does.
fn not_an_option(path: &Path) -> PathBuf {
    let is_like_one = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if is_like_one { Path::new(".").join(path) } else { path.to_owned() }
}
