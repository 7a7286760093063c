//! `utf-32` and `ucs-2`: a unit is a code point; and the same as octets.

use super::digits::Layout;
use super::{LONGEST, PlainUnits, Run, WholeSequences, points};
use crate::{ByteOrder, Unit};

/// The sequences of units: code points up to `last` but surrogates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordSequences {
    pub(crate) last: u32,
}

/// The same, of words of `OCTETS` octets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordOctetSequences<const OCTETS: usize> {
    pub(crate) order: ByteOrder,
    pub(crate) last: u32,
}

/// Whether `code_point` is a code point of the system.
#[inline(always)]
fn has(code_point: u32, last: u32) -> bool {
    code_point <= last && !matches!(code_point, 0xD800..=0xDFFF)
}

impl WholeSequences for WordSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0x1_0000)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let code_point = (*units.first()?).into();
        has(code_point, self.last).then_some((code_point, 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(code_point);
        has(code_point, self.last).then_some(1)
    }
}

impl<const OCTETS: usize> WholeSequences for WordOctetSequences<OCTETS> {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0x1_0000)
    }

    #[inline(always)]
    fn layout(self) -> Layout {
        if OCTETS == 2 { Layout::TwoOctets(self.order) } else { Layout::FourOctets(self.order) }
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let mut octets: [u32; OCTETS] = units.first_chunk::<OCTETS>()?.map(Into::into);
        if self.order == ByteOrder::Little {
            octets.reverse();
        }
        let all = octets.iter().fold(0, |all, octet| all | octet);
        let code_point = octets.iter().fold(0, |word, octet| word << 8 | octet);
        (all <= 0xFF && has(code_point, self.last)).then_some((code_point, OCTETS))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        for (index, room) in room[..OCTETS].iter_mut().enumerate() {
            let at = match self.order {
                ByteOrder::Big => OCTETS - 1 - index,
                ByteOrder::Little => index,
            };
            *room = V::of_low_bits(code_point >> (8 * at) & 0xFF);
        }
        has(code_point, self.last).then_some(OCTETS)
    }

    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        points::read_widely(self, units, code_points)
    }

    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        points::write_widely(self, code_points, units)
    }
}
