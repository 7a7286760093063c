//! Octets and pairs of octets, by an index.

use super::{LONGEST, PlainUnits, Run, WholeSequences, points};
use crate::Unit;
use crate::systems::multi_octet::Indexed;

/// The octets and the pairs of a set. Longer sequences are not read here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MultiOctetSequences(pub(crate) Indexed);

impl WholeSequences for MultiOctetSequences {
    #[inline(always)]
    fn plain(self) -> PlainUnits {
        PlainUnits::new(0, self.0.plain())
    }

    #[inline(always)]
    fn read<U: Unit>(self, units: &[U]) -> Option<(u32, usize)> {
        let octet = |index: usize| u8::try_from((*units.get(index)?).into()).ok();
        self.0.read(octet(0)?, || octet(1))
    }

    #[inline(always)]
    fn write<V: Unit>(self, code_point: u32, room: &mut [V; LONGEST]) -> Option<usize> {
        let (octets, count) = self.0.write(code_point)?;
        for (room, octet) in room.iter_mut().zip(octets) {
            *room = V::of_low_bits(octet.into());
        }
        Some(count)
    }

    fn read_points<U: Unit>(self, units: &[U], code_points: &mut [u32]) -> Run {
        match U::octets(units) {
            Some(octets) => self.0.read_points(octets, code_points),
            None => points::read(self, units, code_points),
        }
    }

    fn write_points<V: Unit>(self, code_points: &[u32], units: &mut [V]) -> Run {
        let mut run = Run::default();
        for &code_point in code_points {
            let Some(room) = units[run.written..].first_chunk_mut() else { break };
            // No branch depends on whether it is a pair.
            let octets = u32::from(self.0.octet_or_pair(code_point));
            let is_pair = octets > 0xFF;
            let length = match octets {
                0 => match self.write(code_point, room) {
                    Some(length) => length,
                    None => break,
                },
                _ => {
                    let first = if is_pair { octets >> 8 } else { octets };
                    (room[0], room[1]) = (V::of_low_bits(first), V::of_low_bits(octets & 0xFF));
                    1 + usize::from(is_pair)
                }
            };
            run.read += 1;
            run.written += length;
        }
        run
    }
}
