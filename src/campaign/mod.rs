//! Campaigns: many short inputs through a core, 512 at once, each against the reference.
//!
//! ```text
//!   exhaustive ┐           ┌────────┐ slices ┌─────────────────────┐
//!              ├─ frames ─>│ record │ ─────> │ batch engine: bench │ ─> failed, open: a bit a stream
//!   random ────┘     │     └────────┘        │  around the core    │
//!                    └─> reference ──^ items └─────────────────────┘
//! ```
//!
//! Every input is a frame of its own. Its units, and what the reference says must come out, are put on a test bench that
//! is a netlist itself ([`mod@bench`]), so that driver and checker run bit-sliced together with the core. A campaign is cut
//! into parts by nothing but numbers: any part can be run anywhere, at any time, and gives the same [`Line`] of results.

pub mod bench;
mod exhaustive;
mod expected;
mod random;
mod record;
mod results;
mod run;
mod shrink;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::batch::{Batch, BatchError, STREAMS, Size};

use crate::cores::reference_system;
use crate::system::System;
use bench::{Shape, decoder_bench};

pub use results::{Counts, FailureLine, Line, MergeError, gaps, merge, read, sum};
pub use run::{Failing, Part};
pub use shrink::{Shrunk, shrink};

/// The most bits of an exhaustive input: a year or so.
const MOST_INPUT_BITS: u32 = 54;

/// What goes through a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Every input of so many units, without stalls.
    Exhaustive {
        /// The units, at least 1.
        units: usize,
    },
    /// Random frames of up to eight units.
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
    /// The core has a role that campaigns can't run.
    #[error("there are no campaigns for a core in the role {0} yet: decoder is the one that has them")]
    Role(Role),
    /// The core has more lanes than campaigns can run.
    #[error("there are no campaigns for cores of {0} lanes: they run cores of one lane")]
    Lanes(u32),
    /// Inputs of no units, or of too many.
    #[error(
        "{asked} units are not 1 to {most}: the inputs of {most} units of {system} are 2^{bits}, the most there can be"
    )]
    Units {
        /// The system.
        system: System,
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
        if core.spec.role != Role::Decoder {
            return Err(CampaignError::Role(core.spec.role));
        }
        if core.spec.lanes != 1 {
            return Err(CampaignError::Lanes(core.spec.lanes));
        }
        let system = reference_system(core.spec.system);
        let unit_bits = u32::from(system.unit_bits());
        let (units, stalls) = match inputs {
            Inputs::Exhaustive { units } => {
                let most = (MOST_INPUT_BITS / unit_bits).min(expected::Item::MOST_UNITS) as usize;
                if !(1..=most).contains(&units) {
                    let bits = most as u32 * unit_bits;
                    return Err(CampaignError::Units { system, asked: units, most, bits });
                }
                (units, false)
            }
            Inputs::Random { stall, .. } => (random::MOST_UNITS, stall > 0),
        };
        let withholds = system == System::CorrectedUtf8 { document: true };
        let shape = Shape { units, unit_bits, stalls, withholds };
        let bench = Batch::new(&decoder_bench(&core, shape))?;
        let hash = Sha256::digest(core.verilog());
        let netlist = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { core, system, inputs, shape, bench, netlist })
    }

    /// The campaign as on the command line, all options spelled out.
    pub fn name(&self) -> String {
        let spec = self.core.spec;
        format!(
            "{} {} --lanes {} --reset {} --on-error {} {}",
            self.system, spec.role, spec.lanes, spec.reset, spec.on_error, self.inputs
        )
    }

    /// How many inputs it has.
    pub fn total(&self) -> u64 {
        match self.inputs {
            Inputs::Exhaustive { units } => exhaustive::inputs(units, self.shape.unit_bits),
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
            errors: part.counts.errors(),
            failure: part
                .failure
                .as_ref()
                .map(|failing| FailureLine { input: failing.input, units: in_hexadecimal(&failing.units) }),
        }
    }
}

/// Units in hexadecimal, with spaces.
pub fn in_hexadecimal(units: &[u16]) -> String {
    units.iter().map(|unit| format!("{unit:02X}")).collect::<Vec<_>>().join(" ")
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
