//! The contract of docs/interface.md in executable form: the items, and the cycles, that a core owes.
//!
//! - [`Ports`] finds the ports of a core by name. A [`Beat`] is the transfer of one cycle, and an [`Item`] the contents of one
//!   of its lanes: a unit on an encoded side, a slot on a decoded side.
//! - [`Reference`] says which items have to come out: the software decoder, the software encoder, or the two in series.
//! - [`Schedule`] says in which cycles each item may come out, by the timing rules of a core of this [`Timing`].
//! - [`Counts`] counts code points and errors.
//!
//! Two benches hold cores to this: [co-simulation](crate::cosim) runs one long stream, and [campaigns](crate::campaign) run many
//! short ones. Nothing here comes from the hardware but the names of its ports and its latency.
//!
//! The timing rules have tests of their own, in `rules`: traces drawn by hand after docs/interface.md, each with a twin that
//! breaks the rule.

mod beat;
mod beat_word;
mod caret;
mod counts;
#[cfg(test)]
pub(crate) mod drawn;
mod fields;
#[cfg(test)]
pub(crate) mod hollow;
mod marks;
mod opening;
mod origin;
mod pace;
mod passengers;
mod ports;
mod reference;
#[cfg(test)]
pub(crate) mod rules;
mod schedule;
mod status;
mod timing;

pub use beat::{Beat, Item};
pub use beat_word::BeatWord;
pub use caret::{Caret, low_bits};
pub use counts::Counts;
pub use marks::in_words as marks_in_words;
pub use origin::Origin;
pub use passengers::{Passenger, PassengerBoard, WrongPassenger};
pub use ports::{Carries, Ports, lanes_in};
pub use reference::{Made, Reference};
pub use schedule::{Schedule, Untimely};
pub use status::{STATUS_WORDS, StatusBoard, StatusModel};
pub use timing::{Timing, cycles_of_slot, withholds};
