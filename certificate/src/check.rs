//! The three questions that make a certificate.

use batsat::Lit;

use crate::aiger::{Circuit, Start};
use crate::encoding::{Cycle, Question};

/// Why an invariant is no certificate of a circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The files do not belong together.
    #[error(
        "the invariant has {inputs} inputs, {latches} latches and {outputs} outputs: expected an input for each of the circuit's {expected} latches, no latch, and one output"
    )]
    Shape {
        /// Inputs of the invariant.
        inputs: u32,
        /// Latches of the invariant.
        latches: usize,
        /// Outputs of the invariant.
        outputs: usize,
        /// Latches of the circuit.
        expected: usize,
    },
    /// The circuit has nothing to prove.
    #[error("the circuit has no bad state and no output")]
    NothingBad,
    /// A question has an answer.
    #[error("{part}, in the state with these latches at 1: {}", latches(state))]
    Answer {
        /// The part of the proof that fails.
        part: Part,
        /// The values of the circuit's latches.
        state: Vec<bool>,
    },
}

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The circuit starts in the invariant.
    Start,
    /// The circuit stays in the invariant.
    Step,
    /// No state of the invariant is bad.
    Bad,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Start => "the circuit can start outside of the invariant",
            Self::Step => "the circuit can leave the invariant",
            Self::Bad => "the invariant has a bad state",
        })
    }
}

/// The numbers of the latches that are 1, from 0 on.
fn latches(state: &[bool]) -> String {
    let high = state.iter().enumerate().filter(|(_, high)| **high).map(|(latch, _)| latch.to_string());
    let high: Vec<String> = high.collect();
    if high.is_empty() { "none".to_owned() } else { high.join(", ") }
}

/// Checks that `invariant` proves that no bad state of `circuit` can be reached, or, if the circuit has none, that no output is
/// ever 1. Input n of the invariant is latch n of the circuit.
///
/// # Errors
/// The first fault.
pub fn check(circuit: &Circuit, invariant: &Circuit) -> Result<(), Fault> {
    let Circuit { inputs, latches, outputs, .. } = invariant;
    let expected = circuit.latches.len();
    if *inputs as usize != expected || !latches.is_empty() || outputs.len() != 1 {
        let (latches, outputs) = (latches.len(), outputs.len());
        return Err(Fault::Shape { inputs: *inputs, latches, outputs, expected });
    }
    let bad = if circuit.bad.is_empty() { &circuit.outputs } else { &circuit.bad };
    if bad.is_empty() {
        return Err(Fault::NothingBad);
    }
    let holds =
        |question: &mut Question, state: &[Lit]| question.cycle(invariant, state, &[]).value(outputs[0]);
    let ask = |part, mut question: Question, state: &[Lit]| match question.answer(state) {
        None => Ok(()),
        Some(state) => Err(Fault::Answer { part, state }),
    };

    let mut question = Question::new();
    let start = |latch: &crate::Latch, question: &mut Question| match latch.start {
        Start::Low => question.constant(false),
        Start::High => question.constant(true),
        Start::Any => question.free(),
    };
    let state: Vec<Lit> = circuit.latches.iter().map(|latch| start(latch, &mut question)).collect();
    let held = holds(&mut question, &state);
    question.demand(&[!held]);
    ask(Part::Start, question, &state)?;

    let (mut question, state, cycle) = inside(circuit, holds);
    let bad = cycle.values(bad.iter().copied());
    question.demand(&bad);
    ask(Part::Bad, question, &state)?;

    // No state of the invariant is bad, as was just found: it need not be asked again here.
    let (mut question, state, cycle) = inside(circuit, holds);
    let next = cycle.values(circuit.latches.iter().map(|latch| latch.next));
    let held = holds(&mut question, &next);
    question.demand(&[!held]);
    ask(Part::Step, question, &state)
}

/// A question about any cycle in the invariant: the values of the latches, and those of the circuit.
fn inside(circuit: &Circuit, holds: impl Fn(&mut Question, &[Lit]) -> Lit) -> (Question, Vec<Lit>, Cycle) {
    let mut question = Question::new();
    let state = question.all_free(circuit.latches.len());
    let inputs = question.all_free(circuit.inputs as usize);
    let cycle = question.cycle(circuit, &inputs, &state);
    let held = holds(&mut question, &state);
    question.demand(&[held]);
    for constraint in cycle.values(circuit.constraints.iter().copied()) {
        question.demand(&[constraint]);
    }
    (question, state, cycle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Latch;

    fn latch(next: u32) -> Latch {
        Latch { next, start: Start::Low }
    }

    /// The first latch toggles, and the second follows it: 00, 10, 01, 10 and so on. Both at once are bad.
    fn turns() -> Circuit {
        Circuit { latches: vec![latch(3), latch(2)], bad: vec![6], ands: vec![[4, 2]], ..Circuit::default() }
    }

    /// The states in which a literal is 1.
    fn invariant(ands: &[[u32; 2]], output: u32) -> Circuit {
        Circuit { inputs: 2, outputs: vec![output], ands: ands.to_vec(), ..Circuit::default() }
    }

    fn part_of(circuit: &Circuit, invariant: &Circuit) -> Part {
        match check(circuit, invariant) {
            Err(Fault::Answer { part, .. }) => part,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_invariant_is_accepted_and_others_are_not() {
        // Not both.
        assert_eq!(check(&turns(), &invariant(&[[4, 2]], 7)), Ok(()));
        // All states: one of them is bad.
        assert_eq!(part_of(&turns(), &invariant(&[], 1)), Part::Bad);
        // No state, not even the first.
        assert_eq!(part_of(&turns(), &invariant(&[], 0)), Part::Start);
        // Neither: the circuit leaves it.
        assert_eq!(part_of(&turns(), &invariant(&[[5, 3]], 6)), Part::Step);
    }

    #[test]
    fn first_values_and_constraints_count() {
        let mut circuit = turns();
        circuit.latches[1].start = Start::Any;
        assert_eq!(check(&circuit, &invariant(&[[4, 2]], 7)), Ok(()));
        circuit.latches[0].start = Start::High;
        assert_eq!(part_of(&circuit, &invariant(&[[4, 2]], 7)), Part::Start);
        // If the first latch is always 0, nothing is bad, whatever the invariant.
        let constrained = Circuit { constraints: vec![3], ..turns() };
        assert_eq!(check(&constrained, &invariant(&[], 1)), Ok(()));
    }

    #[test]
    fn files_that_do_not_belong_together_are_refused() {
        let other = Circuit { inputs: 3, ..invariant(&[], 1) };
        let error = check(&turns(), &other).unwrap_err().to_string();
        assert!(
            error
                .contains("3 inputs, 0 latches and 1 outputs: expected an input for each of the circuit's 2"),
            "{error}"
        );
        let nothing = Circuit { bad: vec![], ..turns() };
        assert_eq!(check(&nothing, &invariant(&[], 1)), Err(Fault::NothingBad));
    }
}
