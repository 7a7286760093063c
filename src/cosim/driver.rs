//! Both ends of a core's streams: the source, which offers beats, and the sink, which takes them. Both stall at random.
//!
//! The core influences one thing only: the cycle in which the source may offer the next beat. Both ends can therefore be
//! drawn ahead.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::source::SourceError;
use super::stimulus::Stimulus;
use super::streams::Interleaved;
use crate::promise::{Beat, Item, Ports};

/// How often each end of the streams stalls, in percent of the cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls {
    /// Cycles in which the source offers no beat though it has one.
    pub source: u8,
    /// Cycles in which the sink takes no beat.
    pub sink: u8,
}

/// Draws the beats and stalls of the source.
pub struct SourceEnd {
    stimulus: Source,
    stalls: u8,
    random: ChaCha8Rng,
    /// Room for a beat of several streams.
    beat: Beat,
    /// Whether the stimulus has no further beat.
    exhausted: bool,
    /// Draws the passengers: others for each beat, of which one beat's count.
    passengers: ChaCha8Rng,
}

/// The beats of a source.
enum Source {
    /// One frame after the other.
    One(Box<Stimulus>),
    /// Frames of several streams at a time, each in the beats of its stream.
    Several(Box<Interleaved>),
}

/// Draws the stalls of a sink.
pub struct SinkEnd {
    stalls: u8,
    random: ChaCha8Rng,
}

/// The sinks of a core: of its beats, and of its statuses.
pub struct Sinks {
    pub beats: SinkEnd,
    pub status: SinkEnd,
}

/// Makes the source of the beats of `stimulus`, and the sinks. Their stalls depend on `seed` alone, not on the beats.
pub fn ends(stimulus: Stimulus, stalls: Stalls, seed: u64) -> (SourceEnd, Sinks) {
    let random = |stream| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        random
    };
    let source = SourceEnd {
        stimulus: Source::One(Box::new(stimulus)),
        stalls: stalls.source,
        random: random(1),
        beat: Beat::default(),
        exhausted: false,
        passengers: random(3),
    };
    let sink = |stream| SinkEnd { stalls: stalls.sink, random: random(stream) };
    (source, Sinks { beats: sink(2), status: sink(4) })
}

impl SourceEnd {
    /// The source with its frames in `streams` streams, whose beats come in any order; with 0, as it is.
    pub fn interleaved(mut self, streams: u32, seed: u64) -> Self {
        self.stimulus = match self.stimulus {
            Source::One(stimulus) if streams > 0 => {
                Source::Several(Box::new(Interleaved::new(*stimulus, streams, seed)))
            }
            stimulus => stimulus,
        };
        self
    }

    /// Sets the inputs of a cycle in reset: noise, since a core in reset may not look at them.
    pub fn drive_reset(&mut self, ports: &Ports, inputs: &mut [u64]) {
        ports.set_reset(inputs, true);
        ports.offer_nothing(inputs, self.random.next_u64());
    }

    /// Draws the source's next step, after a beat was taken or after a cycle without a beat. The step is a beat, which stays on the inputs
    /// until the core takes it and whose items are added to `items`, or one cycle without a beat. Returns for a beat whether it ends its
    /// frame. The core is out of reset in `inputs`.
    ///
    /// # Errors
    /// If the stimulus can't be read.
    #[inline]
    pub fn drive(
        &mut self,
        ports: &Ports,
        inputs: &mut [u64],
        items: &mut Vec<Item>,
    ) -> Result<Option<bool>, SourceError> {
        if !self.exhausted && !stalls(&mut self.random, self.stalls) {
            let before = items.len();
            let drawn = match &mut self.stimulus {
                Source::One(stimulus) => stimulus.add_beat(items)?,
                Source::Several(streams) => {
                    let is_drawn = streams.next_beat(&mut self.beat)?;
                    is_drawn.then(|| {
                        items.extend_from_slice(&self.beat.items);
                        self.beat.last
                    })
                }
            };
            // The unused lanes of the beat.
            let noise = self.random.next_u64();
            if let Some(last) = drawn {
                ports.offer_items(inputs, &items[before..], last, noise);
                self.set_passengers(ports, inputs);
                return Ok(drawn);
            }
            self.exhausted = true;
        }
        ports.offer_nothing(inputs, self.random.next_u64());
        self.set_passengers(ports, inputs);
        Ok(None)
    }

    /// Draws the passengers of a beat.
    #[inline]
    fn set_passengers(&mut self, ports: &Ports, inputs: &mut [u64]) {
        if !ports.passengers().is_empty() {
            let (of_frame, of_beat) = (self.passengers.next_u64(), self.passengers.next_u64());
            let of_beat = match &self.stimulus {
                Source::One(_) => of_beat,
                Source::Several(streams) => streams.numbered(of_beat),
            };
            ports.set_passengers(inputs, of_frame, of_beat);
        }
    }

    /// Whether the stimulus has no further beat: from then on the source never has one.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }
}

impl SinkEnd {
    /// Draws whether the sink takes a beat in a cycle in reset.
    pub fn takes_in_reset(&mut self) -> bool {
        self.random.random()
    }

    /// Draws whether the sink takes a beat in the next cycles, up to `cycles` in all.
    pub fn draw(&mut self, takes: &mut Vec<bool>, cycles: usize) {
        let more = cycles.saturating_sub(takes.len());
        if self.stalls == 0 {
            takes.resize(takes.len() + more, true);
        } else {
            takes.extend((0..more).map(|_| !stalls(&mut self.random, self.stalls)));
        }
    }
}

#[inline]
fn stalls(random: &mut ChaCha8Rng, percent: u8) -> bool {
    percent > 0 && random.random_range(0..100) < percent
}
