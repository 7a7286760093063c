//! What a core owes the outside: the contract of docs/interface.md in a form that runs.
//!
//! - [`Ports`] finds the ports of a core by name. A [`Beat`] is what such ports transfer at once, and an [`Item`] is what one
//!   lane of a beat carries: a unit on an encoded side, a slot on a decoded side.
//! - [`Reference`] says which items have to come out: it is the software decoder, the software encoder, or one behind the
//!   other.
//! - [`Schedule`] says in which cycles each item may come out, by the timing rules of a core of this [`Timing`].
//! - [`Counts`] adds up what went through.
//!
//! Two benches hold cores to this: [co-simulation](crate::cosim) runs one long stream, and [campaigns](crate::campaign) run many
//! short ones. Nothing here comes from the hardware but the names of its ports and its latency.
//!
//! The timing rules have tests of their own, in `rules`: traces drawn by hand after docs/interface.md, each with a twin that
//! breaks the rule.

mod beat;
mod beat_word;
mod beats;
mod counts;
#[cfg(test)]
pub(crate) mod drawn;
#[cfg(test)]
pub(crate) mod hollow;
mod origin;
mod pace;
mod ports;
mod reference;
#[cfg(test)]
pub(crate) mod rules;
mod schedule;
mod timing;

pub use beat::{Beat, Item};
pub use beat_word::BeatWord;
pub use counts::Counts;
pub use origin::Origin;
pub use ports::{Carries, Ports, lanes_in};
pub use reference::{Made, Reference};
pub use schedule::{Schedule, Untimely};
pub use timing::{Timing, withholds};
