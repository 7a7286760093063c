//! Character sets of single octets, by a table.

use super::{LONGEST, PlainUnits, Run, WholeSequences};
use crate::Unit;
use crate::systems::table::CharacterSet;

/// The octets of a character set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableSequences(pub(crate) &'static CharacterSet);

impl WholeSequences for TableSequences {
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

    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        let code_point = |unit: U| self.0.code_points.get(unit.into() as usize).copied().flatten();
        each(units, code_points, code_point)
    }

    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        each(code_points, units, |code_point| Some(V::of_low_bits(self.0.octet(code_point)?.into())))
    }
}

/// Takes each of `from` to one of `to`, up to the first that has none. No branch depends on which it is.
#[inline(always)]
fn each<F: Copy, T>(from: &[F], to: &mut [T], of: impl Fn(F) -> Option<T>) -> Run {
    let mut count = 0;
    for (&from, room) in from.iter().zip(to) {
        let Some(found) = of(from) else { break };
        *room = found;
        count += 1;
    }
    Run { read: count, written: count }
}
