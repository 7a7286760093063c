//! Character sets of single octets, by a table.

use super::digits::OneUnit;
use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;
use crate::systems::table::CharacterSet;

/// The octets of a character set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableSequences(pub(crate) &'static CharacterSet);

impl WholeSequences for TableSequences {
    type Plain = OneUnit;

    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, self.0.plain)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let unit: u32 = (*units.first()?).into();
        let code_point = (*self.0.code_points.get(unit as usize)?)?;
        Some((code_point, 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(self.0.octet(code_point)?.into());
        Some(1)
    }
}
