//! Co-simulation: engines in lockstep on one stimulus, and all that comes out against the reference.
//!
//! ```text
//!                 ┌──────────┐ inputs  ┌─────────┐ outputs ┌────────────┐
//!  source ──────> │  driver  │ ──────> │ engines │ ──────> │  monitor   │ handshake rules
//!  (items cut     │ (stalls) │ <────── │         │         │ scoreboard │ as the reference
//!   into beats)   └──────────┘  ready  └─────────┘         └────────────┘
//! ```
//!
//! An item is what one lane carries: a unit on an encoded side, a slot on a decoded side. So decoders, encoders and
//! transcoders share this bench; only the reference in the scoreboard differs.
//!
//! The first engine leads: its `tready` decides when the driver goes on. It runs a block of cycles; the others then run the same
//! inputs, and every output word of every cycle has to be the leader's. What goes in, and what the reference makes of it, is drawn
//! ahead, in a second thread where there is a processor for it. Everything random comes from one seed, so a run can be repeated to the bit, for
//! example with waves.

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
mod run;
mod scoreboard;
mod source;
mod stimulus;
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
pub use run::{Cosim, CosimError, Manner};
pub use scoreboard::ExpectedBeat;
pub use source::{Source, SourceError};
pub use stimulus::{Framing, Stimulus};
pub use times::Times;
pub use waves::{Inside, WaveChoice, Waves};
