//! The marks that a validator gives to each unit.

use std::str::FromStr;

use super::{BitField, MultiOctet, System};

/// The marks of a validator, in the bits of a lane of `m_axis_tuser`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// An error has four bits with its kind, not one bit.
    pub kinds: bool,
    /// A bit says that the unit begins a code point or an error.
    pub start: bool,
    /// A bit says that the unit completes U+000A.
    pub newline: bool,
}

/// A mark that a validator gives besides errors, if asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The unit begins a code point or an error.
    Start,
    /// The unit completes U+000A.
    Newline,
}

impl FromStr for Mark {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "start" => Ok(Self::Start),
            "newline" => Ok(Self::Newline),
            _ => Err("expected start or newline".to_owned()),
        }
    }
}

/// Bits of the kind of an error.
const KIND_BITS: u32 = 4;

impl Verdict {
    /// Errors, by their kinds or not, and these marks.
    pub fn new(kinds: bool, marks: &[Mark]) -> Self {
        Self { kinds, start: marks.contains(&Mark::Start), newline: marks.contains(&Mark::Newline) }
    }

    /// Every choice of marks.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self { kinds: bits & 1 != 0, start: bits & 2 != 0, newline: bits & 4 != 0 })
    }

    /// Bits of an error: the kind, or one bit.
    pub fn error_bits(self) -> u32 {
        if self.kinds { KIND_BITS } else { 1 }
    }

    /// Bits of a lane.
    pub fn lane_bits(self) -> u32 {
        2 * self.error_bits() + u32::from(self.start) + u32::from(self.newline)
    }

    /// The fields of a lane, from the low bits up.
    pub fn fields(self) -> Vec<BitField> {
        let (cut, bad) = match self.kinds {
            true => (
                "kind of the error of the sequence before the unit, which the unit makes certain; 0 for none",
                "kind of the error that the unit ends, which is certain; 0 for none",
            ),
            false => (
                "the sequence before the unit is an error, which the unit makes certain",
                "the unit ends an error, which is certain",
            ),
        };
        let error = self.error_bits();
        let fields = [
            (true, "cut", error, cut),
            (true, "bad", error, bad),
            (self.start, "start", 1, "the unit begins a code point or an error"),
            (self.newline, "newline", 1, "the unit completes U+000A"),
        ];
        let mut low = 0;
        let present = fields.into_iter().filter(|&(is_there, ..)| is_there);
        let field = present.map(|(_, name, bits, meaning)| {
            let field = BitField { name, low, bits, meaning };
            low += bits;
            field
        });
        field.collect()
    }

    /// The options of the command line that ask for these marks, with their values.
    pub(super) fn options(self) -> Vec<(&'static str, Option<&'static str>)> {
        let options = [
            (self.kinds, ("kinds", None)),
            (self.start, ("mark", Some("start"))),
            (self.newline, ("mark", Some("newline"))),
        ];
        options.into_iter().filter(|&(is_there, _)| is_there).map(|(_, option)| option).collect()
    }

    /// The reason for which a validator of the system cannot give these marks; `None` if it can.
    pub(super) fn problem(self, system: System) -> Option<&'static str> {
        let is_late = matches!(system, System::Utf16Octets { .. });
        let has_four = matches!(system, System::MultiOctet(MultiOctet::Gbk | MultiOctet::Gb18030));
        if self.start && has_four {
            return Some(
                "--mark start is not for it, since only the second octet after decides whether a digit after a lead begins a code \
                 point: leave it out",
            );
        }
        if self.newline && !has_line_feed(system) {
            return Some("--mark newline is not for it, since it has no U+000A: leave it out");
        }
        (self.start && is_late).then_some(
            "--mark start is not for it, since only the octet after decides whether an octet begins a code point after a \
             high surrogate: leave it out, or put octets together to words of 16 bits, which are utf-16",
        )
    }
}

/// Whether the system has U+000A.
pub(super) fn has_line_feed(system: System) -> bool {
    !matches!(system, System::Hunk(width) if width.bits() < 4)
}
