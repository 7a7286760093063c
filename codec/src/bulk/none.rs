//! Systems without a fast path.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// No sequences: each unit is read, and each code point written, by the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSequences;

impl WholeSequences for NoSequences {
    fn plain(self) -> PlainUnits {
        PlainUnits::NONE
    }

    fn read<U: Unit>(self, _: &[U]) -> Option<(u32, usize)> {
        None
    }

    fn write<V: Unit>(self, _: u32, _: &mut [V; LONGEST]) -> Option<usize> {
        None
    }
}
