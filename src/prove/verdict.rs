//! What comes of a property.

/// What a checker says of a property of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds in every cycle of every run.
    Proved {
        /// What the proof rests on, such as the size of an invariant.
        how: String,
    },
    /// It does not hold: the two sides of a comparison differ.
    Differs {
        /// In what, in the words of the checker.
        how: String,
    },
    /// It does not hold.
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

/// Nobody knows, for a reason.
pub fn undecided(why: impl Into<String>) -> Verdict {
    Verdict::Undecided { why: why.into() }
}
