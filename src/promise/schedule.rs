//! The items that a core owes, with the cycles in which each may come.

use std::collections::VecDeque;
use std::fmt;

use super::pace::{Due, Pace};
use utfhdl_hdl::core::Packing;

use super::timing::Timing;

/// The items that a core still owes, in order, with the cycles in which each may come. A `T` is the caller's data on an item,
/// or on a beat that only ends its frame.
///
/// In each cycle call, in this order:
///
/// 1. [`cycle`](Self::cycle), with what both handshakes do;
/// 2. if the core offers a beat, [`check_certain`](Self::check_certain) for its first item; if that beat is taken,
///    [`pop`](Self::pop) for each item, with another `check_certain` before each;
/// 3. [`check_punctual`](Self::check_punctual), unless the beat waits;
/// 4. if the core takes a beat, [`beat`](Self::beat), then what the reference [makes](super::Made) of that beat, and
///    [`frame_ends`](Self::frame_ends) after the last beat of a frame.
#[derive(Clone, Debug)]
pub struct Schedule<T> {
    timing: Timing,
    pace: Pace,
    owed: VecDeque<Owed<T>>,
    /// How many of the last items that are owed wait for the item that fills their beat.
    waiting: usize,
    /// The cycle in which the current beat was taken.
    taken: u64,
    /// Whether the current slot has made no item yet.
    first: bool,
}

/// An item that is owed.
#[derive(Clone, Copy, Debug)]
struct Owed<T> {
    what: T,
    /// The cycle in which the beat that made the item certain was taken; [`u64::MAX`] while the item waits for others.
    certain: u64,
    /// The cycle by which the item comes, on the clock of [`Pace`].
    due: u64,
}

/// A violation of a timing rule by a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untimely {
    /// The core keeps its source waiting without need.
    Refuses {
        /// How many items the core owes.
        owed: usize,
    },
    /// An item is offered before it can be certain.
    Early {
        /// The first cycle for it; `None` if the core owes nothing, or nothing that fills a beat.
        earliest: Option<u64>,
    },
    /// An item is overdue.
    Late {
        /// The last cycle for it.
        latest: u64,
    },
}

impl fmt::Display for Untimely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuses { owed: 0 } => f.write_str("it is low, and nothing is owed"),
            Self::Refuses { owed: 1 } => f.write_str("it is low, and only 1 item is owed"),
            Self::Refuses { owed } => write!(f, "it is low, and only {owed} items are owed"),
            Self::Early { earliest: Some(cycle) } => write!(f, "a beat in cycle {cycle} at the earliest"),
            Self::Early { earliest: None } => f.write_str("no beat yet"),
            Self::Late { latest } => write!(f, "a beat by cycle {latest}"),
        }
    }
}

impl<T> Schedule<T> {
    /// The schedule of a core that leaves reset in cycle `start`.
    pub fn new(timing: impl Into<Timing>, start: u64) -> Self {
        let timing = timing.into();
        Self {
            timing,
            pace: Pace::new(timing, start),
            owed: VecDeque::new(),
            waiting: 0,
            taken: start,
            first: true,
        }
    }

    /// Returns to the state of `other`, which owes nothing.
    pub fn restart(&mut self, other: &Self) {
        debug_assert!(other.owed.is_empty());
        self.pace = other.pace.clone();
        self.owed.clear();
        self.waiting = 0;
    }

    /// The model of the core's timing.
    #[cfg(test)]
    pub(super) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Whether nothing is owed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.owed.is_empty()
    }

    /// Whether something is owed that waits for nothing more.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.owed.front().is_some_and(|owed| owed.due < u64::MAX)
    }

    /// The next item due.
    #[inline]
    pub fn next(&self) -> Option<&T> {
        self.owed.front().map(|owed| &owed.what)
    }

    /// The items that may come in this cycle, in order.
    pub fn certain(&self, cycle: u64) -> impl Iterator<Item = &T> {
        let is_certain = move |owed: &&Owed<T>| owed.earliest(self.timing.latency) <= cycle;
        self.owed.iter().take_while(is_certain).map(|owed| &owed.what)
    }

    /// The item added last.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.owed.back_mut().map(|owed| &mut owed.what)
    }

    /// Whether a taken beat of `items` items is filled as the packing demands.
    pub fn is_filled(&self, items: usize, last: bool) -> bool {
        self.timing.packing == Packing::Beat || last || items == self.timing.lanes
    }

    /// A cycle goes by. `waits` says whether the core offers a beat that is not taken, `refuses` whether its `tready` is low.
    ///
    /// # Errors
    /// If the core may not keep its source waiting.
    #[inline]
    pub fn cycle(&mut self, cycle: u64, waits: bool, refuses: bool) -> Result<(), Untimely> {
        if self.owed.is_empty() {
            self.pace.owes_nothing();
        }
        self.pace.cycle(cycle, waits, refuses);
        if refuses && !self.pace.may_refuse(!self.owed.is_empty()) {
            return Err(Untimely::Refuses { owed: self.owed.len() });
        }
        Ok(())
    }

    /// Checks that the next item may be on the output in this cycle, taken or not.
    ///
    /// # Errors
    /// If the item is too early.
    #[inline]
    pub fn check_certain(&self, cycle: u64) -> Result<(), Untimely> {
        let earliest = self.owed.front().map(|owed| owed.earliest(self.timing.latency));
        match earliest {
            Some(earliest) if cycle >= earliest => Ok(()),
            earliest => Err(Untimely::Early { earliest: earliest.filter(|earliest| *earliest < u64::MAX) }),
        }
    }

    /// Removes the next item, which is taken.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.owed.pop_front().map(|owed| owed.what)
    }

    /// Checks in a cycle in which no beat waits that no item is overdue.
    ///
    /// # Errors
    /// If an item is overdue.
    #[inline]
    pub fn check_punctual(&self) -> Result<(), Untimely> {
        match self.owed.front() {
            Some(next) if next.due < u64::MAX && self.pace.is_late(next.due) => {
                Err(Untimely::Late { latest: self.pace.cycle_of(next.due) })
            }
            _ => Ok(()),
        }
    }

    /// A beat is taken in this cycle. The results that follow come from it.
    #[inline]
    pub fn beat(&mut self, cycle: u64) {
        self.pace.beat();
        self.taken = cycle;
        self.first = true;
    }

    /// A withheld slot is released. The results that follow come from it.
    pub fn withheld_slot(&mut self) {
        self.pace.withheld_slot();
        self.first = true;
    }

    /// A slot is certain. The results that follow come from it.
    #[inline]
    pub fn slot(&mut self) {
        self.pace.slot();
        self.first = true;
    }

    /// An encoder continues to its next step.
    pub fn step(&mut self) {
        self.pace.step();
    }

    /// An item goes out.
    #[inline]
    pub fn owe(&mut self, what: T) {
        let due = self.pace.item(self.first);
        self.first = false;
        self.push(what, due);
    }

    /// An error is dropped, in the time that one unit takes.
    pub fn dropped(&mut self) {
        self.pace.dropped(self.first);
        self.first = false;
    }

    /// The last beat of a frame made nothing that can carry the frame's end. The end goes out on a beat of its own, unless items
    /// wait for others: then the last of them carries it.
    pub fn owe_bare_end(&mut self, what: T) {
        match self.pace.bare_end() {
            Due::Waiting => {}
            due => self.push(what, due),
        }
    }

    /// The frame ends with the current beat.
    pub fn frame_ends(&mut self) {
        if let Some(cycle) = self.pace.frame_ends() {
            self.complete(cycle);
        }
    }

    #[inline]
    fn push(&mut self, what: T, due: Due) {
        match due {
            Due::By(due) => {
                self.complete(due);
                self.owed.push_back(Owed { what, certain: self.taken, due });
            }
            Due::Waiting => {
                self.waiting += 1;
                self.owed.push_back(Owed { what, certain: u64::MAX, due: u64::MAX });
            }
        }
    }

    /// The items that waited go out by `due`, together with the items of the current beat.
    fn complete(&mut self, due: u64) {
        let waiting = std::mem::take(&mut self.waiting);
        for owed in self.owed.iter_mut().rev().take(waiting) {
            (owed.certain, owed.due) = (self.taken, due);
        }
    }
}

impl<T> Owed<T> {
    /// The first cycle in which the item may be on the output.
    #[inline]
    fn earliest(&self, latency: u64) -> u64 {
        self.certain.saturating_add(latency)
    }
}
