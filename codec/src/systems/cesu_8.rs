//! `cesu-8` and `mutf-8`: UTF-8 of up to three octets, in which supplementary code points are surrogate pairs of three octets
//! each.
//!
//! Unicode Technical Report #26, *Compatibility Encoding Scheme for UTF-16: 8-Bit (CESU-8)*, §2 to §4. The Java Virtual
//! Machine Specification, §4.4.7, has the modified UTF-8 of `mutf-8`, which differs in U+0000: it is C0 80, and "no byte may
//! have the value (byte)0".

use crate::ErrorKind::{Invalid, Nul, Overlong, Surrogate, Truncated, Unexpected};
use crate::bulk::cesu_8::Cesu8Sequences;
use crate::grammar::{Cut, Grammar, Verdict};
use crate::sequence::Sequence;

/// How U+0000 is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Null {
    /// 00, as in UTF-8.
    Octet,
    /// C0 80, and 00 is an error.
    Pair,
}

impl Null {
    /// The fast path.
    pub(crate) fn sequences(self) -> Cesu8Sequences {
        Cesu8Sequences { has_zero: self == Null::Octet }
    }
}

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(null: Null, code_point: u128, sequence: &mut Sequence) -> Option<()> {
    let character = u32::try_from(code_point).ok().and_then(char::from_u32)?;
    // A code point is first written in UTF-16, and then each unit of that as one to three octets.
    for unit in character.encode_utf16(&mut [0; 2]).iter().copied().map(u32::from) {
        let trailing = |shift: u32| 0x80 | unit >> shift & 0x3F;
        match unit {
            0 if null == Null::Pair => sequence.extend([0xC0, 0x80]),
            0..0x80 => sequence.push(unit),
            0x80..0x800 => sequence.extend([0xC0 | unit >> 6, trailing(0)]),
            0x800.. => sequence.extend([0xE0 | unit >> 12, trailing(6), trailing(0)]),
        }
    }
    Some(())
}

/// The grammar: how far into a sequence the decoder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cesu8 {
    null: Null,
    /// The bits read of the current unit of UTF-16.
    value: u32,
    /// The high surrogate of the pair, if it has been read.
    high: Option<u32>,
    next: Next,
}

/// The octets that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Next {
    Lead,
    /// After C0 in `mutf-8`: 80, and all others would be overlong.
    Null,
    /// After E0: A0..BF. Anything less would be below U+0800.
    FromA0,
    /// After ED: 80..AF. B0..BF would be a low surrogate before the high one.
    ToAF,
    /// 80..BF, then another one.
    TwoMore,
    /// 80..BF
    Last,
    /// After ED A0..AF: 80..BF, which completes a high surrogate.
    LastOfHigh,
    /// After a high surrogate: ED.
    LeadOfLow,
    /// After that: B0..BF.
    FromB0,
}

impl Cesu8 {
    pub(crate) fn new(null: Null) -> Cesu8 {
        Cesu8 { null, value: 0, high: None, next: Next::Lead }
    }

    fn lead(&mut self, unit: u32) -> Verdict {
        let (bits, next) = match unit {
            0x00 if self.null == Null::Pair => return Verdict::Refused(Nul),
            0x00..=0x7F => return Verdict::Whole(unit),
            0x80..=0xBF => return Verdict::Refused(Unexpected),
            0xC0 if self.null == Null::Pair => (0, Next::Null),
            0xC0..=0xC1 => return Verdict::Refused(Overlong),
            0xC2..=0xDF => (unit & 0x1F, Next::Last),
            0xE0 => (0, Next::FromA0),
            0xED => (unit & 0x0F, Next::ToAF),
            0xE1..=0xEF => (unit & 0x0F, Next::TwoMore),
            // Four octets are UTF-8 and not CESU-8; FE and FF are neither.
            _ => return Verdict::Refused(Invalid),
        };
        self.value = bits;
        self.high = None;
        self.next = next;
        Verdict::More
    }

    /// The code point of the sequence that ends here.
    fn code_point(&self) -> u32 {
        match self.high {
            None => self.value,
            Some(high) => 0x1_0000 + ((high & 0x3FF) << 10 | self.value & 0x3FF),
        }
    }
}

impl Grammar for Cesu8 {
    type Sequences = Cesu8Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        self.next = match (self.next, unit) {
            (Next::Lead, _) => return self.lead(unit),
            (Next::LeadOfLow, 0xED) => {
                self.high = Some(self.value);
                self.value = 0x0D;
                self.next = Next::FromB0;
                return Verdict::More;
            }
            (Next::LeadOfLow, _) => return Verdict::Refused(Surrogate),
            (Next::Null, 0x80) => Next::Lead,
            (Next::Null, 0x81..=0xBF) => return Verdict::Refused(Overlong),
            (Next::FromA0, 0x80..=0x9F) => return Verdict::Refused(Overlong),
            (Next::ToAF, 0xB0..=0xBF) => return Verdict::Refused(Surrogate),
            (Next::FromB0, 0x80..=0xAF) => return Verdict::Refused(Truncated),
            (Next::ToAF, 0xA0..=0xAF) => Next::LastOfHigh,
            (Next::FromA0 | Next::ToAF | Next::TwoMore | Next::FromB0, 0x80..=0xBF) => Next::Last,
            (Next::LastOfHigh, 0x80..=0xBF) => Next::LeadOfLow,
            (Next::Last, 0x80..=0xBF) => Next::Lead,
            _ => return Verdict::Refused(Truncated),
        };
        self.value = self.value << 6 | unit & 0x3F;
        if self.next == Next::Lead { Verdict::Whole(self.code_point()) } else { Verdict::More }
    }

    fn reset(&mut self) {
        self.next = Next::Lead;
    }

    fn at_end(&mut self) -> Cut {
        if self.next == Next::LeadOfLow { Surrogate.into() } else { Truncated.into() }
    }

    fn sequences(&self) -> Cesu8Sequences {
        self.null.sequences()
    }
}
