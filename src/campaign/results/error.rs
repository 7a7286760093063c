//! Why results can't be read or added up.

use std::io;
use std::ops::Range;

use super::coverage::Overlap;
use super::difference::Difference;
use crate::campaign::shard::Shard;

/// Why results can't be read or added up.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// A file that can't be read.
    #[error("cannot read {file}")]
    Read {
        /// The file.
        file: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A line that is no result of a campaign, or that contradicts itself.
    #[error("{file}, line {line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// Counted from 1.
        line: u64,
        /// The fault of the line.
        reason: String,
    },
    /// A last line that is only begun.
    #[error("{file}, line {line}: the line is cut off: whoever wrote it was stopped, or the disk was full")]
    Torn {
        /// The file.
        file: String,
        /// Counted from 1.
        line: u64,
    },
    /// A file without results.
    #[error("there are no results in {0}")]
    Empty(String),
    /// A line of another campaign than those before it.
    #[error("{file}, line {line}: this is of another campaign: {}", list(.differences))]
    Different {
        /// The file.
        file: String,
        /// Counted from 1.
        line: u64,
        /// The differences from the expected campaign; never empty.
        differences: Vec<Difference>,
    },
    /// A line with inputs that another line has, too.
    #[error("{file}, line {line}: inputs {} to {} are there twice, here and in {}", .overlap.inputs.start, .overlap.inputs.end - 1, .overlap.lines)]
    Twice {
        /// The file.
        file: String,
        /// Counted from 1.
        line: u64,
        /// The inputs, and where else they are.
        overlap: Overlap,
    },
    /// Inputs that were not run.
    #[error("{} of {total} inputs are missing: {}{}", count(.missing), in_words(.missing, |range| format!("{} to {}", range.start, range.end - 1)), advice(.shards))]
    Missing {
        /// The inputs.
        missing: Vec<Range<u64>>,
        /// Inputs of the campaign.
        total: u64,
        /// The shards that hold them, as ranges of their numbers, if all lines are of equally many shards.
        shards: Option<MissingShards>,
    },
}

impl ResultsError {
    /// The error that lists the missing inputs, and their shards of `of` if all lines have that number of
    /// shards.
    pub(super) fn missing(missing: Vec<Range<u64>>, total: u64, of: Option<u64>) -> Self {
        let shards = of.map(|of| MissingShards { numbers: shards_of(&missing, total, of), of });
        Self::Missing { missing, total, shards }
    }
}

/// The numbers of the shards that have some of the inputs, as ranges.
fn shards_of(inputs: &[Range<u64>], total: u64, of: u64) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for inputs in inputs {
        let shard = |input| Shard::of_input(input, total, of).index();
        let (first, end) = (shard(inputs.start), shard(inputs.end - 1) + 1);
        match ranges.last_mut() {
            Some(last) if first <= last.end => last.end = end,
            _ => ranges.push(first..end),
        }
    }
    ranges
}

/// Shards that are missing, at least in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingShards {
    /// Ranges of their numbers, which count from 1.
    pub numbers: Vec<Range<u64>>,
    /// How many shards the campaign is cut into.
    pub of: u64,
}

/// The most ranges that an error shows.
const MOST_SHOWN: usize = 8;

fn list(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// Ranges with commas between, the first few of many.
fn in_words(ranges: &[Range<u64>], one: impl Fn(&Range<u64>) -> String) -> String {
    let shown: Vec<String> = ranges.iter().take(MOST_SHOWN).map(one).collect();
    match ranges.len().saturating_sub(MOST_SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more ranges", shown.join(", ")),
    }
}

fn advice(shards: &Option<MissingShards>) -> String {
    let Some(MissingShards { numbers, of }) = shards else { return String::new() };
    match &numbers[..] {
        [one] if one.end - one.start == 1 => {
            format!("; run shard {}", Shard::new(one.start, *of).map_or(String::new(), String::from))
        }
        _ => format!("; run shards {} of {of}", numbers_in_words(numbers)),
    }
}

/// Ranges of numbers with commas between, the first few of many.
pub fn numbers_in_words(ranges: &[Range<u64>]) -> String {
    in_words(ranges, |range| match range.end - range.start {
        1 => range.start.to_string(),
        _ => format!("{} to {}", range.start, range.end - 1),
    })
}
