//! `utf-8`: one to four octets, U+0000..U+10FFFF without surrogates.
//!
//! The Unicode Standard, core specification, §3.9, table 3-7 "Well-Formed UTF-8 Byte Sequences"; RFC 3629, §4.

use crate::ErrorKind::{self, Invalid, OutOfRange, Overlong, Surrogate, Truncated, Unexpected};
use crate::bulk::utf_8::Utf8Sequences;
use crate::grammar::{Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::opening::Opens;

/// The grammar: how far into a row of table 3-7 the decoder is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Utf8 {
    /// The bits read of the code point.
    value: u32,
    /// How many trailing octets are still to come; 0 where a lead octet is expected.
    missing: u8,
    /// The range of the next trailing octet.
    second: Second,
}

/// The column "second byte" of table 3-7. Third and fourth octets are all `Any`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Second {
    /// 80..BF
    #[default]
    Any,
    /// A0..BF, after E0: anything less would be below U+0800.
    FromA0,
    /// 80..9F, after ED: anything more would be a surrogate.
    To9F,
    /// 90..BF, after F0: anything less would be below U+10000.
    From90,
    /// 80..8F, after F4: anything more would be past U+10FFFF.
    To8F,
}

impl Second {
    /// Why `unit` cannot be the next octet; `None` if it can.
    #[inline(always)]
    pub(crate) fn refuses(self, unit: u32) -> Option<ErrorKind> {
        match (self, unit) {
            (Second::FromA0, 0x80..=0x9F) => Some(Overlong),
            (Second::To9F, 0xA0..=0xBF) => Some(Surrogate),
            (Second::From90, 0x80..=0x8F) => Some(Overlong),
            (Second::To8F, 0x90..=0xBF) => Some(OutOfRange),
            (_, 0x80..=0xBF) => None,
            _ => Some(Truncated),
        }
    }
}

impl Utf8 {
    #[inline(always)]
    fn lead(&mut self, unit: u32) -> Verdict {
        let (bits, missing, second) = match unit {
            0x00..=0x7F => return Verdict::Whole(unit),
            0x80..=0xBF => return Verdict::Refused(Unexpected),
            0xC0..=0xC1 => return Verdict::Refused(Overlong),
            0xC2..=0xDF => (0x1F, 1, Second::Any),
            0xE0 => (0x0F, 2, Second::FromA0),
            0xE1..=0xEC => (0x0F, 2, Second::Any),
            0xED => (0x0F, 2, Second::To9F),
            0xEE..=0xEF => (0x0F, 2, Second::Any),
            0xF0 => (0x07, 3, Second::From90),
            0xF1..=0xF3 => (0x07, 3, Second::Any),
            0xF4 => (0x07, 3, Second::To8F),
            0xF5..=0xF7 => return Verdict::Refused(OutOfRange),
            _ => return Verdict::Refused(Invalid),
        };
        *self = Utf8 { value: unit & bits, missing, second };
        Verdict::More
    }
}

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(code_point: u128, sequence: &mut Sequence) -> Option<()> {
    let character = u32::try_from(code_point).ok().and_then(char::from_u32)?;
    let mut octets = [0; 4];
    sequence.extend(character.encode_utf8(&mut octets).bytes().map(u32::from));
    Some(())
}

impl Grammar for Utf8 {
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
        if self.missing == 0 { Verdict::Whole(self.value) } else { Verdict::More }
    }

    fn reset(&mut self) {
        *self = Utf8::default();
    }

    fn sequences(&self) -> Utf8Sequences {
        Utf8Sequences
    }
}

impl Opens for Utf8 {}
