//! The reference's output for the beats of the input, which does not depend on their cycles.

use super::supply::{Portion, PredictedBeat};
use crate::promise::{Counts, Made};

/// The expected output of the beats that are [drawn ahead](super::ahead), in order.
#[derive(Default)]
pub struct Prediction {
    /// The numbers of the first entries of `beats` and `made`, and of the first that are not forgotten.
    first: Place,
    kept: Place,
    beats: Vec<PredictedBeat>,
    made: Vec<Made>,
    /// The code points and errors that the reference found in all beats.
    pub counts: Counts,
    /// Frames that end in these beats.
    pub frames: u64,
}

/// The expected output of a beat.
#[derive(Clone, Copy, Debug)]
pub struct Predicted<'p> {
    /// Items of the beat.
    pub items: usize,
    /// The stream that the beat is of.
    pub stream: u64,
    /// The number of the first entry of `made`.
    pub first: usize,
    /// The items, steps and ends that the beat makes.
    pub made: &'p [Made],
    /// `Some` in the last beat of a frame: whether the frame held something that could not be written.
    pub end: Option<bool>,
}

impl Predicted<'_> {
    /// Whether an output beat comes of it, in a core in which no other beat takes part in that.
    pub fn goes_out(&self) -> bool {
        self.end.is_some() || self.made.iter().any(|made| matches!(made, Made::Item(..) | Made::SlotItem(..)))
    }
}

/// A position in a prediction: the numbers of the next beat and of the next result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    beat: usize,
    made: usize,
}

impl Prediction {
    /// Swaps the beats with those of `portion`: a supply adds to them what it draws, and they are swapped back.
    pub fn swap(&mut self, portion: &mut Portion) {
        self.tidy();
        std::mem::swap(&mut self.beats, &mut portion.beats);
        std::mem::swap(&mut self.made, &mut portion.made);
    }

    /// Adds the beats of `portion`.
    pub fn add(&mut self, portion: &Portion) {
        self.tidy();
        self.beats.extend_from_slice(&portion.beats);
        self.made.extend_from_slice(&portion.made);
    }

    /// Adds the counts of the beats of `portion`.
    pub fn count(&mut self, portion: &Portion) {
        self.counts.add(&portion.counts, 1);
        self.frames += portion.frames;
    }

    /// The beat at `place`, which is advanced to the next one.
    #[inline]
    pub fn next(&self, place: &mut Place) -> Predicted<'_> {
        let PredictedBeat { items, stream, last, made, amiss } = self.beats[place.beat - self.first.beat];
        let (first, made) = (place.made, made as usize);
        *place = Place { beat: place.beat + 1, made: first + made };
        let made = &self.made[first - self.first.made..][..made];
        Predicted { items: items.into(), stream: stream.into(), first, made, end: last.then_some(amiss) }
    }

    /// The result of this number.
    pub fn made(&self, number: usize) -> Made {
        self.made[number - self.first.made]
    }

    /// Forgets the beats before `place`, and their results before the number `owed`.
    pub fn forget(&mut self, place: Place, owed: Option<usize>) {
        self.kept = Place { beat: place.beat, made: owed.unwrap_or(place.made) };
    }

    /// Removes what is forgotten: before more is added, and not block by block, where much that is not forgotten would be moved.
    fn tidy(&mut self) {
        self.beats.drain(..self.kept.beat - self.first.beat);
        self.made.drain(..self.kept.made - self.first.made);
        self.first = self.kept;
    }
}
