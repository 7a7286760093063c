//! The portable backend: interprets the gates, on processors without a machine code backend.
//!
//! The [plan](super::plan) has the gates in runs of one function, so that the function is chosen once for each run. The rest
//! is a loop that the compiler turns into vector instructions.

use std::sync::Arc;

use super::network::Network;
use super::plan::{Function, Operation, Plan};
use super::slice::{Records, Slice};

/// Interprets a network.
#[derive(Clone)]
pub(super) struct Interpreter {
    plan: Arc<Plan>,
    values: Vec<Slice>,
}

impl Interpreter {
    /// The interpreter of a network of simple gates and choices.
    pub(super) fn new(network: &Network, registers: usize, records: Records) -> Self {
        let plan = Plan::new(network, registers, records);
        let mut values = vec![Slice::ZERO; plan.places];
        values[plan.ones] = Slice::ONES;
        Self { plan: Arc::new(plan), values }
    }

    /// How many operations a cycle has.
    pub(super) fn operations(&self) -> usize {
        self.plan.operations.len()
    }

    /// Bytes of all values.
    pub(super) fn state_bytes(&self) -> usize {
        size_of_val(&*self.values)
    }

    /// Runs as many cycles as there are records.
    pub(super) fn run(&mut self, inputs: &[Slice], outputs: &mut [Slice], cycles: usize) {
        let (of_inputs, of_outputs) = (self.plan.inputs.clone(), self.plan.outputs.clone());
        for at in 0..cycles {
            self.values[of_inputs.clone()]
                .copy_from_slice(&inputs[at * of_inputs.len()..][..of_inputs.len()]);
            evaluate(&self.plan, &mut self.values);
            outputs[at * of_outputs.len()..][..of_outputs.len()]
                .copy_from_slice(&self.values[of_outputs.clone()]);
        }
    }

    pub(super) fn reset(&mut self) {
        self.values[self.plan.registers.clone()].fill(Slice::ZERO);
    }
}

/// Computes all gates, with the widest vectors that the processor has.
fn evaluate(plan: &Plan, values: &mut [Slice]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2(plan: &Plan, values: &mut [Slice]) {
            evaluate_as_compiled(plan, values);
        }
        // SAFETY: the processor has AVX2.
        return unsafe { with_avx2(plan, values) };
    }
    evaluate_as_compiled(plan, values);
}

#[inline(always)]
fn evaluate_as_compiled(plan: &Plan, values: &mut [Slice]) {
    for run in &plan.runs {
        let operations = &plan.operations[run.operations.clone()];
        match run.function {
            Function::And => each(operations, values, |a, b| a & b),
            Function::AndNot => each(operations, values, |a, b| !a & b),
            Function::Or => each(operations, values, |a, b| a | b),
            Function::Xor => each(operations, values, |a, b| a ^ b),
            Function::Choice => choose(operations, values, |select, one, zero| select & one | !select & zero),
            Function::ChoiceOfComplement => {
                choose(operations, values, |select, one, zero| select & one | !(select | zero));
            }
        }
    }
}

/// Functions of two.
#[inline(always)]
fn each(operations: &[Operation], values: &mut [Slice], function: impl Fn(u64, u64) -> u64) {
    for &Operation { to, a, b, .. } in operations {
        let (a, b) = (values[a as usize], values[b as usize]);
        values[to as usize] = Slice(std::array::from_fn(|word| function(a.0[word], b.0[word])));
    }
}

/// Functions of three.
#[inline(always)]
fn choose(operations: &[Operation], values: &mut [Slice], function: impl Fn(u64, u64, u64) -> u64) {
    for &Operation { to, a, b, c } in operations {
        let (a, b, c) = (values[a as usize], values[b as usize], values[c as usize]);
        values[to as usize] = Slice(std::array::from_fn(|word| function(a.0[word], b.0[word], c.0[word])));
    }
}
