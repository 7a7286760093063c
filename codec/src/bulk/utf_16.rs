//! `utf-16`: units of the basic plane and pairs of surrogates, as units of 16 bits and as octets.

use super::digits::Layout;
use super::{LONGEST, PlainUnits, Run, WholeSequences, points};
use crate::{ByteOrder, Unit};

/// The sequences of `utf-16`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf16Sequences;

/// The sequences of `utf-16be` and `utf-16le`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf16OctetSequences(pub(crate) ByteOrder);

/// The first high and the first low surrogate, and the first code point that is a pair of them.
const HIGH: u32 = 0xD800;
const LOW: u32 = 0xDC00;
const OFFSET: u32 = 0x1_0000;

/// The code point at the front of units, and whether it is a pair.
#[inline(always)]
fn read_units(first: u32, second: impl FnOnce() -> Option<u32>) -> Option<(u32, bool)> {
    match first {
        0..HIGH | 0xE000..=0xFFFF => Some((first, false)),
        HIGH..LOW => {
            let low = second()? ^ LOW;
            let code_point = OFFSET + ((first - HIGH) << 10 | low);
            (low < 0x400).then_some((code_point, true))
        }
        _ => None,
    }
}

/// The units of a code point; the second is 0 where there is one only.
#[inline(always)]
fn write_units(code_point: u32) -> Option<(u32, u32)> {
    match code_point {
        0..HIGH | 0xE000..=0xFFFF => Some((code_point, 0)),
        OFFSET..=0x10_FFFF => {
            let bits = code_point - OFFSET;
            Some((HIGH | bits >> 10, LOW | bits & 0x3FF))
        }
        _ => None,
    }
}

impl WholeSequences for Utf16Sequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, OFFSET)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let first = (*units.first()?).into();
        let (code_point, is_pair) = read_units(first, || Some((*units.get(1)?).into()))?;
        Some((code_point, 1 + usize::from(is_pair)))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let (first, second) = write_units(code_point)?;
        room[0] = V::of_low_bits(first);
        room[1] = V::of_low_bits(second);
        Some(1 + usize::from(second != 0))
    }
}

impl Utf16OctetSequences {
    #[inline(always)]
    fn unit<U: Unit>(self, octets: [U; 2]) -> Option<u32> {
        let [one, other] = octets.map(Into::into);
        let (high, low) = if self.0 == ByteOrder::Big { (one, other) } else { (other, one) };
        (one | other <= 0xFF).then_some(high << 8 | low)
    }

    #[inline(always)]
    fn octets<V: Unit>(self, unit: u32) -> [V; 2] {
        let (high, low) = (V::of_low_bits(unit >> 8), V::of_low_bits(unit & 0xFF));
        if self.0 == ByteOrder::Big { [high, low] } else { [low, high] }
    }
}

impl WholeSequences for Utf16OctetSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, OFFSET)
    }

    #[inline(always)]
    fn layout(self) -> Layout {
        Layout::TwoOctets(self.0)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let first = self.unit(*units.first_chunk()?)?;
        let (code_point, is_pair) = read_units(first, || self.unit(*units[2..].first_chunk()?))?;
        Some((code_point, 2 + 2 * usize::from(is_pair)))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let (first, second) = write_units(code_point)?;
        let ([a, b], [c, d]) = (self.octets(first), self.octets(second));
        (room[0], room[1], room[2], room[3]) = (a, b, c, d);
        Some(2 + 2 * usize::from(second != 0))
    }

    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        points::read_widely(self, units, code_points)
    }

    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        points::write_widely(self, code_points, units)
    }
}
