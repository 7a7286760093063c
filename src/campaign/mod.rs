//! Campaigns: many short inputs through a core, 512 at once, each held against the reference.
//!
//! ```text
//!   exhaustive ┐           ┌────────┐ slices ┌─────────────────────┐
//!   every slot ┼─ frames ─>│ record │ ─────> │ batch engine: bench │ ─> failed, open: a bit for each stream
//!   random ────┘     │     └────────┘        │  around the core    │ ─> valid, ready: watched by the clock
//!                    └─> reference ──^ items └─────────────────────┘
//! ```
//!
//! Every input is a frame of its own: units, or for an encoder slots. A frame, and the reference's output for it, are inputs
//! of a test bench that is a netlist itself ([`mod@bench`]), so that driver and checker run bit-sliced together with the
//! core. Timing is checked afterwards, from the handshakes that the bench records.
//!
//! A campaign is cut into shards and parts by the numbers of its inputs alone: any part can be run anywhere, at any time, and
//! leaves the same [`Line`] of results.

mod answer;
pub mod bench;
mod capacity;
mod cuts;
mod every_slot;
mod exhaustive;
mod expected;
mod inputs;
mod part;
mod patterns;
mod random;
mod record;
mod results;
mod run;
mod setup;
mod shard;
mod shrink;
pub mod space;
pub mod speed;
mod states;
mod timing;
mod worker;

pub use crate::promise::Counts;
pub use inputs::Inputs;
pub use part::{Failing, Part};
pub use results::{
    Difference, Failed, FailureLine, Line, Lines, MissingShards, Overlap, Partial, Reader, ResultsError,
    Shards, Status, Sum, Tally, numbers_in_words,
};
pub use setup::{Campaign, CampaignError};
pub use shard::{BLOCK, ParseShardError, Shard};
pub use shrink::{ShrinkError, Shrunk, shrink};
