//! The named signals of a design, and the position of each among the words that a probe shows.

use std::ops::Range;

use crate::flat::{Flat, Scope};

/// The signals that have a name, each once, in the order of the names.
pub(super) struct Named {
    /// Indices in [`Flat::signals`].
    pub(super) signals: Vec<usize>,
    /// For each of [`Flat::signals`] the words that a probe shows of it; none if it has no name.
    places: Vec<Range<usize>>,
    /// Words of all of them.
    pub(super) words: usize,
}

impl Named {
    pub(super) fn new(flat: &Flat) -> Self {
        let mut named = Self { signals: Vec::new(), places: vec![0..0; flat.signals.len()], words: 0 };
        named.add(&flat.scope);
        named
    }

    fn add(&mut self, scope: &Scope) {
        for signal in &scope.signals {
            let place = &mut self.places[signal.signal];
            if place.end == 0 {
                *place = self.words..self.words + signal.width.div_ceil(64) as usize;
                self.words = place.end;
                self.signals.push(signal.signal);
            }
        }
        scope.children.iter().for_each(|child| self.add(child));
    }

    /// The words of a signal.
    pub(super) fn place(&self, signal: usize) -> Range<usize> {
        self.places[signal].clone()
    }
}
