//! Co-simulation: engines in lockstep on one stimulus, with all outputs compared with the reference.
//! ```text
//!                 ┌──────────┐ inputs  ┌─────────┐ outputs ┌────────────┐
//!  source ──────> │  driver  │ ──────> │ engines │ ──────> │  monitor   │ handshake rules
//!  (items cut     │ (stalls) │ <────── │         │         │ scoreboard │ as the reference
//!   into beats)   └──────────┘  ready  └─────────┘         └────────────┘
//! ```
//!
//! An item is the contents of one lane: a unit on an encoded side, a slot on a decoded side. Decoders, encoders and transcoders therefore share
//! this bench; only the reference in the scoreboard differs.
//!
//! The first engine leads: its `tready` decides when the driver continues. It runs a block of cycles; the others then run the same inputs, and
//! every output word of every cycle has to be the leader's. The input, and the reference's output for it, is drawn ahead, in a second thread if
//! there is a processor for it. Everything random comes from one seed, so a run can be repeated to the bit, for example with waves.

mod ahead;
mod blocks;
mod driver;
mod failure;
mod lockstep;
mod monitor;
mod observer;
pub mod pipe;
mod prediction;
mod replay;
mod report;
mod resets;
mod run;
mod scoreboard;
mod setup;
mod source;
mod stimulus;
mod streams;
mod supply;
#[cfg(test)]
mod tests;
mod times;
mod waves;
mod words;

pub use driver::Stalls;
pub use failure::{Difference, Failure};
pub use observer::{Observer, Observers, Seen};
pub use report::Report;
pub use resets::MOST_RESETS;
pub use scoreboard::ExpectedBeat;
pub use setup::{Cosim, CosimError, Manner};
pub use source::{Source, SourceError};
pub use stimulus::{Framing, Stimulus};
pub(crate) use streams::References;
pub use times::Times;
pub use utfhdl_sim::wave::WaveFormat;
pub use waves::{Inside, WaveChoice, Waves};
