//! Commands on many files of results: `--merge` adds them up, `status` shows the progress of their campaign.

use std::fs;
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};
use utfhdl_sim::shown::Shown as _;

use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use utfhdl::campaign::{Campaign, Partial, ResultsError, Shard, Shards, Status, Tally, numbers_in_words};

use super::args::StatusArgs;
use super::failure::{self, FailureReport};
use super::{Report, summary};
use crate::cmd::output::{self, message, warn_of};
use crate::cmd::{Outcome, files};

/// The extension of files of results in a folder that is given in place of files.
const EXTENSION: &str = "jsonl";

/// Adds up files of results: of `campaign`, or of any one.
pub(super) fn merge(paths: &[PathBuf], campaign: Option<&Campaign>) -> anyhow::Result<Outcome> {
    let mut tally = campaign.map_or_else(Tally::of_any, Tally::of_campaign);
    for path in files_of(paths)? {
        match add(&mut tally, &path) {
            Err(error) if is_torn(&error) => {
                warn_of(Err(anyhow!("{error:#}; the shard goes on there by --resume")));
            }
            added => added?,
        }
    }
    let mut sum = tally.whole()?.context("there are no results to add up")?;
    let Some(failure) = sum.failure.take() else {
        output::print_json(&Report { sum: sum.clone(), failure: None })?;
        message(summary(&sum));
        return Ok(Outcome::Well);
    };
    message(format!("{}: input {} fails: {}", sum.campaign, failure.input, failure.frame));
    let shard = sum.failed_in.unwrap_or(Shard::WHOLE);
    let failure = FailureReport::of_line(failure, failure::campaign_command(&sum.campaign, shard));
    message(format!("to look into it: {}", failure.command));
    warn_of(output::print_json(&Report { sum, failure: Some(failure) }));
    Ok(Outcome::Amiss)
}

/// The JSON output of `status`.
#[derive(Serialize)]
struct StatusReport<'s> {
    #[serde(flatten)]
    status: Option<&'s Status>,
    /// Lines that cannot be read, in words. All lines before them count.
    unreadable: &'s [String],
    /// Last lines that are cut off, in words.
    torn: &'s [String],
}

/// Says how far a campaign is.
pub(super) fn status(args: &StatusArgs) -> anyhow::Result<Outcome> {
    let mut tally = Tally::of_any();
    let (mut unreadable, mut torn) = (Vec::new(), Vec::new());
    let paths = files_of(&args.files)?;
    for path in &paths {
        if let Err(error) = add(&mut tally, path) {
            let list = if is_torn(&error) { &mut torn } else { &mut unreadable };
            list.push(format!("{error:#}"));
        }
    }
    let status = Status::new(&tally);
    if args.json {
        let (unreadable, torn) = (&unreadable[..], &torn[..]);
        output::print_json(&StatusReport { status: status.as_ref(), unreadable, torn })?;
    } else {
        let text = in_words(status.as_ref(), &unreadable, &torn);
        output::print(|out| out.write_all(text.as_bytes()))?;
    }
    if status.as_ref().is_some_and(|status| !status.failures.is_empty()) {
        return Ok(Outcome::Amiss);
    }
    if !unreadable.is_empty() {
        bail!("{} of {} files can't be read to the end", unreadable.len(), paths.len());
    }
    match status.context("there are no results yet")?.missing_error() {
        Some(missing) => Err(missing.into()),
        None => Ok(Outcome::Well),
    }
}

/// How far a campaign is, in lines.
fn in_words(status: Option<&Status>, unreadable: &[String], torn: &[String]) -> String {
    let mut lines = Vec::new();
    if let Some(status) = status {
        let Status { version, campaign, netlist, total, inputs, parts, missing, failures, shards } = status;
        let lacking = count(missing);
        lines.push(format!("{campaign} (netlist {netlist}, version {version})"));
        let failed = failures.len();
        lines.push(format!("{inputs} of {total} inputs are run, {lacking} are missing; parts: {parts}"));
        match shards {
            Some(Shards { of, done, partly, missing, failed: _ }) => {
                lines.push(format!(
                    "shards: {of}, of which done {}, failed {failed}, begun {}, missing {}",
                    count(done),
                    partly.len(),
                    count(missing)
                ));
                if !done.is_empty() {
                    lines.push(format!("done: {}", numbers_in_words(done)));
                }
                let begun = |part: &Partial| {
                    format!("begun: {}, {} of {} inputs", part.shard, part.inputs, part.total)
                };
                lines.extend(partly.iter().map(begun));
                if !missing.is_empty() {
                    lines.push(format!("missing: {}", numbers_in_words(missing)));
                }
            }
            None => lines.push("the files are of campaigns that were cut into shards differently".to_owned()),
        }
        let found = failures.iter().map(|found| {
            format!("failed: {}, input {}: {}", found.shard, found.failure.input, found.failure.frame)
        });
        lines.extend(found);
    }
    lines.extend(torn.iter().map(|torn| format!("cut off: {torn}")));
    lines.extend(unreadable.iter().map(|error| format!("unreadable: {error}")));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// How many numbers are in ranges.
fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// Adds a file; all lines before the first that is wrong count.
fn add(tally: &mut Tally, path: &Path) -> anyhow::Result<()> {
    let input = files::open(Some(path))?;
    Ok(tally.add_file(&input.name, BufReader::new(input.file))?)
}

fn is_torn(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ResultsError::Torn { .. }))
}

/// The files among `paths` and in the folders among `paths`, in the order of their names.
fn files_of(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let cannot_read = || format!("cannot read the folder {}", path.shown());
        let mut found = Vec::new();
        for entry in fs::read_dir(path).with_context(cannot_read)? {
            let file = entry.with_context(cannot_read)?.path();
            if file.extension().is_some_and(|extension| extension == EXTENSION) {
                found.push(file);
            }
        }
        if found.is_empty() {
            bail!("there are no results in {}: no file there ends in .{EXTENSION}", path.shown());
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}
