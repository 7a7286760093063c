//! `utf-32`: a unit is a code point; and the same as octets.

use super::digits::{DigitsOf, OneUnit};
use super::{LONGEST, PlainUnits, WholeSequences};
use crate::{ByteOrder, Unit};

/// The sequences of `utf-32`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf32Sequences;

/// The sequences of `utf-32be` and `utf-32le`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf32OctetSequences(pub(crate) ByteOrder);

/// Whether there is a character of this number.
#[inline(always)]
fn has(code_point: u32) -> bool {
    matches!(code_point, 0..=0xD7FF | 0xE000..=0x10_FFFF)
}

impl WholeSequences for Utf32Sequences {
    type Plain = OneUnit;

    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0xD800)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let code_point = (*units.first()?).into();
        has(code_point).then_some((code_point, 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(code_point);
        has(code_point).then_some(1)
    }
}

impl WholeSequences for Utf32OctetSequences {
    type Plain = DigitsOf<4, 8>;

    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0xD800)
    }

    #[inline(always)]
    fn order(self) -> ByteOrder {
        self.0
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let mut octets: [u32; 4] = units.first_chunk::<4>()?.map(Into::into);
        if self.0 == ByteOrder::Little {
            octets.reverse();
        }
        let [a, b, c, d] = octets;
        let code_point = a << 24 | b << 16 | c << 8 | d;
        (a | b | c | d <= 0xFF && has(code_point)).then_some((code_point, 4))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let octets = match self.0 {
            ByteOrder::Big => code_point.to_be_bytes(),
            ByteOrder::Little => code_point.to_le_bytes(),
        };
        for (room, octet) in room.iter_mut().zip(octets) {
            *room = V::of_low_bits(octet.into());
        }
        has(code_point).then_some(4)
    }
}
