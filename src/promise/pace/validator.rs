//! Validators, of one lane or several, and decoders of several streams.
//!
//! - A beat goes out `latency` cycles after it enters, with all its units, or with all slots that it makes certain.
//! - A beat without units, or without slots, goes out only if it ends its frame; any other takes a cycle all the same.
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
//! busy_until     0      1  2      .      .
//! spare          .      .  .      .      .
//! ```

use super::clock::Entry;
#[cfg(test)]
use super::drawing::Value;
use super::model::{Due, Model};

/// The model of a validator.
#[derive(Clone, Debug)]
pub(in crate::promise) struct Validator;

impl Model for Validator {
    #[inline]
    fn beat(&mut self, at: &mut Entry) {
        at.enter();
    }

    fn dropped(&mut self, _at: &mut Entry, _first: bool) {
        unreachable!("a validator drops nothing");
    }

    #[inline]
    fn item(&mut self, at: &mut Entry, _first: bool) -> Due {
        Due::By(at.due())
    }

    fn bare_end(&mut self, at: &mut Entry) -> Due {
        Due::By(at.due())
    }

    #[cfg(test)]
    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}
