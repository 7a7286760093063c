//! What a core owes, each thing with the cycles in which it may come.

use std::collections::VecDeque;
use std::fmt;

use utfhdl_hdl::core::Core;

use super::pace::Pace;

/// What a core has still to say, in order. A `T` is one thing: what a lane carries, or the end of a frame on a beat of its own.
///
/// In each cycle first [`cycle`](Self::cycle), then what comes out, if something does, then [`check_punctual`](Self::check_punctual), then the
/// beat that goes in.
#[derive(Clone, Debug)]
pub struct Schedule<T> {
    pace: Pace,
    latency: u64,
    owed: VecDeque<Owed<T>>,
    /// The cycle in which the beat at hand was taken.
    taken: u64,
    /// Nothing has come of the slot at hand yet.
    first: bool,
}

/// Something that is owed.
#[derive(Clone, Copy, Debug)]
struct Owed<T> {
    what: T,
    /// Cycle in which the beat that made it certain was taken.
    certain: u64,
    /// When it comes at the latest, by the clock of [`Pace`].
    due: u64,
}

/// What is wrong with the time of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untimely {
    /// The core keeps its source waiting without need.
    Refuses {
        /// How much it owes.
        owed: usize,
    },
    /// Something is offered before it can be certain.
    Early {
        /// The first cycle for it; `None` if nothing is certain.
        earliest: Option<u64>,
    },
    /// Something is owed and not there.
    Late {
        /// The last cycle for it.
        latest: u64,
    },
}

impl fmt::Display for Untimely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuses { owed } => write!(f, "it is low, and {owed} are owed"),
            Self::Early { earliest: Some(cycle) } => write!(f, "cycle {cycle} at the earliest"),
            Self::Early { earliest: None } => f.write_str("that nothing is certain yet"),
            Self::Late { latest } => write!(f, "a beat by cycle {latest}"),
        }
    }
}

impl<T> Schedule<T> {
    /// The schedule of a core that leaves reset in `start`.
    pub fn new(core: &Core, start: u64) -> Self {
        Self {
            pace: Pace::new(core, start),
            latency: core.latency.into(),
            owed: VecDeque::new(),
            taken: start,
            first: true,
        }
    }

    /// Starts anew where `other` stands, which owes nothing.
    pub fn restart(&mut self, other: &Self) {
        debug_assert!(other.owed.is_empty());
        self.pace = other.pace.clone();
        self.owed.clear();
    }

    /// Whether nothing is owed.
    pub fn is_empty(&self) -> bool {
        self.owed.is_empty()
    }

    /// What comes next.
    pub fn next(&self) -> Option<&T> {
        self.owed.front().map(|owed| &owed.what)
    }

    /// What was added last.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.owed.back_mut().map(|owed| &mut owed.what)
    }

    /// A cycle goes by: `waits` says whether the core offers a beat that is not taken, `stalls` whether it takes none.
    ///
    /// # Errors
    /// If it may not stall.
    pub fn cycle(&mut self, cycle: u64, waits: bool, stalls: bool) -> Result<(), Untimely> {
        self.pace.cycle(cycle, waits, stalls);
        if stalls && !self.pace.may_stall(!self.owed.is_empty()) {
            return Err(Untimely::Refuses { owed: self.owed.len() });
        }
        Ok(())
    }

    /// Checks that what is offered in this cycle, taken or not, can be.
    ///
    /// # Errors
    /// If it is too early for it.
    pub fn check_certain(&self, cycle: u64) -> Result<(), Untimely> {
        let earliest = self.owed.front().map(|owed| owed.certain + self.latency);
        match earliest {
            Some(earliest) if cycle >= earliest => Ok(()),
            earliest => Err(Untimely::Early { earliest }),
        }
    }

    /// The next thing is taken.
    pub fn pop(&mut self) -> Option<T> {
        self.owed.pop_front().map(|owed| owed.what)
    }

    /// Checks that nothing that is owed should have come by this cycle, in which no beat waits.
    ///
    /// # Errors
    /// If something should.
    pub fn check_punctual(&self) -> Result<(), Untimely> {
        match self.owed.front() {
            Some(next) if self.pace.is_late(next.due) => {
                Err(Untimely::Late { latest: self.pace.cycle_of(next.due) })
            }
            _ => Ok(()),
        }
    }

    /// A beat is taken in this cycle; what follows comes of it.
    pub fn beat(&mut self, cycle: u64) {
        self.pace.beat();
        self.taken = cycle;
        self.first = true;
    }

    /// A slot is certain; what follows comes of it.
    pub fn slot(&mut self) {
        self.pace.slot();
        self.first = true;
    }

    /// Something goes out.
    pub fn owe(&mut self, what: T) {
        let due = self.pace.item(self.first);
        self.first = false;
        self.owed.push_back(Owed { what, certain: self.taken, due });
    }

    /// An error is dropped, in the time that a unit takes.
    pub fn dropped(&mut self) {
        self.pace.item(self.first);
        self.first = false;
    }

    /// The frame's end goes out on a beat of its own.
    pub fn owe_bare_end(&mut self, what: T) {
        let due = self.pace.bare_end();
        self.owed.push_back(Owed { what, certain: self.taken, due });
    }

    /// The frame ends with the beat at hand.
    pub fn frame_ends(&mut self) {
        self.pace.frame_ends();
    }
}
