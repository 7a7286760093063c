//! No fast path: all is read and written by the reference.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// No sequences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSequences;

impl WholeSequences for NoSequences {
    fn plain(self) -> PlainUnits {
        PlainUnits::NONE
    }

    fn read<U: Unit>(self, _units: &[U]) -> Option<(u32, usize)> {
        None
    }

    fn write<V: Unit>(self, _code_point: u32, _room: &mut [V; LONGEST]) -> Option<usize> {
        None
    }
}
