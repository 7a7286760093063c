//! The verdict on a property of a core.

use utfhdl_sim::aig::Aiger;

/// A checker's verdict on a property of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds in every cycle of every run.
    Proved {
        /// The ground of the proof, such as the size of an invariant.
        how: String,
    },
    /// The property does not hold: the two sides of a comparison differ.
    Differs {
        /// In what, in the words of the checker.
        how: String,
    },
    /// The property does not hold; this run shows it.
    Refuted(Counterexample),
    /// Nobody knows.
    Undecided {
        /// Why, in the words of the checker.
        why: String,
    },
}

/// A run in which a property does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The cycle in which it does not hold, from 0 on.
    pub cycle: usize,
    /// The values of the inputs of the problem, cycle by cycle.
    pub inputs: Vec<Vec<bool>>,
}

impl Counterexample {
    /// The cycles of the run of a problem: the state in each, a word for each latch, and whether the cycle has a bad state.
    pub(super) fn cycles(&self, problem: &Aiger) -> impl Iterator<Item = (Vec<u64>, bool)> {
        let mut state = vec![0; problem.latches.len()];
        self.inputs.iter().map(move |inputs| {
            let before = state.clone();
            let inputs: Vec<u64> = inputs.iter().map(|bit| u64::from(*bit)).collect();
            let is_bad = problem.run(&mut state, &inputs).iter().any(|bad| bad & 1 == 1);
            (before, is_bad)
        })
    }
}

/// Nobody knows, for a reason.
pub fn undecided(why: impl Into<String>) -> Verdict {
    Verdict::Undecided { why: why.into() }
}
