//! What a campaign leaves: a line of JSON for each part that is done, and the sum of many.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};

/// A part of a campaign that is done: a line of its results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The campaign, as the command that runs it without its shards.
    pub campaign: String,
    /// The core's netlist: the beginning of a hash of its Verilog.
    pub netlist: String,
    /// Inputs of the whole campaign.
    pub total: u64,
    /// The shard, as it was asked for.
    pub shard: String,
    /// The number of the first input, counted from 0.
    pub first: u64,
    /// How many inputs.
    pub inputs: u64,
    /// Code points in them.
    pub code_points: u64,
    /// Errors in them, by kind.
    pub errors: BTreeMap<String, u64>,
    /// The first input that failed, if one did: the part ends with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureLine>,
}

/// An input that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureLine {
    /// Its number.
    pub input: u64,
    /// Its units, or of an encoder its slots, [in words](super::Campaign::in_words).
    pub frame: String,
}

/// Why results can't be read or added up.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file that can't be read.
    #[error("{file}")]
    Read {
        /// The file.
        file: String,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// A line that is no result.
    #[error("{file}, line {line}: this is no result of a campaign: {reason}")]
    NoResult {
        /// The file.
        file: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing to add up.
    #[error("there are no results in {}", .0.join(", "))]
    Empty(Vec<String>),
    /// Lines of different campaigns.
    #[error("{file} is of another campaign: {found}, where {} has {expected}", .others)]
    Different {
        /// The file with the other campaign.
        file: String,
        /// Its campaign.
        found: String,
        /// The first file.
        others: String,
        /// The campaign of the first.
        expected: String,
    },
    /// Inputs that were run twice.
    #[error("inputs {from} to {to} are there twice, of shard {first} and of shard {second}")]
    Twice {
        /// The first of them.
        from: u64,
        /// The last of them.
        to: u64,
        /// Where they are.
        first: String,
        /// Where they are too.
        second: String,
    },
    /// Inputs that were not run.
    #[error("{} of {total} inputs are missing: {}", .missing.iter().map(|(from, to)| to - from).sum::<u64>(), missing_in_words(.missing, .shards))]
    Missing {
        /// The ranges that are missing: from, and up to but not including.
        missing: Vec<(u64, u64)>,
        /// Inputs of the campaign.
        total: u64,
        /// The shards that are there.
        shards: Vec<String>,
    },
}

fn missing_in_words(missing: &[(u64, u64)], shards: &[String]) -> String {
    let mut ranges: Vec<String> =
        missing.iter().take(4).map(|(from, to)| format!("{from} to {}", to - 1)).collect();
    if missing.len() > 4 {
        ranges.push("…".to_owned());
    }
    let absent: Vec<String> = absent_shards(shards).into_iter().take(8).collect();
    match absent.is_empty() {
        true => ranges.join(", "),
        false => format!("{}; there is nothing of shard {}", ranges.join(", "), absent.join(", ")),
    }
}

/// The shards `K/N` that are not in the list, for each `N` in it.
fn absent_shards(shards: &[String]) -> Vec<String> {
    let counts = shards.iter().filter_map(|shard| shard.split_once('/')?.1.parse::<u64>().ok());
    let counts: std::collections::BTreeSet<u64> = counts.collect();
    let all = counts.into_iter().flat_map(|count| (1..=count).map(move |shard| format!("{shard}/{count}")));
    all.filter(|shard| !shards.contains(shard)).take(9).collect()
}

/// The lines of a file of results. A last line that was cut off in the middle is passed over.
///
/// # Errors
/// If a line is no result.
pub fn read(file: &str, text: impl BufRead) -> Result<Vec<Line>, MergeError> {
    let mut lines = Vec::new();
    let mut broken = None;
    for (index, text) in text.lines().enumerate() {
        let text = text.map_err(|error| MergeError::Read { file: file.to_owned(), error })?;
        if let Some(broken) = broken.take() {
            return Err(broken);
        }
        match serde_json::from_str(&text) {
            Ok(line) => lines.push(line),
            Err(error) => {
                let (file, line, reason) = (file.to_owned(), index + 1, error.to_string());
                broken = Some(MergeError::NoResult { file, line, reason });
            }
        }
    }
    // Whoever was killed in mid-line has one line that is not done.
    match broken {
        Some(broken) if lines.is_empty() => Err(broken),
        _ => Ok(lines),
    }
}

/// Adds up the results of files, which must hold every input of one campaign once.
///
/// # Errors
/// If something is missing, there twice, or of another campaign.
pub fn merge(files: &[(String, Vec<Line>)]) -> Result<Line, MergeError> {
    let mut lines = files.iter().flat_map(|(file, lines)| lines.iter().map(move |line| (file, line)));
    let Some((first_file, first)) = lines.next() else {
        return Err(MergeError::Empty(files.iter().map(|(file, _)| file.clone()).collect()));
    };
    for (file, line) in lines {
        if (&line.campaign, &line.netlist, line.total) != (&first.campaign, &first.netlist, first.total) {
            let of = |line: &Line| format!("`{}` of netlist {}", line.campaign, line.netlist);
            let (file, others) = (file.clone(), first_file.clone());
            return Err(MergeError::Different { file, found: of(line), others, expected: of(first) });
        }
    }
    let mut lines: Vec<&Line> = files.iter().flat_map(|(_, lines)| lines).collect();
    lines.sort_by_key(|line| line.first);
    let failure = lines.iter().find_map(|line| line.failure.clone());
    for pair in lines.windows(2) {
        let end = pair[0].first + pair[0].inputs;
        if pair[1].first < end {
            return Err(MergeError::Twice {
                from: pair[1].first,
                to: end.min(pair[1].first + pair[1].inputs) - 1,
                first: pair[0].shard.clone(),
                second: pair[1].shard.clone(),
            });
        }
    }
    let missing = gaps(&lines, 0..first.total);
    // After a failure nobody goes on.
    if !missing.is_empty() && failure.is_none() {
        let mut shards: Vec<String> = lines.iter().map(|line| line.shard.clone()).collect();
        shards.dedup();
        return Err(MergeError::Missing { missing, total: first.total, shards });
    }
    let mut sum = Line { shard: "1/1".to_owned(), first: 0, failure, ..sum(first, &lines) };
    sum.inputs = lines.iter().map(|line| line.inputs).sum();
    Ok(sum)
}

/// The sum of lines of one campaign, `like` that one in all else.
pub fn sum(like: &Line, lines: &[&Line]) -> Line {
    let mut sum = Line { inputs: 0, code_points: 0, errors: BTreeMap::new(), ..like.clone() };
    for line in lines {
        sum.inputs += line.inputs;
        sum.code_points += line.code_points;
        line.errors.iter().for_each(|(kind, count)| *sum.errors.entry(kind.clone()).or_default() += count);
    }
    sum
}

/// The parts of `whole` that no line covers; the lines are in order and do not overlap.
pub fn gaps(lines: &[&Line], whole: std::ops::Range<u64>) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut at = whole.start;
    for line in lines {
        if line.first > at {
            gaps.push((at, line.first.min(whole.end)));
        }
        at = at.max(line.first + line.inputs);
    }
    if at < whole.end {
        gaps.push((at, whole.end));
    }
    gaps
}
