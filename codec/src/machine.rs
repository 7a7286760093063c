//! What all decoders have in common: runs of units, where they start, and the rule of the maximal subpart.

use crate::{ErrorKind, Event, Slot, Unit};

/// The grammar of a system: what it says of units, one after the other.
pub(super) trait Grammar {
    /// Whether there are code points of 2^32 or more that are held whole.
    const LONG: bool = false;

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
    /// With this unit, the run is or begins well-formed sequences of so many limbs only, at least 2. Their code points
    /// start with the bits of `least`, all but the last `open` of them.
    Long { least: u128, open: u32, limbs: u32 },
    /// With this unit, the run begins sequences of this many limbs only.
    Head(u32),
    /// With this unit, the next limb of the code point is known.
    Limb(u32),
    /// With this unit, the run is a well-formed sequence, and this is the last limb of its code point.
    LastLimb(u32),
    /// With this unit, the run is an ill-formed sequence at its end.
    Spoilt(ErrorKind),
    /// No well-formed sequence begins like that. The run up to this unit is an error, and the unit is read again as a
    /// lead unit; or, where it was read as one, it is an error alone.
    Refused(ErrorKind),
}

impl Verdict {
    /// The verdict on a run that begins the sequences of `least` to `most`, which differ in the last `open` bits, less those
    /// of code points below `first`, which have shorter forms.
    #[inline]
    pub(super) fn on_range(least: u128, most: u128, open: u32, first: u128) -> Verdict {
        if most <= u32::MAX.into() {
            return if open == 0 { Verdict::Whole(least as u32) } else { Verdict::More };
        }
        let limbs = limbs_of(most);
        if limbs == limbs_of(least.max(first)) { Verdict::Long { least, open, limbs } } else { Verdict::More }
    }
}

/// Drives a [`Grammar`] over a stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Machine<G> {
    grammar: G,
    /// Where the run at hand starts.
    offset: u64,
    /// The units of the run at hand.
    length: u64,
    /// A long code point: the bits of it that are known, how many limbs it has, and how many slots of it, head and
    /// limbs, have been told and can be.
    long: u128,
    limbs: u32,
    told: u32,
    due: u32,
}

impl<G: Grammar> Machine<G> {
    pub(super) fn new(grammar: G) -> Machine<G> {
        Machine { grammar, offset: 0, length: 0, long: 0, limbs: 0, told: 0, due: 0 }
    }

    /// Reads units off the front of `input` up to the next event.
    #[inline]
    pub(super) fn next<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
        while let Some((&unit, rest)) = input.split_first() {
            let verdict = self.grammar.step(unit.into());
            if let Verdict::Refused(kind) = verdict {
                if self.length == 0 {
                    *input = rest;
                    self.length = 1;
                }
                self.grammar.reset();
                return Some(self.event(Slot::Error(kind)));
            }
            *input = rest;
            self.length += 1;
            match verdict {
                Verdict::More => {}
                Verdict::Whole(code_point) => return Some(self.event(Slot::CodePoint(code_point))),
                Verdict::Long { least, open, limbs } => {
                    self.long = least;
                    self.limbs = limbs;
                    self.due = 1 + limbs - open.div_ceil(u32::BITS);
                    // One slot a unit, and none for the lead unit: where the run turns out ill-formed, its error is a slot too,
                    // and slots never outnumber units.
                    if self.length > 1 && self.told < self.due {
                        return Some(self.next_of_long());
                    }
                }
                Verdict::Head(limbs) => return Some(self.part(Slot::Head(limbs))),
                Verdict::Limb(limb) => return Some(self.part(Slot::Limb(limb))),
                Verdict::LastLimb(limb) => return Some(self.event(Slot::Limb(limb))),
                Verdict::Spoilt(kind) | Verdict::Refused(kind) => return Some(self.event(Slot::Error(kind))),
            }
        }
        if last { self.end() } else { None }
    }

    /// Passes over units that are not part of the text.
    pub(super) fn skip(&mut self, units: u64) {
        self.offset += units;
    }

    /// The next slot of a long code point.
    fn next_of_long(&mut self) -> Event {
        let missing = self.limbs - self.told;
        self.told += 1;
        if self.told == 1 {
            return self.part(Slot::Head(self.limbs));
        }
        let limb = Slot::Limb((self.long >> (missing * u32::BITS)) as u32);
        if missing == 0 { self.event(limb) } else { self.part(limb) }
    }

    /// An event that is not the last of its sequence.
    fn part(&self, what: Slot) -> Event {
        Event { offset: self.offset, length: 0, what }
    }

    /// The run at hand becomes an event, and the next one starts where it ends.
    #[inline]
    fn event(&mut self, what: Slot) -> Event {
        let event = Event { offset: self.offset, length: self.length, what };
        self.offset += self.length;
        self.length = 0;
        if G::LONG {
            self.told = 0;
            self.due = 0;
        }
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

/// How many limbs a code point has.
fn limbs_of(code_point: u128) -> u32 {
    (u128::BITS - code_point.leading_zeros()).div_ceil(u32::BITS)
}
