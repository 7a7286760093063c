//! `utf-32`: a unit of 32 bits is a code point, U+0..U+10FFFF without surrogates; with `max=7fffffff`, up to U+7FFFFFFF.
//!
//! The Unicode Standard, core specification, §3.9, definition D90: "surrogate code points are not included". The manual of
//! `recode`, "Universal Transformation Format, 8 bits": "UCS is a 31-bit superset of all other character set standards", and "the
//! UCS-4 encoding is a sequence of bigendian 32-bit words".

use crate::ErrorKind::{OutOfRange, Surrogate};
use crate::bulk::utf_32::{WordOctetSequences, WordSequences};
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::octets::InOctets;
use crate::{ByteOrder, SURROGATES};

/// The grammar, which is the last code point. No sequence has more than one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Utf32 {
    pub(crate) last: u32,
}

impl Utf32 {
    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if code_point > self.last.into() || SURROGATES.contains(&code_point) {
            return None;
        }
        sequence.push(code_point as u32);
        Some(())
    }
}

impl Grammar for Utf32 {
    type Sequences = WordSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match unit {
            0xD800..=0xDFFF => Verdict::Refused(Surrogate),
            unit if unit <= self.last => Verdict::Whole(unit),
            _ => Verdict::Refused(OutOfRange),
        }
    }

    fn reset(&mut self) {}

    fn sequences(&self) -> WordSequences {
        WordSequences { last: self.last }
    }
}

impl InOctets for Utf32 {
    type OctetSequences = WordOctetSequences<4>;

    fn octet_sequences(&self, order: ByteOrder) -> WordOctetSequences<4> {
        WordOctetSequences { order, last: self.last }
    }
}
