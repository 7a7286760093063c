//! Register allocation: from gates in order to instructions on a processor with few vector registers.
//!
//! One pass over the steps is enough, since it is known when each value is read next. Inputs and registers of the design are
//! in memory anyway: they are loaded when they are read, and their vector registers can be taken at any time. A gate's value
//! that has to make room is written to memory once. The value that makes room is the one that is read furthest ahead
//! (Belady).

use std::collections::HashMap;

use super::instruction::{Instruction, Location, Operand, Program, Vector};
use super::instruction_set::InstructionSet;
use crate::batch::gate::{BUFFER, INVERTER, Source, Target};
use crate::batch::network::{EvaluationStep, Network};

/// The table of an exclusive or.
const XOR: u8 = 0b0110;

/// Allocates the vector registers of an instruction set to a network of gates that it has.
pub(super) fn allocate(network: &Network, set: InstructionSet) -> Program {
    let steps = network.schedule();
    let most = set.most_instructions();
    let mut allocator = Allocator {
        set,
        reads: reads(network, &steps),
        vectors: vec![None; set.vectors()],
        held: HashMap::new(),
        spilled: HashMap::new(),
        free_spills: Vec::new(),
        program: Program { pieces: vec![Vec::new()], spills: 0 },
    };
    for step in steps {
        if allocator.piece().len() >= most {
            allocator.next_piece();
        }
        match step {
            EvaluationStep::Gate(gate) => allocator.gate(network, gate),
            EvaluationStep::Store(root) => {
                let root = network.roots[root as usize];
                let location = match root.target {
                    Target::Output(index) => Location::Output(index),
                    Target::Register(index) => Location::State(index),
                };
                allocator.store(location, root.source, root.complement);
            }
        }
    }
    allocator.program
}

/// For each value the steps that read it, the last first.
fn reads(network: &Network, steps: &[EvaluationStep]) -> HashMap<Source, Vec<u32>> {
    let mut reads: HashMap<Source, Vec<u32>> = HashMap::new();
    for (at, step) in steps.iter().enumerate().rev() {
        for source in network.reads(*step) {
            reads.entry(*source).or_default().push(at as u32);
        }
    }
    reads
}

struct Allocator {
    set: InstructionSet,
    reads: HashMap<Source, Vec<u32>>,
    /// The value in each vector register.
    vectors: Vec<Option<Source>>,
    /// The vector register of each value that is in one.
    held: HashMap<Source, Vector>,
    /// The location of each gate's value that was spilled.
    spilled: HashMap<Source, u32>,
    free_spills: Vec<u32>,
    program: Program,
}

impl Allocator {
    fn emit(&mut self, instruction: Instruction) {
        self.piece().push(instruction);
    }

    fn piece(&mut self) -> &mut Vec<Instruction> {
        self.program.pieces.last_mut().expect("there is one from the start")
    }

    /// Begins a piece, with no value in a vector register.
    fn next_piece(&mut self) {
        for at in 0..self.vectors.len() {
            if let Some(source) = self.vectors[at] {
                self.keep(source);
                self.evict(source);
            }
        }
        self.program.pieces.push(Vec::new());
    }

    /// The step that reads `source` next; `None` if none does.
    fn next_read(&self, source: Source) -> Option<u32> {
        self.reads.get(&source).and_then(|reads| reads.last().copied())
    }

    /// The location of `source` in memory, if it has one.
    fn in_memory(&self, source: Source) -> Option<Location> {
        match source {
            Source::Input(index) => Some(Location::Input(index)),
            Source::Register(index) => Some(Location::State(index)),
            Source::Gate(_) => self.spilled.get(&source).map(|&spill| Location::Spill(spill)),
        }
    }

    /// A vector register for a new value; the values in `pinned` keep theirs.
    fn room(&mut self, pinned: &[Source]) -> Vector {
        if let Some(free) = self.vectors.iter().position(Option::is_none) {
            return free as Vector;
        }
        let candidates = self.vectors.iter().flatten().filter(|source| !pinned.contains(source));
        let furthest = |source: &&Source| {
            let in_memory = self.in_memory(**source).is_some();
            (self.next_read(**source).unwrap_or(u32::MAX), in_memory)
        };
        let leaves = *candidates.max_by_key(furthest).expect("more vector registers than operands");
        self.keep(leaves);
        self.evict(leaves)
    }

    /// Writes a value that is in a vector register to memory, unless it is there already.
    fn keep(&mut self, source: Source) {
        if self.in_memory(source).is_none() {
            let spill = self.free_spills.pop().unwrap_or_else(|| {
                self.program.spills += 1;
                self.program.spills - 1
            });
            self.emit(Instruction::Store(Location::Spill(spill), self.held[&source]));
            self.spilled.insert(source, spill);
        }
    }

    fn evict(&mut self, source: Source) -> Vector {
        let vector = self.held.remove(&source).expect("the value is in a vector register");
        self.vectors[usize::from(vector)] = None;
        vector
    }

    fn hold(&mut self, source: Source, vector: Vector) {
        self.vectors[usize::from(vector)] = Some(source);
        self.held.insert(source, vector);
    }

    /// Brings `source` into a vector register.
    fn fetch(&mut self, source: Source, pinned: &[Source]) -> Vector {
        if let Some(&vector) = self.held.get(&source) {
            return vector;
        }
        let location = self.in_memory(source).expect("a value is held or in memory");
        let vector = self.room(pinned);
        self.emit(Instruction::Load(vector, location));
        self.hold(source, vector);
        vector
    }

    /// Notes that the current step has read `source`; the last step that does so frees it.
    fn read(&mut self, source: Source) {
        let reads = self.reads.get_mut(&source).expect("a step reads the value");
        reads.pop();
        if reads.is_empty() {
            if self.held.contains_key(&source) {
                self.evict(source);
            }
            if let Some(spill) = self.spilled.remove(&source) {
                self.free_spills.push(spill);
            }
        }
    }

    fn gate(&mut self, network: &Network, index: u32) {
        let gate = &network.gates[index as usize];
        let mut inputs: Vec<(Source, usize)> = gate.inputs.iter().copied().zip(0..).collect();
        // Values that are read again soon are worth a vector register; one that is in none and is read late comes from memory.
        inputs.sort_by_key(|(source, _)| {
            let next = self.reads[source].iter().rev().nth(1).copied().unwrap_or(u32::MAX);
            (!self.held.contains_key(source), next)
        });
        let order: Vec<usize> = inputs.iter().map(|(_, at)| *at).collect();
        let sources: Vec<Source> = inputs.into_iter().map(|(source, _)| source).collect();
        let to = match sources[..] {
            [a] if gate.table == BUFFER => self.copy(a),
            [a] if gate.table == INVERTER => self.complement(a),
            [a] => self.constant(a, gate.table != 0),
            [a, b] => self.binary([a, b], |bits| gate.table >> assignment(&order, &bits) & 1 == 1),
            [a, b, c] => self.ternary([a, b, c], |bits| gate.table >> assignment(&order, &bits) & 1 == 1),
            _ => unreachable!("a gate has one to three inputs"),
        };
        self.hold(Source::Gate(index), to);
        if self.next_read(Source::Gate(index)).is_none() {
            self.evict(Source::Gate(index));
        }
    }

    /// A copy of a value.
    fn copy(&mut self, a: Source) -> Vector {
        let from = self.fetch(a, &[]);
        let to = self.result(a, &[a]);
        if to != from {
            self.emit(Instruction::Move { to, from });
        }
        self.read(a);
        to
    }

    /// The complement of a value.
    fn complement(&mut self, a: Source) -> Vector {
        let from = self.fetch(a, &[]);
        let to = self.result(a, &[a]);
        self.emit(Instruction::Binary { to, b: from, c: Operand::Memory(Location::Ones), table: XOR });
        self.read(a);
        to
    }

    /// A constant, of a gate that does not depend on its input.
    fn constant(&mut self, a: Source, value: bool) -> Vector {
        let to = self.room(&[]);
        self.emit(Instruction::Fill(to, value));
        self.read(a);
        to
    }

    /// A function of two values, in a free vector register or in that of an operand which is read for the last time.
    fn binary(&mut self, sources: [Source; 2], function: impl Fn([bool; 3]) -> bool) -> Vector {
        let ([mut a, mut b], mut table) = (sources, binary_table(|[b, c]| function([b, c, false])));
        if !self.set.has(table) {
            (a, b, table) = (b, a, binary_table(|[b, c]| function([c, b, false])));
        }
        let first = self.fetch(a, &sources);
        let second = self.operand(b);
        let to = self.result(a, &sources);
        self.emit(Instruction::Binary { to, b: first, c: second, table });
        sources.into_iter().for_each(|source| self.read(source));
        to
    }

    /// A vector register for a result. The register of `operand`, which must be in one, is reused if this is the last
    /// read of it.
    fn result(&mut self, operand: Source, pinned: &[Source]) -> Vector {
        if self.reads[&operand].len() == 1 { self.evict(operand) } else { self.room(pinned) }
    }

    /// A function of three values, in the vector register of one of them.
    fn ternary(&mut self, sources: [Source; 3], function: impl Fn([bool; 3]) -> bool) -> Vector {
        // The value to overwrite: one that is in a vector register and not read again.
        let again = |source: &Source| self.reads[source].len() > 1;
        let dying = sources.iter().position(|source| self.held.contains_key(source) && !again(source));
        let first = dying.unwrap_or_else(|| {
            // Else one that is in memory only, which is loaded into the vector register of the result; else a copy.
            sources.iter().rposition(|source| !self.held.contains_key(source)).unwrap_or(0)
        });
        let rest: Vec<usize> = (0..3).filter(|at| *at != first).collect();
        let (a, b, c) = (sources[first], sources[rest[0]], sources[rest[1]]);
        let second = self.fetch(b, &sources);
        let third = self.operand(c);
        let to = match self.held.get(&a).copied() {
            Some(_) if dying.is_some() => self.evict(a),
            Some(from) => {
                let to = self.room(&sources);
                self.emit(Instruction::Move { to, from });
                to
            }
            None => {
                let location = self.in_memory(a).expect("a value is held or in memory");
                let to = self.room(&sources);
                self.emit(Instruction::Load(to, location));
                to
            }
        };
        let table = ternary_table(|bits| {
            let mut values = [false; 3];
            [first, rest[0], rest[1]].into_iter().zip(bits).for_each(|(at, bit)| values[at] = bit);
            function(values)
        });
        self.emit(Instruction::Ternary { to, b: second, c: third, table });
        sources.into_iter().for_each(|source| self.read(source));
        to
    }

    /// The operand that reads a value, in a vector register or in memory.
    fn operand(&self, source: Source) -> Operand {
        match self.held.get(&source) {
            Some(&vector) => Operand::Vector(vector),
            None => Operand::Memory(self.in_memory(source).expect("a value is held or in memory")),
        }
    }

    fn store(&mut self, location: Location, source: Option<Source>, complement: bool) {
        let Some(source) = source else {
            let vector = self.room(&[]);
            self.emit(Instruction::Fill(vector, complement));
            return self.emit(Instruction::Store(location, vector));
        };
        let vector = self.fetch(source, &[]);
        self.emit(Instruction::Store(location, vector));
        self.read(source);
    }
}

/// The assignment of a gate's inputs in their own order, from `bits` in the order `order`.
fn assignment(order: &[usize], bits: &[bool; 3]) -> usize {
    order.iter().zip(bits).map(|(at, bit)| usize::from(*bit) << at).sum()
}

fn binary_table(function: impl Fn([bool; 2]) -> bool) -> u8 {
    (0..4_u8).map(|i| u8::from(function([i & 2 != 0, i & 1 != 0])) << i).sum()
}

fn ternary_table(function: impl Fn([bool; 3]) -> bool) -> u8 {
    (0..8_u8).map(|i| u8::from(function([i & 4 != 0, i & 2 != 0, i & 1 != 0])) << i).sum()
}
