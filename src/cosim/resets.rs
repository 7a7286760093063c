//! Resets in the middle of a run: the cycles in which they come, and the expected output, which begins anew after each.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_hdl::core::Core;

use super::prediction::Prediction;
use super::streams::References;
use super::supply::Portion;
use crate::promise::Ports;

/// The most cycles of a reset.
const MOST_CYCLES: u64 = 4;
/// The most cycles of 100 in which a core is reset: with more, hardly a beat would come out.
pub const MOST_RESETS: u8 = 50;

/// Draws resets, and predicts the output for each beat when the core takes it: a reset decides which beat comes first.
pub struct Resets {
    core: Core,
    percent: u8,
    random: ChaCha8Rng,
    references: References,
    /// The beat that was predicted last.
    portion: Portion,
    /// The cycle of the next reset.
    next: u64,
    /// How many there were.
    pub count: u64,
}

impl Resets {
    /// Draws a reset in `percent` of the cycles from `first` on, by the seed.
    pub fn new(core: &Core, percent: u8, seed: u64, first: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(5);
        let mut resets = Self {
            core: core.clone(),
            percent,
            random,
            references: References::new(core),
            portion: Portion::default(),
            next: 0,
            count: 0,
        };
        resets.draw_next(first);
        resets
    }

    /// The core.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The cycle of the next reset.
    pub fn next(&self) -> u64 {
        self.next
    }

    fn draw_next(&mut self, first: u64) {
        let mut next = first;
        while self.random.random_range(0..100) >= self.percent {
            next += 1;
        }
        self.next = next;
    }

    /// Begins a reset in the current cycle. Returns how many cycles it takes, and draws the next one.
    pub fn begin(&mut self) -> u64 {
        let cycles = self.random.random_range(1..=MOST_CYCLES);
        self.draw_next(self.next + cycles);
        self.count += 1;
        self.references = References::new(&self.core);
        cycles
    }

    /// Sets the inputs of a cycle in reset. Returns whether the sinks of beats and of statuses take something.
    pub fn drive(&mut self, ports: &Ports, inputs: &mut [u64]) -> [bool; 2] {
        ports.set_reset(inputs, true);
        ports.offer_nothing(inputs, self.random.next_u64());
        [self.random.random(), self.random.random()]
    }

    /// Adds the expected output for the beat that is offered in `inputs`, which the core takes.
    pub fn predict(&mut self, ports: &Ports, inputs: &[u64], prediction: &mut Prediction) {
        let beat = ports.offered(inputs).expect("a beat that is taken was offered");
        self.portion.empty();
        self.portion.add(&beat, ports.stream_in(inputs));
        self.portion.predict(&mut self.references);
        prediction.add(&self.portion);
        prediction.count(&self.portion);
    }
}
