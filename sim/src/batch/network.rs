//! The gates of a mapped design, and the order in which they are evaluated.

use std::collections::HashMap;

use super::gate::{BUFFER, Gate, INVERTER, Root, Source, Target};
use super::library::Library;

/// Gates, and the roots that they are there for.
#[derive(Debug)]
pub(super) struct Network {
    /// Each gate after those it reads.
    pub(super) gates: Vec<Gate>,
    pub(super) roots: Vec<Root>,
}

impl Network {
    /// Turns the gates into those of a library, and gives every root that is no constant a gate of its own.
    pub(super) fn new(mut gates: Vec<Gate>, mut roots: Vec<Root>, library: Library) -> Self {
        let complemented = library.complemented(&gates, &roots);
        let flipped = |source: Source| matches!(source, Source::Gate(gate) if complemented[gate as usize]);
        for (gate, complemented) in gates.iter_mut().zip(&complemented) {
            gate.complement_inputs(flipped);
            if *complemented {
                gate.complement();
            }
        }
        let mut added = HashMap::new();
        for root in &mut roots {
            let Some(source) = root.source else { continue };
            let complement = std::mem::take(&mut root.complement) != flipped(source);
            if complement || !matches!(source, Source::Gate(_)) {
                let gate = *added.entry((source, complement)).or_insert_with(|| {
                    gates.push(Gate {
                        inputs: vec![source],
                        table: if complement { INVERTER } else { BUFFER },
                    });
                    gates.len() as u32 - 1
                });
                root.source = Some(Source::Gate(gate));
            }
        }
        Self { gates, roots }
    }

    /// An order of evaluation in which few values have to be kept at a time.
    ///
    /// Roots are taken one after the other with all the gates they need; of a gate's operands, the one that needs the most values
    /// at once comes first. A root is stored as soon as it is known; a register, not before the last gate has read its old
    /// value.
    pub(super) fn schedule(&self) -> Vec<EvaluationStep> {
        let needs = self.needs();
        let mut order: Vec<EvaluationStep> = Vec::new();
        let mut seen = vec![false; self.gates.len()];
        let mut stack: Vec<(u32, Vec<u32>)> = Vec::new();
        let operands = |gate: u32| {
            let mut operands: Vec<u32> = self.gates[gate as usize].gate_inputs().collect();
            operands.sort_by_key(|&operand| needs[operand as usize]);
            operands
        };
        for (index, root) in self.roots.iter().enumerate() {
            if let Some(Source::Gate(gate)) = root.source
                && !std::mem::replace(&mut seen[gate as usize], true)
            {
                stack.push((gate, operands(gate)));
            }
            while let Some((gate, rest)) = stack.last_mut() {
                match rest.pop() {
                    Some(next) if seen[next as usize] => {}
                    Some(next) => {
                        seen[next as usize] = true;
                        stack.push((next, operands(next)));
                    }
                    None => {
                        order.push(EvaluationStep::Gate(*gate));
                        stack.pop();
                    }
                }
            }
            order.push(EvaluationStep::Store(index as u32));
        }
        self.after_last_reads(order)
    }

    /// About how many values the evaluation of each gate holds at once (Sethi and Ullman's numbers).
    fn needs(&self) -> Vec<u32> {
        let mut needs: Vec<u32> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let mut below: Vec<u32> = gate.gate_inputs().map(|input| needs[input as usize]).collect();
            below.sort_unstable_by(|a, b| b.cmp(a));
            let held = below.iter().enumerate().map(|(before, need)| need + before as u32);
            needs.push(held.max().unwrap_or(0).max(1));
        }
        needs
    }

    /// Moves each store to a register after the last step that reads the old value of that register.
    fn after_last_reads(&self, order: Vec<EvaluationStep>) -> Vec<EvaluationStep> {
        let mut last_read = HashMap::new();
        for (at, step) in order.iter().enumerate() {
            for source in self.reads(*step) {
                if let Source::Register(register) = source {
                    last_read.insert(register, at);
                }
            }
        }
        let mut delayed: Vec<Vec<EvaluationStep>> = vec![Vec::new(); order.len()];
        let mut scheduled = Vec::with_capacity(order.len());
        for (at, step) in order.into_iter().enumerate() {
            let until = match step {
                EvaluationStep::Store(root) => match self.roots[root as usize].target {
                    Target::Register(register) => last_read.get(&register).copied().unwrap_or(0),
                    Target::Output(_) => 0,
                },
                EvaluationStep::Gate(_) => 0,
            };
            if until > at {
                delayed[until].push(step);
            } else {
                scheduled.push(step);
            }
            scheduled.append(&mut delayed[at]);
        }
        scheduled
    }

    /// The bits that a step reads.
    pub(super) fn reads(&self, step: EvaluationStep) -> &[Source] {
        match step {
            EvaluationStep::Gate(gate) => &self.gates[gate as usize].inputs,
            EvaluationStep::Store(root) => self.roots[root as usize].source.as_slice(),
        }
    }
}

/// A step of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvaluationStep {
    /// Evaluates a gate.
    Gate(u32),
    /// Stores a root.
    Store(u32),
}
