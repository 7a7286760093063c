//! Validators, of one lane or several.
//!
//! - A beat goes out `latency` cycles after it enters, with all its units.
//! - A beat without units goes out only if it ends its frame; any other takes a cycle all the same.
//! - The core may refuse input after a wait of its output, and in no other cycle, except while beats that it took have still to enter.
//!
//! The core takes the third beat while the first one waits on the output, so the third beat enters at 2, when the clock of the core
//! moves on. Marks follow a colon, where there are any:
//!
//! ```text
//! s_axis         41+E1  _  41|  .        .
//! m_axis         .      .  41+E1  =      41:1|
//! m_axis_tready  1      1  0      1      1
//! entered        0      1  2      .      .
//! ```

use super::clock::Clock;
#[cfg(test)]
use super::drawing::{Value, cycle};
use super::model::{Due, Model};

/// The model of a validator.
#[derive(Clone, Debug)]
pub(in crate::promise) struct Validator {
    clock: Clock,
    /// The cycle in which the last beat entered.
    entered: u64,
}

impl Validator {
    pub(super) fn new(clock: Clock) -> Self {
        Self { entered: clock.now, clock }
    }
}

impl Model for Validator {
    #[inline]
    fn clock(&self) -> &Clock {
        &self.clock
    }

    #[inline]
    fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    #[inline]
    fn refuses_freely(&self) -> bool {
        self.entered >= self.clock.now
    }

    #[inline]
    fn beat(&mut self) {
        self.entered = self.clock.now.max(self.entered + 1);
    }

    #[inline]
    fn slot(&mut self) {}

    fn dropped(&mut self, _first: bool) {
        unreachable!("a validator drops nothing");
    }

    #[inline]
    fn item(&mut self, _first: bool) -> Due {
        Due::By(self.entered + self.clock.latency)
    }

    fn bare_end(&mut self) -> Due {
        Due::By(self.entered + self.clock.latency)
    }

    fn frame_ends(&mut self) -> Option<u64> {
        None
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![cycle("entered", self.entered)]
    }
}
