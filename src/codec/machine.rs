//! What all decoders have in common: runs of units, where they start, and the rule of the maximal subpart.

use super::{ErrorKind, Event, Slot, Unit};

/// The grammar of a system: what it says of units, one after the other.
pub(super) trait Grammar {
    /// Takes the unit that follows the units taken since the last [`Grammar::reset`], or since the last code point.
    fn step(&mut self, unit: u16) -> Verdict;

    /// Forgets the run at hand: the next unit is read as a lead unit.
    fn reset(&mut self);

    /// What is wrong with the run at hand if the stream ends here.
    fn at_end(&self) -> ErrorKind {
        ErrorKind::Truncated
    }
}

/// What a grammar says of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// With this unit, the run begins some well-formed sequence.
    More,
    /// With this unit, the run is a well-formed sequence, and this is its code point.
    Whole(u32),
    /// No well-formed sequence begins like that. The run up to this unit is an error, and the unit is read again as a
    /// lead unit; or, where it was read as one, it is an error alone.
    Refused(ErrorKind),
}

/// Drives a [`Grammar`] over a stream.
#[derive(Clone, Debug)]
pub(super) struct Machine<G> {
    grammar: G,
    /// Where the run at hand starts.
    offset: u64,
    /// The units of the run at hand.
    length: u64,
}

impl<G: Grammar> Machine<G> {
    pub(super) fn new(grammar: G) -> Machine<G> {
        Machine { grammar, offset: 0, length: 0 }
    }

    /// Reads units off the front of `input` up to the next event.
    #[inline]
    pub(super) fn next<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
        while let Some((&unit, rest)) = input.split_first() {
            match self.grammar.step(unit.into()) {
                Verdict::Refused(kind) => {
                    if self.length == 0 {
                        *input = rest;
                        self.length = 1;
                    }
                    self.grammar.reset();
                    return Some(self.event(Slot::Error(kind)));
                }
                Verdict::More => {
                    *input = rest;
                    self.length += 1;
                }
                Verdict::Whole(code_point) => {
                    *input = rest;
                    self.length += 1;
                    return Some(self.event(Slot::CodePoint(code_point)));
                }
            }
        }
        if last { self.end() } else { None }
    }

    /// The run at hand becomes an event, and the next one starts where it ends.
    #[inline]
    fn event(&mut self, what: Slot) -> Event {
        let event = Event { offset: self.offset, length: self.length, what };
        self.offset += self.length;
        self.length = 0;
        event
    }

    /// The end of the stream: an error if it cuts a run short, then a fresh start.
    fn end(&mut self) -> Option<Event> {
        if self.length > 0 {
            let kind = self.grammar.at_end();
            self.grammar.reset();
            return Some(self.event(Slot::Error(kind)));
        }
        self.offset = 0;
        None
    }
}
