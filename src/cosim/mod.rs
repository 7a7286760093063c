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
//! The first engine leads: its `tready` decides what is driven next. The others then run the same inputs, and every output word
//! of every cycle has to be the leader's. Everything random comes from one seed, so a run can be repeated to the bit, for
//! example with waves.

mod driver;
mod failure;
mod lockstep;
mod monitor;
mod observer;
pub mod pipe;
mod replay;
mod report;
mod run;
mod scoreboard;
mod source;
mod stimulus;
#[cfg(test)]
mod tests;
mod waves;

pub use driver::Stalls;
pub use failure::{Difference, Failure};
pub use observer::{Observer, Observers, Seen};
pub use report::Report;
pub use run::{Cosim, CosimError};
pub use scoreboard::ExpectedBeat;
pub use source::{Source, SourceError};
pub use stimulus::{Framing, Stimulus};
pub use waves::{Inside, WaveChoice, Waves};
