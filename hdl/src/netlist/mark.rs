//! Marks: signals at a boundary between two parts of a pipeline, by which a proof finds the boundary.

use super::graph::Signal;

/// The meaning of a signal at a boundary. A place is a position in a beat at which a slot can be made: place 0 comes before all words of the beat, and
/// place *n* + 1 is that of word *n*. Where each unit is a word, that is lane *n*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A slot is made at a place.
    MakesSlot(usize),
    /// The slot that is made at a place, and anything where none is.
    SlotMade(usize),
    /// A bit of the number of lanes before a lane that end no slot.
    GapsBefore {
        /// The lane.
        lane: usize,
        /// The number of the bit, 0 for the lowest.
        bit: usize,
    },
    /// A slot goes out in a lane.
    HoldsSlot(usize),
    /// The slot that goes out in a lane, and anything where none does.
    SlotOut(usize),
    /// A unit of the sequence that is written of the slot in a lane, and anything where the sequence has none. Units are numbered from the end of the
    /// sequence: the last unit is number 0.
    Unit {
        /// The lane of the slot; 0 in a module for any lane.
        lane: usize,
        /// The number of the unit.
        number: usize,
    },
}

impl Mark {
    /// The mark in an instance for a lane.
    pub fn in_lane(self, lane: usize) -> Self {
        match self {
            Self::Unit { number, .. } => Self::Unit { lane, number },
            other => other,
        }
    }
}

impl Signal<'_> {
    /// Marks the signal. A mark changes nothing, and a design of which parts were left out after it was built may have none.
    pub fn mark(self, mark: Mark) {
        self.builder.module.borrow_mut().marks.push((mark, self.id));
    }
}
