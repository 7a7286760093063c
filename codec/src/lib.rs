//! The software reference: every system decoded and encoded, streaming, in constant memory.
//!
//! It is what the hardware is measured with, so it is written to be obviously right: one file a system, each to be read
//! next to its seed, and no table shared with the hardware.
//!
//! ```
//! use utfhdl_codec::{ErrorKind, Event, Slot, System};
//!
//! let system: System = "utf-8".parse()?;
//! let events: Vec<Event> = system.decode(b"\xE2\x82\xAC\xC0").collect();
//! assert_eq!(events, [
//!     Event { offset: 0, length: 3, what: Slot::CodePoint(0x20AC) },
//!     Event { offset: 3, length: 1, what: Slot::Error(ErrorKind::Overlong) },
//! ]);
//! # Ok::<(), utfhdl_codec::ParseSystemError>(())
//! ```
//!
//! Code points of 2^32 or more come in limbs, so that nothing has to hold them; [`Events::whole`] and [`Gather`] put them
//! together for those who want them whole, and [`Whole::slots`] takes them apart again.
//!
//! ```
//! use utfhdl_codec::{OnError, Slot, System, Whole};
//!
//! let system: System = "utf-inf-8".parse()?;
//! let units = b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80";
//! let slots: Vec<Slot> = system.decode(units).map(Slot::from).collect();
//! assert_eq!(slots, [Slot::Head(2), Slot::Limb(0x10), Slot::Limb(0)]);
//!
//! let most_digits = 1000;
//! let whole: Vec<Whole> = system.decode(units).whole(most_digits).map(|event| event.what).collect();
//! let Whole::Long(point) = &whole[0] else { panic!("one code point") };
//! assert_eq!(format!("U+{point:X}"), "U+1000000000");
//!
//! let eight_byte: System = "utf-8-8byte".parse()?;
//! let units = eight_byte.encode(&whole[0].slots(), OnError::Strict)?;
//! assert_eq!(units, [0xFF, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bulk;
mod decoder;
mod encoder;
mod event;
mod gather;
mod grammar;
pub mod lines;
mod segmenter;
mod sequence;
mod system;
mod systems;
mod transcoder;
pub mod units;

pub use decoder::{Decoder, Events, Progress};
pub use encoder::{Encoded, Encoder, OnError, Refused, Status};
pub use event::{ErrorKind, Event, Slot, UnknownKind};
pub use gather::{BrokenGroup, Gather, Whole, WholeEvent};
pub use system::{FEWEST_DIGITS, HunkWidth, MOST_DIGITS, ParseSystemError, System, Utf9Max};
pub use transcoder::{Transcoded, Transcoder};

/// The code points that only UTF-16 has a use for.
const SURROGATES: std::ops::RangeInclusive<u128> = 0xD800..=0xDFFF;

/// A type that holds a unit of the encoded side: `u8` for systems of up to eight bits a unit, `u16` for all.
///
/// A unit with bits above the system's width is an `invalid` one to every decoder.
pub trait Unit: Copy + Into<u16> {}

impl Unit for u8 {}
impl Unit for u16 {}

/// The code in the package's README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
