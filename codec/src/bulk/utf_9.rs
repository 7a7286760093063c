//! `utf-9`: one to four nonets.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of `utf-9` up to a code point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf9Sequences {
    pub(crate) max: u32,
}

const CONTINUATION: u32 = 0o400;

impl Utf9Sequences {
    #[inline(always)]
    fn has(self, code_point: u32) -> bool {
        code_point <= self.max && !matches!(code_point, 0xD800..=0xDFFF)
    }
}

impl WholeSequences for Utf9Sequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0x100)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        // A leading octet of zero is overlong.
        if (*units.first()?).into() == CONTINUATION {
            return None;
        }
        let mut code_point = 0;
        for (index, &unit) in units.iter().take(4).enumerate() {
            let unit: u32 = unit.into();
            code_point = code_point << 8 | unit & 0o377;
            match unit {
                0..CONTINUATION => return self.has(code_point).then_some((code_point, index + 1)),
                CONTINUATION..=0o777 => {}
                _ => return None,
            }
        }
        None
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        if !self.has(code_point) {
            return None;
        }
        let octet = |shift: u32| V::of_low_bits(CONTINUATION | code_point >> shift & 0o377);
        let last = V::of_low_bits(code_point & 0o377);
        let [a, b, c, d, ..] = room;
        match code_point {
            0..=0xFF => {
                *a = last;
                Some(1)
            }
            0x100..=0xFFFF => {
                (*a, *b) = (octet(8), last);
                Some(2)
            }
            0x1_0000..=0xFF_FFFF => {
                (*a, *b, *c) = (octet(16), octet(8), last);
                Some(3)
            }
            _ => {
                (*a, *b, *c, *d) = (octet(24), octet(16), octet(8), last);
                Some(4)
            }
        }
    }
}
