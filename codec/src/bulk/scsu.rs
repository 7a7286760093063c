//! `scsu`: characters of ASCII and of the active window, in single-byte mode.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The octets that are no tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScsuSequences {
    /// The first code point of the active window; `None` if only ASCII is to be written.
    pub(crate) window: Option<u32>,
}

impl WholeSequences for ScsuSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0x20, 0x80)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let unit: u32 = (*units.first()?).into();
        match unit {
            0x20..0x80 | 0x00 | 0x09 | 0x0A | 0x0D => Some((unit, 1)),
            0x80..=0xFF => Some((self.window? + unit - 0x80, 1)),
            _ => None,
        }
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(match code_point {
            0x20..0x80 | 0x00 | 0x09 | 0x0A | 0x0D => code_point,
            _ => 0x80 + code_point.checked_sub(self.window?).filter(|&index| index < 0x80)?,
        });
        Some(1)
    }
}
