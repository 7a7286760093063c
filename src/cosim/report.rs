//! What a co-simulation that went well has to say.

use std::collections::BTreeMap;

use serde::Serialize;

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The core's module.
    pub module: String,
    /// The engines, the leader first.
    pub engines: Vec<&'static str>,
    /// Units taken, or of an encoder, slots.
    pub taken: u64,
    /// Slots that came out, or of an encoder or transcoder, units.
    pub given: u64,
    /// Frames taken.
    pub frames: u64,
    /// Code points.
    pub code_points: u64,
    /// Errors by kind: what the core found wrong in units, or could not write.
    pub errors: BTreeMap<&'static str, u64>,
    /// Cycles from the end of reset to the last beat.
    pub cycles: u64,
    /// Cycles from a beat that makes something certain to that.
    pub latency: u32,
    /// What the engines [remark](crate::engines::remark).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Report {
    /// Errors of all kinds.
    pub fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }
}
