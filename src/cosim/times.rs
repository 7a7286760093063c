//! How long the parts of a run take.

use std::time::{Duration, Instant};

/// The time that each part of a run has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Drawing the input: stimulus and stalls.
    pub driver: Duration,
    /// Running the reference.
    pub reference: Duration,
    /// The engines, and comparing them with each other.
    pub engines: Duration,
    /// The checks: the rules of the handshake, and the comparison with the reference.
    pub scoreboard: Duration,
}

impl Times {
    /// Adds the times of another part of the run.
    pub(super) fn add(&mut self, other: &Times) {
        self.driver += other.driver;
        self.reference += other.reference;
        self.engines += other.engines;
        self.scoreboard += other.scoreboard;
    }

    /// The time of all parts.
    pub fn total(&self) -> Duration {
        self.driver + self.reference + self.engines + self.scoreboard
    }
}

/// Tells the parts of a run from each other by the time at which one ends and the next begins.
#[derive(Debug)]
pub(super) struct Stopwatch {
    since: Instant,
    times: Times,
}

impl Default for Stopwatch {
    fn default() -> Self {
        Self { since: Instant::now(), times: Times::default() }
    }
}

impl Stopwatch {
    /// A part begins.
    pub(super) fn start(&mut self) {
        self.since = Instant::now();
    }

    /// The part that began last ends, and another begins.
    pub(super) fn lap(&mut self, of: impl FnOnce(&mut Times) -> &mut Duration) {
        let now = Instant::now();
        *of(&mut self.times) += now - self.since;
        self.since = now;
    }

    /// The times since the last call.
    pub(super) fn take(&mut self) -> Times {
        std::mem::take(&mut self.times)
    }
}
