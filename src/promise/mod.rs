//! What a core owes the outside, below every bench that holds a core to it.
//!
//! - [`Ports`] names the ports of a core by what each carries; a [`Beat`] is what stands on them in one transfer, and an
//!   [`Item`] is what one lane of a beat carries: a unit on an encoded side, a slot on a decoded one.
//! - [`Reference`] says which items have to come out: the software decoder, the software encoder, or one behind the other.
//! - [`Schedule`] says in which cycle each of them has to come out, by the timing rules of [`Pace`].
//! - [`Counts`] adds up what went through.
//!
//! Co-simulation runs one long stream against it, and campaigns run many short ones.

mod beat;
mod counts;
mod pace;
mod ports;
mod reference;
mod schedule;

pub use beat::{Beat, Item};
pub use counts::Counts;
pub use pace::{Pace, withholds};
pub use ports::{Carries, Ports, lanes_in};
pub use reference::{Made, Origin, Reference};
pub use schedule::{Schedule, Untimely};
