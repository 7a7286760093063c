//! Decoders, of one lane or several.
//!
//! - A beat's slots fill output beats from the cycle on in which the beat enters, and go out `latency` cycles later. A slot for
//!   which there is no room left, a *carry*, goes into the next output beat, before the slots of the next beat.
//! - With one lane, a beat so takes a cycle for each of its slots. A unit that makes no slot takes a cycle, too: it leaves a gap
//!   even between two items that are owed.
//! - Where the stages never stop ([`Stall::Credit`](utfhdl_hdl::core::Stall)), a carry has an output beat of its own if no beat enters in the very next cycle,
//!   though the output waits in that cycle.
//! - A frame may need one output beat more than it had, in sets of several octets two. In those cycles the core may refuse input. Up to
//!   `latency` cycles after the frame's last beat, each extra beat delays by a cycle everything that the core holds, gaps between beats
//!   included. Beats are extra from the cycle on in which slots of the frame's last beat would go out if none were carried.
//! - A dense decoder ([`Packing::Dense`]) sends a beat when the beat is full or the frame ends.
//! - Withheld slots go out one a cycle before the unit that releases them enters. In four of these cycles the core may refuse
//!   input.
//! - In a decoder that chooses by the byte order mark, and in a decoder of documents of several lanes, octets that were held back enter before the
//!   beat that decides, in beats of as many as there are lanes. The core may refuse input as where slots are released.
//!
//! The second beat makes five slots, `made`, so the last of these goes out in beat 4, `out`, two cycles after beat 2 of `slots`.
//! That is one beat more than the frame had: the core may refuse input once, `spare`, and the third beat enters at 3, not at 2,
//! since the `extra` beat has still to go out:
//!
//! ```text
//! s_axis      41+41+E1+80  41+41+41+41|  42|    .            .    .
//! m_axis      .            .             41+41  #2+41+41+41  41|  42|
//! entered     0            1             3      .            .    .
//! busy_until  0            1             3      .            .    .
//! made        2            5             1      .            .    .
//! slots       0            2             3      .            .    .
//! out         2            4             5      .            .    .
//! extra       .            1             .      .            .    .
//! spare       .            1             .      .            .    .
//! ```
//!
//! In a dense decoder, the second beat completes output beat 4 and begins output beat 5, which the end of the frame closes:
//!
//! ```text
//! s_axis      41+42  43+44+45  46|  .  .            .
//! m_axis      .      .         .    .  41+42+43+44  45+46|
//! entered     0      1         2    .  .            .
//! busy_until  0      1         2    .  .            .
//! made        2      3         1    .  .            .
//! slots       0      1         2    .  .            .
//! out         3      5         .    .  .            .
//! extra       .      .         .    .  .            .
//! spare       .      .         .    .  .            .
//! ```
//!
//! In a decoder of documents of one lane, the fourth unit releases the slot of the first three units. That slot goes out first, so the fourth unit enters at 4, one
//! cycle later.
//! The core may refuse input in four cycles:
//!
//! ```text
//! s_axis      EF  B7  9D  41|  .  .      .
//! m_axis      .   .   .   .    .  10E7D  41|
//! entered     0   1   2   4    .  .      .
//! busy_until  0   1   2   4    .  .      .
//! releases    .   .   .   1    .  .      .
//! made        .   .   .   1    .  .      .
//! slots       .   .   .   4    .  .      .
//! out         .   .   .   6    .  .      .
//! spare       .   .   .   4    .  .      .
//! ```

use utfhdl_hdl::core::Packing;

use super::beats::Beats;
use super::clock::Entry;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of a decoder.
#[derive(Clone, Debug)]
pub(in crate::promise) struct Decoder {
    lanes: usize,
    /// The number of slots that the last beat has made.
    made: usize,
    /// Whether the last beat has released withheld slots.
    releases: bool,
    /// The beat of each slot by the cycle in which it would go out, less the latency.
    slots: Beats,
    /// The beat of each item on the output.
    out: Beats,
    /// The cycles of the output beats by which frames needed one more than they had.
    extra: Vec<u64>,
    /// Whether stages move while the output waits.
    never_stops: bool,
    /// The current cycle, with those in which the output waits.
    cycle: u64,
    /// The cycle in which the last beat was taken, in the same count.
    taken: u64,
}

impl Decoder {
    pub(super) fn new(lanes: usize, packing: Packing, never_stops: bool) -> Self {
        Self {
            lanes,
            made: 0,
            releases: false,
            slots: Beats::new(lanes, Packing::Beat),
            out: Beats::new(lanes, packing),
            extra: Vec::new(),
            never_stops,
            cycle: 0,
            taken: 0,
        }
    }
}

impl Model for Decoder {
    #[inline]
    fn cycle(&mut self, at: &mut Entry, cycle: u64, waits: bool, _refuses: bool) {
        at.clock.cycle(cycle, waits, waits);
        self.cycle = cycle;
    }

    #[inline]
    fn busy_output(&self) -> u64 {
        self.out.complete()
    }

    #[inline]
    fn beat(&mut self, at: &mut Entry) {
        at.enter();
        // Each extra beat that has still to go out may delay this one by a cycle.
        if !self.extra.is_empty() {
            self.extra.retain(|&cycle| cycle > at.clock.now);
            at.entered += self.extra.len() as u64;
        }
        if self.never_stops && self.cycle > self.taken + 1 {
            // A slot that was carried is gone.
            at.entered = at.entered.max(self.slots.cycle() + 1);
            at.hold(at.entered);
        }
        self.taken = self.cycle;
        self.made = 0;
        self.releases = false;
    }

    fn withheld_slot(&mut self, at: &mut Entry) {
        self.slots.place(at.entered);
        at.entered = self.slots.cycle() + 1;
        at.busy_until = at.entered;
        if !std::mem::replace(&mut self.releases, true) {
            at.clock.grant_release();
        }
    }

    fn step(&mut self, at: &mut Entry) {
        at.entered += 1;
        at.hold(at.entered);
        self.made = 0;
        if !std::mem::replace(&mut self.releases, true) {
            at.clock.grant_release();
        }
    }

    #[inline]
    fn slot(&mut self, at: &mut Entry) {
        self.made += 1;
        self.slots.place(at.entered);
    }

    fn dropped(&mut self, _at: &mut Entry, _first: bool) {
        unreachable!("an error that a decoder drops makes no slot");
    }

    #[inline]
    fn item(&mut self, at: &mut Entry, _first: bool) -> Due {
        let cycle = self.out.place(self.slots.cycle() + at.clock.latency);
        if self.out.is_open() { Due::Waiting } else { Due::By(cycle) }
    }

    fn bare_end(&mut self, at: &mut Entry) -> Due {
        self.out.bare_end(at.due())
    }

    fn frame_ends(&mut self, at: &mut Entry) -> Option<u64> {
        let latency = at.clock.latency;
        at.hold(at.entered);
        let waiting = self.out.is_open();
        self.out.close(self.slots.cycle().max(at.entered) + latency);
        if self.lanes > 1 {
            let extra = at.due() + 1..=self.out.cycle();
            at.clock.grant(extra.clone().count() as u64);
            self.extra.extend(extra);
        }
        self.slots.close(0);
        waiting.then(|| self.out.complete())
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            number("made", self.made as u64),
            number("releases", self.releases),
            cycle("slots", self.slots.cycle()),
            cycle("out", self.out.cycle()),
            number("extra", self.extra.len() as u64),
        ]
    }
}
