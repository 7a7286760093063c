//! Lemmas for a problem: pairs of latches near its question that never have some two values at once, as far as noise shows.
//!
//! A checker that merges what is always the same (`scorr` of abc) proves the right ones by induction, all together, with the question
//! beside them, and forgets the wrong ones. So it finds invariants such as "of these lanes at most one is the last" that the search of `pdr`
//! does not find among hundreds of latches.

use std::collections::BTreeSet;

use utfhdl_sim::aig::{Aiger, Named};

use super::random_inputs::{CYCLES, RandomInputs};

/// The most latches that lemmas are about.
const LATCHES: usize = 400;
/// The most lemmas.
const LEMMAS: usize = 12_000;

/// The problem with lemmas as further bad states, which the first bad state does not need. `None` if noise shows that the first bad state
/// is reached.
pub(super) fn with_lemmas(problem: &Aiger) -> Option<Aiger> {
    let latches = near(problem);
    let seen = simulated(problem, &latches)?;
    let mut problem = problem.clone();
    let mut next = 2 * (1 + problem.inputs.len() + problem.latches.len() + problem.ands.len()) as u32;
    'pairs: for (one, of_one) in latches.iter().zip(&seen).skip(1) {
        for (other, of_other) in latches.iter().zip(&seen).take_while(|(other, _)| *other != one) {
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let is_lemma = never(of_one, a, of_other, b)
                    && !never(of_one, a, of_other, b ^ 1)
                    && !never(of_one, a ^ 1, of_other, b);
                if is_lemma {
                    let literal = |latch: usize| 2 * (1 + problem.inputs.len() + latch) as u32;
                    problem.ands.push((literal(*one) ^ a, literal(*other) ^ b));
                    problem.bad.push(Named { name: format!("lemma_{next}"), literal: next });
                    next += 2;
                }
            }
            if problem.bad.len() > LEMMAS {
                break 'pairs;
            }
        }
    }
    Some(problem)
}

/// Whether two latches never have these values, complemented where `a` or `b` is 1, at once.
fn never(one: &[u64], a: u32, other: &[u64], b: u32) -> bool {
    let mask = |complement: u32| if complement == 1 { u64::MAX } else { 0 };
    one.iter().zip(other).all(|(x, y)| (x ^ mask(a)) & (y ^ mask(b)) == 0)
}

/// The latches that the question depends on, those of the fewest cycles before it first.
fn near(problem: &Aiger) -> Vec<usize> {
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    let mut roots = vec![problem.bad[0].literal];
    while !roots.is_empty() && found.len() < LATCHES {
        let new: Vec<usize> = read(problem, &roots).into_iter().filter(|latch| known.insert(*latch)).collect();
        roots = new.iter().map(|latch| problem.latches[*latch].literal).collect();
        found.extend(new);
    }
    found.truncate(LATCHES);
    found
}

/// The latches that some literals are logic of.
fn read(problem: &Aiger, roots: &[u32]) -> BTreeSet<usize> {
    let (inputs, latches) = (problem.inputs.len(), problem.latches.len());
    let mut is_read = vec![false; 1 + inputs + latches + problem.ands.len()];
    roots.iter().for_each(|root| is_read[*root as usize >> 1] = true);
    for (index, &(a, b)) in problem.ands.iter().enumerate().rev() {
        if is_read[1 + inputs + latches + index] {
            (is_read[a as usize >> 1], is_read[b as usize >> 1]) = (true, true);
        }
    }
    (0..latches).filter(|latch| is_read[1 + inputs + latch]).collect()
}

/// The values of some latches in cycles of noise, 64 runs a word; `None` if a bad state is reached.
fn simulated(problem: &Aiger, latches: &[usize]) -> Option<Vec<Vec<u64>>> {
    let mut inputs = RandomInputs::new(problem);
    let mut state = vec![0; problem.latches.len()];
    let mut seen = vec![Vec::with_capacity(CYCLES); latches.len()];
    for _ in 0..CYCLES {
        for (seen, latch) in seen.iter_mut().zip(latches) {
            seen.push(state[*latch]);
        }
        if problem.run(&mut state, &inputs.cycle()).iter().any(|bad| *bad != 0) {
            return None;
        }
    }
    Some(seen)
}
