//! The interface of a model.

use super::clock::Entry;
#[cfg(test)]
use super::drawing::Value;

/// The cycle by which an item is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::promise) enum Due {
    /// The item, and all items that wait in its beat, go out by this cycle of the core's clock.
    By(u64),
    /// The beat of the item is not full yet.
    Waiting,
}

/// A model of one kind of core. All cycles are on the clock of the core, which `at` has.
pub(super) trait Model {
    /// A cycle passes. `waits`: the core offers a beat that is not taken; `refuses`: its `tready` is low.
    #[inline]
    fn cycle(&mut self, at: &mut Entry, cycle: u64, waits: bool, _refuses: bool) {
        at.clock.cycle(cycle, waits, waits);
    }

    /// Nothing is owed.
    #[inline]
    fn owes_nothing(&mut self) {}

    /// Cycles by which an item may be late.
    #[inline]
    fn delay(&self, _at: &Entry) -> u64 {
        0
    }

    /// The cycle up to which complete output beats keep the output busy.
    #[inline]
    fn busy_output(&self) -> u64 {
        0
    }

    /// Whether the core can refuse its input in this cycle without a delay of any item.
    #[inline]
    fn refuses_freely(&self, at: &Entry) -> bool {
        at.is_busy(self.busy_output())
    }

    /// The core takes a beat in this cycle.
    fn beat(&mut self, at: &mut Entry);

    /// The beat makes a slot certain. The beat of an encoder of one lane is a slot.
    #[inline]
    fn slot(&mut self, _at: &mut Entry) {}

    /// The beat releases a slot that was withheld.
    fn withheld_slot(&mut self, _at: &mut Entry) {
        unreachable!("only decoders and transcoders of one lane withhold slots");
    }

    /// The slots that follow are the next step of the beat.
    fn step(&mut self, _at: &mut Entry) {
        unreachable!("only encoders of several lanes, and cores that hold octets back, take a beat in steps");
    }

    /// The slot is an error, which is dropped. `first`: the slot has made no item yet.
    fn dropped(&mut self, at: &mut Entry, first: bool);

    /// The slot makes an item. `first`: the slot has made no item yet.
    fn item(&mut self, at: &mut Entry, first: bool) -> Due;

    /// The last beat of the frame made nothing that can carry the frame's end. Returns the cycle of a beat that only ends the frame,
    /// or [`Due::Waiting`] if items still wait for others and so carry the end.
    fn bare_end(&mut self, at: &mut Entry) -> Due;

    /// The frame ends: no beat holds items of two frames. Returns the cycle of the items that waited for others.
    fn frame_ends(&mut self, _at: &mut Entry) -> Option<u64> {
        None
    }

    /// The fields of the model's own by name, as a trace shows them.
    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)>;
}
