//! Octets and pairs of octets, by an index.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;
use crate::systems::multi_octet::Indexed;

/// The octets and the pairs of a set. Longer sequences are not read here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MultiOctetSequences(pub(crate) Indexed);

impl WholeSequences for MultiOctetSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, self.0.plain())
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let octet = |index: usize| u8::try_from((*units.get(index)?).into()).ok();
        self.0.read(octet(0)?, || octet(1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let (octets, count) = self.0.write(code_point)?;
        for (room, octet) in room.iter_mut().zip(octets) {
            *room = V::of_low_bits(octet.into());
        }
        Some(count)
    }
}
