//! The reference's output for a group of frames that differ in their last units only, as planes for the record.

use std::rc::Rc;

use super::expected::Expected;
use super::patterns::{Patterns, Row};
use super::record::{Group, Planes, Record};
use crate::promise::Counts;

/// The expected output of the last units of each frame of a group.
pub struct Answer {
    /// The beats, one after the other, each of all frames.
    beats: Vec<Planes>,
    /// The numbers of the patterns in time.
    patterns: Row,
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
        Self { beats, patterns: patterns.row(numbers), counts }
    }

    /// Puts the beats into a record, after the beats of `beginning`, the output of the units that all frames of the group
    /// begin with. `shown` is the output that the record has for the group, and has it afterwards.
    ///
    /// # Panics
    /// If there are more beats than the bench has room for.
    pub fn put(
        self: &Rc<Self>,
        beginning: &Expected,
        group: Group,
        record: &mut Record,
        patterns: &mut Patterns,
        shown: &mut Output,
    ) {
        let (first, room) = (beginning.beats.len(), record.item_count());
        let end = first + self.beats.len();
        assert!(end <= room, "{end} beats come, the bench has room for {room}");
        for (index, &beat) in beginning.beats.iter().enumerate() {
            match shown.beginning.get(index) {
                Some(&old) => record.change_item(index, group, old, beat),
                None => record.set_item(index, group, beat),
            }
        }
        let is_shown = |answer: &Rc<Self>| shown.beginning.len() == first && Rc::ptr_eq(answer, self);
        if !shown.answer.as_ref().is_some_and(is_shown) {
            for (index, planes) in (first..).zip(&self.beats) {
                record.set_item_planes(index, group, planes);
            }
            // Behind the beats that were there, no item is due already.
            let before =
                shown.answer.as_ref().map_or(room, |answer| shown.beginning.len() + answer.beats.len());
            (end..before).for_each(|index| record.set_item(index, group, 0));
            patterns.set_rest(group, &self.patterns);
            shown.answer = Some(Rc::clone(self));
        }
        shown.beginning.clone_from(&beginning.beats);
        let number = patterns.number(&beginning.ticks);
        patterns.set_beginning(group, number);
    }
}

/// The expected output of a group that a record shows. By default, nothing is known of it.
#[derive(Clone, Default)]
pub struct Output {
    /// The beats of the units that all frames begin with.
    beginning: Vec<u64>,
    /// That of the other units.
    answer: Option<Rc<Answer>>,
}
