//! The order in which the interpreter evaluates gates, and the places where it keeps their values.
//!
//! Long runs of one function make an interpreter fast, and few live values keep it in the first-level cache, but no order has
//! both. The order with few live values is therefore cut into windows, and within a window gates of the same function are
//! grouped as far as their operands allow. A place is free again when its value has been read for the last time.

use std::collections::HashMap;
use std::ops::Range;

use super::gate::{BUFFER, INVERTER, Source, Target};
use super::library::Choice;
use super::network::{EvaluationStep, Network};
use super::slice::Records;

/// Steps of a window.
const WINDOW: usize = 1024;

/// A function of two or three values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    And,
    /// The complement of the first, and the second.
    AndNot,
    Or,
    Xor,
    /// The second where the first is 1, else the third.
    Choice,
    /// The second where the first is 1, else the complement of the third.
    ChoiceOfComplement,
}

/// One gate: the places of its operands, and the place of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) to: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    /// The third value, if the function has one.
    pub(super) c: u32,
}

/// Consecutive operations of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) function: Function,
    pub(super) operations: Range<usize>,
}

/// One cycle as the interpreter runs it.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) runs: Vec<Run>,
    pub(super) operations: Vec<Operation>,
    /// The places of the input record.
    pub(super) inputs: Range<usize>,
    /// The places of the registers.
    pub(super) registers: Range<usize>,
    /// The places of the output record.
    pub(super) outputs: Range<usize>,
    /// The place that holds all bits 1; place 0 holds all bits 0.
    pub(super) ones: usize,
    /// How many places there are.
    pub(super) places: usize,
}

impl Plan {
    /// The plan of a network of simple gates and choices.
    pub(super) fn new(network: &Network, registers: usize, records: Records) -> Self {
        let ones = 1;
        let inputs = 2..2 + records.inputs;
        let registers = inputs.end..inputs.end + registers;
        let outputs = registers.end..registers.end + records.outputs;
        let places = outputs.end;
        let plan =
            Self { runs: Vec::new(), operations: Vec::new(), inputs, registers, outputs, ones, places };
        let steps = network.schedule();
        let mut planner = Planner::new(network, &steps, plan);
        steps.chunks(WINDOW).for_each(|window| planner.window(window.to_vec()));
        planner.plan
    }
}

struct Planner<'n> {
    network: &'n Network,
    plan: Plan,
    /// How many steps are still to read each value.
    unread: HashMap<Source, u32>,
    /// The roots of each gate.
    roots: Vec<Vec<u32>>,
    /// The place of each gate that has been evaluated.
    gates: Vec<Option<u32>>,
    /// Whether each root is in its place already.
    stored: Vec<bool>,
    /// Places after the outputs whose values nothing reads any more.
    free: Vec<u32>,
}

impl<'n> Planner<'n> {
    fn new(network: &'n Network, steps: &[EvaluationStep], plan: Plan) -> Self {
        let mut unread = HashMap::new();
        for source in steps.iter().flat_map(|step| network.reads(*step)) {
            *unread.entry(*source).or_default() += 1;
        }
        let mut roots = vec![Vec::new(); network.gates.len()];
        for (index, root) in (0..).zip(&network.roots) {
            if let Some(Source::Gate(gate)) = root.source {
                roots[gate as usize].push(index);
            }
        }
        let (gates, stored) = (vec![None; network.gates.len()], vec![false; network.roots.len()]);
        Self { network, plan, unread, roots, gates, stored, free: Vec::new() }
    }

    /// Puts the steps of a window into runs. Each run has the function of the first step that is left, and takes all steps of
    /// that function whose operands are there.
    fn window(&mut self, mut steps: Vec<EvaluationStep>) {
        while let Some(first) = steps.first() {
            let (function, start) = (self.function(*first), self.plan.operations.len());
            steps.retain(|&step| {
                let joins = self.function(step) == function && self.is_ready(step);
                if joins {
                    self.place(step);
                }
                !joins
            });
            let operations = start..self.plan.operations.len();
            self.plan.runs.push(Run { function, operations });
        }
    }

    /// The function of a step. A copy is an OR of a value with itself, a complement an exclusive OR with ones.
    fn function(&self, step: EvaluationStep) -> Function {
        let EvaluationStep::Gate(gate) = step else { return Function::Or };
        let gate = &self.network.gates[gate as usize];
        match (gate.inputs.len(), gate.table) {
            (1, BUFFER) | (2, 0b1110) => Function::Or,
            (1, INVERTER) | (2, 0b0110) => Function::Xor,
            (1, _) | (2, 0b1000) => Function::And,
            (2, 0b0010 | 0b0100) => Function::AndNot,
            (3, table) => match Choice::of(table).map(|choice| choice.complements) {
                Some([false, false]) => Function::Choice,
                Some([false, true]) => Function::ChoiceOfComplement,
                _ => unreachable!("the library has these choices"),
            },
            _ => unreachable!("the library has these"),
        }
    }

    fn place_of(&self, source: Source) -> Option<u32> {
        match source {
            Source::Input(index) => Some(self.plan.inputs.start as u32 + index),
            Source::Register(index) => Some(self.plan.registers.start as u32 + index),
            Source::Gate(gate) => self.gates[gate as usize],
        }
    }

    fn place_of_target(&self, target: Target) -> u32 {
        match target {
            Target::Output(index) => self.plan.outputs.start as u32 + index,
            Target::Register(index) => self.plan.registers.start as u32 + index,
        }
    }

    /// Whether a root can be stored: nothing reads the old value of its place any more.
    fn is_vacant(&self, target: Target) -> bool {
        match target {
            Target::Output(_) => true,
            Target::Register(index) => {
                self.unread.get(&Source::Register(index)).is_none_or(|&unread| unread == 0)
            }
        }
    }

    fn is_ready(&self, step: EvaluationStep) -> bool {
        let vacant = match step {
            EvaluationStep::Gate(_) => true,
            EvaluationStep::Store(root) => self.is_vacant(self.network.roots[root as usize].target),
        };
        vacant && self.network.reads(step).iter().all(|source| self.place_of(*source).is_some())
    }

    /// Makes an operation of a step, unless it stores a root that is in its place already.
    fn place(&mut self, step: EvaluationStep) {
        let network = self.network;
        let read = |planner: &Self, source| planner.place_of(source).expect("what is ready has its operands");
        match step {
            EvaluationStep::Gate(index) => {
                let gate = &network.gates[index as usize];
                let places: Vec<u32> = gate.inputs.iter().map(|source| read(self, *source)).collect();
                let [a, b, c] = match (&places[..], gate.table) {
                    ([a], BUFFER) => [*a; 3],
                    ([a], INVERTER) => [*a, self.plan.ones as u32, 0],
                    ([_], table) => [u32::from(table != 0); 3],
                    ([a, b], 0b0010) => [*b, *a, 0],
                    ([a, b], _) => [*a, *b, 0],
                    (_, table) => {
                        let choice = Choice::of(table).expect("the library has choices of three");
                        choice.inputs.map(|input| places[input])
                    }
                };
                gate.inputs.iter().for_each(|source| self.has_read(*source));
                let to = self.room(index);
                self.gates[index as usize] = Some(to);
                self.plan.operations.push(Operation { to, a, b, c });
            }
            EvaluationStep::Store(index) => {
                let root = network.roots[index as usize];
                if !self.stored[index as usize] {
                    let from = root.source.map_or(u32::from(root.complement), |source| read(self, source));
                    let to = self.place_of_target(root.target);
                    self.plan.operations.push(Operation { to, a: from, b: from, c: 0 });
                }
                root.source.into_iter().for_each(|source| self.has_read(source));
            }
        }
    }

    /// The place for the value of a gate: the place of one of its roots if possible, else any free place.
    fn room(&mut self, gate: u32) -> u32 {
        let target = |root: &u32| self.network.roots[*root as usize].target;
        if let Some(&root) = self.roots[gate as usize].iter().find(|root| self.is_vacant(target(root))) {
            self.stored[root as usize] = true;
            return self.place_of_target(target(&root));
        }
        self.free.pop().unwrap_or_else(|| {
            self.plan.places += 1;
            self.plan.places as u32 - 1
        })
    }

    fn has_read(&mut self, source: Source) {
        let unread = self.unread.get_mut(&source).expect("a step reads the value");
        *unread -= 1;
        if let (0, Source::Gate(gate)) = (*unread, source)
            && let Some(place) = self.gates[gate as usize]
            && place as usize >= self.plan.outputs.end
        {
            self.free.push(place);
        }
    }
}
