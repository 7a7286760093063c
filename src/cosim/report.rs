//! The report of a co-simulation without a failure.

use std::collections::BTreeMap;

use serde::Serialize;

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The name of the core's module.
    pub module: String,
    /// The engines, the leader first.
    pub engines: Vec<&'static str>,
    /// Units that the core took; slots if the core is an encoder.
    pub taken: u64,
    /// Slots that the core gave; units if the core is an encoder or a transcoder.
    pub given: u64,
    /// Frames that the core took.
    pub frames: u64,
    /// Code points in the input.
    pub code_points: u64,
    /// Errors by kind: ill-formed input, and input that could not be written.
    pub errors: BTreeMap<&'static str, u64>,
    /// Cycles from the end of reset to the last beat.
    pub cycles: u64,
    /// Resets after the first beat could come.
    #[serde(skip_serializing_if = "is_zero")]
    pub resets: u64,
    /// Cycles from the beat that makes an item certain to that item.
    pub latency: u32,
    /// The [remarks](crate::engines::remark) of the engines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Report {
    /// The number of errors of all kinds.
    pub fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }
}
