//! A line of results: the result of one part of a campaign, as JSON with a checksum.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::campaign::part::Part;
use crate::campaign::setup::Campaign;
use crate::campaign::shard::{BLOCK, Shard};

/// Bytes of a line's checksum.
const CHECKSUM_BYTES: usize = 8;

/// The version of the program. Lines of two versions are never added up: another version may have other inputs under the same
/// name, or check them otherwise.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The beginning of every line.
const START: &[u8] = b"{\"version\":\"";

/// A part of a campaign that is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The version of the program that ran the part.
    pub version: String,
    /// The campaign, as the command that runs it without its shards.
    pub campaign: String,
    /// The core's netlist: the beginning of a hash of its Verilog.
    pub netlist: String,
    /// Inputs of the whole campaign.
    pub total: u64,
    /// The shard that the part is of.
    pub shard: Shard,
    /// The backend of the batch engine that ran the part.
    pub backend: String,
    /// The number of the first input, counted from 0.
    pub first: u64,
    /// How many inputs the part has.
    pub inputs: u64,
    /// Code points in them.
    pub code_points: u64,
    /// Errors in them, by kind.
    pub errors: BTreeMap<String, u64>,
    /// The first input that failed, if one did: the part ends with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureLine>,
}

/// The version of a line, which is read first: it decides how the rest is read.
#[derive(Deserialize)]
struct Stamp {
    version: Option<String>,
}

/// An input that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureLine {
    /// The number of the input.
    pub input: u64,
    /// The frame's units, or for an encoder its slots, [in words](Campaign::in_words).
    pub frame: String,
}

impl Line {
    /// The line of a part.
    pub fn new(campaign: &Campaign, shard: Shard, part: &Part) -> Self {
        Self {
            version: VERSION.to_owned(),
            campaign: campaign.name(),
            netlist: campaign.netlist().to_owned(),
            total: campaign.total(),
            shard,
            backend: campaign.backend().to_string(),
            first: part.first,
            inputs: part.inputs,
            code_points: part.counts.code_points,
            errors: part.counts.errors().into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect(),
            failure: part.failure.as_ref().map(|failing| FailureLine {
                input: failing.input,
                frame: campaign.in_words(&failing.frame),
            }),
        }
    }

    /// The line as in a file, without the line feed.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string(self).expect("strings and numbers are JSON");
        let checksum = checksum(text.as_bytes());
        text.pop();
        text + &tail(&checksum)
    }

    /// Reads a line as in a file, without the line feed.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn from_text(text: &[u8]) -> Result<Self, String> {
        let no_result = |error: serde_json::Error| format!("this is no result of a campaign: {error}");
        let Some((content, tail_found)) = parted(text) else {
            let value: serde_json::Value = serde_json::from_slice(text).map_err(no_result)?;
            return Err(match value.get("campaign") {
                Some(_) => "the line has no checksum at its end".to_owned(),
                None => "this is no result of a campaign".to_owned(),
            });
        };
        if tail_found != tail(&checksum(&content)).as_bytes() {
            return Err("the checksum is wrong: the line was changed after it was written; without the line, --resume \
                        runs its part again"
                .to_owned());
        }
        match serde_json::from_slice(&content).map_err(no_result)? {
            Stamp { version: None } => {
                return Err(format!("the line names no version, and this is version {VERSION}"));
            }
            Stamp { version: Some(version) } if version != VERSION => {
                return Err(format!("the result is of version {version}, and this is version {VERSION}"));
            }
            Stamp { version: Some(_) } => {}
        }
        let line: Self = serde_json::from_slice(&content).map_err(no_result)?;
        line.check()?;
        Ok(line)
    }

    /// Whether `text` is an incomplete line, left by a program that was stopped. Some file systems leave zeros after it after a
    /// power cut.
    pub(super) fn is_only_begun(text: &[u8]) -> bool {
        let length = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let text = &text[..length];
        let error = serde_json::from_slice::<serde::de::IgnoredAny>(text).err();
        (text.starts_with(START) || START.starts_with(text)) && error.is_some_and(|error| error.is_eof())
    }

    /// The inputs of the part. (A line that was [read](Self::from_text) holds inputs below 2^64.)
    pub fn range(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.inputs)
    }

    /// Whether the numbers of the line agree with each other.
    fn check(&self) -> Result<(), String> {
        let Self { total, shard, first, inputs, .. } = self;
        let of_shard = shard.range(*total);
        let end = first.checked_add(*inputs).filter(|end| *end <= of_shard.end);
        let Some(end) = end.filter(|_| *inputs > 0 && *first >= of_shard.start) else {
            return Err(format!(
                "{inputs} inputs from {first} on are not in shard {shard}, which has inputs {} to {}",
                of_shard.start,
                of_shard.end.saturating_sub(1)
            ));
        };
        if first % BLOCK != 0 {
            return Err(format!("a part begins with a multiple of {BLOCK}, not with input {first}"));
        }
        match &self.failure {
            Some(failure) if failure.input != end - 1 => Err(format!(
                "a part ends with the input that failed, so input {} can't have failed in one that ends with {}",
                failure.input,
                end - 1
            )),
            _ => Ok(()),
        }
    }
}

/// The beginning of a hash of a line's content, in hexadecimal.
fn checksum(content: &[u8]) -> String {
    Sha256::digest(content)[..CHECKSUM_BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The end of a line, after its content, in place of the last brace.
fn tail(checksum: &str) -> String {
    format!(",\"check\":\"{checksum}\"}}")
}

/// Splits a line into its content, with its last brace, and the end that replaces the brace.
fn parted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let at = text.len().checked_sub(tail(&checksum(b"")).len())?;
    let (content, tail) = text.split_at(at);
    tail.starts_with(b",\"check\":\"").then(|| ([content, b"}"].concat(), tail))
}
