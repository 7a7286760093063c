//! `cesu-8` and `mutf-8`: as `utf-8` up to three octets, and pairs of three octets.

use super::utf_8::Utf8Sequences;
use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of `cesu-8` and `mutf-8`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cesu8Sequences {
    /// Whether U+0000 is 00, and not C0 80.
    pub(crate) has_zero: bool,
}

impl WholeSequences for Cesu8Sequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(u32::from(!self.has_zero), 0x80)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let lead: u32 = (*units.first()?).into();
        match lead {
            0 if !self.has_zero => None,
            0xC0 if !self.has_zero => ((*units.get(1)?).into() == 0x80).then_some((0, 2)),
            0..=0xEF => Utf8Sequences.read(units).or_else(|| pair(units)),
            _ => None,
        }
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        match code_point {
            0 if !self.has_zero => {
                room[0] = V::of_low_bits(0xC0);
                room[1] = V::of_low_bits(0x80);
                Some(2)
            }
            0..=0xFFFF => Utf8Sequences.write(code_point, room),
            0x1_0000..=0x10_FFFF => {
                let bits = code_point - 0x1_0000;
                let octets = [
                    0xED,
                    0xA0 | bits >> 16,
                    0x80 | bits >> 10 & 0x3F,
                    0xED,
                    0xB0 | bits >> 6 & 0x0F,
                    0x80 | bits & 0x3F,
                ];
                for (room, octet) in room.iter_mut().zip(octets) {
                    *room = V::of_low_bits(octet);
                }
                Some(6)
            }
            _ => None,
        }
    }
}

/// A pair of surrogates at the front of `units`.
fn pair<U: Unit>(units: &[U]) -> Option<(u32, usize)> {
    let [a, b, c, d, e, f]: [u32; 6] = units.first_chunk::<6>()?.map(Into::into);
    // The fixed bits of all six octets; the rest are the bits of the code point, 10000 less.
    let is_pair = (a, d) == (0xED, 0xED)
        && (b ^ 0xA0) <= 0x0F
        && (c ^ 0x80) <= 0x3F
        && (e ^ 0xB0) <= 0x0F
        && (f ^ 0x80) <= 0x3F;
    let bits = (b & 0x0F) << 16 | (c & 0x3F) << 10 | (e & 0x0F) << 6 | f & 0x3F;
    is_pair.then_some((0x1_0000 + bits, 6))
}
