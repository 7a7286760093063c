//! Encoders of several lanes.
//!
//! - Output beats are full but for the last of a frame: units wait for others or for the frame's end.
//! - The core takes a beat for as many cycles as that beat fills output beats, one at least: the next beat enters after the last
//!   of these. An error that is dropped takes no lane.
//! - The core may refuse input for as many cycles as a beat makes more units than lanes, and for one cycle where a frame needs one
//!   output beat more than it had.
//! - An encoder of `utf-inf-8` takes a beat slot by slot if the beat has a head or a limb, or comes after one in its frame. Each slot
//!   is a *step* (with two lanes, two steps). A step enters in the cycle after the step before and after the output beats that
//!   the steps before it have made. A step that writes nothing takes no time after those. Where errors are dropped, a slot of a frame's last beat
//!   enters together with the slots after it that write nothing.
//!
//! The first beat makes ten units, `made`, six more than there are lanes, `spare`. Its second output beat is made at 1,
//! `busy_until`, so the second beat enters at 2. Two units are left over for output beat 5, which the second beat doesn't fill:
//!
//! ```text
//! s_axis       20AC+20AC+20AC+41  42|  .  43|          .            .          .
//! m_axis       .                  .    .  E2+82+AC+E2  82+AC+E2+82  AC+41+42|  43|
//! entered      0                  2    .  3            .            .          .
//! arrived      0                  2    .  3            .            .          .
//! busy_until   1                  2    .  3            .            .          .
//! before_beat  1                  .    .  .            .            .          .
//! made         10                 1    .  .            .            .          .
//! out          5                  .    .  6            .            .          .
//! spare        6                  .    .  .            .            .          .
//! ```
//!
//! In `utf-inf-8`, the three slots of the first beat are steps that arrive at 0, 1 and 2, so `before_beat` is gone. The last one
//! writes seven units; the second beat is a step, too, since it comes after a limb:
//!
//! ```text
//! s_axis       h2+l1+l0  41|  .  .  .  .            .
//! m_axis       .         .    .  .  .  FE+84+80+80  80+80+80+41|
//! entered      2         3    .  .  .  .            .
//! arrived      2         3    .  .  .  .            .
//! busy_until   2         3    .  .  .  .            .
//! before_beat  .         .    .  .  .  .            .
//! made         7         1    .  .  .  .            .
//! out          6         .    .  .  .  .            .
//! spare        3         .    .  .  .  .            .
//! ```

use utfhdl_hdl::core::Packing;

use super::beats::Beats;
use super::clock::Entry;
#[cfg(test)]
use super::drawing::{Value, cycle, number};
use super::model::{Due, Model};

/// The model of an encoder of several lanes.
#[derive(Clone, Debug)]
pub(in crate::promise) struct WideEncoder {
    lanes: usize,
    /// The cycle in which the last step arrived, where no output beats of earlier steps kept it out: the next step arrives in the
    /// next cycle at the earliest.
    arrived: u64,
    /// `arrived`, and the cycle until which the core is busy, as they were before the last beat, if that has no step yet.
    before_beat: Option<(u64, u64)>,
    /// The number of units that the last beat has made.
    made: usize,
    /// The beat of each unit on the output.
    out: Beats,
}

impl WideEncoder {
    pub(super) fn new(start: u64, lanes: usize) -> Self {
        Self { arrived: start, lanes, before_beat: None, made: 0, out: Beats::new(lanes, Packing::Dense) }
    }

    /// The output beat is complete. Returns its cycle.
    fn complete(&mut self, at: &mut Entry) -> u64 {
        let cycle = self.out.complete();
        at.hold(cycle - at.clock.latency);
        cycle
    }
}

impl Model for WideEncoder {
    #[inline]
    fn busy_output(&self) -> u64 {
        self.out.complete()
    }

    #[inline]
    fn refuses_freely(&self, at: &Entry) -> bool {
        self.arrived >= at.clock.now || at.is_busy(self.busy_output())
    }

    #[inline]
    fn beat(&mut self, at: &mut Entry) {
        self.before_beat = Some((self.arrived, at.busy_until));
        at.entered = at.earliest().max(self.arrived + 1);
        self.arrived = at.entered;
        at.busy_until = at.entered;
        self.made = 0;
    }

    fn step(&mut self, at: &mut Entry) {
        match self.before_beat.take() {
            Some((arrived, busy_until)) => {
                self.arrived = at.clock.now.max(arrived + 1);
                at.busy_until = busy_until;
            }
            None => self.arrived += 1,
        }
        at.entered = self.arrived.max(at.busy_until + 1);
    }

    fn dropped(&mut self, _at: &mut Entry, _first: bool) {}

    #[inline]
    fn item(&mut self, at: &mut Entry, _first: bool) -> Due {
        self.made += 1;
        if self.made > self.lanes {
            at.clock.grant(1);
        }
        self.out.place(at.due());
        at.hold(at.entered);
        self.arrived = self.arrived.max(at.entered);
        if self.out.is_open() { Due::Waiting } else { Due::By(self.complete(at)) }
    }

    fn bare_end(&mut self, at: &mut Entry) -> Due {
        self.out.bare_end(at.due())
    }

    fn frame_ends(&mut self, at: &mut Entry) -> Option<u64> {
        at.hold(at.entered);
        let waiting = self.out.is_open();
        self.out.close(at.due());
        if self.out.cycle() > at.due() {
            at.clock.grant(1);
        }
        waiting.then(|| self.complete(at))
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            cycle("arrived", self.arrived),
            number("before_beat", self.before_beat.is_some()),
            number("made", self.made as u64),
            cycle("out", self.out.cycle()),
        ]
    }
}
