//! The interface between a system and the loop that all decoders share: a [`Grammar`] reads one unit at a time and gives a
//! [`Verdict`] on the units of the current sequence.

use crate::bulk::WholeSequences;
use crate::{ErrorKind, Slot};

/// The grammar of a system, which reads a sequence unit by unit.
pub(crate) trait Grammar {
    /// The fast path of the system.
    type Sequences: WholeSequences;

    /// Whether the system has code points of 2^32 or more that the [`Segmenter`](crate::segmenter::Segmenter) holds whole
    /// and takes apart into limbs.
    const LONG: bool = false;

    /// Reads the next unit of the sequence. A sequence starts after a code point, after an error, and after
    /// [`Grammar::reset`].
    fn step(&mut self, unit: u32) -> Verdict;

    /// Gives up the sequence: the next unit is read as a lead unit.
    fn reset(&mut self);

    /// Starts a stream. Systems whose state outlasts an error do not only give up the sequence.
    fn start_stream(&mut self) {
        self.reset();
    }

    /// Whether the units read since the last event begin a sequence. At the end of a stream, those that only change the state are part
    /// of none.
    fn is_open(&self) -> bool {
        true
    }

    /// The error if the stream ends inside the sequence.
    fn at_end(&mut self) -> Cut {
        ErrorKind::Truncated.into()
    }

    /// Whether sequences in front do not matter to the next one, so that the fast path can continue with it.
    fn starts_afresh(&self) -> bool {
        true
    }

    /// The fast path, which reads whole sequences in place of [`step`](Self::step).
    fn sequences(&self) -> Self::Sequences;
}

/// A grammar's judgement of the units that it has read of the current sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The units begin some well-formed sequence.
    More,
    /// The units are a well-formed sequence of this code point, which is below 2^32.
    Whole(u32),
    /// All well-formed sequences that begin with the units have `limbs` limbs, at least 2, and their code points have the
    /// bits of `least`, all but the last `open` of them. Where `open` is 0 the units are the whole sequence.
    Long { least: u128, open: u32, limbs: u32 },
    /// All well-formed sequences that begin with the units have this number of limbs.
    Head(u32),
    /// The last unit completes the next limb of the code point.
    Limb(u32),
    /// The units are a well-formed sequence, and this is the last limb of its code point.
    LastLimb(u32),
    /// The units are an ill-formed sequence, the last unit included.
    Spoilt(ErrorKind),
    /// No well-formed sequence begins with the units. The units before the last are an error, and the last unit is to
    /// be read again as a lead unit; where there is only one unit, it is the error.
    Refused(ErrorKind),
    /// All units but the last are a code point or an error, which the last unit completes, and the last unit begins the next sequence
    /// too.
    Shared(Slot),
    /// No well-formed sequence begins with the units, and the last of them is to be read again. Of those before it the
    /// first are an error, or a code point that such an error left, and the others begin the next sequence.
    Cut(Cut),
    /// The units are a well-formed sequence of two code points, and this is the first of them. The last unit is to be read
    /// again, and makes the second one.
    FirstOfTwo(u32),
}

/// An error, or a code point that an error left, that does not have all units read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) what: Slot,
    /// How many of the last units begin the next sequence. The grammar keeps these units.
    pub(crate) kept: u64,
}

/// An error that has all units of its sequence.
impl From<ErrorKind> for Cut {
    fn from(kind: ErrorKind) -> Cut {
        Cut { what: Slot::Error(kind), kept: 0 }
    }
}

impl Verdict {
    /// The verdict on units that begin the sequences of the code points `least` to `most`, which differ in the last `open`
    /// bits. Code points below `first` do not count: they have shorter sequences.
    #[inline]
    pub(crate) fn on_range(least: u128, most: u128, open: u32, first: u128) -> Verdict {
        if most <= u32::MAX.into() {
            return if open == 0 { Verdict::Whole(least as u32) } else { Verdict::More };
        }
        let limbs = limbs_of(most);
        if limbs == limbs_of(least.max(first)) { Verdict::Long { least, open, limbs } } else { Verdict::More }
    }
}

/// How many limbs a code point has.
fn limbs_of(code_point: u128) -> u32 {
    (u128::BITS - code_point.leading_zeros()).div_ceil(u32::BITS)
}
