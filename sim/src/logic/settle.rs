//! Finds bits of the state that are 0 in every cycle.

use super::{Logic, Op};

/// Rounds after which the state is taken as it is: a counter gains a bit a round.
const ROUNDS: usize = 80;

impl Logic {
    /// Assumes that all of the state is 0, as before the first cycle, and gives every word the bits that an edge or a
    /// reset can set, until nothing is added. What is left out is 0 for ever.
    pub(super) fn settle(&mut self) {
        let mut state: Vec<u64> = self.state.iter().map(|word| word.reset.unwrap_or(0)).collect();
        let mut ones = vec![0; self.values.len()];
        for _ in 0..ROUNDS {
            for (index, value) in self.values.iter().enumerate() {
                ones[index] = value.op.ones(|id| ones[id.index()], |word| state[word as usize]);
            }
            let mut settled = true;
            for (word, found) in self.state.iter().zip(&mut state) {
                let next = *found | ones[word.next.index()] & word.ones;
                settled &= next == *found;
                *found = next;
            }
            if settled {
                for (word, found) in self.state.iter_mut().zip(&state) {
                    word.ones = *found;
                }
                for value in &mut self.values {
                    if let Op::State(word) = value.op {
                        value.ones = state[word as usize];
                    }
                }
                return;
            }
        }
    }
}
