//! The output beat of each item of a stream that never waits.

use utfhdl_hdl::core::Packing;

use super::model::Due;

/// The beats of a stream, filled one after the other. A beat is named by its cycle on the core's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beats {
    lanes: usize,
    packing: Packing,
    /// The beat being filled.
    cycle: u64,
    /// Lanes of that beat in use.
    used: usize,
    /// The last complete beat. Only a slot of the next input beat can still join it, in the lanes after a carry.
    complete: u64,
}

impl Beats {
    pub(super) fn new(lanes: usize, packing: Packing) -> Self {
        Self { lanes, packing, cycle: 0, used: lanes, complete: 0 }
    }

    /// The beat being filled, or filled last.
    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The last beat that is complete.
    pub(super) fn complete(&self) -> u64 {
        self.complete
    }

    /// Whether items wait in a beat that is not complete.
    pub(super) fn is_open(&self) -> bool {
        self.packing == Packing::Dense && self.used < self.lanes
    }

    /// Adds the next item to a beat not before `earliest`, and returns the beat. With [`Packing::Beat`], items of several input beats are
    /// in one output beat only if the later ones would go out in it anyway, after slots that were carried.
    #[inline]
    pub(super) fn place(&mut self, earliest: u64) -> u64 {
        match self.packing {
            Packing::Beat => {
                if earliest > self.cycle {
                    (self.cycle, self.used) = (earliest, 0);
                } else if self.used == self.lanes {
                    (self.cycle, self.used) = (self.cycle + 1, 0);
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

    /// Adds a beat without items, not before `earliest`, unless items wait that can carry the frame's end.
    pub(super) fn bare_end(&mut self, earliest: u64) -> Due {
        if self.is_open() {
            return Due::Waiting;
        }
        self.used = self.lanes;
        let cycle = self.place(earliest);
        self.close(0);
        Due::By(cycle)
    }

    /// Closes the current beat, which is not before `earliest` if items wait in it.
    pub(super) fn close(&mut self, earliest: u64) {
        if self.is_open() {
            self.cycle = self.cycle.max(earliest);
        }
        self.used = self.lanes;
        self.complete = self.cycle;
    }
}
