//! Why results can't be read or added up.

use std::io;
use std::ops::Range;

use super::coverage::Overlap;
use crate::campaign::shard::Shard;

/// Why results can't be read or added up.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// A file that can't be read.
    #[error("cannot read {file}")]
    Read {
        /// The file.
        file: String,
        /// What the system says.
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
        /// What is wrong with the line.
        reason: String,
    },
    /// A file without results.
    #[error("there are no results in {0}")]
    Empty(String),
    /// A line of another campaign than those before it.
    #[error("{file}, line {line}: this is of another campaign: {found}, not {expected}")]
    Different {
        /// The file.
        file: String,
        /// Counted from 1.
        line: u64,
        /// The campaign of the line.
        found: String,
        /// The campaign that was expected.
        expected: String,
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
    let number = |range: &Range<u64>| match range.end - range.start {
        1 => range.start.to_string(),
        _ => format!("{} to {}", range.start, range.end - 1),
    };
    match &numbers[..] {
        [one] if one.end - one.start == 1 => {
            format!("; run shard {}", Shard::new(one.start, *of).map_or(String::new(), String::from))
        }
        _ => format!("; run shards {} of {of}", in_words(numbers, number)),
    }
}
