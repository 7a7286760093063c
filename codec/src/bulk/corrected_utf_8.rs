//! `corrected-utf-8`: one to six octets. Each length encodes the code points that follow those of the shorter lengths.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;
use crate::systems::corrected_utf_8::{read_private, written_private};

/// The sequences of `corrected-utf-8`, after the magic number of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectedSequences {
    /// Whether U+0000 is an error.
    pub(crate) document: bool,
    /// Whether the code points that the system skips are private-use characters.
    pub(crate) private: bool,
}

/// The offsets that are added to the bits of a sequence: of two octets, of three up to U+D7FF, of three from U+E000 on, of
/// four, five and six.
const OFFSETS: [u32; 6] = [160, 2_208, 4_256, 69_792, 2_166_944, 69_275_808];

/// The bits of U+E000, the first code point above the surrogates; its sequence has three octets.
const BEHIND_SURROGATES: u32 = 0xE000 - OFFSETS[2];

impl WholeSequences for CorrectedSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(self.document.into(), 0x80)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let lead: u32 = (*units.first()?).into();
        let (mut bits, length) = match lead {
            0x00..=0x7F => return self.plain().holds(lead).then_some((lead, 1)),
            0xC0..=0xDF => (lead & 0x1F, 2),
            0xE0..=0xEF => (lead & 0x0F, 3),
            0xF0..=0xF7 => (lead & 0x07, 4),
            0xF8..=0xFB => (lead & 0x03, 5),
            0xFC..=0xFD => (lead & 0x01, 6),
            _ => return None,
        };
        let mut wrong = 0;
        for &unit in units.get(1..length)? {
            let unit: u32 = unit.into();
            wrong |= (unit ^ 0x80) >> 6;
            bits = bits << 6 | unit & 0x3F;
        }
        let offset = match length {
            2 => OFFSETS[0],
            3 if bits < BEHIND_SURROGATES => OFFSETS[1],
            3 => OFFSETS[2],
            4 => OFFSETS[3],
            5 => OFFSETS[4],
            _ => OFFSETS[5],
        };
        let code_point = if self.private { read_private(bits + offset) } else { bits + offset };
        (wrong == 0).then_some((code_point, length))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let code_point = if self.private { written_private(code_point)? } else { code_point };
        let (lead, offset, length) = match code_point {
            0x00..=0x7F => {
                room[0] = V::of_low_bits(code_point);
                return self.plain().holds(code_point).then_some(1);
            }
            0x80..=0x9F => return None,
            0xA0..=0x89F => (0xC0, OFFSETS[0], 2),
            0x8A0..=0xD7FF => (0xE0, OFFSETS[1], 3),
            0xD800..=0xDFFF => return None,
            0xE000..=0x1_109F => (0xE0, OFFSETS[2], 3),
            0x1_10A0..=0x21_109F => (0xF0, OFFSETS[3], 4),
            0x21_10A0..=0x421_109F => (0xF8, OFFSETS[4], 5),
            0x421_10A0..=0x8421_109F => (0xFC, OFFSETS[5], 6),
            _ => return None,
        };
        let mut bits = code_point - offset;
        let (first, trailing) = room[..length].split_first_mut()?;
        for unit in trailing.iter_mut().rev() {
            *unit = V::of_low_bits(0x80 | bits & 0x3F);
            bits >>= 6;
        }
        *first = V::of_low_bits(lead | bits);
        Some(length)
    }
}
