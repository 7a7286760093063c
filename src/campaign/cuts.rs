//! How the frames of exhaustive campaigns lie in the lanes: where they begin, and where they are cut into beats.

use crate::promise::Item;

/// The longest frames that are tried in every way they can lie in the lanes.
const MOST_CUT: usize = 3;

/// The unit before a frame that does not begin in the first lane: a code point of every system.
pub const FILLER: Item = Item { data: 1, user: 0 };

/// All ways in which frames of some length lie in the lanes. With one lane there is only one way.
#[derive(Clone, Copy, Debug)]
pub struct AllCuts {
    lanes: usize,
    length: usize,
}

/// One of these ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// Fillers before the frame's own units.
    pub fillers: usize,
    /// For each unit, fillers included, whether it is the last of its beat.
    pub beat_ends: Vec<bool>,
}

impl AllCuts {
    /// For frames of `length` units.
    pub fn new(lanes: usize, length: usize) -> Self {
        Self { lanes, length }
    }

    fn are_all_tried(self) -> bool {
        self.lanes > 1 && self.length <= MOST_CUT
    }

    /// How many ways there are: with frames of up to three units, every lane to begin in and every cut into beats; with longer ones,
    /// full beats from the first lane on.
    pub fn count(self) -> u64 {
        if self.are_all_tried() { (self.lanes as u64) << (self.length - 1) } else { 1 }
    }

    /// The most units of a frame with its fillers.
    pub fn most_units(self) -> usize {
        self.length + if self.are_all_tried() { self.lanes - 1 } else { 0 }
    }

    /// A way by its number.
    pub fn get(self, number: u64) -> Cuts {
        let fillers = (number >> (self.length - 1)) as usize;
        let mut beat_ends = Vec::new();
        let mut used = 0;
        for unit in 0..fillers + self.length {
            used += 1;
            let is_cut = unit >= fillers && number >> (unit - fillers) & 1 == 1;
            let is_last = unit + 1 == fillers + self.length;
            let ends = used == self.lanes || is_last || self.are_all_tried() && is_cut;
            beat_ends.push(ends);
            used = if ends { 0 } else { used };
        }
        Cuts { fillers, beat_ends }
    }
}

impl Cuts {
    /// The beats of a frame with these units.
    pub fn beats(&self, units: Vec<Item>) -> Vec<Vec<Item>> {
        let mut beats = vec![Vec::new()];
        let all = std::iter::repeat_n(FILLER, self.fillers).chain(units);
        for (index, unit) in all.enumerate() {
            beats.last_mut().expect("a beat").push(unit);
            if self.beat_ends[index] && index + 1 < self.beat_ends.len() {
                beats.push(Vec::new());
            }
        }
        beats
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn with_one_lane_every_unit_is_a_beat() {
        for length in 1..6 {
            let all = AllCuts::new(1, length);
            assert_eq!((all.count(), all.most_units()), (1, length));
            assert_eq!(all.get(0), Cuts { fillers: 0, beat_ends: vec![true; length] });
        }
    }

    #[test]
    fn short_frames_begin_in_every_lane_and_are_cut_everywhere() {
        let all = AllCuts::new(4, 3);
        assert_eq!((all.count(), all.most_units()), (16, 6));
        let units = || [10, 20, 30_u16].map(Item::from).to_vec();
        let ways: HashSet<Vec<Vec<u32>>> = (0..all.count())
            .map(|number| {
                let beats = all.get(number).beats(units());
                beats.iter().map(|beat| beat.iter().map(|item| item.data).collect()).collect()
            })
            .collect();
        for way in [
            vec![vec![10, 20, 30]],
            vec![vec![10], vec![20, 30]],
            vec![vec![10, 20], vec![30]],
            vec![vec![10], vec![20], vec![30]],
            vec![vec![1, 10, 20, 30]],
            vec![vec![1, 1, 10, 20], vec![30]],
            vec![vec![1, 1, 1, 10], vec![20, 30]],
            vec![vec![1, 1, 1, 10], vec![20], vec![30]],
        ] {
            assert!(ways.contains(&way), "{way:?}");
        }
        assert_eq!(AllCuts::new(4, 5).get(0).beats(vec![FILLER; 5]).len(), 2);
    }
}
