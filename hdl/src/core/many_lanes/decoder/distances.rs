//! How far the slots of each place may have to go before each step of the network, and what steps have to be told of it.

use std::collections::BTreeSet;

/// Before each step, and behind the last one: for each place, all that its slot may have to go, in units of one place. Where there
/// is none, no slot comes to the place.
pub(super) struct Distances {
    of: Vec<Vec<BTreeSet<usize>>>,
    /// Which later steps have to be told whether they move the slot of a place.
    told: Vec<Vec<BTreeSet<u32>>>,
}

/// Whether a slot of some distance moves in step `step`.
fn moves(distance: usize, step: u32) -> bool {
    distance >> step & 1 == 1
}

impl Distances {
    /// Of the places before the first step. `alone` says that a slot may come to the first place in the first step, from where none
    /// of these says.
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

    /// What is asked for of a place before step `step`, of the steps from that on, if it is known of the steps behind it.
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

    /// Whether step `step` may move the slot of a place, or leave it there.
    pub(super) fn can(&self, place: usize, step: u32, goes: bool) -> bool {
        self.of[step as usize][place].iter().any(|&distance| moves(distance, step) == goes)
    }

    /// Whether step `at` has to be told whether it moves what stands in a place before step `step`.
    pub(super) fn is_told(&self, place: usize, step: u32, at: u32) -> bool {
        self.told[step as usize][place].contains(&at)
    }

    /// Of what stays in a place in step `step`, or goes: whether step `at` moves some of it and not all.
    pub(super) fn is_open(&self, place: usize, step: u32, goes: bool, at: u32) -> bool {
        let moved = |moves_at: bool| {
            self.of[step as usize][place]
                .iter()
                .any(|&distance| moves(distance, step) == goes && moves(distance, at) == moves_at)
        };
        moved(false) && moved(true)
    }

    /// Whether step `at` moves some of it.
    pub(super) fn may_move(&self, place: usize, step: u32, goes: bool, at: u32) -> bool {
        self.of[step as usize][place]
            .iter()
            .any(|&distance| moves(distance, step) == goes && moves(distance, at))
    }
}
