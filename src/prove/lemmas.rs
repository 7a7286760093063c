//! Lemmas for a problem: two latches near the question never have some pair of values at once, as far as random inputs show.
//!
//! A checker that merges equal signals (`scorr` of abc) proves the right lemmas by induction, all together and with the question, and forgets
//! the wrong ones. Lemmas give invariants such as "at most one of these lanes is the last one", for which the search of `pdr` among hundreds of
//! latches takes too long.

use std::collections::{BTreeSet, HashMap};

use utfhdl_sim::aig::{Aiger, Named};

use super::random_inputs::values_of;

/// The most latches that lemmas are about.
const LATCHES: usize = 600;
/// The most lemmas.
const LEMMAS: usize = 12_000;

/// A value that lemmas are about.
struct Fact {
    literal: u32,
    /// The values of the literal in cycles of random inputs, 64 runs a word.
    seen: Vec<u64>,
    /// Whether the literal says that two latches differ: a lemma then says where they do not.
    is_difference: bool,
}

impl Fact {
    fn is_mostly_true(&self) -> bool {
        let ones: u64 = self.seen.iter().map(|word| u64::from(word.count_ones())).sum();
        2 * ones > 64 * self.seen.len() as u64
    }

    fn complement(self) -> Self {
        let seen = self.seen.iter().map(|word| !word).collect();
        Self { literal: self.literal ^ 1, seen, ..self }
    }
}

/// The problem with lemmas as further bad states. Lemmas are also about whether two latches differ whose names are the same but for the first
/// part, `one` or `other`. `None` if random inputs reach the first bad state.
pub(super) fn with_lemmas(problem: &Aiger, one: &str, other: &str) -> Option<Aiger> {
    let latches = near(problem);
    let seen = values_of(problem, &latches)?;
    let mut problem = problem.clone();
    let fact = |(latch, seen): (&usize, Vec<u64>)| Fact {
        literal: problem.latch(*latch),
        seen,
        is_difference: false,
    };
    let mut facts: Vec<Fact> = latches.iter().zip(seen).map(fact).collect();
    let below = |latch: usize, instance: &str| problem.latches[latch].name.strip_prefix(instance);
    let of_one: HashMap<&str, usize> =
        latches.iter().enumerate().filter_map(|(at, latch)| Some((below(*latch, one)?, at))).collect();
    let twins =
        latches.iter().enumerate().filter_map(|(at, latch)| Some((of_one.get(below(*latch, other)?)?, at)));
    let mut differences = Vec::new();
    for (a, b) in twins.map(|(a, b)| (*a, b)).collect::<Vec<_>>() {
        let (x, y) = (facts[a].literal, facts[b].literal);
        let [both, neither] = [(x, y), (x ^ 1, y ^ 1)].map(|(x, y)| problem.and(x, y));
        let literal = problem.and(both ^ 1, neither ^ 1);
        let seen = facts[a].seen.iter().zip(&facts[b].seen).map(|(a, b)| a ^ b).collect();
        let difference = Fact { literal, seen, is_difference: true };
        // A latch of a register whose first value is 1 holds the complement of the register, so where one twin is such a latch, a difference is
        // that the latches are equal.
        differences.push(if difference.is_mostly_true() { difference.complement() } else { difference });
    }
    differences.append(&mut facts);
    let facts = differences;
    'pairs: for (index, one) in facts.iter().enumerate() {
        for other in facts[..index].iter().filter(|other| !(one.is_difference && other.is_difference)) {
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let is_of_interest = !(one.is_difference && a == 1 || other.is_difference && b == 1);
                let is_lemma = is_of_interest
                    && never((one, a), (other, b))
                    && !never((one, a), (other, b ^ 1))
                    && !never((one, a ^ 1), (other, b));
                if is_lemma {
                    let literal = problem.and(one.literal ^ a, other.literal ^ b);
                    problem.bad.push(Named { name: format!("lemma_{literal}"), literal });
                }
            }
            if problem.bad.len() > LEMMAS {
                break 'pairs;
            }
        }
    }
    Some(problem)
}

/// Whether two facts never have these values, complemented where `a` or `b` is 1, at once.
fn never((one, a): (&Fact, u32), (other, b): (&Fact, u32)) -> bool {
    let mask = |complement: u32| if complement == 1 { u64::MAX } else { 0 };
    one.seen.iter().zip(&other.seen).all(|(x, y)| (x ^ mask(a)) & (y ^ mask(b)) == 0)
}

/// The latches that the question depends on, those of the fewest cycles before it first.
fn near(problem: &Aiger) -> Vec<usize> {
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    let mut roots = vec![problem.bad[0].literal];
    while !roots.is_empty() && found.len() < LATCHES {
        let new: Vec<usize> =
            read(problem, &roots).into_iter().filter(|latch| known.insert(*latch)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three latches: an input, its complement, and another input. The question, about the first two, is never answered by yes.
    #[test]
    fn what_noise_never_shows_is_a_lemma() {
        let latch = |name: &str, literal| Named { name: name.to_owned(), literal };
        let bad = |literal| vec![Named { name: "bad".to_owned(), literal }];
        let problem = Aiger {
            inputs: vec!["data[0]".to_owned(), "data[1]".to_owned()],
            // The first two are 0 at first, and so not always complements.
            latches: vec![latch("one.a", 2), latch("one.b", 3), latch("one.c", 4)],
            ands: vec![(6, 8), (12, 10)],
            bad: bad(14),
            ..Aiger::default()
        };
        let found = with_lemmas(&problem, "one", "other").expect("it is never 1");
        let operands: Vec<(u32, u32)> =
            found.bad[1..].iter().map(|lemma| found.ands[lemma.literal as usize / 2 - 6]).collect();
        assert_eq!(operands, [(8, 6)]);
        let reached = Aiger { bad: bad(10), ..problem };
        assert_eq!(with_lemmas(&reached, "one", "other"), None);
    }

    /// Two twins that are equal where a third latch is 1, and the question whether they differ there.
    #[test]
    fn twins_that_are_equal_at_times_are_a_lemma() {
        let latch = |name: &str, literal| Named { name: name.to_owned(), literal };
        let problem = Aiger {
            inputs: vec!["data".to_owned(), "other".to_owned(), "valid".to_owned()],
            latches: vec![latch("one.a", 2), latch("other.a", 14), latch("valid", 6)],
            ands: vec![(6, 2), (12, 8), (16, 11)],
            bad: vec![Named { name: "bad".to_owned(), literal: 18 }],
            ..Aiger::default()
        };
        let found = with_lemmas(&problem, "one", "other").expect("it is never 1");
        let mut lemmas = found.bad[1..].iter().map(|lemma| found.ands[lemma.literal as usize / 2 - 7]);
        // Three ANDs follow those of the problem: both twins are 1, both are 0, and the twins differ.
        assert_eq!(found.ands[3..6], [(8, 10), (9, 11), (21, 23)]);
        assert!(lemmas.any(|lemma| lemma == (12, 24)), "{found:?}");
    }
}
