//! A campaign, ready to run: the core, the inputs, and the compiled bench around the core.

use std::ops::Range;

use sha2::{Digest, Sha256};
use utfhdl_codec::System;
use utfhdl_hdl::core::{Core, Role};
use utfhdl_sim::batch::{Backend, Batch, BatchError, Size};

use super::bench::{self, Lane, Shape};
use super::cuts::AllCuts;
use super::inputs::Inputs;
use super::shard::{BLOCK, Shard};
use super::{capacity, exhaustive, random, space};
use crate::fault::{SignalFault, UnknownSignal};
use crate::promise::Item;

/// The most bits of an exhaustive input: 2^54 inputs take years.
const MOST_INPUT_BITS: u32 = 54;
/// The most units of an exhaustive input: with more, even of one bit each, the bench becomes too large.
const MOST_UNITS: u32 = 25;
/// Bytes of the hash that tells netlists apart.
const HASH_BYTES: usize = 8;

/// Why a campaign, or a shard of it, can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Exhaustive inputs of no units, or of too many; for an encoder, of slots.
    #[error(
        "cannot run every input of {asked} {what}: for {system}, choose 1 to {most} {what} ({most} {what} are already \
         2^{bits} inputs)"
    )]
    Units {
        /// The system.
        system: System,
        /// Units, or slots.
        what: &'static str,
        /// The units asked for.
        asked: usize,
        /// The most units.
        most: usize,
        /// Bits of an input of the most units.
        bits: u32,
    },
    /// A shard that holds no input.
    #[error(
        "shard {shard} has nothing to run: the {total} inputs of this campaign are cut into blocks of {BLOCK}, so N can be \
         at most {}",
        total.div_ceil(BLOCK)
    )]
    EmptyShard {
        /// The shard.
        shard: Shard,
        /// Inputs of the campaign.
        total: u64,
    },
    /// The core has no such signal to put a fault at.
    #[error(transparent)]
    Fault(#[from] UnknownSignal),
    /// The bench can't be compiled.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// A core, and its inputs.
pub struct Campaign {
    /// The core; with the fault, if any.
    pub core: Core,
    /// The fault in the core, if it was given one.
    pub fault: Option<SignalFault>,
    /// The system that the core is held against; for a transcoder, the one it reads.
    pub system: System,
    /// The inputs of the core.
    pub inputs: Inputs,
    pub(super) shape: Shape,
    pub(super) bench: Batch,
    netlist: String,
}

impl Campaign {
    /// Sets up a campaign; the bench is compiled here.
    ///
    /// # Errors
    /// If there is no such campaign: see [`CampaignError`].
    pub fn new(core: Core, inputs: Inputs) -> Result<Self, CampaignError> {
        let system = core.spec.system;
        let (units, items, stalls) = match inputs {
            Inputs::Exhaustive { units } => {
                let symbol_bits = exhaustive::symbol_bits(&core);
                let most = (MOST_INPUT_BITS / symbol_bits).min(MOST_UNITS);
                if !(1..=most as usize).contains(&units) {
                    let (bits, most) = (most * symbol_bits, most as usize);
                    let what = if core.spec.role == Role::Encoder { "slots" } else { "units" };
                    return Err(CampaignError::Units { system, what, asked: units, most, bits });
                }
                let most = AllCuts::new(core.spec.lanes as usize, units).most_units();
                (most, capacity::most_beats(&core, most), false)
            }
            Inputs::Random { stall, .. } => (random::most_units(&core), random::items(&core), stall > 0),
        };
        let (input, output) = Lane::of(&core);
        let [lanes, lanes_out] = [core.spec.lanes, core.spec.lanes_out()].map(|lanes| lanes as usize);
        let shape = Shape { units, items, input, output, stalls, lanes, lanes_out };
        let bench = Batch::new(&bench::bench(&core, shape))?;
        let hash = Sha256::digest(core.verilog());
        let netlist = hash[..HASH_BYTES].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { core, fault: None, system, inputs, shape, bench, netlist })
    }

    /// Sets up a campaign for `core` with `fault` in it. The fault is part of the campaign's [name](Self::name), so that its
    /// results are never added to those of the core itself.
    ///
    /// # Errors
    /// If there is no such campaign, or the core has no such signal.
    pub fn with_fault(core: &Core, fault: SignalFault, inputs: Inputs) -> Result<Self, CampaignError> {
        let campaign = Self::new(fault.inject(core)?, inputs)?;
        Ok(Self { fault: Some(fault), ..campaign })
    }

    /// The campaign as arguments of the command line, with all options spelled out.
    pub fn name(&self) -> String {
        let fault = self.fault.as_ref().map_or(String::new(), |fault| format!(" --fault {fault}"));
        format!("{}{fault} {}", self.core.spec, self.inputs)
    }

    /// The identity of the core's netlist: the beginning of a hash of its Verilog.
    pub fn netlist(&self) -> &str {
        &self.netlist
    }

    /// How many inputs the campaign has.
    pub fn total(&self) -> u64 {
        match self.inputs {
            Inputs::Exhaustive { units: 1 } if self.core.spec.role == Role::Encoder => {
                space::every_slot(self.core.spec.bus)
            }
            Inputs::Exhaustive { units } => {
                let ways = AllCuts::new(self.core.spec.lanes as usize, units).count();
                ways * exhaustive::frames(units, exhaustive::symbol_bits(&self.core))
            }
            Inputs::Random { count, .. } => count,
        }
    }

    /// The inputs of a shard.
    ///
    /// # Errors
    /// If there are none: a run of nothing proves nothing.
    pub fn range_of(&self, shard: Shard) -> Result<Range<u64>, CampaignError> {
        let range = shard.range(self.total());
        if range.is_empty() {
            return Err(CampaignError::EmptyShard { shard, total: self.total() });
        }
        Ok(range)
    }

    /// The size of the bench with the core in it.
    pub fn size(&self) -> Size {
        self.bench.size()
    }

    /// The evaluator of the gates of bench and core.
    pub fn backend(&self) -> Backend {
        self.bench.backend()
    }

    /// The beats of a frame in words, with spaces between, and `+` between the lanes of a beat: units in hexadecimal, slots as
    /// `tuser:tdata`.
    pub fn in_words(&self, frame: &[Vec<Item>]) -> String {
        let item = |item: &Item| match self.core.spec.role {
            Role::Encoder => item.slot_in_words(),
            Role::Decoder | Role::Transcoder { .. } | Role::Validator(_) => format!("{:02X}", item.unit()),
        };
        let beat = |beat: &Vec<Item>| beat.iter().map(item).collect::<Vec<_>>().join("+");
        frame.iter().map(beat).collect::<Vec<_>>().join(" ")
    }
}
