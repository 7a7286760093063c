//! How much logic is between two registers of a core of several lanes.

use std::fmt;
use std::str::FromStr;

use crate::netlist::Folded;

/// How many steps share a pipeline stage. A step decides something about each unit, moves slots down by 1, 2, 4 and so on, or doubles
/// the number of lanes over which gaps are summed up: a LUT or two in a row. More steps in a stage are fewer registers, a shorter
/// latency and a slower clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Steps {
    /// One: beyond that, the clock of an ECP5 falls faster than the latency.
    #[default]
    Auto,
    /// This number of steps, 1 to [`MOST_STEPS`](Self::MOST_STEPS).
    Number(u32),
}

impl Steps {
    /// All steps up to the slots, in most decoders of eight lanes or fewer.
    pub const MOST_STEPS: u32 = 8;

    /// Every choice, in the order the command line lists them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Auto].into_iter().chain((1..=Self::MOST_STEPS).map(Self::Number))
    }

    /// The stages after the first and before stage `end` that are folded, so that stages have as many steps as this, or one fewer.
    pub(super) fn folded(self, end: u32) -> Folded {
        let steps = end - 1;
        let stages = steps.div_ceil(self.number());
        let begins = |stage: u32| (0..stages).any(|of| 1 + of * steps / stages == stage);
        (2..end).filter(|&stage| !begins(stage)).collect()
    }

    /// Steps in a stage.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Auto => 1,
            Self::Number(steps) => steps,
        }
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Number(steps) => steps.fmt(f),
        }
    }
}

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::all().find(|choice| choice.to_string() == text);
        found.ok_or_else(|| format!("expected auto, or 1 to {} steps in a stage", Self::MOST_STEPS))
    }
}
