//! Co-simulation: engines in lockstep on one stimulus, and every event against the reference.
//!
//! ```text
//!                 ┌──────────┐ inputs  ┌─────────┐ outputs ┌────────────┐
//!  stimulus ────> │  driver  │ ──────> │ engines │ ──────> │  monitor   │ handshake rules
//!  (units cut     │ (stalls) │ <────── │         │         │ scoreboard │ events = reference's
//!   into beats)   └──────────┘  ready  └─────────┘         └────────────┘
//! ```
//!
//! The first engine leads: what its outputs say of ready decides what is driven next. The others then run the same
//! inputs, and each output word of each cycle has to be the leader's. Everything random comes from one seed, so a run
//! can be repeated to the bit; after a failure it is, with waves of its last cycles.

mod beat;
mod driver;
mod failure;
mod lockstep;
mod monitor;
pub mod pipe;
mod ports;
mod random;
mod report;
mod scoreboard;
mod stimulus;
mod waves;

pub use beat::Beat;
pub use driver::Stalls;
pub use failure::{Difference, Failure};
pub use lockstep::{Cosim, CosimError, Observer, Seen};
pub use ports::DecoderPorts;
pub use report::Report;
pub use stimulus::{Framing, Stimulus, StimulusError, Units};
pub use waves::Waves;
