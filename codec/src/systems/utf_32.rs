//! `utf-32`: a unit of 32 bits is a code point, U+0..U+10FFFF without surrogates.
//!
//! The Unicode Standard, core specification, §3.9, definition D90: "surrogate code points are not included".

use crate::ByteOrder;
use crate::ErrorKind::{OutOfRange, Surrogate};
use crate::bulk::utf_32::{Utf32OctetSequences, Utf32Sequences};
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::octets::InOctets;

/// The grammar. No sequence has more than one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Utf32;

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(code_point: u128, sequence: &mut Sequence) -> Option<()> {
    let character = u32::try_from(code_point).ok().and_then(char::from_u32)?;
    sequence.push(character.into());
    Some(())
}

impl Grammar for Utf32 {
    type Sequences = Utf32Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match unit {
            0xD800..=0xDFFF => Verdict::Refused(Surrogate),
            0..=0x10_FFFF => Verdict::Whole(unit),
            _ => Verdict::Refused(OutOfRange),
        }
    }

    fn reset(&mut self) {}

    fn sequences(&self) -> Utf32Sequences {
        Utf32Sequences
    }
}

impl InOctets for Utf32 {
    type OctetSequences = Utf32OctetSequences;

    fn octet_sequences(order: ByteOrder) -> Utf32OctetSequences {
        Utf32OctetSequences(order)
    }
}
