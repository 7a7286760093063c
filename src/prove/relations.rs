//! Relations between a core and the machine of its system: a register of one and a register of the other hold the same in some position of the machine, as far as
//! text shows.
//!
//! `pdr` of abc finds such relations by itself, but slowly: as clauses about states, from which it must leave out what does not matter. Here each relation is one more
//! failure of the problem, so that the relations are proved together with the question, by induction. A relation that does not hold has a counterexample, which is run
//! here, and then the relation is left out. The counters of limbs of UTF-∞-8 are proved equal in this way, whatever their number of bits.

use std::collections::HashMap;
use std::time::Instant;

use utfhdl_sim::aig::{Aiger, Named};
use utfhdl_sim::tool::ToolError;

use super::checker::{Checker, Merging};
use super::program::Limits;
use super::random_inputs::values_in;
use super::text_inputs::{Text, TextInputs};
use super::verdict::{Counterexample, Verdict, undecided};

/// The registers of a machine: its position in a sequence, and what it has read of that.
const MACHINE: [&str; 2] = ["position_reg", "value_reg"];
/// Cycles of text, in each of which 64 runs go on.
const CYCLES: usize = 4_000;
/// The states of a position that must be seen before a relation counts.
const SEEN: u32 = 64;
/// The most registers that one register is related to in a position.
const OTHERS: usize = 4;

/// Two latches of a problem hold the same, or the one holds the complement of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Relation {
    /// The latch that is 1 where the relation holds; `None`: it holds everywhere.
    when: Option<usize>,
    latches: [usize; 2],
    is_complement: bool,
}

impl Relation {
    /// Whether the relation does not hold in a state; a bit for each run.
    fn fails(self, state: &[u64]) -> u64 {
        let complement = if self.is_complement { u64::MAX } else { 0 };
        let [one, other] = self.latches.map(|latch| state[latch]);
        (one ^ other ^ complement) & self.when.map_or(u64::MAX, |when| state[when])
    }
}

/// Relations of a problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Relations(Vec<Relation>);

/// The values of a latch, or where a relation holds, 64 runs a word.
type Values = Vec<u64>;

fn ones(values: &[u64]) -> u32 {
    values.iter().map(|word| word.count_ones()).sum()
}

impl Relations {
    /// The relations of a problem that hold in runs of a text. There are none if the text shows that a bad state is reached.
    pub(super) fn seen(problem: &Aiger, text: Text) -> Self {
        let is_of = |latch: usize, names: &[&str]| {
            names.iter().any(|name| problem.latches[latch].name.starts_with(name))
        };
        let (machine, others): (Vec<usize>, Vec<usize>) =
            (0..problem.latches.len()).partition(|latch| is_of(*latch, &MACHINE));
        if machine.is_empty() {
            return Self::default();
        }
        let mut inputs = TextInputs::new(problem, text);
        let all: Vec<usize> = (0..problem.latches.len()).collect();
        let Some(seen) = values_in(problem, &all, CYCLES, || inputs.cycle()) else { return Self::default() };
        let positions = machine.iter().filter(|latch| is_of(**latch, &MACHINE[..1]));
        let mut conditions: Vec<(Option<usize>, Values)> =
            positions.map(|&latch| (Some(latch), seen[latch].clone())).collect();
        conditions.push((None, vec![u64::MAX; seen[0].len()]));
        conditions.retain(|(_, values)| ones(values) >= SEEN);
        // A relation that holds more often comes first. The relations that follow from it are left out.
        conditions.sort_by_key(|(_, values)| std::cmp::Reverse(ones(values)));
        let mut relations: Vec<Relation> = Vec::new();
        let mut held_in: HashMap<([usize; 2], bool), Vec<usize>> = HashMap::new();
        for (number, (when, condition)) in conditions.iter().enumerate() {
            let masked = |latch: usize, flip: u64| -> Values {
                seen[latch]
                    .iter()
                    .zip(condition)
                    .map(|(value, condition)| (value ^ flip) & condition)
                    .collect()
            };
            let mut by_values: HashMap<Values, Vec<usize>> = HashMap::new();
            for &latch in &others {
                by_values.entry(masked(latch, 0)).or_default().push(latch);
            }
            for &latch in machine.iter().filter(|latch| Some(**latch) != *when) {
                for is_complement in [false, true] {
                    let values = masked(latch, if is_complement { u64::MAX } else { 0 });
                    let is_constant = ones(&values) == 0 || values == *condition;
                    let same = by_values.get(&values).filter(|_| !is_constant);
                    for &other in same.into_iter().flatten().take(OTHERS) {
                        let latches = [latch, other];
                        let held = held_in.entry((latches, is_complement)).or_default();
                        let implies = |&at: &usize| {
                            condition.iter().zip(&conditions[at].1).all(|(one, other)| one & !other == 0)
                        };
                        if !held.iter().any(implies) {
                            held.push(number);
                            relations.push(Relation { when: *when, latches, is_complement });
                        }
                    }
                }
            }
        }
        Self(relations)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The problem with one more bad state: a relation does not hold.
    pub(super) fn added(&self, problem: &Aiger) -> Aiger {
        let mut problem = problem.clone();
        let mut hold = None;
        for Relation { when, latches: [one, other], is_complement } in &self.0 {
            let (one, other) = (problem.latch(*one), problem.latch(*other) ^ u32::from(*is_complement));
            let (both, neither) = (problem.and(one, other), problem.and(one ^ 1, other ^ 1));
            let differs = problem.and(both ^ 1, neither ^ 1);
            let fails = when.map_or(differs, |when| problem.and(differs, problem.latch(when)));
            hold = Some(hold.map_or(fails ^ 1, |hold| problem.and(hold, fails ^ 1)));
        }
        let bad = hold.map(|hold| Named { name: "relations".to_owned(), literal: hold ^ 1 });
        problem.bad.extend(bad);
        problem
    }

    /// Leaves out the relations that do not hold in a run; whether there are such.
    fn drop_wrong(&mut self, problem: &Aiger, run: &Counterexample) -> bool {
        let before = self.0.len();
        for (state, _) in run.cycles(problem) {
            self.0.retain(|relation| relation.fails(&state) & 1 == 0);
        }
        self.0.len() < before
    }

    /// Has a checker decide a problem together with the relations.
    ///
    /// # Errors
    /// If the checker can't be started, or a file not be written.
    pub(super) fn check(
        &mut self,
        checker: Checker,
        problem: &Aiger,
        merging: Merging,
        limits: Limits,
    ) -> Result<Verdict, ToolError> {
        let began = Instant::now();
        loop {
            let left = limits.time.saturating_sub(began.elapsed());
            if left.is_zero() {
                return Ok(undecided(format!("no answer in {} s", limits.time.as_secs())));
            }
            match checker.check(&self.added(problem), merging, Limits { time: left, ..limits })? {
                Verdict::Refuted(found) => match reached(problem, &found) {
                    Some(found) => return Ok(Verdict::Refuted(found)),
                    None if self.drop_wrong(problem, &found) => {}
                    None => return Ok(undecided("a counterexample fails in no relation")),
                },
                other => return Ok(other),
            }
        }
    }
}

/// The run up to the first bad state of the problem itself, if it reaches one.
fn reached(problem: &Aiger, run: &Counterexample) -> Option<Counterexample> {
    let cycle = run.cycles(problem).position(|(_, is_bad)| is_bad)?;
    Some(Counterexample { cycle, inputs: run.inputs[..=cycle].to_vec() })
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::core::{Core, CoreSpec, Role, System};

    use super::*;

    fn latch(name: &str, literal: u32) -> Named {
        Named { name: name.to_owned(), literal }
    }

    /// A position, a value, and registers of the core: one holds the same as the value, one the complement in some position, and one something else.
    fn problem() -> Aiger {
        let names = ["position_reg", "value_reg", "core.same_reg", "core.there_reg", "core.other_reg"];
        let inputs = ["tdata", "tvalid", "other"].map(|port| format!("s_axis_{port}")).to_vec();
        // `there` loads the complement of the value where the position loads 1, and otherwise 1.
        let next = [4, 2, 2, 19, 6];
        Aiger {
            inputs,
            latches: names.iter().zip(next).map(|(name, literal)| latch(name, literal)).collect(),
            ands: vec![(4, 2)],
            ..Aiger::default()
        }
    }

    fn relation(when: Option<usize>, other: usize, is_complement: bool) -> Relation {
        Relation { when, latches: [1, other], is_complement }
    }

    #[test]
    fn relations_are_found_in_text() {
        let text = Text::of(&Core::new(CoreSpec::new(System::Utf8, Role::Decoder)).expect("a core"));
        let mut bad = problem();
        assert_eq!(Relations::seen(&bad, text).0, [relation(None, 2, false), relation(Some(0), 3, true)]);
        bad.bad.push(Named { name: "bad".to_owned(), literal: 2 });
        assert!(Relations::seen(&bad, text).is_empty(), "text reaches a bad state");
    }

    #[test]
    fn a_relation_fails_where_its_latches_differ() {
        let relations = Relations(vec![relation(None, 2, false), relation(Some(0), 3, true)]);
        let problem = relations.added(&problem());
        assert_eq!(problem.bad.len(), 1);
        // Eight runs at once, of all positions, values, and values of the registers of the core.
        let (position, value, core) = (0b1111_0000, 0b1100_1100, 0b1010_1010);
        let mut same = [position, value, core, !value, 0];
        let mut there = [position, value, value, core, 0];
        let inputs = [0; 3];
        assert_eq!(problem.run(&mut same, &inputs), [value ^ core]);
        assert_eq!(problem.run(&mut there, &inputs), [position & !(value ^ core)]);
    }

    #[test]
    fn a_relation_that_fails_in_a_run_is_left_out() {
        let right = relation(None, 2, false);
        let mut relations = Relations(vec![right, relation(None, 4, false)]);
        let run = |data: &[bool]| Counterexample {
            cycle: data.len() - 1,
            inputs: data.iter().map(|bit| vec![*bit, false, false]).collect(),
        };
        assert!(!relations.drop_wrong(&problem(), &run(&[true])), "the latches load after that");
        assert!(relations.drop_wrong(&problem(), &run(&[true, false])));
        assert_eq!(relations.0, [right]);
    }
}
