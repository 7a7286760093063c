//! `utf-9`: one to four nonets, up to U+10FFFF or U+7FFFFFFF, without surrogates.
//!
//! RFC 4042, §3. This file follows the text of that section, and not the C sample of §5.2, which writes U+0100, U+10000 and
//! U+1000000 a nonet too short.

use crate::bulk::utf_9::Utf9Sequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::{ErrorKind, SURROGATES};

/// "The high order bit indicates continuation."
const CONTINUATION: u32 = 0o400;

/// The grammar: the last code point of the system, and how far into a sequence the decoder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Utf9 {
    max: u32,
    /// The value of the nonets read. A sequence can have any number of nonets, so a value above 32 bits saturates at
    /// 2^32.
    value: u64,
    /// Whether the sequence starts with a zero octet and continues.
    overlong: bool,
    inside: bool,
}

impl Utf9 {
    pub(crate) fn new(max: u32) -> Utf9 {
        Utf9 { max, value: 0, overlong: false, inside: false }
    }

    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(&self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if code_point > self.max.into() || SURROGATES.contains(&code_point) {
            return None;
        }
        let octets = (code_point as u32).to_be_bytes();
        // "Starting with the most-significant non-zero octet"; U+0000 is its least significant one.
        let start = octets.iter().position(|&octet| octet != 0).unwrap_or(3);
        let (&least, others) = octets[start..].split_last()?;
        sequence.extend(others.iter().map(|&octet| CONTINUATION | u32::from(octet)));
        sequence.push(least.into());
        Some(())
    }

    /// The fast path.
    pub(crate) fn sequences(&self) -> Utf9Sequences {
        Utf9Sequences { max: self.max }
    }

    fn verdict(&self) -> Verdict {
        if self.overlong {
            Verdict::Spoilt(ErrorKind::Overlong)
        } else if self.value > u64::from(self.max) {
            Verdict::Spoilt(ErrorKind::OutOfRange)
        } else if SURROGATES.contains(&self.value.into()) {
            Verdict::Spoilt(ErrorKind::Surrogate)
        } else {
            Verdict::Whole(self.value as u32)
        }
    }
}

impl Grammar for Utf9 {
    type Sequences = Utf9Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        if unit > 0o777 {
            return Verdict::Refused(if self.inside { ErrorKind::Truncated } else { ErrorKind::Invalid });
        }
        if !self.inside {
            self.overlong = unit == CONTINUATION;
            self.value = 0;
        }
        self.value = (self.value << 8 | u64::from(unit & 0o377)).min(u64::from(u32::MAX) + 1);
        self.inside = unit & CONTINUATION != 0;
        if self.inside { Verdict::More } else { self.verdict() }
    }

    fn reset(&mut self) {
        self.inside = false;
    }

    fn sequences(&self) -> Utf9Sequences {
        self.sequences()
    }
}
