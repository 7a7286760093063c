//! The slots of a beat before each lane, counted in unary, lane by lane.
//!
//! The stages that put slots into lanes move a slot by the number of gaps before the slot. A core sums gaps in a tree, and a SAT solver then has to search for the reason why two
//! slots never meet, for each pair of slots. With a unary count there is no search, since the count of a lane follows from the count of the lane before. One part of the proof
//! therefore compares the core's sums with the count, and in the part on the lanes the count takes the place of the sums.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::boundary::Made;
use super::placed::merged;

/// The slots of a beat before each lane.
pub(super) struct Counted<'m> {
    m: &'m Builder,
    /// Whether each lane makes a slot of a beat that is there.
    made: Vec<Signal<'m>>,
    /// For each lane, and for the place after the last lane: whether 1 slot or more comes before the lane, whether 2 or more do, and so on.
    at_least: Vec<Vec<Signal<'m>>>,
}

impl<'m> Counted<'m> {
    /// Counts the slots of the lanes of a beat, which `is_there` or not.
    pub(super) fn new(m: &'m Builder, is_there: Signal<'m>, of_lanes: &[Made<'m>]) -> Self {
        let mut at_least = vec![Vec::new()];
        for made in of_lanes {
            let before: &Vec<Signal<'m>> = &at_least[at_least.len() - 1];
            // The count grows by one at most. These ANDs show, without a search, that a greater count implies each smaller one.
            let next = (0..=before.len()).map(|index| {
                let is_reached = before.get(index).map_or(made.is_there, |held| *held | made.is_there);
                if index == 0 { is_reached } else { before[index - 1] & is_reached }
            });
            let next = next.collect();
            at_least.push(next);
        }
        Self { m, made: of_lanes.iter().map(|made| made.is_there & is_there).collect(), at_least }
    }

    /// Whether a lane makes a slot of a beat that is there.
    pub(super) fn made(&self, lane: usize) -> Signal<'m> {
        self.made[lane]
    }

    /// Whether there are `count` slots before a lane, or more. The lane after the last one has all slots before it.
    pub(super) fn reaches(&self, lane: usize, count: usize) -> Signal<'m> {
        match count.checked_sub(1) {
            None => self.m.lit(1, 1),
            Some(index) => self.at_least[lane].get(index).copied().unwrap_or(self.m.lit(1, 0)),
        }
    }

    /// Whether there are `count` slots before a lane.
    pub(super) fn is(&self, lane: usize, count: usize) -> Signal<'m> {
        self.reaches(lane, count) & !self.reaches(lane, count + 1)
    }

    /// A bit of the number of lanes before a lane that have no slot.
    pub(super) fn gaps_bit(&self, lane: usize, bit: usize) -> Signal<'m> {
        let counts = (0..=lane).filter(|count| (lane - count) >> bit & 1 == 1);
        merged(counts.map(|count| self.is(lane, count)).collect()).unwrap_or(self.m.lit(1, 0))
    }
}
