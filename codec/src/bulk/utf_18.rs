//! `utf-18`: pairs of nonets. No unit is a sequence by itself.

use super::digits::Layout;
use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of `utf-18`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf18Sequences;

/// The code points from U+E0000 on stand in the place of plane 3.
const SHIFT: u32 = 0xB_0000;

impl WholeSequences for Utf18Sequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0x1_0000)
    }

    #[inline(always)]
    fn layout(self) -> Layout {
        Layout::TwoNonets
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let &[high, low] = units.first_chunk()?;
        let (high, low): (u32, u32) = (high.into(), low.into());
        if high | low > 0o777 {
            return None;
        }
        match high << 9 | low {
            0xD800..=0xDFFF => None,
            value @ 0..=0x2_FFFF => Some((value, 2)),
            value => Some((value + SHIFT, 2)),
        }
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let value = match code_point {
            0xD800..=0xDFFF => return None,
            0..=0x2_FFFF => code_point,
            0xE_0000..=0xE_FFFF => code_point - SHIFT,
            _ => return None,
        };
        room[0] = V::of_low_bits(value >> 9);
        room[1] = V::of_low_bits(value & 0o777);
        Some(2)
    }
}
