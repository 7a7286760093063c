//! The engines of a run: the first leads, the others follow on the same inputs and are compared with it.

use utfhdl_sim::{Engine, EngineError, Layout};

use super::failure::{Difference, Failure};
use super::monitor::hexadecimal;

/// Cycles after which the followers catch up, while nobody watches every cycle.
const CHUNK: usize = 1024;

/// The engines, and the cycles that only the leader has run.
pub(super) struct Lockstep<'e> {
    engines: &'e mut [Box<dyn Engine>],
    layout: Layout,
    /// The inputs of the cycle at hand.
    pub(super) inputs: Vec<u64>,
    /// The outputs of the cycle at hand, of the leader.
    pub(super) outputs: Vec<u64>,
    /// Inputs and outputs of the cycles that are past, which the followers have not run yet.
    past_inputs: Vec<u64>,
    past_outputs: Vec<u64>,
    /// The outputs of the followers over the cycles that they ran last.
    followers: Vec<Vec<u64>>,
    /// The first cycle that is past.
    first: u64,
    /// Whether anybody asks for the cycles that are past.
    keeps_past: bool,
}

impl<'e> Lockstep<'e> {
    /// The engines of a run. `is_observed` says whether the inputs of cycles that are past are asked for.
    ///
    /// # Panics
    /// If there is no engine.
    pub(super) fn new(engines: &'e mut [Box<dyn Engine>], is_observed: bool) -> Self {
        let layout = engines.first().expect("a co-simulation needs an engine").layout().clone();
        let (inputs, outputs) = (vec![0; layout.input_words], vec![0; layout.output_words]);
        Self {
            followers: vec![Vec::new(); engines.len() - 1],
            keeps_past: is_observed || engines.len() > 1,
            engines,
            layout,
            inputs,
            outputs,
            past_inputs: Vec::new(),
            past_outputs: Vec::new(),
            first: 0,
        }
    }

    /// The engines.
    pub(super) fn engines(&self) -> &[Box<dyn Engine>] {
        self.engines
    }

    /// Runs the leader on the inputs at hand.
    pub(super) fn lead(&mut self) -> Result<(), EngineError> {
        self.engines[0].run(&self.inputs, &mut self.outputs)?;
        if self.keeps_past {
            self.past_inputs.extend_from_slice(&self.inputs);
            self.past_outputs.extend_from_slice(&self.outputs);
        }
        Ok(())
    }

    /// Whether so many cycles are past that the followers should catch up.
    pub(super) fn is_full(&self) -> bool {
        self.past_outputs.len() >= CHUNK * self.layout.output_words
    }

    /// Whether there are engines to be compared with the leader.
    pub(super) fn has_followers(&self) -> bool {
        !self.followers.is_empty()
    }

    /// The first cycle that is past, or will be.
    pub(super) fn first_past_cycle(&self) -> u64 {
        self.first
    }

    /// The input records of the cycles that are past.
    pub(super) fn past_inputs(&self) -> &[u64] {
        &self.past_inputs
    }

    /// The cycles that are past, with the records of the inputs and of the leader's outputs.
    pub(super) fn past(&self) -> impl Iterator<Item = (u64, &[u64], &[u64])> {
        let inputs = self.past_inputs.chunks(self.layout.input_words);
        let outputs = self.past_outputs.chunks(self.layout.output_words);
        (self.first..).zip(inputs.zip(outputs)).map(|(cycle, (inputs, outputs))| (cycle, inputs, outputs))
    }

    /// Forgets the cycles that are past, which the followers [have run](Self::catch_up).
    pub(super) fn forget_past(&mut self) {
        self.first += (self.past_outputs.len() / self.layout.output_words) as u64;
        self.past_inputs.clear();
        self.past_outputs.clear();
    }

    /// Lets the followers run the cycles that are past, and compares. Returns the first difference.
    pub(super) fn catch_up(&mut self) -> Result<Option<Failure>, EngineError> {
        for (follower, outputs) in self.engines[1..].iter_mut().zip(&mut self.followers) {
            outputs.resize(self.past_outputs.len(), 0);
            follower.run(&self.past_inputs, outputs)?;
        }
        let differ = self.followers.iter().any(|outputs| *outputs != self.past_outputs);
        Ok(if differ { self.first_difference() } else { None })
    }

    /// The outputs of all engines in the cycle at hand, if the followers have run it, the leader's first.
    pub(super) fn all_outputs(&self) -> Vec<&[u64]> {
        let width = self.layout.output_words;
        let followers = self.followers.iter().map(|outputs| &outputs[outputs.len() - width..]);
        std::iter::once(&self.outputs[..]).chain(followers).collect()
    }

    /// The first cycle and port in which the engines differ.
    fn first_difference(&self) -> Option<Failure> {
        let width = self.layout.output_words;
        let cycles = self.past_outputs.len() / width;
        let all = || std::iter::once(&self.past_outputs).chain(&self.followers);
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
