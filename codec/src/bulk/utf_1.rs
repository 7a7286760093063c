//! `utf-1`: one, two, three or five octets.

use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of code points up to `max` but surrogates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf1Sequences {
    pub(crate) max: u32,
}

/// The octet of each digit.
const OCTETS: [u8; 190] = {
    let mut octets = [0; 190];
    let mut digit = 0;
    while digit < 190 {
        octets[digit] = if digit < 94 { 33 } else { 66 } + digit as u8;
        digit += 1;
    }
    octets
};

/// The digit of each octet; 190 or more of an octet that is no digit.
const DIGITS: [u32; 256] = {
    let mut digits = [u32::MAX; 256];
    let mut digit = 0;
    while digit < 190 {
        digits[OCTETS[digit] as usize] = digit as u32;
        digit += 1;
    }
    digits
};

fn digit<U: Unit>(unit: U) -> Option<u32> {
    DIGITS.get(unit.into() as usize).copied().filter(|&digit| digit < 190)
}

impl WholeSequences for Utf1Sequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0xA0)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let lead: u32 = (*units.first()?).into();
        match lead {
            0..0xA0 => Some((lead, 1)),
            0xA0 => {
                let octet: u32 = (*units.get(1)?).into();
                (0xA0..=0xFF).contains(&octet).then_some((octet, 2))
            }
            0xA1..0xF6 => Some((0x100 + (lead - 0xA1) * 190 + digit(*units.get(1)?)?, 2)),
            0xF6..0xFC => {
                let [high, low] = [digit(*units.get(1)?)?, digit(*units.get(2)?)?];
                let code_point = 0x4016 + ((lead - 0xF6) * 190 + high) * 190 + low;
                (!super::is_surrogate(code_point)).then_some((code_point, 3))
            }
            0xFC..=0xFF => {
                let value = units.get(1..5)?.iter().try_fold(u64::from(lead - 0xFC), |value, &unit| {
                    Some(value * 190 + u64::from(digit(unit)?))
                })?;
                let code_point = u32::try_from(value + 0x3_8E2E).ok()?;
                (code_point <= self.max).then_some((code_point, 5))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let octet = |digit: u32| V::of_low_bits(OCTETS[digit as usize % 190].into());
        match code_point {
            0..0xA0 => {
                room[0] = V::of_low_bits(code_point);
                Some(1)
            }
            0xA0..=0xFF => {
                room[0] = V::of_low_bits(0xA0);
                room[1] = V::of_low_bits(code_point);
                Some(2)
            }
            0x100..0x4016 => {
                let rest = code_point - 0x100;
                room[0] = V::of_low_bits(0xA1 + rest / 190);
                room[1] = octet(rest);
                Some(2)
            }
            0x4016..0x3_8E2E if !super::is_surrogate(code_point) => {
                let rest = code_point - 0x4016;
                room[0] = V::of_low_bits(0xF6 + rest / (190 * 190));
                room[1] = octet(rest / 190);
                room[2] = octet(rest);
                Some(3)
            }
            0x3_8E2E.. if code_point <= self.max => {
                let rest = code_point - 0x3_8E2E;
                room[0] = V::of_low_bits(0xFC + rest / 190_u32.pow(4));
                for (index, room) in room[1..5].iter_mut().enumerate() {
                    *room = octet(rest / 190_u32.pow(3 - index as u32));
                }
                Some(5)
            }
            _ => None,
        }
    }
}
