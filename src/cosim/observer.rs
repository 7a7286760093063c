//! The interface of a run to an observer of its cycles.

use utfhdl_sim::Probe;

use super::scoreboard::ExpectedBeat;

/// A cycle of a run.
pub struct Seen<'a> {
    /// The cycle, counted from the first in reset.
    pub cycle: u64,
    /// The record of the inputs.
    pub inputs: &'a [u64],
    /// The record of the outputs of each engine, the leader first.
    pub outputs: &'a [&'a [u64]],
    /// Sight of the signals inside, of the first engine that gives it.
    pub probe: Option<&'a dyn Probe>,
    /// The output beat that the reference expects in this cycle, or expected before and still misses. `None` also where no observer
    /// [looks at it](Observer::looks_at_expected).
    pub expected: Option<ExpectedBeat>,
}

/// Watches the cycles of a run, for example to write waves.
pub trait Observer {
    /// The first cycle to be seen. Cycles before it run faster.
    fn first_cycle(&self) -> u64 {
        0
    }

    /// The last cycle to be seen. Later cycles run faster.
    fn last_cycle(&self) -> u64 {
        u64::MAX
    }

    /// The number of cycles to run and see after a failure.
    fn cycles_behind_failure(&self) -> u64 {
        0
    }

    /// Whether it looks at the beat that the reference expects, which is else not put together.
    fn looks_at_expected(&self) -> bool {
        true
    }

    /// Takes the input records of some cycles before the first to be seen.
    fn pass(&mut self, _inputs: &[u64]) {}

    /// Sees a cycle. After a failure, cycles beyond [`last_cycle`](Self::last_cycle) may be seen,
    /// too.
    fn see(&mut self, seen: &Seen);
}

/// Several observers, each of which sees its own cycles.
pub struct Observers<'o>(pub Vec<&'o mut dyn Observer>);

impl Observer for Observers<'_> {
    fn first_cycle(&self) -> u64 {
        self.0.iter().map(|observer| observer.first_cycle()).min().unwrap_or(0)
    }

    fn last_cycle(&self) -> u64 {
        self.0.iter().map(|observer| observer.last_cycle()).max().unwrap_or(u64::MAX)
    }

    fn looks_at_expected(&self) -> bool {
        self.0.iter().any(|observer| observer.looks_at_expected())
    }

    fn cycles_behind_failure(&self) -> u64 {
        self.0.iter().map(|observer| observer.cycles_behind_failure()).max().unwrap_or(0)
    }

    fn pass(&mut self, inputs: &[u64]) {
        self.0.iter_mut().for_each(|observer| observer.pass(inputs));
    }

    fn see(&mut self, seen: &Seen) {
        for observer in &mut self.0 {
            if seen.cycle < observer.first_cycle() {
                observer.pass(seen.inputs);
            } else {
                observer.see(seen);
            }
        }
    }
}
