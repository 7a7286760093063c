//! `wtf-8`: one to four octets, U+0..U+10FFFF with surrogates, but no surrogate pair.
//!
//! Simon Sapin, *The WTF-8 encoding*, §3 and §4: generalised UTF-8 is table 3-7 of the Unicode Standard without the gap for
//! surrogates, and a surrogate pair is to be written as the four octets of its supplementary code point.

use crate::ErrorKind::{Invalid, OutOfRange, Overlong, Surrogate, Unexpected};
use crate::bulk::utf_8::Utf8Sequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::utf_8::Second;

/// A lead surrogate code point, §2.
fn is_high(code_point: u128) -> bool {
    matches!(code_point, 0xD800..=0xDBFF)
}

/// A trail surrogate code point, §2.
fn is_low(code_point: u128) -> bool {
    matches!(code_point, 0xDC00..=0xDFFF)
}

/// Writes code points, and refuses a low surrogate after a high one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Wtf8Writer {
    /// Whether the last code point that was written is a high surrogate.
    after_high: bool,
}

impl Wtf8Writer {
    /// Writes the sequence of a code point, if the system has it here.
    pub(crate) fn encode(&mut self, code_point: u128, sequence: &mut Sequence) -> Option<()> {
        if self.after_high && is_low(code_point) {
            return None;
        }
        let trailing = |shift: u32| 0x80 | (code_point >> shift) as u32 & 0x3F;
        let lead = |shift: u32| (code_point >> shift) as u32;
        match code_point {
            0..=0x7F => sequence.push(lead(0)),
            0x80..=0x7FF => sequence.extend([0xC0 | lead(6), trailing(0)]),
            0x800..=0xFFFF => sequence.extend([0xE0 | lead(12), trailing(6), trailing(0)]),
            0x1_0000..=0x10_FFFF => {
                sequence.extend([0xF0 | lead(18), trailing(12), trailing(6), trailing(0)])
            }
            _ => return None,
        }
        self.after_high = is_high(code_point);
        Some(())
    }
}

/// The grammar: how far into a sequence the decoder is, and what the sequence before it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Wtf8 {
    /// The bits read of the code point.
    value: u32,
    /// How many trailing octets are still to come; 0 where a lead octet is expected.
    missing: u8,
    /// The range of the next trailing octet: as in UTF-8, but any after ED.
    second: Second,
    /// Whether a high surrogate comes directly before the sequence.
    after_high: bool,
}

impl Wtf8 {
    fn lead(&mut self, unit: u32) -> Verdict {
        let (bits, missing, second) = match unit {
            0x00..=0x7F => return self.whole(unit),
            0x80..=0xBF => return Verdict::Refused(Unexpected),
            0xC0..=0xC1 => return Verdict::Refused(Overlong),
            0xC2..=0xDF => (0x1F, 1, Second::Any),
            0xE0 => (0x0F, 2, Second::FromA0),
            0xE1..=0xEF => (0x0F, 2, Second::Any),
            0xF0 => (0x07, 3, Second::From90),
            0xF1..=0xF3 => (0x07, 3, Second::Any),
            0xF4 => (0x07, 3, Second::To8F),
            0xF5..=0xF7 => return Verdict::Refused(OutOfRange),
            _ => return Verdict::Refused(Invalid),
        };
        *self = Wtf8 { value: unit & bits, missing, second, ..*self };
        Verdict::More
    }

    fn whole(&mut self, code_point: u32) -> Verdict {
        let is_pair = self.after_high && is_low(code_point.into());
        self.after_high = is_high(code_point.into());
        if is_pair { Verdict::Spoilt(Surrogate) } else { Verdict::Whole(code_point) }
    }
}

impl Grammar for Wtf8 {
    type Sequences = Utf8Sequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        if self.missing == 0 {
            return self.lead(unit);
        }
        if let Some(kind) = self.second.refuses(unit) {
            return Verdict::Refused(kind);
        }
        self.value = self.value << 6 | unit & 0x3F;
        self.missing -= 1;
        self.second = Second::Any;
        if self.missing == 0 { self.whole(self.value) } else { Verdict::More }
    }

    fn reset(&mut self) {
        *self = Wtf8::default();
    }

    fn starts_afresh(&self) -> bool {
        !self.after_high
    }

    fn sequences(&self) -> Utf8Sequences {
        Utf8Sequences
    }
}
