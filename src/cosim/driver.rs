//! Both ends of a core's streams: the source, which offers beats, and the sink, which takes them. Both stall at random.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::source::SourceError;
use super::stimulus::Stimulus;
use crate::promise::{Beat, Ports};

/// How often each end of the streams stalls, in percent of the cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls {
    /// Cycles in which the source offers no beat though it has one.
    pub source: u8,
    /// Cycles in which the sink takes no beat.
    pub sink: u8,
}

/// Drives the inputs of a core, cycle by cycle.
pub struct Driver {
    stimulus: Stimulus,
    stalls: Stalls,
    source_random: ChaCha8Rng,
    sink_random: ChaCha8Rng,
    /// The beat that is offered, with the noise in its unused lanes. Both stay until the beat is taken.
    beat: Beat,
    noise: u64,
    offers: bool,
    /// Whether the stimulus has no further beat.
    exhausted: bool,
    ready: bool,
}

impl Driver {
    /// A driver that offers the beats of `stimulus`. Its stalls come from `seed` alone, whatever the beats hold.
    pub fn new(stimulus: Stimulus, stalls: Stalls, seed: u64) -> Self {
        let random = |stream| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(stream);
            random
        };
        Self {
            stimulus,
            stalls,
            source_random: random(1),
            sink_random: random(2),
            beat: Beat::default(),
            noise: 0,
            offers: false,
            exhausted: false,
            ready: false,
        }
    }

    /// Sets the inputs of a cycle in reset: noise, since a core in reset may not look at them.
    pub fn drive_reset(&mut self, ports: &Ports, inputs: &mut [u64]) {
        ports.offer_nothing(inputs, self.source_random.next_u64());
        self.ready = self.sink_random.random();
        ports.take(inputs, self.ready);
    }

    /// Sets the inputs of a cycle.
    ///
    /// # Errors
    /// If the stimulus can't be read.
    pub fn drive(&mut self, ports: &Ports, inputs: &mut [u64]) -> Result<(), SourceError> {
        if !self.offers {
            if !self.exhausted && !stalls(&mut self.source_random, self.stalls.source) {
                self.offers = self.stimulus.next_beat(&mut self.beat)?;
                self.exhausted = !self.offers;
                self.noise = self.source_random.next_u64();
            }
            if self.offers {
                ports.offer(inputs, &self.beat, self.noise);
            } else {
                ports.offer_nothing(inputs, self.source_random.next_u64());
            }
        }
        self.ready = !stalls(&mut self.sink_random, self.stalls.sink);
        ports.take(inputs, self.ready);
        Ok(())
    }

    /// The beat that was offered, if the core took it.
    pub fn accepted(&mut self, core_takes: bool) -> Option<&Beat> {
        let accepted = self.offers && core_takes;
        self.offers &= !accepted;
        accepted.then_some(&self.beat)
    }

    /// Whether the sink takes a beat in this cycle.
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// Whether a beat is offered.
    pub fn offers(&self) -> bool {
        self.offers
    }

    /// Whether all beats are taken.
    pub fn is_done(&self) -> bool {
        self.exhausted && !self.offers
    }
}

fn stalls(random: &mut ChaCha8Rng, percent: u8) -> bool {
    percent > 0 && random.random_range(0..100) < percent
}
