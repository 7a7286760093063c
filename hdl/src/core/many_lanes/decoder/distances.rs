//! The distances that can occur at each position before each step of the compaction network, and the bits that later steps read.

use std::collections::BTreeSet;

/// For each step and position, the remaining distances that its slot can have before that step, and, as a last entry, after all steps.
/// No slot comes to a position with an empty set.
pub(super) struct Distances {
    of: Vec<Vec<BTreeSet<usize>>>,
    /// For each step and position, the later steps that read a bit of the distance.
    told: Vec<Vec<BTreeSet<u32>>>,
}

/// Whether a slot of some distance moves in step `step`.
fn moves(distance: usize, step: u32) -> bool {
    distance >> step & 1 == 1
}

impl Distances {
    /// Computes the distances of all steps from those before the first step. `alone`: a carry may enter the first position in the first
    /// step.
    pub(super) fn new(first: Vec<BTreeSet<usize>>, steps: u32, alone: bool) -> Self {
        let places = first.len();
        let mut of = vec![first];
        for step in 0..steps {
            let mut next = vec![BTreeSet::new(); places];
            for (place, distances) in of.last().expect("the first").iter().enumerate() {
                for &distance in distances {
                    let is_moved = moves(distance, step);
                    next[place - (usize::from(is_moved) << step)].insert(distance & !(1 << step));
                }
            }
            if alone && step == 0 {
                next[0].insert(0);
            }
            of.push(next);
        }
        let mut distances = Self { of, told: vec![vec![BTreeSet::new(); places]; steps as usize + 1] };
        for step in (0..steps).rev() {
            let told = (0..places).map(|place| distances.asked_for(place, step, steps)).collect();
            distances.told[step as usize] = told;
        }
        distances
    }

    /// The steps from `step` on that read a bit of the distance at `place` before step `step`; the sets of later steps are known.
    fn asked_for(&self, place: usize, step: u32, steps: u32) -> BTreeSet<u32> {
        let is_asked = |&at: &u32| match at == step {
            true => self.can(place, step, false) && self.can(place, step, true),
            false => [false, true].into_iter().any(|goes| {
                self.is_open(place, step, goes, at)
                    && self.is_told(place - (usize::from(goes) << step), step + 1, at)
            }),
        };
        (step..steps).filter(is_asked).collect()
    }

    /// Whether step `step` may move the slot of a position (`goes`), or keep it there.
    pub(super) fn can(&self, place: usize, step: u32, goes: bool) -> bool {
        self.of[step as usize][place].iter().any(|&distance| moves(distance, step) == goes)
    }

    /// Whether step `at` reads a bit of the distance of the slot at `place` before step `step`.
    pub(super) fn is_told(&self, place: usize, step: u32, at: u32) -> bool {
        self.told[step as usize][place].contains(&at)
    }

    /// Whether step `at` moves some but not all of the slots that stay at `place` in step `step`, or move.
    pub(super) fn is_open(&self, place: usize, step: u32, goes: bool, at: u32) -> bool {
        let moved = |moves_at: bool| {
            self.of[step as usize][place]
                .iter()
                .any(|&distance| moves(distance, step) == goes && moves(distance, at) == moves_at)
        };
        moved(false) && moved(true)
    }

    /// Whether step `at` moves some of these slots.
    pub(super) fn may_move(&self, place: usize, step: u32, goes: bool, at: u32) -> bool {
        self.of[step as usize][place]
            .iter()
            .any(|&distance| moves(distance, step) == goes && moves(distance, at))
    }
}
