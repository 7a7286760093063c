//! `corrected-utf-8`: one to six octets, U+0..U+8421109F without C1 controls and surrogates.
//!
//! The Corrected UTF-8 proposal. Quotations are from there.

use crate::ErrorKind;
use crate::bulk::corrected_utf_8::CorrectedSequences;
use crate::grammar::{Cut, Grammar, Verdict};
use crate::sequence::Sequence;
use crate::systems::opening::{Mark, Opens};

/// "The magic number signaling text using Corrected UTF-8."
pub(crate) const MAGIC: Mark = &[0xEF, 0xB7, 0x9D, 0xED, 0xB2, 0xAE, 0x00, 0x0A];

/// A row of the table in "Putting it all together".
struct Row {
    /// The bits that the first and the last sequence of the row hold, before the offset is added.
    data: (u32, u32),
    /// How many octets the sequences have.
    length: u8,
    offset: u32,
}

/// The table in "Putting it all together". The offsets are in decimal, as there.
const TABLE: [Row; 7] = [
    Row { data: (0, 0x7F), length: 1, offset: 0 },
    Row { data: (0, 0x7FF), length: 2, offset: 160 },
    Row { data: (0, 0xCF5F), length: 3, offset: 2_208 }, // E0 80 80 … EC BD 9F
    Row { data: (0xCF60, 0xFFFF), length: 3, offset: 4_256 }, // EC BD A0 … EF BF BF
    Row { data: (0, 0x1F_FFFF), length: 4, offset: 69_792 },
    Row { data: (0, 0x3FF_FFFF), length: 5, offset: 2_166_944 },
    Row { data: (0, 0x7FFF_FFFF), length: 6, offset: 69_275_808 },
];

/// The fixed bits of a lead octet, by the length of the sequence: 0, 110, 1110, 11110, 111110, 1111110.
const LEADS: [u32; 7] = [0, 0x00, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC];

/// Plane 16, whose code points are private use: "they can be mapped to some convenient private-use codepoints."
const PRIVATE: u32 = 0x10_0000;

/// Whether the system skips a code point: C1 controls and surrogates.
fn is_skipped(code_point: u32) -> bool {
    matches!(code_point, 0x80..=0x9F | 0xD800..=0xDFFF)
}

/// The code point that is read where a sequence has `code_point`, if skipped ones are private-use characters.
#[inline(always)]
pub(crate) fn read_private(code_point: u32) -> u32 {
    Some(code_point.wrapping_sub(PRIVATE)).filter(|&skipped| is_skipped(skipped)).unwrap_or(code_point)
}

/// The code point whose sequence is written for `code_point`, if skipped ones are private-use characters.
#[inline(always)]
pub(crate) fn written_private(code_point: u32) -> Option<u32> {
    if is_skipped(code_point) {
        return Some(PRIVATE + code_point);
    }
    Some(code_point).filter(|code_point| !is_skipped(code_point.wrapping_sub(PRIVATE)))
}

/// Writes the sequence of a code point, if the system has it.
pub(crate) fn encode(document: bool, private: bool, code_point: u128, sequence: &mut Sequence) -> Option<()> {
    let code_point = match u32::try_from(code_point) {
        Ok(code_point) if private => written_private(code_point)?.into(),
        _ => code_point,
    };
    if document && code_point == 0 {
        return None;
    }
    let row = TABLE.iter().find(|row| {
        let range = u128::from(row.data.0 + row.offset)..=u128::from(row.data.1 + row.offset);
        range.contains(&code_point)
    })?;
    let data = code_point as u32 - row.offset;
    sequence.push(LEADS[usize::from(row.length)] | data >> (6 * (row.length - 1)));
    sequence.extend((0..row.length - 1).rev().map(|index| 0x80 | data >> (6 * index) & 0x3F));
    Some(())
}

/// The grammar: how far into a sequence the decoder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Corrected {
    document: bool,
    private: bool,
    data: u32,
    length: u8,
    /// How many trailing octets are still to come; 0 where a lead octet is expected.
    missing: u8,
    /// Whether the sequence began with FE or FF.
    reserved: bool,
}

impl Corrected {
    pub(crate) fn new(document: bool, private: bool) -> Corrected {
        Corrected { document, private, data: 0, length: 0, missing: 0, reserved: false }
    }

    fn lead(&mut self, unit: u32) -> Verdict {
        let (length, bits) = match unit {
            0x00 if self.document => return Verdict::Refused(ErrorKind::Nul),
            0x00..=0x7F => return Verdict::Whole(unit),
            0x80..=0xBF => return Verdict::Refused(ErrorKind::Unexpected),
            0xC0..=0xDF => (2, 0x1F),
            0xE0..=0xEF => (3, 0x0F),
            0xF0..=0xF7 => (4, 0x07),
            0xF8..=0xFB => (5, 0x03),
            0xFC..=0xFD => (6, 0x01),
            0xFE..=0xFF => {
                self.reserved = true;
                return Verdict::More;
            }
            _ => return Verdict::Refused(ErrorKind::Invalid),
        };
        self.data = unit & bits;
        self.length = length;
        self.missing = length - 1;
        Verdict::More
    }

    fn code_point(&self) -> u32 {
        let row = TABLE.iter().find(|row| row.length == self.length && self.data <= row.data.1);
        let code_point = self.data + row.expect("the rows of a length end with all its data").offset;
        if self.private { read_private(code_point) } else { code_point }
    }
}

impl Grammar for Corrected {
    type Sequences = CorrectedSequences;

    #[inline(always)]
    fn step(&mut self, unit: u32) -> Verdict {
        if self.reserved {
            // "As extending until the next recognized lead byte."
            return match unit {
                0x80..=0xBF | 0xFE..=0xFF => Verdict::More,
                _ => Verdict::Refused(ErrorKind::Reserved),
            };
        }
        if self.missing == 0 {
            return self.lead(unit);
        }
        let 0x80..=0xBF = unit else {
            return Verdict::Refused(ErrorKind::Truncated);
        };
        self.data = self.data << 6 | unit & 0x3F;
        self.missing -= 1;
        if self.missing == 0 { Verdict::Whole(self.code_point()) } else { Verdict::More }
    }

    fn reset(&mut self) {
        self.missing = 0;
        self.reserved = false;
    }

    fn at_end(&mut self) -> Cut {
        if self.reserved { ErrorKind::Reserved.into() } else { ErrorKind::Truncated.into() }
    }

    fn sequences(&self) -> CorrectedSequences {
        CorrectedSequences { document: self.document, private: self.private }
    }
}

impl Opens for Corrected {}
