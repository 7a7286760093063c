//! The progress of a campaign: the inputs that its lines of results cover, and those that are missing, shard by
//! shard.

use std::ops::Range;

use serde::Serialize;

use super::error::ResultsError;
use super::line::FailureLine;
use super::tally::Tally;
use crate::campaign::shard::Shard;

/// How far a campaign is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The version of the program that ran the campaign.
    pub version: String,
    /// The campaign, as the command that runs it without its shards.
    pub campaign: String,
    /// The core's netlist: the beginning of a hash of its Verilog.
    pub netlist: String,
    /// Inputs of the whole campaign.
    pub total: u64,
    /// How many inputs were run.
    pub inputs: u64,
    /// How many parts were run: the lines of results.
    pub parts: u64,
    /// The inputs that were not run.
    pub missing: Vec<Range<u64>>,
    /// The first failure of each shard that has one.
    pub failures: Vec<Failed>,
    /// How far the shards are, if all lines are of equally many shards.
    pub shards: Option<Shards>,
}

/// The shards of a campaign. Each shard is in one of the lists; a failed shard is in the list of failed ones,
/// whatever else is true of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shards {
    /// How many shards there are.
    pub of: u64,
    /// The shards of which every input was run, as ranges of their numbers.
    pub done: Vec<Range<u64>>,
    /// The shards of which some inputs were run.
    pub partly: Vec<Partial>,
    /// The shards of which no input was run, as ranges of their numbers.
    pub missing: Vec<Range<u64>>,
    /// The numbers of the shards in which an input failed.
    pub failed: Vec<u64>,
}

/// A shard of which some inputs were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Partial {
    /// The shard.
    pub shard: Shard,
    /// How many of its inputs were run.
    pub inputs: u64,
    /// How many inputs it has.
    pub total: u64,
}

/// A failure, and its shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// The shard.
    pub shard: Shard,
    /// The input.
    #[serde(flatten)]
    pub failure: FailureLine,
}

impl Status {
    /// How far the campaign of the lines of `tally` is; `None` if there are no lines.
    pub fn new(tally: &Tally) -> Option<Self> {
        let sum = tally.sum()?;
        let missing = tally.missing(0..sum.total);
        let failures: Vec<Failed> = tally
            .failures()
            .iter()
            .map(|(shard, failure)| Failed { shard: *shard, failure: failure.clone() })
            .collect();
        let shards = match Vec::from_iter(tally.shard_counts())[..] {
            [of] => Some(Shards::new(*of, sum.total, &missing, &failures)),
            _ => None,
        };
        Some(Self {
            version: sum.version.clone(),
            campaign: sum.campaign.clone(),
            netlist: sum.netlist.clone(),
            total: sum.total,
            inputs: sum.inputs,
            parts: tally.parts(),
            missing,
            failures,
            shards,
        })
    }

    /// The error that says which inputs are missing, if some are.
    pub fn missing_error(&self) -> Option<ResultsError> {
        let of = self.shards.as_ref().map(|shards| shards.of);
        (!self.missing.is_empty()).then(|| ResultsError::missing(self.missing.clone(), self.total, of))
    }
}

impl Shards {
    fn new(of: u64, total: u64, gaps: &[Range<u64>], failures: &[Failed]) -> Self {
        let failed: Vec<u64> = failures.iter().map(|failed| failed.shard.index()).collect();
        let one = |index: u64| index..index.saturating_add(1);
        let (mut partly, mut missing): (Vec<Partial>, Vec<Range<u64>>) = (Vec::new(), Vec::new());
        for gap in gaps {
            let (first, last) =
                (Shard::of_input(gap.start, total, of), Shard::of_input(gap.end - 1, total, of));
            for shard in [Some(first), Some(last).filter(|last| *last != first)].into_iter().flatten() {
                let range = shard.range(total);
                let lacking = range.end.min(gap.end) - range.start.max(gap.start);
                let inputs = range.end - range.start;
                match partly.last_mut() {
                    _ if lacking == inputs => missing.push(one(shard.index())),
                    Some(last) if last.shard == shard => last.inputs -= lacking,
                    _ => partly.push(Partial { shard, inputs: inputs - lacking, total: inputs }),
                }
            }
            if first.index() + 1 < last.index() {
                missing.push(first.index() + 1..last.index());
            }
        }
        partly.retain(|partial| !failed.contains(&partial.shard.index()));
        let partial = partly.iter().map(|partial| one(partial.shard.index()));
        let undone = joined(failed.iter().copied().map(one).chain(partial).chain(missing.clone()).collect());
        let starts = [1].into_iter().chain(undone.iter().map(|range| range.end));
        let ends = undone.iter().map(|range| range.start).chain([of.saturating_add(1)]);
        let done = starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty());
        Self { of, done: done.collect(), partly, missing: joined(missing), failed }
    }
}

/// Ranges that do not overlap in their order, with neighbours as one.
fn joined(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight shards of two blocks each.
    fn shards(gaps: &[Range<u64>], failed: &[u64]) -> Shards {
        let failed = failed.iter().map(|index| Failed {
            shard: Shard::new(*index, 8).expect("there is such a shard"),
            failure: FailureLine { input: 7, frame: String::new() },
        });
        Shards::new(8, 8192, gaps, &failed.collect::<Vec<_>>())
    }

    /// The first and the last number of each range.
    fn numbers(ranges: &[Range<u64>]) -> Vec<(u64, u64)> {
        ranges.iter().map(|range| (range.start, range.end - 1)).collect()
    }

    #[test]
    fn every_shard_is_in_one_list() {
        let all = shards(&[], &[]);
        assert_eq!((numbers(&all.done), all.partly.len(), all.missing.len()), (vec![(1, 8)], 0, 0));
        let none = shards(std::slice::from_ref(&(0..8192)), &[]);
        assert_eq!((none.done.len(), none.partly.len(), numbers(&none.missing)), (0, 0, vec![(1, 8)]));
        // Shard 2 lacks its second block, 3 and 4 all, 5 the first block, and 7 the first block and another input.
        let some = shards(&[1536..4608, 6144..6656, 7167..7168], &[]);
        assert_eq!(numbers(&some.done), [(1, 1), (6, 6), (8, 8)]);
        assert_eq!(numbers(&some.missing), [(3, 4)]);
        let partly: Vec<(u64, u64, u64)> =
            some.partly.iter().map(|part| (part.shard.index(), part.inputs, part.total)).collect();
        assert_eq!(partly, [(2, 512, 1024), (5, 512, 1024), (7, 511, 1024)]);
        // A shard with a failure counts as failed, whether or not inputs after the failure are missing.
        let failed = shards(&[1536..2048, 4096..5120], &[2, 8]);
        assert_eq!(numbers(&failed.done), [(1, 1), (3, 4), (6, 7)]);
        assert_eq!(numbers(&failed.missing), [(5, 5)]);
        assert_eq!((failed.partly.len(), &failed.failed[..]), (0, &[2, 8][..]));
    }
}
