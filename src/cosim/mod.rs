//! Co-simulation: engines in lockstep on one stimulus, and all that comes out against the reference.
//!
//! ```text
//!                 ┌──────────┐ inputs  ┌─────────┐ outputs ┌────────────┐
//!  stimulus ────> │  driver  │ ──────> │ engines │ ──────> │  monitor   │ handshake rules
//!  (items cut     │ (stalls) │ <────── │         │         │ scoreboard │ as the reference
//!   into beats)   └──────────┘  ready  └─────────┘         └────────────┘
//! ```
//!
//! An item is what a lane carries: a unit on the encoded side, a slot on the decoded one. So the same bench is around a
//! decoder, an encoder and a transcoder, and only the reference in the scoreboard differs.
//!
//! The first engine leads: what its outputs say of ready decides what is driven next. The others then run the same
//! inputs, and each output word of each cycle has to be the leader's. Everything random comes from one seed, so a run
//! can be repeated to the bit; after a failure it is, with waves of its last cycles.

mod driver;
mod failure;
mod lockstep;
mod monitor;
pub mod pipe;
mod replay;
mod report;
mod scoreboard;
mod stimulus;
mod waves;

pub use driver::Stalls;
pub use failure::{Difference, Failure};
pub use lockstep::{Cosim, CosimError, Observer, Seen};
pub use report::Report;
pub use stimulus::{Framing, Source, Stimulus, StimulusError};
pub use waves::Waves;
