//! `latin-1` and `ascii`: an octet is a code point.
//!
//! ISO/IEC 8859-1 with the control characters of ISO/IEC 6429, as RFC 1345 and the registry of IANA have `ISO-8859-1`; RFC 20.

use crate::ErrorKind;
use crate::bulk::one_octet::OneOctetSequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;

/// The grammar, which is the last code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OneOctet {
    last: u8,
}

pub(crate) const LATIN_1: OneOctet = OneOctet { last: 0xFF };
pub(crate) const ASCII: OneOctet = OneOctet { last: 0x7F };

impl OneOctet {
    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        let octet = u8::try_from(code_point).ok().filter(|&octet| octet <= self.last)?;
        sequence.push(octet.into());
        Some(())
    }
}

impl Grammar for OneOctet {
    type Sequences = OneOctetSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        if unit <= self.last.into() { Verdict::Whole(unit) } else { Verdict::Refused(ErrorKind::Invalid) }
    }

    fn reset(&mut self) {}

    fn sequences(&self) -> OneOctetSequences {
        OneOctetSequences { last: self.last }
    }
}
