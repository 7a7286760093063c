//! Campaigns: many short inputs through a core, 512 at once, each against the reference.
//!
//! ```text
//!   exhaustive ┐           ┌────────┐ slices ┌─────────────────────┐
//!              ├─ frames ─>│ record │ ─────> │ batch engine: bench │ ─> failed, open: a bit a stream
//!   random ────┘     │     └────────┘        │  around the core    │
//!                    └─> reference ──^ items └─────────────────────┘
//! ```
//!
//! Every input is a frame of its own: units, or of an encoder slots. It and what the reference says must come out are put
//! on a test bench that is a netlist itself ([`mod@bench`]), so that driver and checker run bit-sliced together with the core.
//! Whether all comes in time is looked at behind it. A campaign is cut into parts by nothing but numbers: any part can be
//! run anywhere, at any time, and gives the same [`Line`] of results.

mod answer;
pub mod bench;
mod capacity;
mod every_slot;
mod exhaustive;
mod expected;
mod patterns;
mod random;
mod record;
mod results;
mod run;
mod shrink;
pub mod space;
mod timing;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::batch::{Batch, BatchError, STREAMS, Size};

use crate::cores::reference_system;
use crate::promise::Item;
use bench::{Lane, Shape};
use utfhdl_codec::System;

pub use crate::promise::Counts;
pub use results::{FailureLine, Line, MergeError, gaps, merge, read, sum};
pub use run::{Failing, Part};
pub use shrink::{Shrunk, shrink};

/// The most bits of an exhaustive input: a year or so.
const MOST_INPUT_BITS: u32 = 54;
/// The most units of an exhaustive input: more of a bit each is no bench of a sensible size.
const MOST_UNITS: u32 = 25;

/// What goes through a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Every input of so many units, without stalls; of an encoder, every slot, or every row of so many of the slots that
    /// [tell most](space::telling).
    Exhaustive {
        /// The units, or slots, at least 1.
        units: usize,
    },
    /// Random frames of up to eight units, or slots.
    Random {
        /// How many.
        count: u64,
        /// What decides units, lengths and stalls.
        seed: u64,
        /// Cycles in which each side holds the stream up, in percent, below 100.
        stall: u8,
    },
}

impl fmt::Display for Inputs {
    /// As on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhaustive { units } => write!(f, "--exhaustive {units}"),
            Self::Random { count, seed, stall } => {
                write!(f, "--random {count} --seed {seed} --stall {stall}")
            }
        }
    }
}

/// Why there is no such campaign.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The core has more lanes than campaigns can run.
    #[error("there are no campaigns for cores of {0} lanes: they run cores of one lane")]
    Lanes(u32),
    /// Inputs of no units, or of too many; of an encoder, slots.
    #[error(
        "{asked} {what} are not 1 to {most}: the inputs of {most} {what} of {system} are 2^{bits}, the most there can be"
    )]
    Units {
        /// The system.
        system: System,
        /// Units, or slots.
        what: &'static str,
        /// The units asked for.
        asked: usize,
        /// The most.
        most: usize,
        /// Bits of an input of the most units.
        bits: u32,
    },
    /// The bench can't be compiled.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// A core, and what goes through it.
pub struct Campaign {
    /// The core.
    pub core: Core,
    /// The system it is measured with.
    pub system: System,
    /// What goes through.
    pub inputs: Inputs,
    shape: Shape,
    bench: Batch,
    netlist: String,
}

impl Campaign {
    /// Sets up a campaign; the bench is compiled here.
    ///
    /// # Errors
    /// If there is no such campaign: see [`CampaignError`].
    pub fn new(core: Core, inputs: Inputs) -> Result<Self, CampaignError> {
        if core.spec.lanes != 1 {
            return Err(CampaignError::Lanes(core.spec.lanes));
        }
        let system = reference_system(core.spec.system);
        let (units, items, stalls) = match inputs {
            Inputs::Exhaustive { units } => {
                let symbol_bits = exhaustive::symbol_bits(&core);
                let most = (MOST_INPUT_BITS / symbol_bits).min(MOST_UNITS);
                if !(1..=most as usize).contains(&units) {
                    let (bits, most) = (most * symbol_bits, most as usize);
                    let what = if core.spec.role == Role::Encoder { "slots" } else { "units" };
                    return Err(CampaignError::Units { system, what, asked: units, most, bits });
                }
                (units, capacity::most_beats(&core, units), false)
            }
            Inputs::Random { stall, .. } => (random::MOST_UNITS, random::beats(&core), stall > 0),
        };
        let (input, output) = Lane::of(&core);
        let shape = Shape { units, items, input, output, stalls };
        let bench = Batch::new(&bench::bench(&core, shape))?;
        let hash = Sha256::digest(core.verilog());
        let netlist = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { core, system, inputs, shape, bench, netlist })
    }

    /// The campaign as on the command line, all options spelled out.
    pub fn name(&self) -> String {
        format!("{} {}", self.core.spec, self.inputs)
    }

    /// How many inputs it has.
    pub fn total(&self) -> u64 {
        match self.inputs {
            Inputs::Exhaustive { units: 1 } if self.core.spec.role == Role::Encoder => space::EVERY_SLOT,
            Inputs::Exhaustive { units } => exhaustive::frames(units, exhaustive::symbol_bits(&self.core)),
            Inputs::Random { count, .. } => count,
        }
    }

    /// What the bench with the core in it comes to.
    pub fn size(&self) -> Size {
        self.bench.size()
    }

    /// The inputs of a shard: whole blocks, as even as can be.
    pub fn range_of(&self, shard: Shard) -> Range<u64> {
        let block = STREAMS as u64;
        let blocks = self.total().div_ceil(block);
        let start = |index: u64| {
            let first = (u128::from(blocks) * u128::from(index) / u128::from(shard.of)) as u64;
            (first * block).min(self.total())
        };
        start(shard.index - 1)..start(shard.index)
    }

    /// What a part leaves in the results.
    pub fn line(&self, part: &Part, shard: Shard) -> Line {
        Line {
            campaign: self.name(),
            netlist: self.netlist.clone(),
            total: self.total(),
            shard: shard.to_string(),
            first: part.first,
            inputs: part.inputs,
            code_points: part.counts.code_points,
            errors: part.counts.errors().into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect(),
            failure: part
                .failure
                .as_ref()
                .map(|failing| FailureLine { input: failing.input, frame: self.in_words(&failing.frame) }),
        }
    }

    /// A frame in words, with spaces: units in hexadecimal, slots as `tuser:tdata`.
    pub fn in_words(&self, frame: &[Item]) -> String {
        let item = |item: &Item| match self.core.spec.role {
            Role::Encoder => item.slot_in_words(),
            Role::Decoder | Role::Transcoder { .. } => format!("{:02X}", item.unit()),
        };
        frame.iter().map(item).collect::<Vec<_>>().join(" ")
    }
}

/// A part of a campaign, by number: `K/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1 on.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, of: 1 };
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err("expected K/N, K from 1 to N, such as 3/8".to_owned()),
        }
    }
}
