//! Encoders of one lane.
//!
//! - The units of a slot follow one another, after those of the slot before. The first unit is on the output `latency` cycles
//!   after the slot enters, and the next slot enters after that unit is made: the encode stages have room for one slot that waits.
//! - A beat that only ends its frame waits and is waited for like a slot with one unit.
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

use super::clock::Entry;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of an encoder of one lane.
#[derive(Clone, Debug, Default)]
pub(in crate::promise) struct Encoder {
    /// The cycle in which the last unit is on the output.
    out: u64,
    /// Whether the last slot has made a unit.
    writes: bool,
}

impl Model for Encoder {
    #[inline]
    fn busy_output(&self) -> u64 {
        self.out
    }

    #[inline]
    fn beat(&mut self, at: &mut Entry) {
        at.enter();
        self.writes = false;
    }

    fn dropped(&mut self, at: &mut Entry, first: bool) {
        self.item(at, first);
    }

    #[inline]
    fn item(&mut self, at: &mut Entry, first: bool) -> Due {
        if std::mem::replace(&mut self.writes, true) {
            at.clock.grant(1);
        }
        self.out = (self.out + 1).max(at.due());
        if first {
            at.hold(self.out - at.clock.latency);
        }
        Due::By(self.out)
    }

    fn bare_end(&mut self, at: &mut Entry) -> Due {
        self.out = (self.out + 1).max(at.due());
        at.hold(self.out - at.clock.latency);
        Due::By(self.out)
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![cycle("out", self.out), number("writes", self.writes)]
    }
}
