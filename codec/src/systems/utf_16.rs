//! `utf-16`: one or two units of 16 bits, U+0..U+10FFFF without surrogates.
//!
//! The Unicode Standard, core specification, §3.9, definition D91 and table 3-5 "UTF-16 Bit Distribution"; RFC 2781, §2.

use crate::bulk::utf_16::{Utf16OctetSequences, Utf16Sequences};
use crate::grammar::{Cut, Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::octets::InOctets;
use crate::{ByteOrder, ErrorKind};

/// The code point that a high and a low surrogate stand for: table 3-5 from right to left.
pub(crate) fn of_pair(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high & 0x3FF) << 10 | low & 0x3FF)
}

/// The grammar: the high surrogate of a pair, if it has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Utf16(Option<u32>);

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(code_point: u128, sequence: &mut Sequence) -> Option<()> {
    let character = u32::try_from(code_point).ok().and_then(char::from_u32)?;
    sequence.extend(character.encode_utf16(&mut [0; 2]).iter().copied().map(u32::from));
    Some(())
}

impl Grammar for Utf16 {
    type Sequences = Utf16Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match (self.0.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => Verdict::Whole(of_pair(high, unit)),
            (Some(_), _) => Verdict::Refused(ErrorKind::Surrogate),
            (None, 0xD800..=0xDBFF) => {
                self.0 = Some(unit);
                Verdict::More
            }
            (None, 0xDC00..=0xDFFF) => Verdict::Refused(ErrorKind::Surrogate),
            (None, 0..=0xFFFF) => Verdict::Whole(unit),
            (None, 0x1_0000..) => Verdict::Refused(ErrorKind::Invalid),
        }
    }

    fn reset(&mut self) {
        self.0 = None;
    }

    fn at_end(&mut self) -> Cut {
        ErrorKind::Surrogate.into()
    }

    fn sequences(&self) -> Utf16Sequences {
        Utf16Sequences
    }
}

impl InOctets for Utf16 {
    type OctetSequences = Utf16OctetSequences;

    fn octet_sequences(&self, order: ByteOrder) -> Utf16OctetSequences {
        Utf16OctetSequences(order)
    }
}
