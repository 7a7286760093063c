//! Transcoders of several lanes.
//!
//! - Output beats are full but for the last of a frame: units wait for others or for the frame's end.
//! - The core takes a beat for as many cycles as it makes output beats of that. The next beat enters together with the last of
//!   these if no unit of the beat is left over, and after it otherwise. A beat without slots takes no cycle.
//! - The core may refuse input for as many cycles as it makes more output beats than beats came in, until it owes nothing. From
//!   such a refusal on, until it owes nothing, items may be late by up to `latency` cycles.
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
use super::clock::Clock;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of a transcoder of several lanes.
#[derive(Clone, Debug)]
pub(in crate::promise) struct WideTranscoder {
    clock: Clock,
    /// The cycle in which the last beat entered.
    entered: u64,
    /// The next beat enters after this cycle.
    busy_until: u64,
    /// The cycle in which the last beat has made its last output beat; `None` as long as it has made none.
    made_beat: Option<u64>,
    /// Whether items may be late: the core has refused input since it last owed nothing.
    is_delayed: bool,
    /// The beat of each unit on the output.
    out: Beats,
}

impl WideTranscoder {
    pub(super) fn new(clock: Clock, lanes: usize) -> Self {
        Self {
            entered: clock.now,
            busy_until: clock.now,
            clock,
            made_beat: None,
            is_delayed: false,
            out: Beats::new(lanes, Packing::Dense),
        }
    }

    /// The output beat is complete. Returns its cycle.
    fn complete(&mut self) -> u64 {
        let cycle = self.out.complete();
        let made = cycle - self.clock.latency;
        if self.made_beat.replace(made).is_some() {
            self.clock.grant(1);
        }
        // The next beat can enter together with this output beat.
        self.busy_until = self.busy_until.max(made.saturating_sub(1));
        cycle
    }
}

impl Model for WideTranscoder {
    #[inline]
    fn clock(&self) -> &Clock {
        &self.clock
    }

    #[inline]
    fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    #[inline]
    fn cycle(&mut self, cycle: u64, waits: bool, refuses: bool) {
        self.clock.cycle(cycle, waits, waits);
        self.is_delayed |= refuses;
    }

    #[inline]
    fn owes_nothing(&mut self) {
        self.is_delayed = false;
    }

    #[inline]
    fn delay(&self) -> u64 {
        if self.is_delayed { self.clock.latency } else { 0 }
    }

    /// While beats that were taken have still to enter, or while output beats that are owed keep the output busy.
    #[inline]
    fn refuses_freely(&self) -> bool {
        let now = self.clock.now;
        self.busy_until >= now || self.out.complete() >= now + self.clock.latency
    }

    #[inline]
    fn beat(&mut self) {
        self.entered = self.clock.now.max(self.busy_until + 1);
        self.made_beat = None;
    }

    #[inline]
    fn slot(&mut self) {
        self.busy_until = self.busy_until.max(self.entered);
    }

    fn dropped(&mut self, _first: bool) {}

    #[inline]
    fn item(&mut self, _first: bool) -> Due {
        // A unit that is left over from the last output beat keeps the next beat out of the cycle in which that is made.
        if let Some(made) = self.made_beat {
            self.busy_until = self.busy_until.max(made);
        }
        self.out.place(self.entered + self.clock.latency, false);
        self.busy_until = self.busy_until.max(self.entered);
        if self.out.is_open() { Due::Waiting } else { Due::By(self.complete()) }
    }

    fn bare_end(&mut self) -> Due {
        self.out.bare_end(self.entered + self.clock.latency)
    }

    fn frame_ends(&mut self) -> Option<u64> {
        self.busy_until = self.busy_until.max(self.entered);
        let waiting = self.out.is_open();
        self.out.close(self.entered + self.clock.latency);
        waiting.then(|| self.complete())
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            cycle("entered", self.entered),
            cycle("busy_until", self.busy_until),
            cycle("made_beat", self.made_beat),
            number("is_delayed", self.is_delayed),
            cycle("out", self.out.cycle()),
            number("spare", self.clock.spare()),
        ]
    }
}
