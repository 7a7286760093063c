//! Transcoders of several lanes.
//!
//! - Output beats are full but for the last of a frame: units wait for others or for the frame's end.
//! - The core takes a beat for as many cycles as it makes output beats of that. The next beat enters together with the last of
//!   these if no unit of the beat is left over, and after it otherwise. A beat without slots takes no cycle, unless slots of the beat before can
//!   wait for it.
//! - The core may refuse input for as many cycles as it makes more output beats than beats came in, until it owes nothing. From
//!   such a refusal on, until it owes nothing, items may be late by up to `latency` cycles.
//! - A transcoder from `utf-inf-8` to a system with code points of 2^32 or more is a decoder and an encoder in series, and so is one of sets of several
//!   octets that drops errors. No beat enters together with an output beat of the beat before. Slots that the decoder carries go to the encoder with
//!   the next beat, or at the end of a frame in beats of their own. So items may be late by the cycles that these slots take. To `utf-inf-8`, slots of
//!   beats that make heads or limbs enter one by one, in steps. If the last slot of a frame is an error that is dropped, the end enters after it, in a
//!   step of its own.
//! - In a transcoder that chooses by the byte order mark, or of documents, octets that were held back enter in beats of their own before the beat that decides.
//!
//! The first beat leaves three units over. The second beat makes five more and so completes output beats 4 and 5, made at 1 and
//! at 2, `made_beat`. No unit is left over: the third beat enters at 2, after `busy_until`, together with output beat 5:
//!
//! ```text
//! s_axis      41+42+43+E2  82+AC+44+45  46+47+48+49|  .  .            .            .
//! m_axis      .            .            .             .  41+42+43+E2  82+AC+44+45  46+47+48+49|
//! entered     0            1            2             .  .            .            .
//! busy_until  0            1            2             .  .            .            .
//! made_beat   .            2            3             .  .            .            .
//! is_delayed  .            .            .             .  .            .            .
//! out         3            5            6             .  .            .            .
//! spare       .            1            .             .  .            .            .
//! ```
//!
//! Units that are no UTF-8 make three octets each, so the first beat fills three output beats, the last one at 2. The core may refuse
//! input twice, `spare`, and items may be late from then on, `is_delayed`. The second beat enters at 3:
//!
//! ```text
//! s_axis         FF+FF+FF+FF  41+42+43+44|  =  =            .            .            .
//! s_axis_tready  1            0             0  1            1            1            1
//! m_axis         .            .             .  EF+BF+BD+EF  BF+BD+EF+BF  BD+EF+BF+BD  41+42+43+44|!
//! entered        0            .             .  3            .            .            .
//! busy_until     1            .             .  3            .            .            .
//! made_beat      2            .             .  3            .            .            .
//! is_delayed     .            1             .  .            .            .            .
//! out            5            .             .  6            .            .            .
//! spare          2            1             0  .            .            .            .
//! ```

use utfhdl_hdl::core::Packing;

use super::beats::Beats;
use super::clock::Entry;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of a transcoder of several lanes.
#[derive(Clone, Debug)]
pub(in crate::promise) struct WideTranscoder {
    /// The cycle in which the last beat has made its last output beat; `None` as long as it has made none.
    made_beat: Option<u64>,
    /// Whether items may be late: the core has refused input since it last owed nothing.
    is_delayed: bool,
    /// Whether slots can wait for the next beat, so that every beat takes a cycle.
    slots_wait: bool,
    /// The cycles by which slots that are carried can delay items, if the core is a decoder and an encoder in series.
    in_series: Option<u64>,
    lanes: usize,
    /// The number of slots that the last beat has made, with those that the beat before may have left to it.
    slots: usize,
    /// The beat of each unit on the output.
    out: Beats,
}

impl WideTranscoder {
    pub(super) fn new(lanes: usize, slots_wait: bool, in_series: Option<u64>) -> Self {
        let out = Beats::new(lanes, Packing::Dense);
        Self { made_beat: None, is_delayed: false, slots_wait, in_series, lanes, slots: 0, out }
    }

    /// The number of slots for which the last beat has no room.
    fn carried(&self) -> usize {
        self.slots.saturating_sub(self.lanes)
    }

    /// The output beat is complete. Returns its cycle.
    fn complete(&mut self, at: &mut Entry) -> u64 {
        let cycle = self.out.complete();
        let made = cycle - at.clock.latency;
        if self.made_beat.replace(made).is_some() {
            at.clock.grant(1);
        }
        // The next beat can enter together with this output beat, but for a decoder and an encoder in series.
        at.hold(if self.in_series.is_some() { made } else { made.saturating_sub(1) });
        cycle
    }
}

impl Model for WideTranscoder {
    #[inline]
    fn cycle(&mut self, at: &mut Entry, cycle: u64, waits: bool, refuses: bool) {
        at.clock.cycle(cycle, waits, waits);
        self.is_delayed |= refuses;
    }

    #[inline]
    fn owes_nothing(&mut self) {
        self.is_delayed = false;
    }

    #[inline]
    fn delay(&self, at: &Entry) -> u64 {
        if self.is_delayed { at.clock.latency } else { self.in_series.unwrap_or(0) }
    }

    #[inline]
    fn busy_output(&self) -> u64 {
        self.out.complete()
    }

    #[inline]
    fn beat(&mut self, at: &mut Entry) {
        at.entered = at.earliest();
        if self.slots_wait || self.in_series.is_some() {
            at.hold(at.entered);
        }
        self.made_beat = None;
        self.slots = self.carried();
    }

    fn step(&mut self, at: &mut Entry) {
        at.hold(at.entered);
        at.entered = at.busy_until + 1;
        self.made_beat = None;
        if self.in_series.is_some() {
            // Slots may be dropped, so that nothing is owed.
            at.clock.grant_until(1, at.due());
        } else {
            at.clock.grant_release();
        }
    }

    #[inline]
    fn slot(&mut self, at: &mut Entry) {
        at.hold(at.entered);
        self.slots += 1;
    }

    fn dropped(&mut self, _at: &mut Entry, _first: bool) {}

    #[inline]
    fn item(&mut self, at: &mut Entry, _first: bool) -> Due {
        // A unit that is left over from the last output beat keeps the next beat out of the cycle in which that is made.
        if let Some(made) = self.made_beat {
            at.hold(made);
        }
        self.out.place(at.due());
        at.hold(at.entered);
        if self.out.is_open() { Due::Waiting } else { Due::By(self.complete(at)) }
    }

    fn bare_end(&mut self, at: &mut Entry) -> Due {
        self.out.bare_end(at.due())
    }

    fn frame_ends(&mut self, at: &mut Entry) -> Option<u64> {
        at.hold(at.entered);
        let beats = self.carried().div_ceil(self.lanes) as u64;
        if self.in_series.is_some() && beats > 0 {
            at.hold(at.entered + beats);
            at.clock.grant_until(beats, at.due() + beats);
        }
        self.slots = 0;
        let waiting = self.out.is_open();
        self.out.close(at.due());
        waiting.then(|| self.complete(at))
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            cycle("made_beat", self.made_beat),
            number("is_delayed", self.is_delayed),
            cycle("out", self.out.cycle()),
        ]
    }
}
