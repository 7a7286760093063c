//! Character sets of single octets, by a table.

use super::{LONGEST, PlainUnits, Run, WholeSequences, utf_8};
use crate::Unit;
use crate::systems::table::{CharacterSet, LOW, NO_CODE_POINT, NO_OCTET};

/// The octets of a character set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableSequences(pub(crate) &'static CharacterSet);

impl WholeSequences for TableSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, self.0.plain)
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let unit: u32 = (*units.first()?).into();
        let code_point = self.0.code_point(unit)?;
        Some((code_point, 1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        room[0] = V::of_low_bits(self.0.octet(code_point)?.into());
        Some(1)
    }

    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        let code_point = |unit: U| *self.0.code_points.get(unit.into() as usize).unwrap_or(&NO_CODE_POINT);
        each(units, code_points, NO_CODE_POINT, code_point, |code_point| code_point)
    }

    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        // Most blocks have low code points only, which need one table in place of two.
        let low = |code_point: u32| self.0.low[code_point as usize % LOW].into();
        let any = |code_point: u32| self.0.octet_or_none(code_point).into();
        let mut run = Run::default();
        for (block, room) in code_points.chunks(BLOCK).zip(units.chunks_mut(BLOCK)) {
            let put = match block.iter().fold(0, |all, code_point| all | code_point) as usize {
                ..LOW => each(block, room, NO_OCTET.into(), low, V::of_low_bits),
                _ => each(block, room, NO_OCTET.into(), any, V::of_low_bits),
            };
            run = run + put;
            if put.read < BLOCK {
                break;
            }
        }
        run
    }

    fn write_from_utf_8(self, octets: &[u8], room: &mut [u8]) -> Run {
        utf_8::read_by_table(octets, &self.0.low, room)
    }

    fn read_as_utf_8(self, octets: &[u8], room: &mut [u8]) -> Run {
        let mut run = Run::default();
        for &octet in octets {
            let utf_8 = self.0.utf_8[usize::from(octet)];
            let Some(room) = room[run.written..].first_chunk_mut() else { break };
            if utf_8 == 0 {
                break;
            }
            // The next sequence takes the place of what is too much.
            *room = utf_8.to_le_bytes();
            run.read += 1;
            run.written += (utf_8 >> 24) as usize;
        }
        run
    }
}

/// How many are taken at once.
const BLOCK: usize = 32;

/// Converts `from` to `to` by `find` and `put`, up to the first for which `find` gives `none`: a number whose highest bit no other result has.
/// A branch depends on a block, not on a single conversion.
#[inline(always)]
fn each<F: Copy, T>(
    from: &[F],
    to: &mut [T],
    none: u32,
    find: impl Fn(F) -> u32,
    put: impl Fn(u32) -> T,
) -> Run {
    let mut count = 0;
    let one = |room: &mut T, &from: &F| {
        let found = find(from);
        *room = put(found);
        found
    };
    let is_none = |found: u32| found > none >> 1;
    let (blocks, rooms) = (from.as_chunks::<BLOCK>().0, to.as_chunks_mut::<BLOCK>().0);
    for (block, room) in blocks.iter().zip(rooms) {
        if is_none(room.iter_mut().zip(block).fold(0, |all, (room, from)| all | one(room, from))) {
            break;
        }
        count += BLOCK;
    }
    let mut rest = to[count..].iter_mut().zip(&from[count..]);
    while rest.next().is_some_and(|(room, from)| !is_none(one(room, from))) {
        count += 1;
    }
    Run { read: count, written: count }
}
