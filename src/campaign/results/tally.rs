//! Adds up the lines of one campaign.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::ops::Range;
use std::sync::Arc;

use super::coverage::{Coverage, Lines};
use super::difference::differences;
use super::error::ResultsError;
use super::line::{FailureLine, Line};
use super::reader::Reader;
use super::sum::Sum;
use crate::campaign::setup::Campaign;
use crate::campaign::shard::Shard;

/// Lines of one campaign, added up. Its memory does not grow with their number.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The sum of the lines read; `None` before the first line.
    sum: Option<Sum>,
    /// Whether all lines have to be of the shard of the sum.
    one_shard: bool,
    covered: Coverage,
    /// The numbers of shards that the lines name.
    shard_counts: BTreeSet<u64>,
    /// How many lines there are.
    parts: u64,
    /// The first failure of each shard that has one.
    failures: BTreeMap<Shard, FailureLine>,
}

impl Tally {
    /// For lines of any one campaign, and of any of its shards.
    pub fn of_any() -> Self {
        Self::default()
    }

    /// For the lines of a campaign, of any of its shards.
    pub fn of_campaign(campaign: &Campaign) -> Self {
        let (name, netlist) = (campaign.name(), campaign.netlist().to_owned());
        let sum = Sum::new(name, netlist, campaign.total(), Shard::WHOLE);
        Self { sum: Some(sum), ..Self::default() }
    }

    /// For the lines of one shard of a campaign.
    pub fn of_shard(campaign: &Campaign, shard: Shard) -> Self {
        let tally = Self::of_campaign(campaign);
        Self { sum: tally.sum.map(|sum| Sum { shard, ..sum }), one_shard: true, ..tally }
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If the line is of another campaign or shard, or has inputs that are there already.
    pub fn add(&mut self, file: &Arc<str>, number: u64, line: &Line) -> Result<(), ResultsError> {
        let sum = self.sum.get_or_insert_with(|| {
            Sum::new(line.campaign.clone(), line.netlist.clone(), line.total, Shard::WHOLE)
        });
        let differences = differences(line, sum, self.one_shard.then_some(sum.shard));
        if !differences.is_empty() {
            return Err(ResultsError::Different { file: file.to_string(), line: number, differences });
        }
        let lines = Lines { file: Arc::clone(file), first: number, last: number };
        let covered = self.covered.insert(line.range(), lines);
        let twice = |overlap| ResultsError::Twice { file: file.to_string(), line: number, overlap };
        covered.map_err(twice)?;
        let added = sum.add(line).ok_or_else(|| ResultsError::Line {
            file: file.to_string(),
            line: number,
            reason: "the counts add up to more than 2^64 here".to_owned(),
        });
        self.shard_counts.insert(line.shard.of());
        self.parts += 1;
        if let Some(failure) = &line.failure {
            let first = self.failures.entry(line.shard).or_insert_with(|| failure.clone());
            if failure.input < first.input {
                *first = failure.clone();
            }
        }
        added
    }

    /// Adds the lines of a file.
    ///
    /// # Errors
    /// If the file has no line, or one that does not belong there; the lines before it are added all the same.
    pub fn add_file(&mut self, file: &str, text: impl BufRead) -> Result<(), ResultsError> {
        let name: Arc<str> = file.into();
        let mut is_empty = true;
        for line in Reader::new(file, text) {
            let (number, line) = line?;
            self.add(&name, number, &line)?;
            is_empty = false;
        }
        if is_empty { Err(ResultsError::Empty(file.to_owned())) } else { Ok(()) }
    }

    /// The inputs of `range` that no line has.
    pub fn missing(&self, range: Range<u64>) -> Vec<Range<u64>> {
        self.covered.gaps(range)
    }

    /// The numbers of shards that the lines say their campaign is cut into: one, if all were run alike.
    pub fn shard_counts(&self) -> &BTreeSet<u64> {
        &self.shard_counts
    }

    /// How many lines there are.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// The first failure of each shard that has one.
    pub fn failures(&self) -> &BTreeMap<Shard, FailureLine> {
        &self.failures
    }

    /// How many inputs the lines have.
    pub fn inputs(&self) -> u64 {
        self.sum.as_ref().map_or(0, |sum| sum.inputs)
    }

    /// The sum of the lines; `None` if there is no line, and no campaign was named.
    pub fn sum(&self) -> Option<&Sum> {
        self.sum.as_ref()
    }

    /// The sum of the lines, which must cover every input of the campaign unless one failed.
    ///
    /// # Errors
    /// If inputs are missing.
    pub fn whole(self) -> Result<Option<Sum>, ResultsError> {
        let Some(sum) = &self.sum else { return Ok(None) };
        let (total, missing) = (sum.total, self.missing(0..sum.total));
        if missing.is_empty() || sum.failure.is_some() {
            return Ok(self.sum);
        }
        let of = match Vec::from_iter(&self.shard_counts)[..] {
            [of] => Some(*of),
            _ => None,
        };
        Err(ResultsError::missing(missing, total, of))
    }
}
