//! The states of the reference within frames, by number, and what the reference does with a symbol in each state. Exhaustive frames have few
//! states, and nearly every frame begins as many others do, so that the reference is asked once for all of these.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::expected::{Expected, Oracle};
use crate::promise::{Caret, Counts, Item, Reference};

/// States that are kept.
const MOST_STATES: usize = 1 << 12;
/// Steps that are kept.
const MOST_STEPS: usize = 1 << 15;

/// The data that all further output of a frame depends on: the state of the reference, the open beat, the place of the next slot, and the
/// number of symbols before, on which the ends of beats depend.
type State = (Reference, Vec<Item>, Caret, usize);

/// The reference's answer to a symbol.
pub struct Step {
    /// The state after it.
    pub next: usize,
    /// The output.
    pub expected: Expected,
    /// The code points and errors.
    pub counts: Counts,
}

/// The states that are known, and the steps between them.
pub struct States {
    oracles: Vec<Oracle>,
    numbers: FxHashMap<State, usize>,
    steps: FxHashMap<(usize, u32), Rc<Step>>,
}

impl States {
    /// The number of the state before the first symbol.
    pub const START: usize = 0;

    /// Knows the state before the first symbol.
    pub fn new(start: Oracle) -> Self {
        let mut states =
            Self { oracles: Vec::new(), numbers: FxHashMap::default(), steps: FxHashMap::default() };
        states.number(start, 0);
        states
    }

    /// Whether it should be made anew: the states have other numbers then.
    pub fn is_full(&self) -> bool {
        self.oracles.len() >= MOST_STATES
    }

    /// The reference in a state.
    pub fn oracle(&self, state: usize) -> &Oracle {
        &self.oracles[state]
    }

    /// The step from a state by a symbol, which is this item, has as many symbols `before` it and ends its beat or not.
    pub fn step(
        &mut self,
        state: usize,
        symbol: u32,
        item: Item,
        before: usize,
        beat_ends: bool,
    ) -> Rc<Step> {
        if let Some(step) = self.steps.get(&(state, symbol)) {
            return Rc::clone(step);
        }
        let (mut oracle, mut expected) = (self.oracles[state].clone(), Expected::default());
        let mut counts = Counts::default();
        oracle.push(item, beat_ends, false, &mut expected, &mut counts);
        let step = Rc::new(Step { next: self.number(oracle, before + 1), expected, counts });
        if self.steps.len() == MOST_STEPS {
            self.steps.clear();
        }
        self.steps.insert((state, symbol), Rc::clone(&step));
        step
    }

    fn number(&mut self, oracle: Oracle, before: usize) -> usize {
        let state = (oracle.reference.clone(), oracle.open_beat.clone(), oracle.caret, before);
        let next = self.oracles.len();
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.oracles.push(oracle);
        }
        number
    }
}
