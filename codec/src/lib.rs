//! Streaming decoders and encoders for UTF-8 in all its forms, UTF-16, UTF-32, UCS-2, UTF-EBCDIC (I8), UTF-9, UTF-18, UTF-∞-8, Corrected UTF-8, Latin-1,
//! ASCII, and character sets of single octets by table, in constant memory.
//!
//! A [`System`] is one of these encodings. A [`Decoder`] turns its *units*, words of up to 32 bits, into [`Event`]s: code
//! points and errors, with offsets. An [`Encoder`] turns [`Slot`]s, which are events without offsets, into units. A
//! [`Transcoder`] is a decoder and an encoder in one. [`units`] and [`lines`] read and write files.
//!
//! The package is the reference that hardware for the same systems is compared with. Therefore it is written to be obviously
//! right: each system has one file, to be read next to the document that defines the system, and shares no table with the
//! hardware. What makes plain text fast stands apart, in the module `bulk`.
//!
//! ```
//! use utfhdl_codec::{Codec, ErrorKind, Event, Slot, System};
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
//! # Code points of any size
//!
//! UTF-∞-8 has no last code point. A code point of 2^32 or more is therefore a group of slots: a head, then *limbs* of 32
//! bits, so that nothing has to hold it. [`Events::whole`] and [`Gather`] put groups together for callers who want code
//! points whole, and [`Whole::slots`] takes them apart again.
//!
//! ```
//! use utfhdl_codec::{Codec, OnError, Slot, System, Whole};
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
//! let units: Vec<u8> = eight_byte.encode(&whole[0].slots(), OnError::Strict)?;
//! assert_eq!(units, [0xFF, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(any(test, feature = "std")), no_std)]

extern crate alloc;

mod bulk;
mod counts;
mod decoder;
mod encoder;
mod event;
mod gather;
mod grammar;
#[cfg(feature = "std")]
pub mod io;
mod lazy;
#[cfg(feature = "std")]
pub mod lines;
mod segmenter;
mod sequence;
mod sniff;
mod surrogates;
mod system;
mod systems;
mod transcoder;
mod unit;
#[cfg(feature = "std")]
pub mod units;
mod writer;

pub use counts::{Counts, IllFormed};
pub use decoder::{Decoder, Events, Progress};
pub use encoder::{Encoded, Encoder, OnError, Refused, Status};
pub use event::{ErrorKind, Event, Slot, UnknownKind};
pub use gather::{BrokenGroup, Gather, Whole, WholeEvent};
pub use sniff::{LONGEST_MARK, sniff};
use surrogates::SURROGATES;
pub use system::Codec;
pub use systems::auto::chosen_by_mark;
pub use systems::table::{MappingError, check_mapping};
pub use transcoder::{Transcoded, Transcoder};
pub use unit::Unit;
pub use utfhdl_systems::{
    Auto, ByteOrder, Choose, DEFAULT_DIGITS, FEWEST_DIGITS, HunkWidth, MOST_DIGITS, Max, MultiOctet,
    ParseSystemError, SetO, System, Table, Utf8Bom,
};

/// The code in the package's README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
