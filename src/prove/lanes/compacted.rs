//! The slots of a beat in the lanes in which they go out: one after the other, without the gaps between the places at which they are made.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::boundary::Made;
use super::placed::{merged, sums};

/// The slots of a beat, each with the places that it moves down by.
pub(super) struct Compacted<'m> {
    m: &'m Builder,
    /// The slots after the first are of a beat that goes on.
    goes: Signal<'m>,
    first: Made<'m>,
    /// The slots after the first, each with the number of gaps before it: one is the first place, if that makes no slot.
    others: Vec<(Made<'m>, Signal<'m>)>,
    /// The gaps of the beat.
    gaps: Signal<'m>,
}

impl<'m> Compacted<'m> {
    /// Compacts the slots of places to the slot of the first of them. The others go on where the beat `goes`; gaps are counted of any beat.
    pub(super) fn new(m: &'m Builder, first: Made<'m>, others: &[Made<'m>], goes: Signal<'m>) -> Self {
        let bits = others.len().ilog2() + 2;
        let gap = |made: &Made<'m>| (!made.is_there).zext(bits);
        // A core counts the gaps, too, and a checker compares sums of the same more easily.
        let up_to: Vec<Signal<'m>> = sums(&others.iter().map(gap).collect::<Vec<_>>());
        let up_to: Vec<Signal<'m>> = up_to.into_iter().map(|sum| sum + gap(&first)).collect();
        let before = [gap(&first)].into_iter().chain(up_to.iter().copied());
        Self {
            m,
            goes,
            first,
            others: others.iter().copied().zip(before).collect(),
            gaps: up_to[others.len() - 1],
        }
    }

    /// The slot that goes out in a lane, 0 where none does.
    pub(super) fn at(&self, lane: usize) -> Signal<'m> {
        let of_other = |(place, (made, gaps)): (usize, &(Made<'m>, Signal<'m>))| {
            let moves = (place + 1).checked_sub(lane)? as u64;
            Some(made.slot.when(self.goes & made.is_there & gaps.is(moves)))
        };
        let of_others = self.others.iter().enumerate().filter_map(of_other).collect();
        let of_others = merged(of_others).unwrap_or(self.m.lit(self.first.slot.width(), 0));
        if lane == 0 { of_others | self.first.slot.when(self.first.is_there) } else { of_others }
    }

    /// Whether there are `count` slots, or more.
    pub(super) fn reaches(&self, count: usize) -> Signal<'m> {
        let places = self.others.len() + 1;
        if count == places {
            // A sum would say the same, and take a checker longer.
            let others = self.m.concat(self.others.iter().map(|(made, _)| made.is_there));
            return self.first.is_there & self.goes & others.all();
        }
        let first = if count == 1 { self.first.is_there } else { self.m.lit(1, 0) };
        let most = places.checked_sub(count);
        let most = most.map(|most| self.goes & self.gaps.le(self.m.lit(self.gaps.width(), most as u64)));
        most.map_or(first, |others| others | first)
    }
}
