//! Random inputs of a problem: they show what is not so, before a checker is asked.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use utfhdl_sim::aig::Aiger;

/// Cycles of a simulation, in each of which 64 runs go on.
pub(super) const CYCLES: usize = 1_500;
/// Bits of a port that have one kind of noise: those of a code point in a lane.
const GROUP: u32 = 32;
/// Cycles for which a group of bits keeps its kind of noise.
const STRETCH: usize = 25;
/// A reset begins in one of this many cycles, and goes on with each further cycle half of the time.
const RESETS: u32 = 200;

/// The kind of noise at some bits of a port.
#[derive(Clone, Copy)]
enum Kind {
    /// Each bit is 1 half of the time.
    Even,
    /// Each bit is 1 in one of eight cycles.
    Rare,
    /// Each bit is 0 in one of eight cycles.
    Dense,
    /// All bits are this one: a beat that is full, or a frame that goes on.
    All(bool),
    /// Bits from this one on are 0: code points and kinds of slots are small numbers.
    Below(u32),
}

/// Random inputs of a problem, for 64 runs at once.
pub(super) struct RandomInputs {
    rng: ChaCha8Rng,
    /// The group of each input and its bit.
    inputs: Vec<(usize, u32)>,
    kinds: Vec<Kind>,
    /// The input that is the reset, and whether it is active at 1.
    reset: Option<(usize, bool)>,
    /// The runs in reset, one bit each.
    is_reset: u64,
    cycle: usize,
}

impl RandomInputs {
    pub(super) fn new(problem: &Aiger) -> Self {
        let mut groups: Vec<(&str, u32)> = Vec::new();
        let mut inputs = Vec::new();
        for input in &problem.inputs {
            let (name, bit) = input.split_once('[').unwrap_or((input, "0"));
            let bit = bit.split(']').next().and_then(|bit| bit.parse().ok()).unwrap_or(0);
            let group = (name, bit / GROUP);
            if groups.last() != Some(&group) {
                groups.push(group);
            }
            inputs.push((groups.len() - 1, bit % GROUP));
        }
        let reset = problem.inputs.iter().position(|name| name == "rst").map(|at| (at, true));
        let low = problem.inputs.iter().position(|name| name == "rst_n").map(|at| (at, false));
        let kinds = vec![Kind::Even; groups.len()];
        Self { rng: ChaCha8Rng::seed_from_u64(1), inputs, kinds, reset: reset.or(low), is_reset: 0, cycle: 0 }
    }

    /// The inputs of the next cycle.
    pub(super) fn cycle(&mut self) -> Vec<u64> {
        let rng = &mut self.rng;
        if self.cycle.is_multiple_of(STRETCH) {
            for kind in &mut self.kinds {
                *kind = match rng.random_range(0..8) {
                    0 => Kind::Rare,
                    1 => Kind::Dense,
                    2 => Kind::Even,
                    3 => Kind::All(false),
                    4 => Kind::All(true),
                    _ => Kind::Below(rng.random_range(0..24)),
                };
            }
        }
        self.cycle += 1;
        let mut words: Vec<u64> = Vec::with_capacity(self.inputs.len());
        for &(group, bit) in &self.inputs {
            let word: u64 = rng.random();
            words.push(match self.kinds[group] {
                Kind::Even => word,
                Kind::Rare => word & rng.random::<u64>() & rng.random::<u64>(),
                Kind::Dense => word | rng.random::<u64>() | rng.random::<u64>(),
                Kind::All(bit) => {
                    if bit {
                        u64::MAX
                    } else {
                        0
                    }
                }
                Kind::Below(width) if bit < width.max(1) => word,
                Kind::Below(_) => 0,
            });
        }
        if let Some((at, is_high)) = self.reset {
            let begins = (0..64).map(|run| u64::from(rng.random_range(0..RESETS) == 0) << run).sum::<u64>();
            self.is_reset = begins | self.is_reset & rng.random::<u64>();
            words[at] = if is_high { self.is_reset } else { !self.is_reset };
        }
        words
    }
}

/// The values of some latches in cycles of random inputs, 64 runs a word. There are none if a bad state is reached.
pub(super) fn values_of(problem: &Aiger, latches: &[usize]) -> Option<Vec<Vec<u64>>> {
    let mut inputs = RandomInputs::new(problem);
    values_in(problem, latches, CYCLES, || inputs.cycle())
}

/// The values of some latches in `cycles` whose inputs `cycle` gives, 64 runs a word. There are none if a bad state is reached.
pub(super) fn values_in(
    problem: &Aiger,
    latches: &[usize],
    cycles: usize,
    mut cycle: impl FnMut() -> Vec<u64>,
) -> Option<Vec<Vec<u64>>> {
    let mut state = vec![0; problem.latches.len()];
    let mut seen = vec![Vec::with_capacity(cycles); latches.len()];
    for _ in 0..cycles {
        for (seen, latch) in seen.iter_mut().zip(latches) {
            seen.push(state[*latch]);
        }
        if problem.run(&mut state, &cycle()).iter().any(|bad| *bad != 0) {
            return None;
        }
    }
    Some(seen)
}
