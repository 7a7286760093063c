//! Streams whose beats come in any order: the frames of a stimulus in several streams, and a reference for each stream.

use std::collections::{HashMap, VecDeque};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::Core;

use super::source::SourceError;
use super::stimulus::Stimulus;
use crate::promise::{Beat, Reference};

/// The most streams that have a frame under way.
const MOST_UNDER_WAY: usize = 8;

/// Frames of a stimulus, each in a stream drawn at random, and the beats of all streams in any order. Frames of one stream follow one
/// another.
pub struct Interleaved {
    stimulus: Stimulus,
    is_at_end: bool,
    streams: u64,
    /// The streams with beats that have still to come, and these beats.
    under_way: Vec<(u64, VecDeque<Beat>)>,
    /// The stream of the beat that was drawn last.
    last: u64,
    random: ChaCha8Rng,
}

impl Interleaved {
    /// The frames of `stimulus` in `streams` streams, a power of two. `seed` decides the order.
    pub fn new(stimulus: Stimulus, streams: u32, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(6);
        let (streams, under_way) = (streams.into(), Vec::new());
        Self { stimulus, is_at_end: false, streams, under_way, last: 0, random }
    }

    /// Fills `beat` with the next one, of any stream; returns whether there is one.
    ///
    /// # Errors
    /// If the source can't be read.
    pub fn next_beat(&mut self, beat: &mut Beat) -> Result<bool, SourceError> {
        while !self.is_at_end && self.under_way.len() < MOST_UNDER_WAY.min(self.streams as usize) {
            self.begin_frame()?;
        }
        if self.under_way.is_empty() {
            return Ok(false);
        }
        // Beats of one stream follow each other at once as often as not.
        let same = self.under_way.iter().position(|(stream, _)| *stream == self.last);
        let at = match same.filter(|_| self.random.random()) {
            Some(at) => at,
            None => self.random.random_range(0..self.under_way.len()),
        };
        let (stream, beats) = &mut self.under_way[at];
        self.last = *stream;
        *beat = beats.pop_front().expect("a stream under way has a beat");
        if beats.is_empty() {
            self.under_way.swap_remove(at);
        }
        Ok(true)
    }

    /// Puts the next frame into a stream.
    fn begin_frame(&mut self) -> Result<(), SourceError> {
        let mut frame = VecDeque::new();
        while frame.back().is_none_or(|beat: &Beat| !beat.last) {
            let mut beat = Beat::default();
            if !self.stimulus.next_beat(&mut beat)? {
                self.is_at_end = true;
                return Ok(());
            }
            frame.push_back(beat);
        }
        let stream = self.random.random_range(0..self.streams);
        match self.under_way.iter_mut().find(|(other, _)| *other == stream) {
            Some((_, beats)) => beats.extend(frame),
            None => self.under_way.push((stream, frame)),
        }
        Ok(())
    }

    /// `noise` with the number of the stream of the last beat in the low bits.
    pub fn numbered(&self, noise: u64) -> u64 {
        noise & !(self.streams - 1) | self.last
    }
}

/// The references of a core: one for each stream.
pub struct References {
    fresh: Reference,
    /// The reference of stream 0, which is the only stream of most cores.
    first: Reference,
    /// The references of the other streams.
    others: HashMap<u64, Reference>,
}

impl References {
    /// The references for `core`, out of reset.
    pub fn new(core: &Core) -> Self {
        let fresh = Reference::new(core);
        Self { first: fresh.clone(), fresh, others: HashMap::new() }
    }

    /// The reference of a stream.
    pub fn of(&mut self, stream: u64) -> &mut Reference {
        match stream {
            0 => &mut self.first,
            _ => self.others.entry(stream).or_insert_with(|| self.fresh.clone()),
        }
    }
}
