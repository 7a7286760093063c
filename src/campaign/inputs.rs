//! The inputs of a campaign.

use std::fmt;

/// The inputs of a campaign. Each is a frame: units, or for an encoder slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Every input of `units` units, without stalls. For an encoder: every slot, or every row of `units`
    /// [telling](super::space::telling) slots.
    Exhaustive {
        /// The units, or slots, of each input; at least 1.
        units: usize,
    },
    /// Random inputs of up to eight units, or slots.
    Random {
        /// How many inputs.
        count: u64,
        /// The seed of units, lengths and stalls.
        seed: u64,
        /// How often each side stalls, in percent of the cycles; below 100.
        stall: u8,
    },
}

impl Inputs {
    /// How often each side stalls, in percent of the cycles.
    pub fn stall(self) -> u8 {
        match self {
            Self::Exhaustive { .. } => 0,
            Self::Random { stall, .. } => stall,
        }
    }

    /// The inputs of a chunk, which begins with a multiple of this number and with a reset of the core: what comes of an input
    /// depends on those of its chunk alone.
    pub fn chunk(self) -> u64 {
        match self {
            // Resets are less than a hundredth of the cycles.
            Self::Exhaustive { .. } => 1 << 15,
            // With 64 lanes and stalls, a chunk takes a second.
            Self::Random { .. } => 1 << 12,
        }
    }
}

impl fmt::Display for Inputs {
    /// The options of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhaustive { units } => write!(f, "--exhaustive {units}"),
            Self::Random { count, seed, stall } => {
                write!(f, "--random {count} --seed {seed} --stall {stall}")
            }
        }
    }
}
