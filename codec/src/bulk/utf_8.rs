//! `utf-8`: the four rows of octets of RFC 3629, §4, with the ranges of code points of each.

use super::points::{self, POINTS};
use super::{LONGEST, PlainUnits, Run, WholeSequences, is_surrogate};
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

/// The least octet that leads four.
const LEAD_OF_FOUR: u8 = 0xF0;

/// Fewer octets, or code points, are read and written one by one.
const FEW: usize = 16;

/// How many code points are written at once.
const BLOCK: usize = 64;

#[inline(always)]
fn is_trailing(octet: impl Into<u16>) -> bool {
    octet.into() & 0xC0 == 0x80
}

/// All bits, or none.
#[inline(always)]
fn all_if(flag: bool) -> u16 {
    u16::from(flag).wrapping_neg()
}

/// The code point of a sequence of up to three octets that ends with `last`.
#[inline(always)]
fn ending_with([before, next_to_last, last]: [u8; 3]) -> u16 {
    let [before, next_to_last, last] = [before, next_to_last, last].map(u16::from);
    let (has_two, has_three) = (all_if(is_trailing(last)), all_if(is_trailing(next_to_last)));
    let first_of_three = (before & 0x0F) << 12 & has_three;
    let upper = (next_to_last & (0x1F | has_three & 0x3F)) << 6;
    last & (0x7F ^ has_two & 0x40) | (first_of_three | upper) & has_two
}

/// Does [`ending_with`] for each octet. A function of its own, since vector instructions come of it only where nothing else is in the loop.
#[inline(never)]
fn ending_with_each(octets: &[u8], endings: &mut [u16; POINTS]) {
    let at = |index: usize| octets.get(index).copied().unwrap_or_default();
    (endings[0], endings[1]) = (ending_with([0, 0, at(0)]), ending_with([0, at(0), at(1)]));
    let threes = octets.iter().zip(octets.iter().skip(1)).zip(octets.iter().skip(2));
    for (room, ((&before, &next_to_last), &last)) in endings[2..].iter_mut().zip(threes) {
        *room = ending_with([before, next_to_last, last]);
    }
}

/// Reads well-formed sequences of up to three octets as code points, and returns how many there are. There is room for as many code points
/// as octets. No branch depends on the text, since a processor cannot guess where words end.
fn read_of_basic_plane(octets: &[u8], code_points: &mut [u32]) -> usize {
    let mut endings = [0; POINTS];
    ending_with_each(octets, &mut endings);
    let mut written = 0;
    let mut put = |ending: u16, is_last: bool| {
        if let Some(room) = code_points.get_mut(written) {
            *room = ending.into();
        }
        written += usize::from(is_last);
    };
    for (&ending, &next) in endings.iter().zip(octets.iter().skip(1)) {
        put(ending, !is_trailing(next));
    }
    if let Some(last) = octets.len().checked_sub(1) {
        put(endings[last], true);
    }
    written
}

/// The octets of code points of the basic plane, as numbers that start with the low eight bits, and above them how many octets there are.
/// Vector instructions come of it.
#[inline(never)]
fn octets_of_each(code_points: &[u32], octets: &mut [u32; BLOCK]) {
    for (room, &code_point) in octets.iter_mut().zip(code_points) {
        let trailing = |bits: u32| 0x80 | bits & 0x3F;
        let one = 1 << 24 | code_point;
        let two = 2 << 24 | trailing(code_point) << 8 | 0xC0 | code_point >> 6;
        let upper_of_three = trailing(code_point >> 6) << 8 | 0xE0 | code_point >> 12;
        let three = 3 << 24 | trailing(code_point) << 16 | upper_of_three;
        let up_to_two = if code_point < 0x80 { one } else { two };
        *room = if code_point < 0x800 { up_to_two } else { three };
    }
}

/// Writes the sequences of code points of the basic plane, none of them a surrogate, and returns how many units they have. No branch
/// depends on the code points.
fn write_of_basic_plane<V: Unit>(code_points: &[u32], room: &mut [V]) -> usize {
    let mut octets = [0; BLOCK];
    octets_of_each(code_points, &mut octets);
    let mut written = 0;
    for &octets in &octets[..code_points.len()] {
        // The next sequence takes the place of what is too much.
        if let Some(room) = room[written..].first_chunk_mut::<4>() {
            *room = [0, 8, 16, 24].map(|bit| V::of_low_bits(octets >> bit & 0xFF));
        }
        written += (octets >> 24) as usize;
    }
    written
}

/// The six bits of a trailing octet; sets bits above 0x3F where it is none.
#[inline(always)]
fn trailing<U: Unit>(unit: U) -> u32 {
    unit.into() ^ 0x80
}

impl WholeSequences for Utf8Sequences {
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

    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        let Some(octets) = U::octets(units) else { return points::read(self, units, code_points) };
        let most = octets.len().min(code_points.len()).min(POINTS);
        if most < FEW {
            return points::read(self, octets, code_points);
        }
        let octets = &octets[..most];
        let octets = &octets[..valid_up_to(octets)];
        if octets.iter().fold(0, |most, &octet| octet.max(most)) >= LEAD_OF_FOUR {
            return points::read(self, octets, code_points);
        }
        Run { read: octets.len(), written: read_of_basic_plane(octets, code_points) }
    }

    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        let mut run = Run::default();
        for block in code_points.chunks(BLOCK) {
            // Three units each, and one past the last.
            let Some(room) = units[run.written..].get_mut(..3 * block.len() + 1) else { break };
            if block.len() < FEW {
                break;
            }
            let is_of_basic_plane = |code_point: u32| (code_point <= 0xFFFF) & !is_surrogate(code_point);
            if !block.iter().fold(true, |all, &code_point| all & is_of_basic_plane(code_point)) {
                break;
            }
            run.written += write_of_basic_plane(block, room);
            run.read += block.len();
        }
        let rest = points::write(self, &code_points[run.read..], &mut units[run.written..]);
        Run { read: run.read + rest.read, written: run.written + rest.written }
    }
}
