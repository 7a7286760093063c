//! `latin-1` and `ascii`: an octet is a code point.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of code points up to `last`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneOctetSequences {
    pub(crate) last: u8,
}

impl WholeSequences for OneOctetSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, u32::from(self.last) + 1)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let unit = (*units.first()?).into();
        (unit <= self.last.into()).then_some((unit, 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(code_point);
        (code_point <= self.last.into()).then_some(1)
    }
}
