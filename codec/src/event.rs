//! Events, the output of decoders; the slots that events carry; and the kinds of error.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// A sequence of units, with its place in the stream: a code point, or an error.
///
/// A code point of 2^32 or more is a group of events, a [`Slot::Head`] and its [`Slot::Limb`]s. Every event of a group
/// carries the offset of the sequence; all but the last have length 0. The lengths of all events therefore add up to the
/// length of the stream, and every unit belongs to exactly one sequence.
///
/// A decoder makes a head at the unit that leaves one possible number of limbs, and a limb at the unit that completes its
/// bits. If the sequence turns out ill-formed after that, an error takes the place of the next limb. A unit makes at most
/// one slot of its sequence, and the lead unit of a longer sequence makes none, so there are never more slots than units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// Offset of the sequence's first unit, in units from the start of the stream.
    pub offset: u64,
    /// How many units the sequence has; 0 for all events of a group but the last.
    pub length: u64,
    /// The slot that the sequence decodes to.
    pub what: Slot,
}

/// One slot of the UCS stream, the form in which code points of any size pass between decoders and encoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A code point below 2^32.
    CodePoint(u32),
    /// The head of a code point of 2^32 or more: the number of limbs that follow, at least 2.
    Head(u32),
    /// 32 bits of such a code point, most significant limb first, the first not zero.
    Limb(u32),
    /// An ill-formed sequence. In place of a limb, the error also revokes the head and the limbs before it.
    Error(ErrorKind),
}

impl From<Event> for Slot {
    fn from(event: Event) -> Slot {
        event.what
    }
}

/// Why a sequence is ill-formed, or why an encoder cannot write a code point.
///
/// The first unit after which no continuation is well-formed decides the kind. Where that unit is wrong in two ways, the
/// kind with the lower code counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ErrorKind {
    /// A trailing unit where a lead unit is expected.
    Unexpected = 1,
    /// Inside a sequence, a unit that is not a trailing unit, or the end of the stream.
    Truncated = 2,
    /// The sequence can only be that of a code point that has a shorter sequence; in BOCU-1, that of one that has an octet of its own.
    Overlong = 3,
    /// The sequence can only be that of a surrogate, U+D800..U+DFFF.
    Surrogate = 4,
    /// The sequence can only be that of a code point past the last one of the system.
    OutOfRange = 5,
    /// A unit that is not a lead unit of the system, or a unit that is wrong in a UTF-∞-8 header or its padding.
    Invalid = 6,
    /// A UTF-∞-8 header that can only announce more digits than the option `digits` allows.
    Length = 7,
    /// FE or FF in Corrected UTF-8, with the units that follow up to the next lead unit; in SCSU a tag, or the octet after it.
    Reserved = 8,
    /// U+0000 in a Corrected UTF-8 document, or an octet 00 in modified UTF-8.
    Nul = 9,
    /// Encoders only: a code point that the system does not have.
    Unencodable = 10,
}

impl ErrorKind {
    /// Every kind, by code.
    pub const ALL: [ErrorKind; 10] = [
        ErrorKind::Unexpected,
        ErrorKind::Truncated,
        ErrorKind::Overlong,
        ErrorKind::Surrogate,
        ErrorKind::OutOfRange,
        ErrorKind::Invalid,
        ErrorKind::Length,
        ErrorKind::Reserved,
        ErrorKind::Nul,
        ErrorKind::Unencodable,
    ];

    /// The number of the kind, 1 to 10, which hardware has on `tuser` of an error slot.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind with this number, if there is one.
    pub fn from_code(code: u8) -> Option<ErrorKind> {
        ErrorKind::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The name of the kind, as the command line prints it: `out-of-range`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Unexpected => "unexpected",
            ErrorKind::Truncated => "truncated",
            ErrorKind::Overlong => "overlong",
            ErrorKind::Surrogate => "surrogate",
            ErrorKind::OutOfRange => "out-of-range",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Length => "length",
            ErrorKind::Reserved => "reserved",
            ErrorKind::Nul => "nul",
            ErrorKind::Unencodable => "unencodable",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a word that is not the name of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} is not a kind of error: the kinds are unexpected, truncated, overlong, surrogate, out-of-range, invalid, length, reserved, nul, unencodable"
)]
pub struct UnknownKind(String);

impl FromStr for ErrorKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<ErrorKind, UnknownKind> {
        let found = ErrorKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownKind(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_code_and_by_name() {
        for (index, kind) in ErrorKind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind.code()), index + 1);
            assert_eq!(ErrorKind::from_code(kind.code()), Some(kind));
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert_eq!(ErrorKind::from_code(0), None);
        assert_eq!(ErrorKind::from_code(11), None);
        assert!("Truncated".parse::<ErrorKind>().is_err());
    }

    #[test]
    fn an_event_is_three_words() {
        assert_eq!(size_of::<Option<Event>>(), 24);
    }
}
