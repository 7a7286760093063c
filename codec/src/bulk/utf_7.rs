//! `utf-7`: characters by themselves. Runs of Base64 are not read or written here.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::systems::utf_7::is_written_directly;
use crate::{SetO, Unit};

/// The characters that an encoder writes by themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf7Sequences(pub(crate) SetO);

impl WholeSequences for Utf7Sequences {
    /// The longest range of characters that both forms of set O have in common.
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(b'a'.into(), u32::from(b'z') + 1)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let unit = (*units.first()?).into();
        is_written_directly(unit, self.0).then_some((unit, 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(code_point);
        is_written_directly(code_point, self.0).then_some(1)
    }
}
