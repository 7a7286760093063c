//! Which beat of a stream each of its items goes into, if the stream never waits.

use utfhdl_hdl::core::Packing;

/// The beats of a stream, filled one after the other. A beat is named by its cycle on the core's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beats {
    lanes: usize,
    packing: Packing,
    /// The beat being filled.
    cycle: u64,
    /// Lanes of that beat in use.
    used: usize,
    /// The last complete beat: nothing is added to it any more, except slots of the next input beat after a carry.
    complete: u64,
    /// With [`Packing::Beat`], the beat that holds the first item of the input beat before the current one.
    opened: Option<u64>,
}

impl Beats {
    pub(super) fn new(lanes: usize, packing: Packing) -> Self {
        Self { lanes, packing, cycle: 0, used: lanes, complete: 0, opened: None }
    }

    /// The beat being filled, or filled last.
    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The last beat that is complete.
    pub(super) fn complete(&self) -> u64 {
        self.complete
    }

    /// With [`Packing::Beat`], the beat that holds the first item of the last input beat that has any.
    pub(super) fn opened(&self) -> Option<u64> {
        self.opened
    }

    /// Whether items wait in a beat that is not complete.
    pub(super) fn is_open(&self) -> bool {
        self.packing == Packing::Dense && self.used < self.lanes
    }

    /// The next item goes into a beat not before `earliest`. With [`Packing::Beat`], `first` says that the item is the first of
    /// its input beat. Returns the beat.
    #[inline]
    pub(super) fn place(&mut self, earliest: u64, first: bool) -> u64 {
        match self.packing {
            Packing::Beat => {
                // The items of two input beats don't begin in one output beat.
                let earliest = match self.opened.filter(|_| first) {
                    Some(opened) => earliest.max(opened + 1),
                    None => earliest,
                };
                if earliest > self.cycle {
                    (self.cycle, self.used) = (earliest, 0);
                } else if self.used == self.lanes {
                    (self.cycle, self.used) = (self.cycle + 1, 0);
                }
                if first {
                    self.opened = Some(self.cycle);
                }
            }
            Packing::Dense => {
                if self.used == self.lanes {
                    (self.cycle, self.used) = (self.cycle + 1, 0);
                }
                self.cycle = self.cycle.max(earliest);
            }
        }
        self.used += 1;
        if !self.is_open() {
            self.complete = self.cycle;
        }
        self.cycle
    }

    /// The next item goes into a beat not before `cycle` that holds none yet.
    pub(super) fn move_to(&mut self, cycle: u64) {
        if cycle > self.cycle {
            (self.cycle, self.used) = (cycle, 1);
        }
    }

    /// Nothing more goes into the beat being filled, which is not before `earliest` if it still waited for items.
    pub(super) fn close(&mut self, earliest: u64) {
        if self.is_open() {
            self.cycle = self.cycle.max(earliest);
        }
        self.used = self.lanes;
        self.complete = self.cycle;
    }
}
