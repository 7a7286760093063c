//! The reference's output for a group of frames that differ in their last units only, as planes for the record.

use super::expected::Expected;
use super::patterns::{Part, Patterns};
use super::record::{Group, Planes, Record};
use crate::promise::Counts;

/// The expected output of the last units of each frame of a group.
pub struct Answer {
    /// The beats, one after the other, each of all frames.
    beats: Vec<Planes>,
    /// The numbers of the patterns in time.
    patterns: Planes,
    /// The counts of the frames.
    pub counts: Counts,
}

impl Answer {
    /// Asks `ask` for the expected output of each of `size` frames.
    pub fn new(
        size: usize,
        patterns: &mut Patterns,
        mut ask: impl FnMut(usize, &mut Expected, &mut Counts),
    ) -> Self {
        let mut words: Vec<Vec<u64>> = Vec::new();
        let mut numbers = vec![0; size];
        let (mut counts, mut expected) = (Counts::default(), Expected::default());
        for stream in 0..size {
            expected.clear();
            ask(stream, &mut expected, &mut counts);
            for (index, beat) in expected.beats.iter().enumerate() {
                if index == words.len() {
                    words.push(vec![0; size]);
                }
                words[index][stream] = *beat;
            }
            numbers[stream] = patterns.number(&expected.ticks).into();
        }
        let beats = words.iter().map(|words| Planes::new(words)).collect();
        Self { beats, patterns: Planes::new(&numbers), counts }
    }

    /// Puts the beats into a record, after the beats of `beginning`, the output of the units that all frames of the group
    /// begin with.
    ///
    /// # Panics
    /// If there are more beats than the bench has room for.
    pub fn put(&self, beginning: &Expected, group: Group, record: &mut Record, patterns: &mut Patterns) {
        let first = beginning.beats.len();
        let most = first + self.beats.len();
        assert!(
            most <= record.item_count(),
            "{most} beats come, the bench has room for {}",
            record.item_count()
        );
        for index in 0..record.item_count() {
            match beginning.beats.get(index) {
                Some(beat) => record.set_item(index, group, *beat),
                None => match self.beats.get(index - first) {
                    Some(planes) => record.set_item_planes(index, group, planes),
                    None => record.set_item(index, group, 0),
                },
            }
        }
        let number = patterns.number(&beginning.ticks);
        patterns.set(Part::Beginning, group, number);
        patterns.set_planes(Part::Rest, group, &self.patterns);
    }
}
