//! `utf-ebcdic-i8`: the I8 form of UTF-EBCDIC: one to seven octets, up to U+10FFFF or U+7FFFFFFF, without surrogates.
//!
//! Unicode Technical Report #16, *UTF-EBCDIC*, whose first step makes I8 sequences of code points; its second step puts an EBCDIC
//! octet in place of each, and is not part of this system.

use crate::bulk::utf_ebcdic_i8::I8Sequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::i8_forms::{FIRST, LEADS, TRAILING, TRAILING_BITS};
use crate::systems::prefix::{Surrogates, on_bits};
use crate::{ErrorKind, SURROGATES};

/// The grammar: the last code point of the system, and how far into a sequence the decoder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UtfEbcdicI8 {
    max: u32,
    /// The bits of the code point that have been read.
    value: u32,
    /// The least code point that takes the form of the sequence.
    first: u32,
    /// How many trailing octets are still to come; 0 where a lead octet is expected.
    missing: u32,
}

impl UtfEbcdicI8 {
    pub(crate) fn new(max: u32) -> UtfEbcdicI8 {
        UtfEbcdicI8 { max, value: 0, first: 0, missing: 0 }
    }

    /// Writes the sequence of a code point, if the system has it.
    pub(crate) fn encode(self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if code_point > self.max.into() || SURROGATES.contains(&code_point) {
            return None;
        }
        let code_point = code_point as u32;
        let trailing = FIRST.iter().rposition(|&first| first <= code_point)?;
        sequence.push(LEADS[trailing] | code_point >> (TRAILING_BITS * trailing as u32));
        for behind in (0..trailing as u32).rev() {
            sequence.push(TRAILING | code_point >> (TRAILING_BITS * behind) & 0x1F);
        }
        Some(())
    }

    /// The verdict on a lead octet.
    fn lead(&mut self, octet: u32) -> Verdict {
        // FE and FF lead seven octets: the bit after seven ones is the first of the code point.
        let trailing = LEADS.iter().rposition(|&lead| lead <= octet).expect("the octet is C0 or more");
        if FIRST[trailing] > self.max {
            return Verdict::Refused(ErrorKind::Invalid);
        }
        self.value = octet - LEADS[trailing];
        self.first = FIRST[trailing];
        self.missing = trailing as u32;
        self.verdict()
    }

    /// The verdict on the octets that have been read of a sequence.
    fn verdict(&self) -> Verdict {
        let open = TRAILING_BITS * self.missing;
        let least = u64::from(self.value) << open;
        match on_bits(self.value.into(), open, self.first.into(), Surrogates::Excluded) {
            Verdict::Refused(kind) => Verdict::Refused(kind),
            _ if least > self.max.into() => Verdict::Refused(ErrorKind::OutOfRange),
            verdict => verdict,
        }
    }

    /// The fast path.
    pub(crate) fn sequences(self) -> I8Sequences {
        I8Sequences { max: self.max }
    }
}

impl Grammar for UtfEbcdicI8 {
    type Sequences = I8Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        match (self.missing, unit) {
            (0, 0..=0x9F) => Verdict::Whole(unit),
            (0, 0xA0..=0xBF) => Verdict::Refused(ErrorKind::Unexpected),
            (0, 0xC0..=0xFF) => self.lead(unit),
            (0, _) => Verdict::Refused(ErrorKind::Invalid),
            (_, 0xA0..=0xBF) => {
                self.value = self.value << TRAILING_BITS | unit & 0x1F;
                self.missing -= 1;
                self.verdict()
            }
            _ => Verdict::Refused(ErrorKind::Truncated),
        }
    }

    fn reset(&mut self) {
        self.missing = 0;
    }

    fn sequences(&self) -> I8Sequences {
        (*self).sequences()
    }
}
