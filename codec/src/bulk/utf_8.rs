//! `utf-8`: the four rows of octets of RFC 3629, §4, with the ranges of code points of each.

use super::digits::OneUnit;
use super::{LONGEST, PlainUnits, WholeSequences};
use crate::Unit;

/// The sequences of `utf-8`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf8Sequences;

/// How many octets at the front are well-formed sequences.
pub(super) fn valid_up_to(octets: &[u8]) -> usize {
    match simdutf8::compat::from_utf8(octets) {
        Ok(_) => octets.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Copies well-formed sequences, and returns how many octets they have.
pub(super) fn copy(from: &[u8], to: &mut [u8]) -> usize {
    let most = from.len().min(to.len());
    let valid = valid_up_to(&from[..most]);
    to[..valid].copy_from_slice(&from[..valid]);
    valid
}

/// The six bits of a trailing octet; sets bits above 0x3F where it is none.
#[inline(always)]
fn trailing<U: Unit>(unit: U) -> u32 {
    unit.into() ^ 0x80
}

impl WholeSequences for Utf8Sequences {
    type Plain = OneUnit;

    const IS_UTF_8: bool = true;

    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, 0x80)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let lead: u32 = (*units.first()?).into();
        match lead {
            0x00..=0x7F => Some((lead, 1)),
            0xC2..=0xDF => {
                let &[_, a] = units.first_chunk()?;
                let a = trailing(a);
                let code_point = (lead & 0x1F) << 6 | a;
                (a <= 0x3F).then_some((code_point, 2))
            }
            0xE0..=0xEF => {
                let &[_, a, b] = units.first_chunk()?;
                let (a, b) = (trailing(a), trailing(b));
                let code_point = (lead & 0x0F) << 12 | a << 6 | b;
                let has_form = code_point >= 0x800 && !matches!(code_point, 0xD800..=0xDFFF);
                (a | b <= 0x3F && has_form).then_some((code_point, 3))
            }
            0xF0..=0xF4 => {
                let &[_, a, b, c] = units.first_chunk()?;
                let (a, b, c) = (trailing(a), trailing(b), trailing(c));
                let code_point = (lead & 0x07) << 18 | a << 12 | b << 6 | c;
                let has_form = matches!(code_point, 0x1_0000..=0x10_FFFF);
                (a | b | c <= 0x3F && has_form).then_some((code_point, 4))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let last = |shift: u32| V::of_low_bits(0x80 | code_point >> shift & 0x3F);
        let lead = |fixed: u32, shift: u32| V::of_low_bits(fixed | code_point >> shift);
        match code_point {
            0..=0x7F => {
                room[0] = lead(0, 0);
                Some(1)
            }
            0x80..=0x7FF => {
                room[0] = lead(0xC0, 6);
                room[1] = last(0);
                Some(2)
            }
            0xD800..=0xDFFF => None,
            0x800..=0xFFFF => {
                room[0] = lead(0xE0, 12);
                room[1] = last(6);
                room[2] = last(0);
                Some(3)
            }
            0x1_0000..=0x10_FFFF => {
                room[0] = lead(0xF0, 18);
                room[1] = last(12);
                room[2] = last(6);
                room[3] = last(0);
                Some(4)
            }
            _ => None,
        }
    }
}
