//! The report of an input that fails, and its files.

use std::fs;
use std::path::Path;
use utfhdl_sim::shown::Shown as _;

use anyhow::Context;
use serde::Serialize;
use utfhdl::campaign::{self, Campaign, Failing, FailureLine, Inputs, Shard, Shrunk};
use utfhdl::cosim::{Failure, Source};
use utfhdl::engines::EngineKind;
use utfhdl::shell;
use utfhdl_sim::wave::WaveFiles;

use super::args::Args;
use crate::cmd::output::{message, warn_of};
use crate::cmd::{cosim, items};

/// The facts about an input that failed, for JSON.
#[derive(Serialize)]
pub(super) struct FailureReport {
    /// The number of the input.
    input: u64,
    /// The units of the input, or for an encoder the slots, in words.
    frame: String,
    /// How co-simulation fails.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    shown: Option<Shown>,
    /// The files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    /// The command that repeats the failure.
    pub(super) command: String,
}

/// A failure as co-simulation shows it, for JSON.
#[derive(Serialize)]
struct Shown {
    /// The frames that are left of the input, in words; the last of them fails.
    shrunk: Vec<String>,
    /// Whether no shorter input fails.
    is_shortest: bool,
    cycle: u64,
    port: String,
    expected: Option<String>,
    actual: String,
    event: Option<String>,
}

impl FailureReport {
    /// The report of a line of results.
    pub(super) fn of_line(line: FailureLine, command: String) -> Self {
        Self { input: line.input, frame: line.frame, shown: None, files: Vec::new(), command }
    }
}

/// Reports the input that fails, searches for the shortest one that fails, co-simulates that with waves, and reports the command to
/// repeat it.
pub(super) fn look_into(campaign: &Campaign, failing: &Failing, args: &Args) -> FailureReport {
    let module = campaign.core.design.top.name();
    let frame = campaign.in_words(&failing.frame);
    message(format!("{module}: input {} fails: {frame}", failing.input));
    let line = FailureLine { input: failing.input, frame };
    let report = FailureReport::of_line(line, campaign_command(&campaign.name(), args.shard));
    let report = match campaign::shrink(campaign, failing) {
        Ok(Some(shrunk)) => show(campaign, failing, shrunk, args, report),
        Ok(None) => {
            message(
                "co-simulation finds nothing wrong with this input: the fault is in the batch engine or its test \
                 bench, not in the core",
            );
            report
        }
        Err(error) => {
            warn_of(Err(anyhow::Error::from(error).context("the input can't be co-simulated")));
            report
        }
    };
    message(format!("to repeat it: {}", report.command));
    report
}

/// The command that runs a campaign, or a shard of it, again.
pub(super) fn campaign_command(name: &str, shard: Shard) -> String {
    let mut words = vec!["utfhdl".to_owned(), "campaign".to_owned()];
    words.extend(name.split(' ').map(str::to_owned));
    if shard != Shard::WHOLE {
        words.extend(["--shard".to_owned(), shard.to_string()]);
    }
    shell::command(words)
}

/// Says what co-simulation finds, and leaves files of it.
fn show(
    campaign: &Campaign,
    failing: &Failing,
    shrunk: Shrunk,
    args: &Args,
    report: FailureReport,
) -> FailureReport {
    let frames: Vec<String> = shrunk.frames.iter().map(|frame| campaign.in_words(frame)).collect();
    let what = if shrunk.is_shortest { "the shortest input that fails" } else { "what is needed to fail" };
    message(format!("{what}: {}", frames.join(" | ")));
    message(format!("{}: {}", campaign.core.design.top.name(), shrunk.failure));
    let shown = Some(Shown::new(frames, &shrunk));
    let mut report = FailureReport { shown, ..report };
    let written = leave_files(campaign, failing, shrunk, args.failure_dir.as_deref(), &mut report);
    warn_of(written);
    report
}

impl Shown {
    fn new(shrunk: Vec<String>, found: &Shrunk) -> Self {
        let Failure { cycle, port, difference, event } = &found.failure;
        let (expected, actual) = difference.sides();
        let (port, event) = (port.clone(), event.clone());
        Self { shrunk, is_shortest: found.is_shortest, cycle: *cycle, port, expected, actual, event }
    }
}

/// Writes the input that fails, from which `cosim` repeats the failure, and waves of that.
fn leave_files(
    campaign: &Campaign,
    failing: &Failing,
    shrunk: Shrunk,
    folder: Option<&Path>,
    report: &mut FailureReport,
) -> anyhow::Result<()> {
    let folder = folder.unwrap_or(Path::new(""));
    if folder != Path::new("") {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.shown()))?;
    }
    let file = |extension: &str| folder.join(format!("{}.failure.{extension}", stem(campaign, failing)));
    let mut cosim = shrunk.cosim;
    let engines = [EngineKind::Native];
    if let Source::Given(items) = &cosim.source {
        let (path, source) = items::write(items, &campaign.core, file)?;
        report.files.push(path.display().to_string());
        cosim.source = source;
    }
    if let Some(mut command) = cosim.replay(&engines) {
        if let Some(fault) = &campaign.fault {
            command += &format!(" --fault {}", shell::quoted(fault.to_string().as_ref()));
        }
        report.command = command;
    }
    let written = cosim::write_waves(&cosim, &engines, &file("vcd"), 0).context("there are no waves")?;
    message(&written);
    let WaveFiles { dump, gtkw, sucl } = &written.files;
    report.files.extend([dump, gtkw, sucl].map(|path| path.display().to_string()));
    Ok(())
}

/// The prefix of the names of a failure's files. The prefix is unique among the failures of all campaigns, so jobs that share a folder do
/// not overwrite files of each other.
fn stem(campaign: &Campaign, failing: &Failing) -> String {
    let module = campaign.core.design.top.name();
    let fault = campaign.fault.as_ref().map_or(String::new(), |fault| format!("-{fault}"));
    let inputs = match campaign.inputs {
        Inputs::Exhaustive { units } => format!("exhaustive-{units}"),
        Inputs::Random { seed, stall, .. } => format!("random-seed-{seed}-stall-{stall}"),
    };
    format!("{module}{fault}-{inputs}-input-{}", failing.input)
}
