//! Encoders of one lane.
//!
//! - The units of a slot follow one another, after those of the slot before. The first unit is on the output `latency` cycles
//!   after the slot enters, and the next slot enters after that unit is made: the encode stages have room for one slot that waits.
//! - A slot that cuts a group of limbs waits like a second slot, for the replacement of that group.
//! - An error that is dropped takes the time of one unit, since its kind is known only where the unit would be written. Heads and
//!   limbs take no time.
//! - The core may refuse input for as many cycles as it has more units to write than slots came in.
//!
//! The first slot writes three units, in cycles 3 to 5, so `out` is 5, and the core may refuse input in two cycles, `spare`. The second
//! slot is taken at 3 and writes at 6: it waits until 3, `busy_until`, and the third slot enters after that:
//!
//! ```text
//! s_axis         20AC  41  =  =   42|  .   .   .
//! s_axis_tready  1     0   0  1   1    1   1   1
//! m_axis         .     .   .  E2  82   AC  41  42|
//! entered        0     .   .  3   4    .   .   .
//! busy_until     0     .   .  3   4    .   .   .
//! writes         1     .   .  .   .    .   .   .
//! out            5     .   .  6   7    .   .   .
//! spare          2     1   0  .   .    .   .   .
//! ```

use super::clock::Clock;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of an encoder of one lane.
#[derive(Clone, Debug)]
pub(in crate::promise) struct Encoder {
    clock: Clock,
    /// The cycle in which the last slot entered.
    entered: u64,
    /// The next slot enters after this cycle, in which the last slot makes its first unit.
    busy_until: u64,
    /// The cycle in which the last unit is on the output.
    out: u64,
    /// Whether the last slot has made a unit.
    writes: bool,
}

impl Encoder {
    pub(super) fn new(clock: Clock) -> Self {
        Self { entered: clock.now, busy_until: clock.now, clock, out: 0, writes: false }
    }
}

impl Model for Encoder {
    #[inline]
    fn clock(&self) -> &Clock {
        &self.clock
    }

    #[inline]
    fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// While slots that were taken have still to enter, or while the units of these keep the output busy.
    #[inline]
    fn refuses_freely(&self) -> bool {
        let now = self.clock.now;
        self.busy_until >= now || self.out >= now + self.clock.latency
    }

    #[inline]
    fn beat(&mut self) {
        self.entered = self.clock.now.max(self.busy_until + 1);
        self.busy_until = self.entered;
        self.writes = false;
    }

    #[inline]
    fn slot(&mut self) {}

    fn dropped(&mut self, first: bool) {
        self.item(first);
    }

    #[inline]
    fn item(&mut self, first: bool) -> Due {
        let latency = self.clock.latency;
        if std::mem::replace(&mut self.writes, true) {
            self.clock.grant(1);
        }
        self.out = (self.out + 1).max(self.entered + latency);
        if first {
            self.busy_until = self.busy_until.max(self.out - latency);
        }
        Due::By(self.out)
    }

    fn bare_end(&mut self) -> Due {
        self.out = (self.out + 1).max(self.entered + self.clock.latency);
        Due::By(self.out)
    }

    fn frame_ends(&mut self) -> Option<u64> {
        None
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            cycle("entered", self.entered),
            cycle("busy_until", self.busy_until),
            cycle("out", self.out),
            number("writes", self.writes),
            number("spare", self.clock.spare()),
        ]
    }
}
