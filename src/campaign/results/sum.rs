//! The sum of the results of one campaign.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::line::{FailureLine, Line, VERSION};
use crate::campaign::shard::Shard;

/// The sums of the counts of all lines of one campaign, and the first failure among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// The version of the program that ran the campaign.
    pub version: String,
    /// The campaign, as the command that runs it without its shards.
    pub campaign: String,
    /// The core's netlist: the beginning of a hash of its Verilog.
    pub netlist: String,
    /// Inputs of the whole campaign.
    pub total: u64,
    /// The shard that was run; the whole, where results of several were added up.
    pub shard: Shard,
    /// The backends of the batch engine that ran the parts.
    pub backends: BTreeSet<String>,
    /// How many inputs were run.
    pub inputs: u64,
    /// Code points in them.
    pub code_points: u64,
    /// Errors in them, by kind.
    pub errors: BTreeMap<String, u64>,
    /// The first input that failed, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureLine>,
    /// The shard of the line that says so.
    #[serde(skip)]
    pub failed_in: Option<Shard>,
}

impl Sum {
    pub(super) fn new(campaign: String, netlist: String, total: u64, shard: Shard) -> Self {
        Self {
            version: VERSION.to_owned(),
            campaign,
            netlist,
            total,
            shard,
            backends: BTreeSet::new(),
            inputs: 0,
            code_points: 0,
            errors: BTreeMap::new(),
            failure: None,
            failed_in: None,
        }
    }

    /// Adds the counts of a line; `None` if a count no longer fits.
    pub(super) fn add(&mut self, line: &Line) -> Option<()> {
        self.inputs = self.inputs.checked_add(line.inputs)?;
        self.code_points = self.code_points.checked_add(line.code_points)?;
        for (kind, count) in &line.errors {
            let sum = self.errors.entry(kind.clone()).or_default();
            *sum = sum.checked_add(*count)?;
        }
        if !self.backends.contains(&line.backend) {
            self.backends.insert(line.backend.clone());
        }
        if let Some(failure) = &line.failure
            && self.failure.as_ref().is_none_or(|first| failure.input < first.input)
        {
            (self.failure, self.failed_in) = (Some(failure.clone()), Some(line.shard));
        }
        Some(())
    }
}
