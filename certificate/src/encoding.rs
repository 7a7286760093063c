//! Circuits as clauses.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};

use crate::aiger::Circuit;

/// A question to the solver: a set of clauses, and whether something satisfies all of them.
pub(crate) struct Question {
    solver: BasicSolver,
    /// The constant 1.
    one: Lit,
}

/// The values of a circuit in a cycle: a literal of the solver for each variable.
pub(crate) struct Cycle(Vec<Lit>);

impl Question {
    pub(crate) fn new() -> Self {
        let mut solver = BasicSolver::default();
        let one = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![one]);
        Self { solver, one }
    }

    /// A value that can be 0 or 1.
    pub(crate) fn free(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// A number of [free](Self::free) values.
    pub(crate) fn all_free(&mut self, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.free()).collect()
    }

    /// A constant.
    pub(crate) fn constant(&self, is_one: bool) -> Lit {
        self.one.apply_sign(is_one)
    }

    /// A cycle of a circuit, from its inputs and its latches.
    pub(crate) fn cycle(&mut self, circuit: &Circuit, inputs: &[Lit], latches: &[Lit]) -> Cycle {
        assert_eq!(
            (inputs.len(), latches.len()),
            (circuit.inputs as usize, circuit.latches.len()),
            "inputs, latches"
        );
        let mut cycle = Cycle([&[!self.one], inputs, latches].concat());
        for &operands in &circuit.ands {
            let and = self.free();
            let [a, b] = operands.map(|operand| cycle.value(operand));
            for clause in [&[!and, a][..], &[!and, b], &[and, !a, !b]] {
                self.solver.add_clause_reuse(&mut clause.to_vec());
            }
            cycle.0.push(and);
        }
        cycle
    }

    /// Demands that one of the values is 1.
    pub(crate) fn demand(&mut self, one_of: &[Lit]) {
        self.solver.add_clause_reuse(&mut one_of.to_vec());
    }

    /// The values of `shown` in an answer that meets all demands; `None` if there is none.
    pub(crate) fn answer(&mut self, shown: &[Lit]) -> Option<Vec<bool>> {
        // Without a limit, the solver always decides.
        match self.solver.solve_limited(&[]) {
            answer if answer == lbool::FALSE => None,
            _ => Some(shown.iter().map(|&value| self.solver.value_lit(value) == lbool::TRUE).collect()),
        }
    }
}

impl Cycle {
    /// The value of a literal of the circuit.
    pub(crate) fn value(&self, literal: u32) -> Lit {
        self.0[literal as usize / 2].apply_sign(literal.is_multiple_of(2))
    }

    /// The values of literals of the circuit.
    pub(crate) fn values(&self, literals: impl IntoIterator<Item = u32>) -> Vec<Lit> {
        literals.into_iter().map(|literal| self.value(literal)).collect()
    }
}
