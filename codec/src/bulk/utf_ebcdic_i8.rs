//! `utf-ebcdic-i8`: one to seven octets.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;
use crate::systems::i8_forms::{FIRST, LEADS, TRAILING, TRAILING_BITS};

/// The sequences of code points up to `max` but surrogates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct I8Sequences {
    pub(crate) max: u32,
}

impl I8Sequences {
    fn has(self, code_point: u32) -> bool {
        code_point <= self.max && !matches!(code_point, 0xD800..=0xDFFF)
    }
}

impl WholeSequences for I8Sequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, FIRST[1])
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let lead: u32 = (*units.first()?).into();
        if lead < FIRST[1] {
            return Some((lead, 1));
        }
        let trailing = LEADS.iter().rposition(|&known| known <= lead).filter(|&trailing| trailing > 0)?;
        let mut code_point = lead - LEADS[trailing];
        for &unit in units.get(1..=trailing)? {
            let unit: u32 = unit.into();
            if unit >> TRAILING_BITS != TRAILING >> TRAILING_BITS {
                return None;
            }
            code_point = code_point << TRAILING_BITS | unit & 0x1F;
        }
        (lead <= 0xFF && code_point >= FIRST[trailing] && self.has(code_point))
            .then_some((code_point, trailing + 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let trailing = FIRST.iter().rposition(|&first| first <= code_point)?;
        let bits = |behind: usize| code_point >> (TRAILING_BITS * behind as u32);
        room[0] = V::of_low_bits(LEADS[trailing] | bits(trailing));
        for (index, unit) in room.iter_mut().enumerate().take(trailing + 1).skip(1) {
            *unit = V::of_low_bits(TRAILING | bits(trailing - index) & 0x1F);
        }
        self.has(code_point).then_some(trailing + 1)
    }
}
