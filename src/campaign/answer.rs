//! What is expected of a group of frames that differ in their last units only, turned round into planes.

use super::expected::Expected;
use super::patterns::{Part, Patterns};
use super::record::{Group, Planes, Record};
use crate::promise::Counts;

/// What comes of the last units of each frame of a group.
pub struct Answer {
    /// Beat after beat, of all frames.
    beats: Vec<Planes>,
    /// Numbers of the patterns.
    patterns: Planes,
    /// What is in the frames.
    pub counts: Counts,
}

impl Answer {
    /// Asks `ask` for what comes of each of `size` frames.
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

    /// Puts it into a record, behind `beginning`, which is what comes of the units that the group begins with.
    ///
    /// # Panics
    /// If more beats come than the bench has room for.
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
