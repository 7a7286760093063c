//! `ucs-2`: a unit of 16 bits is a code point, U+0..U+FFFF without surrogates.
//!
//! The manual of `recode`, "Universal Transformation Format, 8 bits": "The UCS-2 encoding of UCS is a sequence of bigendian 16-bit
//! words". It has no pairs of surrogates, which came with UTF-16, and no code point is a surrogate.

use crate::ByteOrder;
use crate::ErrorKind::{Invalid, Surrogate};
use crate::bulk::utf_32::{WordOctetSequences, WordSequences};
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::octets::InOctets;

const LAST: u32 = 0xFFFF;

/// The fast path of units, and of octets in this order.
pub(crate) const SEQUENCES: WordSequences = WordSequences { last: LAST };

pub(crate) fn octet_sequences(order: ByteOrder) -> WordOctetSequences<2> {
    WordOctetSequences { order, last: LAST }
}

/// The grammar. No sequence has more than one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Ucs2;

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(code_point: u128, sequence: &mut Sequence) -> Option<()> {
    let character = u16::try_from(code_point).ok().and_then(|unit| char::from_u32(unit.into()))?;
    sequence.push(character.into());
    Some(())
}

impl Grammar for Ucs2 {
    type Sequences = WordSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match unit {
            0xD800..=0xDFFF => Verdict::Refused(Surrogate),
            0..=LAST => Verdict::Whole(unit),
            _ => Verdict::Refused(Invalid),
        }
    }

    fn reset(&mut self) {}

    fn sequences(&self) -> WordSequences {
        SEQUENCES
    }
}

impl InOctets for Ucs2 {
    type OctetSequences = WordOctetSequences<2>;

    fn octet_sequences(&self, order: ByteOrder) -> WordOctetSequences<2> {
        octet_sequences(order)
    }
}
