//! `utf-8`: the four rows of octets of RFC 3629, §4, with the ranges of code points of each.

use super::points::{self, POINTS};
use super::wide::widely;
use super::{LONGEST, PlainUnits, Run, WholeSequences, is_surrogate};
use crate::Unit;
use crate::systems::table::{LOW, Low};

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

/// All bits, or none.
#[inline(always)]
fn all_if(flag: bool) -> u16 {
    u16::from(flag).wrapping_neg()
}

/// How many octets are read at once: as many as a mask has bits.
const OCTETS: usize = u64::BITS as usize;

/// The most octets of a sequence that [`starting_with`] reads.
const LONGEST_OF_BASIC_PLANE: usize = 3;

/// The code point of the well-formed sequence at the front of three octets. Has no meaning where the first one is a trailing octet.
#[inline(always)]
fn starting_with(first: u8, second: u8, third: u8) -> u16 {
    let [first, second, third] = [first, second, third].map(u16::from);
    let last_of_two = second & 0x3F;
    let two = (first & 0x1F) << 6 | last_of_two;
    let three = first << 12 | last_of_two << 6 | third & 0x3F;
    let (has_two, has_three) = (all_if(first >= 0xC0), all_if(first >= 0xE0));
    (first & !has_two) | (two & has_two & !has_three) | (three & has_three)
}

/// A bit per octet, from the lowest up: the octet is no trailing one.
#[inline(always)]
fn starts(octets: &[u8; OCTETS]) -> u64 {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    /// Moves bit 8 n to bit 56 + n.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = octets.as_chunks();
    words.iter().enumerate().fold(0, |starts, (index, &word)| {
        let word = u64::from_le_bytes(word);
        let is_start = (!word | word << 1) & HIGH_BITS;
        starts | ((is_start >> 7).wrapping_mul(GATHER) >> 56) << (8 * index)
    })
}

/// Reads well-formed sequences of up to three octets as code points, takes each of these to one of `room` by `of`, and returns how many there
/// are. `room` has room for as many as octets. `of` may be called for U+0000 that is not there. No branch depends on where sequences start,
/// since a processor cannot guess where words end.
#[inline(always)]
fn read_blocks<T>(octets: &[u8], room: &mut [T], mut of: impl FnMut(u16) -> T) -> usize {
    /// How many code points are put at once, of which some may be too many.
    const AT_ONCE: usize = 4;
    let mut written = 0;
    for at in (0..octets.len()).step_by(OCTETS) {
        // The octets of sequences that start in this block. Zeros follow the last of all.
        let mut padded = [0; OCTETS + LONGEST_OF_BASIC_PLANE - 1];
        let rest = &octets[at..];
        let block = rest.first_chunk().unwrap_or_else(|| {
            padded[..rest.len()].copy_from_slice(rest);
            &padded
        });
        let first = block.first_chunk().expect("a block has more octets");
        // U+0000 follows the last code point.
        let mut read = [0; OCTETS + 1];
        let threes = block.iter().zip(&block[1..]).zip(&block[2..]);
        for (room, ((&first, &second), &third)) in read[..OCTETS].iter_mut().zip(threes) {
            *room = starting_with(first, second, third);
        }
        let mut starts = starts(first) & u64::MAX >> OCTETS.saturating_sub(rest.len());
        let count = starts.count_ones() as usize;
        let mut next = || {
            let index = starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
            of(read[index])
        };
        let room = &mut room[written..];
        match room.get_mut(..count.next_multiple_of(AT_ONCE)) {
            Some(room) => room.as_chunks_mut().0.iter_mut().for_each(|room: &mut [T; AT_ONCE]| {
                room.iter_mut().for_each(|room| *room = next());
            }),
            None => room[..count].iter_mut().for_each(|room| *room = next()),
        }
        written += count;
    }
    written
}

#[inline(always)]
fn read_blocks_of(octets: &[u8], code_points: &mut [u32]) -> usize {
    read_blocks(octets, code_points, u32::from)
}

/// Reads well-formed sequences of up to two octets, and takes each code point to an octet by `table`. Returns how many there are, or `None` where
/// the table has no octet for one of them, or for U+0000.
#[inline(always)]
fn read_blocks_by(octets: &[u8], table: &Low, room: &mut [u8]) -> Option<usize> {
    let mut all = 0;
    let count = read_blocks(octets, room, |code_point| {
        let found = table[usize::from(code_point) % LOW];
        all |= found;
        found as u8
    });
    (all <= 0xFF).then_some(count)
}

widely! {
    /// Does what [`read_blocks_by`] does.
    fn read_low_by = read_blocks_by(octets: &[u8], table: &Low, room: &mut [u8]) -> Option<usize>
}

widely! {
    /// Does what [`read_blocks_of`] does.
    fn read_of_basic_plane = read_blocks_of(octets: &[u8], code_points: &mut [u32]) -> usize
}

/// The octets of code points of the basic plane, as numbers that start with the low eight bits, and above them how many octets there are.
/// Vector instructions come of it.
#[inline(always)]
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

/// The octets of two code points from those of [each](octets_of_each): up to six, and in the upper eight bits how many.
#[inline(always)]
fn octets_of_two([first, second]: [u32; 2]) -> u64 {
    let [first, second] = [first, second].map(u64::from);
    let (octets, count) = (|octets: u64| octets & 0xFF_FFFF, |octets: u64| octets >> 24);
    octets(first) | octets(second) << (8 * count(first)) | (count(first) + count(second)) << 56
}

/// Writes the sequences of code points of the basic plane, none of them a surrogate, and returns how many units they have. No branch
/// depends on the code points.
#[inline(always)]
fn write_of_basic_plane<V: Unit>(code_points: &[u32], room: &mut [V]) -> usize {
    // Without octets where there is no code point.
    let mut octets = [0; BLOCK];
    octets_of_each(code_points, &mut octets);
    let (pairs, _) = octets.as_chunks();
    let mut of_pairs = [0; BLOCK / 2];
    of_pairs.iter_mut().zip(pairs).for_each(|(room, &pair)| *room = octets_of_two(pair));
    let mut written = 0;
    for octets in &of_pairs[..code_points.len().div_ceil(2)] {
        // The next sequences take the place of what is too much.
        if let Some(room) = room[written..].first_chunk_mut::<8>() {
            match V::octets_mut(room) {
                Some(room) => room.copy_from_slice(&octets.to_le_bytes()),
                None => *room = octets.to_le_bytes().map(|octet| V::of_low_bits(octet.into())),
            }
        }
        written += (octets >> 56) as usize;
    }
    written
}

/// Writes the sequences of code points block by block, up to the first block that has other than code points of the basic plane, or nearly
/// to an end.
#[inline(always)]
fn write_blocks_of<V: Unit>(code_points: &[u32], units: &mut [V]) -> Run {
    let mut run = Run::default();
    for block in code_points.chunks(BLOCK) {
        // Three units each, and what is written past the last.
        let Some(room) = units[run.written..].get_mut(..3 * block.len() + 8) else { break };
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
    run
}

widely! {
    /// Does what [`write_blocks_of`] does.
    fn write_blocks = write_blocks_of<V: Unit>(code_points: &[u32], units: &mut [V]) -> Run
}

/// The least octet that leads three.
const LEAD_OF_THREE: u8 = 0xE0;

/// Reads well-formed sequences of up to two octets off the front of `octets`, and writes the octet that `table` has for each. Nothing is read where
/// some of the next sequences are longer, or `table` has more than an octet for them.
pub(super) fn read_by_table(octets: &[u8], table: &Low, room: &mut [u8]) -> Run {
    let most = octets.len().min(room.len()).min(POINTS);
    let octets = &octets[..most];
    let octets = &octets[..valid_up_to(octets)];
    if octets.iter().fold(0, |most, &octet| octet.max(most)) >= LEAD_OF_THREE {
        return Run::default();
    }
    read_low_by(octets, table, room).map_or(Run::default(), |written| Run { read: octets.len(), written })
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
        let run = write_blocks(code_points, units);
        run + points::write(self, &code_points[run.read..], &mut units[run.written..])
    }
}
