//! The engines of a run: the first leads through a block of cycles, the others follow on the same inputs and are compared with it.

use std::borrow::Cow;

use utfhdl_sim::feed::{Fed, Feed};
use utfhdl_sim::{Engine, EngineError, Layout};

use super::failure::{Difference, Failure};
use super::monitor::hexadecimal;
use crate::promise::Ports;

/// The engines, and the block of cycles that the leader has run last.
pub(super) struct Lockstep<'e> {
    engines: &'e mut [Box<dyn Engine>],
    layout: Layout,
    /// The ports, if registers start at random values, others in each engine: then the data of a beat that is not offered may
    /// differ, and so may everything before the first edge in reset.
    random_start: Option<Ports>,
    block: Fed,
    /// The first cycle of the block.
    first: u64,
    /// The outputs of the followers in the cycles of the block that they have run.
    followers: Vec<Vec<u64>>,
}

impl<'e> Lockstep<'e> {
    /// The engines of a run. `random_start` has the ports if registers start at random values.
    ///
    /// # Panics
    /// If there is no engine.
    pub(super) fn new(engines: &'e mut [Box<dyn Engine>], random_start: Option<Ports>) -> Self {
        let layout = engines.first().expect("a co-simulation needs an engine").layout().clone();
        let followers = vec![Vec::new(); engines.len() - 1];
        Self { engines, layout, random_start, block: Fed::default(), first: 0, followers }
    }

    /// The engines.
    pub(super) fn engines(&self) -> &[Box<dyn Engine>] {
        self.engines
    }

    /// Words of an input record.
    pub(super) fn input_words(&self) -> usize {
        self.layout.input_words
    }

    /// Runs the leader on `feed`, from `cycle` on. If the leader fails, the block has the cycles before.
    pub(super) fn lead(&mut self, cycle: u64, feed: &Feed) -> Result<(), EngineError> {
        self.first = cycle;
        self.engines[0].run_fed(feed, &mut self.block)
    }

    /// Whether there are engines to be compared with the leader.
    pub(super) fn has_followers(&self) -> bool {
        !self.followers.is_empty()
    }

    /// The cycles that the leader has run last.
    pub(super) fn block(&self) -> &Fed {
        &self.block
    }

    /// The first cycle of the block.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The input records of the block, up to and with `cycle`.
    pub(super) fn inputs_to(&self, cycle: u64) -> &[u64] {
        &self.block.inputs[..self.cycles_to(cycle) * self.layout.input_words]
    }

    /// The records of the inputs and of the leader's outputs in all cycles of the block.
    #[inline]
    pub(super) fn cycles(&self) -> impl Iterator<Item = (&[u64], &[u64])> {
        let (input_words, output_words) = self.layout.words();
        self.block.inputs.chunks_exact(input_words).zip(self.block.outputs.chunks_exact(output_words))
    }

    /// The records of the inputs and of the leader's outputs in a cycle of the block.
    #[inline]
    pub(super) fn records(&self, cycle: u64) -> (&[u64], &[u64]) {
        let at = (cycle - self.first) as usize;
        let (input_words, output_words) = self.layout.words();
        let inputs = &self.block.inputs[at * input_words..][..input_words];
        (inputs, &self.block.outputs[at * output_words..][..output_words])
    }

    /// Lets the followers run the block up to and with `cycle`, and compares. Returns the first difference.
    pub(super) fn catch_up(&mut self, cycle: u64) -> Result<Option<Failure>, EngineError> {
        let cycles = self.cycles_to(cycle);
        let inputs = &self.block.inputs[..cycles * self.layout.input_words];
        let found = &self.block.outputs[..cycles * self.layout.output_words];
        for (follower, outputs) in self.engines[1..].iter_mut().zip(&mut self.followers) {
            outputs.resize(found.len(), 0);
            follower.run(inputs, outputs)?;
            if let Some(ports) = &self.random_start {
                settle(ports, self.first, self.layout.output_words, outputs);
            }
        }
        let found = &*self.settled(found);
        let differ = self.followers.iter().any(|outputs| *outputs != found);
        Ok(if differ { self.first_difference() } else { None })
    }

    /// The outputs of all engines in the only cycle of the block, which the followers have run; the leader's first.
    pub(super) fn all_outputs(&self) -> Vec<&[u64]> {
        let followers = self.followers.iter().map(|outputs| &outputs[..]);
        std::iter::once(&self.block.outputs[..]).chain(followers).collect()
    }

    /// How many cycles the block has up to and with `cycle`.
    fn cycles_to(&self, cycle: u64) -> usize {
        self.block.cycles.min((cycle + 1 - self.first) as usize)
    }

    /// The leader's outputs, as far as all engines have to agree on them.
    fn settled<'f>(&self, found: &'f [u64]) -> Cow<'f, [u64]> {
        match &self.random_start {
            None => Cow::Borrowed(found),
            Some(ports) => {
                let mut found = found.to_owned();
                settle(ports, self.first, self.layout.output_words, &mut found);
                Cow::Owned(found)
            }
        }
    }

    /// The first cycle and port in which the engines differ.
    fn first_difference(&self) -> Option<Failure> {
        let width = self.layout.output_words;
        let cycles = self.followers.first().map_or(0, |outputs| outputs.len() / width);
        let leader = self.settled(&self.block.outputs);
        let all = || std::iter::once(&leader[..]).chain(self.followers.iter().map(|outputs| &outputs[..]));
        (0..cycles).find_map(|at| {
            let records: Vec<&[u64]> = all().map(|outputs| &outputs[at * width..][..width]).collect();
            let differs = |record: &&[u64]| *record != records[0];
            if !records.iter().any(differs) {
                return None;
            }
            let port = self
                .layout
                .outputs
                .iter()
                .find(|port| records.iter().any(|record| !port.is_same(record, records[0])));
            let port = port.expect("records differ only in ports");
            let values = records.iter().map(|record| hexadecimal(&port.value(record)));
            let named = self.engines.iter().map(|engine| engine.name()).zip(values).collect();
            Some(Failure {
                cycle: self.first + at as u64,
                port: port.name.clone(),
                difference: Difference::Engines(named),
                event: None,
            })
        })
    }
}

/// Sets to zero what may be different in each engine after a random start, in the cycles from `first` on.
fn settle(ports: &Ports, first: u64, words: usize, outputs: &mut [u64]) {
    for (cycle, outputs) in (first..).zip(outputs.chunks_exact_mut(words)) {
        if cycle == 0 && !ports.has_asynchronous_reset() {
            outputs.fill(0);
        } else {
            ports.blank_idle(outputs);
        }
    }
}
