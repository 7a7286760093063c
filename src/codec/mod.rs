//! The software reference: every system decoded and encoded, streaming, in constant memory.
//!
//! It is what the hardware is measured with, so it is written to be obviously right: one file a system, each to be read
//! next to its seed, and no table shared with the hardware.
//!
//! ```
//! use utfhdl::codec::{ErrorKind, Event, Slot};
//! use utfhdl::system::System;
//!
//! let system: System = "utf-8".parse()?;
//! let events: Vec<Event> = system.decode(b"\xE2\x82\xAC\xC0").collect();
//! assert_eq!(events, [
//!     Event { offset: 0, length: 3, what: Slot::CodePoint(0x20AC) },
//!     Event { offset: 3, length: 1, what: Slot::Error(ErrorKind::Overlong) },
//! ]);
//! # Ok::<(), utfhdl::system::ParseSystemError>(())
//! ```

mod decoder;
mod event;
mod gather;
mod machine;
mod utf_8;

pub use decoder::{Decoder, Events, Progress};
pub use event::{ErrorKind, Event, Slot, UnknownKind};
pub use gather::{BrokenGroup, Gather, Whole};

/// A type that holds a unit of the encoded side: `u8` for systems of up to eight bits a unit, `u16` for all.
///
/// A unit with bits above the system's width is an `invalid` one to every decoder.
pub trait Unit: Copy + Into<u16> {}

impl Unit for u8 {}
impl Unit for u16 {}
