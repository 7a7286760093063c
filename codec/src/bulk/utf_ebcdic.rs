//! `utf-ebcdic`: the sequences of `utf-ebcdic-i8`, with an octet of EBCDIC for each of theirs.

use super::utf_ebcdic_i8::I8Sequences;
use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;
use crate::systems::utf_ebcdic::{OF_I8, TO_I8};

/// The sequences of a system with this I8 form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EbcdicSequences(pub(crate) I8Sequences);

/// The most octets of a sequence.
const MOST: usize = 7;

impl WholeSequences for EbcdicSequences {
    /// The first control characters, which EBCDIC has in common with ASCII.
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 4)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let units = &units[..units.len().min(MOST)];
        let mut octets = [0; MOST];
        for (octet, &unit) in octets.iter_mut().zip(units) {
            *octet = TO_I8.get(unit.into() as usize).copied()?;
        }
        self.0.read(&octets[..units.len()])
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let mut octets = [0_u8; LONGEST];
        let length = self.0.write(code_point, &mut octets)?;
        for (room, octet) in room.iter_mut().zip(&octets[..length]) {
            *room = V::of_low_bits(OF_I8[usize::from(*octet)].into());
        }
        Some(length)
    }
}
