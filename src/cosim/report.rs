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
    /// Units taken.
    pub units: u64,
    /// Frames taken.
    pub frames: u64,
    /// Code points.
    pub code_points: u64,
    /// Errors by kind.
    pub errors: BTreeMap<&'static str, u64>,
    /// Cycles from the end of reset to the last beat.
    pub cycles: u64,
    /// Cycles from a beat that makes a slot certain to the slot.
    pub latency: u32,
}

impl Report {
    /// Errors of all kinds.
    pub fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }
}
