//! The slots of a beat before each lane, counted in unary, lane by lane.
//!
//! The stages that put slots into lanes move a slot by the number of gaps before it. A core sums these numbers in a tree, and from such sums a SAT solver has to find for each
//! two slots that they never meet. From the unary count it needs no search, since one lane follows from the one before. So the core's sums are compared with the count
//! in a part of the proof, and the count takes their place in the others.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::boundary::Made;
use super::placed::merged;

/// The slots of a beat before each lane.
pub(super) struct Counted<'m> {
    m: &'m Builder,
    /// Whether each lane makes a slot.
    made: Vec<Signal<'m>>,
    /// For each lane, and one behind the last: whether there is 1 slot before it, or more; whether there are 2, or more; and so on.
    at_least: Vec<Vec<Signal<'m>>>,
}

impl<'m> Counted<'m> {
    /// Counts the slots of the lanes of a beat.
    pub(super) fn new(m: &'m Builder, of_lanes: &[Made<'m>]) -> Self {
        let mut at_least = vec![Vec::new()];
        for made in of_lanes {
            let before: &Vec<Signal<'m>> = &at_least[at_least.len() - 1];
            // The count grows by one at most. That a greater count implies each smaller one shows from these ANDs without a search.
            let next = (0..=before.len()).map(|index| {
                let is_reached = before.get(index).map_or(made.is_there, |held| *held | made.is_there);
                if index == 0 { is_reached } else { before[index - 1] & is_reached }
            });
            let next = next.collect();
            at_least.push(next);
        }
        Self { m, made: of_lanes.iter().map(|made| made.is_there).collect(), at_least }
    }

    /// Whether a lane makes a slot.
    pub(super) fn made(&self, lane: usize) -> Signal<'m> {
        self.made[lane]
    }

    /// Whether there are `count` slots before a lane, or more. A lane behind the last one has all slots before it.
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
