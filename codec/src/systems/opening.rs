//! Streams that may open with a mark that is no text: the magic number of `corrected-utf-8`, or a byte order mark.

use crate::bulk::skip::Tally;
use crate::grammar::Grammar;
use crate::segmenter::Segmenter;
use crate::{Event, Unit};

/// The units of a mark.
pub(crate) type Mark = &'static [u32];

/// U+FEFF in UTF-8. The Unicode Standard, core specification, §2.6: its use "is neither required nor recommended".
pub(crate) const MARK_OF_UTF_8: Mark = &[0xEF, 0xBB, 0xBF];

/// A grammar that depends on which mark opens the stream.
pub(crate) trait Opens: Grammar {
    /// Starts a stream that opens with the mark of this index, or with none.
    fn open(&mut self, mark: Option<usize>) {
        let _ = mark;
    }
}

/// A decoder that takes a mark off the front of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Opened<G> {
    segmenter: Segmenter<G>,
    /// The marks there may be, each with another first unit. If there are none, all is text.
    marks: &'static [Mark],
    opening: Opening,
}

/// The state at the start of a stream. Units are held back while they may be a mark. Their values follow from the mark, so
/// only their number is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Opening {
    /// The first `count` units of the mark `index` have been read, and no others.
    Mark {
        index: usize,
        count: usize,
    },
    /// The stream does not open with a mark, but with these first units of one, which are text.
    NoMark {
        index: usize,
        from: usize,
        to: usize,
    },
    Text,
}

impl<G: Opens> Opened<G> {
    pub(crate) fn new(grammar: G, marks: &'static [Mark]) -> Opened<G> {
        Opened { segmenter: Segmenter::new(grammar), marks, opening: Opened::<G>::start(marks) }
    }

    fn start(marks: &[Mark]) -> Opening {
        if marks.is_empty() { Opening::Text } else { Opening::Mark { index: 0, count: 0 } }
    }

    /// Reads units off the front of `input` up to the next event.
    #[inline]
    pub(crate) fn next<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
        if !matches!(self.opening, Opening::Text) {
            if let Some(event) = self.open(input, last) {
                return Some(event);
            }
            if !matches!(self.opening, Opening::Text) {
                return None;
            }
        }
        let event = self.segmenter.next(input, last);
        if event.is_none() && last {
            self.segmenter.grammar().open(None);
            self.opening = Opened::<G>::start(self.marks);
        }
        event
    }

    /// Does [`Segmenter::read_run`] once the mark has been read.
    #[inline]
    pub(crate) fn read_run<U: Unit, E: From<Event>>(&mut self, input: &mut &[U], output: &mut [E]) -> usize {
        if matches!(self.opening, Opening::Text) { self.segmenter.read_run(input, output) } else { 0 }
    }

    /// Does [`Segmenter::skip_run`] once the mark has been read.
    pub(crate) fn skip_run<U: Unit>(&mut self, input: &mut &[U], tally: &mut impl Tally) -> usize {
        if matches!(self.opening, Opening::Text) { self.segmenter.skip_run(input, tally) } else { 0 }
    }

    /// Does [`Segmenter::sequences`] once the mark has been read.
    #[inline]
    pub(crate) fn sequences(&self) -> Option<G::Sequences> {
        if matches!(self.opening, Opening::Text) { self.segmenter.sequences() } else { None }
    }

    /// Does [`Segmenter::skip`].
    pub(crate) fn skip(&mut self, units: u64) {
        self.segmenter.skip(units);
    }

    /// Reads the mark, if there is one; gives the events of units that turn out not to be a mark.
    fn open<U: Unit>(&mut self, input: &mut &[U], last: bool) -> Option<Event> {
        while let Opening::Mark { index, count } = self.opening {
            let next = match input.first() {
                None if !last => return None,
                None => None,
                Some(&unit) => self.mark_with(index, count, unit.into()),
            };
            self.opening = match next {
                None => {
                    self.segmenter.grammar().open(None);
                    Opening::NoMark { index, from: 0, to: count }
                }
                Some(index) => {
                    *input = &input[1..];
                    if count + 1 == self.marks[index].len() {
                        self.segmenter.grammar().open(Some(index));
                        self.segmenter.skip(self.marks[index].len() as u64);
                        Opening::Text
                    } else {
                        Opening::Mark { index, count: count + 1 }
                    }
                }
            };
        }
        if let Opening::NoMark { index, from, to } = self.opening {
            let mut held = &self.marks[index][from..to];
            let event = self.segmenter.next(&mut held, false);
            self.opening = match event {
                Some(_) => Opening::NoMark { index, from: to - held.len(), to },
                None => Opening::Text,
            };
            return event;
        }
        None
    }

    /// The mark whose unit after the first `count` units is `unit`. With `count` of 0 every mark is a candidate, otherwise
    /// only the mark `index`.
    fn mark_with(&self, index: usize, count: usize, unit: u32) -> Option<usize> {
        let goes_on = |&index: &usize| self.marks[index][count] == unit;
        let mut candidates = if count == 0 { 0..self.marks.len() } else { index..index + 1 };
        candidates.find(goes_on)
    }
}
