//! In which order, and in which places, gates are interpreted.
//!
//! Long runs of one function and few values at a time are at odds. So the order that holds few values is cut into
//! windows, and within a window, what has the same function comes together as far as it can. A place is free again when
//! its value has been read for the last time, so that all of them stay in the first-level cache.

use std::collections::HashMap;
use std::ops::Range;

use super::Records;
use super::library::Choice;
use super::network::{BUFFER, INVERTER, Network, Source, Step, Target};

/// Steps of a window.
const WINDOW: usize = 1024;

/// A function of two values, or three.
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

/// What goes from where to where, by places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) to: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    /// The third value, where there is one.
    pub(super) c: u32,
}

/// Operations of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) function: Function,
    pub(super) operations: Range<usize>,
}

/// A cycle, as it is interpreted.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) runs: Vec<Run>,
    pub(super) operations: Vec<Operation>,
    /// Where the records and the registers are.
    pub(super) inputs: Range<usize>,
    pub(super) registers: Range<usize>,
    pub(super) outputs: Range<usize>,
    /// The place that holds all bits 1; place 0 holds all bits 0.
    pub(super) ones: usize,
    /// All places.
    pub(super) places: usize,
}

impl Plan {
    /// Of a network of simple gates and choices, and so many registers.
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
    /// The roots that are gates.
    roots: Vec<Vec<u32>>,
    /// The place of each gate that is evaluated.
    gates: Vec<Option<u32>>,
    /// Whether a root is in its place.
    stored: Vec<bool>,
    /// Places past the outputs that hold nothing that is still to be read.
    free: Vec<u32>,
}

impl<'n> Planner<'n> {
    fn new(network: &'n Network, steps: &[Step], plan: Plan) -> Self {
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

    /// Puts the steps of a window into runs: always of the function of the first that is left, with all that can join.
    fn window(&mut self, mut steps: Vec<Step>) {
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

    /// What a step is; a copy is an OR with itself, a complement an exclusive OR with ones.
    fn function(&self, step: Step) -> Function {
        let Step::Gate(gate) = step else { return Function::Or };
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

    /// Whether nothing reads what is where the root goes any more.
    fn is_vacant(&self, target: Target) -> bool {
        match target {
            Target::Output(_) => true,
            Target::Register(index) => {
                self.unread.get(&Source::Register(index)).is_none_or(|&unread| unread == 0)
            }
        }
    }

    fn is_ready(&self, step: Step) -> bool {
        let vacant = match step {
            Step::Gate(_) => true,
            Step::Store(root) => self.is_vacant(self.network.roots[root as usize].target),
        };
        vacant && self.network.reads(step).iter().all(|source| self.place_of(*source).is_some())
    }

    /// Makes an operation of a step, unless it is a root that is in its place.
    fn place(&mut self, step: Step) {
        let network = self.network;
        let read = |planner: &Self, source| planner.place_of(source).expect("what is ready has its operands");
        match step {
            Step::Gate(index) => {
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
            Step::Store(index) => {
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

    /// Where the value of a gate goes: into the place of a root that it is, where that can be.
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
        let unread = self.unread.get_mut(&source).expect("it is read");
        *unread -= 1;
        if let (0, Source::Gate(gate)) = (*unread, source)
            && let Some(place) = self.gates[gate as usize]
            && place as usize >= self.plan.outputs.end
        {
            self.free.push(place);
        }
    }
}
