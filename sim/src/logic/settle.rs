//! Finds the bits of the state that are 0 in every cycle.

use super::{Logic, Op};

/// Rounds after which the search is given up. A counter gains a bit in each
/// round, and a word has 64.
const ROUNDS: usize = 80;

impl Logic {
    /// Starts with the state that is there before the first cycle, all zeros, and adds the bits that a clock edge or
    /// a reset can set, until no more are added. The bits that are left are 0 for ever.
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
