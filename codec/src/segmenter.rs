//! The loop that all decoders share: it cuts a stream of units into sequences, and says where each starts and how long it is.
//!
//! An ill-formed sequence is cut by the rule of the maximal subpart: an error has the units that begin some well-formed
//! sequence, and the first unit that fits none of them is read again as a lead unit.

use crate::bulk;
use crate::bulk::skip::{Tally, skip_run};
use crate::grammar::{Cut, Grammar, Verdict};
use crate::{Event, Slot, Unit};

/// Cuts a stream of units into sequences, by the [`Grammar`] of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Segmenter<G> {
    grammar: G,
    /// Offset of the current sequence's first unit, in units from the start of the stream.
    offset: u64,
    /// How many units of the current sequence have been read.
    length: u64,
    /// The bits read of the current code point, if it is 2^32 or more.
    long: u128,
    /// How many limbs that code point has.
    limbs: u32,
    /// How many slots of that code point, the head and the limbs, have gone out.
    sent: u32,
    /// How many slots of that code point are certain.
    due: u32,
}

impl<G: Grammar> Segmenter<G> {
    pub(crate) fn new(grammar: G) -> Segmenter<G> {
        Segmenter { grammar, offset: 0, length: 0, long: 0, limbs: 0, sent: 0, due: 0 }
    }

    /// Reads units off the front of `input` up to the next event.
    #[inline(always)]
    pub(crate) fn next<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
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
            if let Verdict::Cut(cut) = verdict {
                return Some(self.cut(cut));
            }
            if let Verdict::FirstOfTwo(code_point) = verdict {
                return Some(self.part(Slot::CodePoint(code_point)));
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
                    // A unit makes one slot at most, and the lead unit none, so that slots never outnumber units: if the
                    // sequence turns out ill-formed, its error needs a slot, too.
                    if self.length > 1 && self.sent < self.due {
                        return Some(self.next_of_long());
                    }
                }
                Verdict::Head(limbs) => return Some(self.part(Slot::Head(limbs))),
                Verdict::Limb(limb) => return Some(self.part(Slot::Limb(limb))),
                Verdict::LastLimb(limb) => return Some(self.event(Slot::Limb(limb))),
                Verdict::Spoilt(kind) => return Some(self.event(Slot::Error(kind))),
                Verdict::Shared(what) => return Some(self.leave(1, what)),
                Verdict::Refused(_) | Verdict::Cut(_) | Verdict::FirstOfTwo(_) => {
                    unreachable!("the unit is to be read again")
                }
            }
        }
        if last { self.end() } else { None }
    }

    /// The grammar, whose state the mark of the stream decides.
    pub(crate) fn grammar(&mut self) -> &mut G {
        &mut self.grammar
    }

    /// Whether the fast path can read the next unit.
    #[inline]
    fn is_between_sequences(&self) -> bool {
        self.length == 0 && self.grammar.starts_afresh()
    }

    /// Decodes well-formed sequences from the front of `input` into `output` on the fast path, and returns their number. It
    /// may stop before the last of them.
    #[inline]
    pub(crate) fn read_run<U: Unit, E: From<Event>>(&mut self, input: &mut &[U], output: &mut [E]) -> usize {
        if !self.is_between_sequences() {
            return 0;
        }
        let run = bulk::read_run(self.grammar.sequences(), self.offset, input, output);
        *input = &input[run.read..];
        self.offset += run.read as u64;
        run.written
    }

    /// Reads well-formed sequences off the front of `input` on the fast path, and counts them. It may stop before the last of
    /// them. Returns how many units they have.
    pub(crate) fn skip_run<U: Unit>(&mut self, input: &mut &[U], tally: &mut impl Tally) -> usize {
        if !self.is_between_sequences() {
            return 0;
        }
        let read = skip_run(self.grammar.sequences(), input, tally);
        *input = &input[read..];
        self.offset += read as u64;
        read
    }

    /// The fast path, if it can read the next unit.
    #[inline]
    pub(crate) fn sequences(&self) -> Option<G::Sequences> {
        self.is_between_sequences().then(|| self.grammar.sequences())
    }

    /// Counts units into the offset that have been read elsewhere: those of a mark, or of well-formed text.
    pub(crate) fn skip(&mut self, units: u64) {
        self.offset += units;
    }

    /// The next slot of a long code point.
    fn next_of_long(&mut self) -> Event {
        let missing = self.limbs - self.sent;
        self.sent += 1;
        if self.sent == 1 {
            return self.part(Slot::Head(self.limbs));
        }
        let limb = Slot::Limb((self.long >> (missing * u32::BITS)) as u32);
        if missing == 0 { self.event(limb) } else { self.part(limb) }
    }

    /// An event that is not the last of its sequence.
    fn part(&self, what: Slot) -> Event {
        Event { offset: self.offset, length: 0, what }
    }

    /// Ends the current sequence: the event that has its length.
    #[inline]
    fn event(&mut self, what: Slot) -> Event {
        let event = Event { offset: self.offset, length: self.length, what };
        self.offset += self.length;
        self.length = 0;
        if G::LONG {
            self.sent = 0;
            self.due = 0;
        }
        event
    }

    /// Ends the current sequence, and leaves the last units to the next sequence.
    fn leave(&mut self, kept: u64, what: Slot) -> Event {
        self.length -= kept;
        let event = self.event(what);
        self.length = kept;
        event
    }

    /// Ends the current sequence, and may leave units to the next sequence.
    fn cut(&mut self, Cut { what, kept }: Cut) -> Event {
        let event = self.leave(kept, what);
        if kept == 0 {
            self.grammar.reset();
        }
        event
    }

    /// Ends the stream: an error if the end cuts a sequence short; then the decoder starts afresh.
    fn end(&mut self) -> Option<Event> {
        if self.length > 0 && self.grammar.is_open() {
            let cut = self.grammar.at_end();
            return Some(self.cut(cut));
        }
        self.grammar.start_stream();
        self.length = 0;
        self.offset = 0;
        None
    }
}
