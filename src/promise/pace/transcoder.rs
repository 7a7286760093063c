//! Transcoders of one lane: a decoder and an encoder in series, with room for one slot between them.
//!
//! - Slots leave the decode stages as in a decoder of one lane. The units of a slot follow one another, after those of the slot
//!   before; the first unit is on the output `latency` cycles after the slot leaves the decode stages.
//! - While there is no room for a slot, the decode stages stop with all that they hold, gaps between units included. The core then
//!   refuses input, so such a cycle delays everything and is not counted by the clock.
//! - The core may refuse input for as many cycles as it has more units to write than units came in, and for four cycles where it
//!   releases withheld slots. Nothing else is free.
//! - In a transcoder of documents, the unit that waits for withheld slots hides up to `latency` cycles in which the decode stages
//!   stop, and in one with a status the buffer before the core hides them, so items may be late by that time.
//!
//! Two sequences of two nonets make three octets each. The second slot would leave the decode stages at 3, and its first octet is
//! on the output at 8, for the octets of the first slot go out before: `slot` is 4. The unit after that enters after 4, `busy_until`:
//!
//! ```text
//! s_axis         120  AC  120  =  AC|  .   .   .   .   .   .
//! s_axis_tready  1    1   0    1  1    1   1   1   1   1   1
//! m_axis         .    .   .    .  .    E2  82  AC  E2  82  AC|
//! entered        0    1   .    2  3    .   .   .   .   .   .
//! busy_until     0    1   .    2  4    .   .   .   .   .   .
//! made           .    1   .    0  1    .   .   .   .   .   .
//! slot           .    1   .    .  4    .   .   .   .   .   .
//! writes         .    1   .    0  1    .   .   .   .   .   .
//! out            .    7   .    .  10   .   .   .   .   .   .
//! spare          .    2   1    .  3    .   .   .   .   .   .
//! ```
//!
//! In a transcoder of documents, the fourth unit releases the slot of the three units before it, and enters at 4. The octets of
//! the released slot are on the output from 8 to 11, so the last slot waits until 8. The core may refuse input in eight cycles:
//! four for the release, and four for the octets in excess of one:
//!
//! ```text
//! s_axis      EF  B7  9D  41|  .  .  .  .  .   .   .   .   .
//! m_axis      .   .   .   .    .  .  .  .  F0  90  B9  BD  41|
//! entered     0   1   2   4    .  .  .  .  .   .   .   .   .
//! busy_until  0   1   2   8    .  .  .  .  .   .   .   .   .
//! releases    .   .   .   1    .  .  .  .  .   .   .   .   .
//! made        .   .   .   1    .  .  .  .  .   .   .   .   .
//! slot        .   .   .   8    .  .  .  .  .   .   .   .   .
//! writes      .   .   .   1    .  .  .  .  .   .   .   .   .
//! out         .   .   .   12   .  .  .  .  .   .   .   .   .
//! spare       .   .   .   8    .  .  .  .  .   .   .   .   .
//! ```

use super::clock::Entry;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of a transcoder of one lane.
#[derive(Clone, Debug, Default)]
pub(in crate::promise) struct Transcoder {
    /// Whether the decode stages can stop while the core takes beats.
    hides_stops: bool,
    /// The number of slots that the last unit has made, without those that were withheld.
    made: usize,
    /// Whether the last unit has released withheld slots.
    releases: bool,
    /// The cycle in which the last slot leaves the decode stages.
    slot: u64,
    /// The cycle in which the last unit is on the output.
    out: u64,
    /// Whether the last unit that came in has made a unit.
    writes: bool,
}

impl Transcoder {
    pub(super) fn new(hides_stops: bool) -> Self {
        Self { hides_stops, ..Self::default() }
    }
}

impl Model for Transcoder {
    /// The decode stages stop also while the core refuses input.
    #[inline]
    fn cycle(&mut self, at: &mut Entry, cycle: u64, waits: bool, refuses: bool) {
        at.clock.cycle(cycle, waits, waits || refuses);
    }

    #[inline]
    fn delay(&self, at: &Entry) -> u64 {
        if self.hides_stops { at.clock.latency } else { 0 }
    }

    #[inline]
    fn refuses_freely(&self, _at: &Entry) -> bool {
        false
    }

    #[inline]
    fn beat(&mut self, at: &mut Entry) {
        at.enter();
        self.made = 0;
        self.releases = false;
        self.writes = false;
    }

    fn withheld_slot(&mut self, at: &mut Entry) {
        self.slot = at.entered.max(self.slot + 1);
        at.entered = self.slot + 1;
        at.busy_until = at.entered;
        if !std::mem::replace(&mut self.releases, true) {
            at.clock.grant_release();
        }
    }

    fn step(&mut self, at: &mut Entry) {
        at.entered = at.busy_until + 1;
        at.busy_until = at.entered;
        self.made = 0;
        if !std::mem::replace(&mut self.releases, true) {
            at.clock.grant_release();
        }
    }

    #[inline]
    fn slot(&mut self, at: &mut Entry) {
        self.made += 1;
        self.slot = at.entered.max(self.slot + 1);
        // There is room for two slots of a unit; a third one keeps the next unit out.
        if self.made > 2 {
            at.busy_until = self.slot;
        }
    }

    fn dropped(&mut self, at: &mut Entry, first: bool) {
        self.item(at, first);
    }

    #[inline]
    fn item(&mut self, at: &mut Entry, first: bool) -> Due {
        let latency = at.clock.latency;
        if std::mem::replace(&mut self.writes, true) {
            at.clock.grant(1);
        }
        self.out = (self.out + 1).max(self.slot.max(at.entered) + latency);
        if first {
            // The slot has waited for the units of the slot before, and so has everything after it.
            let left = self.out - latency;
            self.slot = self.slot.max(left);
            if self.made != 2 {
                at.hold(left);
            }
        }
        Due::By(self.out)
    }

    fn bare_end(&mut self, at: &mut Entry) -> Due {
        self.out = (self.out + 1).max(at.due());
        Due::By(self.out)
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            number("made", self.made as u64),
            number("releases", self.releases),
            cycle("slot", self.slot),
            cycle("out", self.out),
            number("writes", self.writes),
        ]
    }
}
