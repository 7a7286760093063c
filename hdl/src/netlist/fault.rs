//! Fault injection: a copy of a design with one fault, to see whether a test notices.

use std::fmt;
use std::sync::Arc;

use super::module::{BinaryOp, Module, Node, NodeId, Op};
use super::mutants::mutant;
use super::{Bits, Design};

/// A fault at a named signal: all readers of the signal read a faulty value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// All bits 0.
    StuckAtZero,
    /// All bits 1.
    StuckAtOne,
    /// All bits complemented.
    Inverted,
    /// Shifted left by one bit.
    ShiftedLeft,
    /// The mistake of this number in the source of a module, whose name takes the place of a signal's. See
    /// [`mutants`](super::mutants).
    Mutant(u32),
}

/// Why a fault cannot be put into a design.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// The path to the signal names an unknown instance.
    #[error("module `{module}` has no instance `{instance}`")]
    NoInstance {
        /// The module in which the name was looked for.
        module: String,
        /// The name.
        instance: String,
    },
    /// The module has no signal of that name.
    #[error("module `{module}` has no signal `{signal}`")]
    NoSignal {
        /// The module in which the name was looked for.
        module: String,
        /// The name.
        signal: String,
    },
    /// The design has no such mutant.
    #[error("module `{module}` has {count} mutants, numbered from 0 on")]
    NoMutant {
        /// The module.
        module: String,
        /// How many it has: none if the design has no module of that name.
        count: usize,
    },
}

impl Fault {
    /// Every kind of fault at a signal.
    pub const ALL: [Self; 4] = [Self::StuckAtZero, Self::StuckAtOne, Self::Inverted, Self::ShiftedLeft];

    /// `design` with this fault at `path`: names of instances from the top down, then the signal's, with dots. The path of a mutant is
    /// the name of its module.
    ///
    /// # Errors
    /// If there is no such instance, signal or mutant.
    pub fn inject(self, design: &Design, path: &str) -> Result<Design, FaultError> {
        if let Self::Mutant(number) = self {
            let no_mutant = |count| FaultError::NoMutant { module: path.to_owned(), count };
            return mutant(design, path, number).map_err(no_mutant);
        }
        let path: Vec<&str> = path.split('.').collect();
        let (signal, instances) = path.split_last().expect("split gives at least one part");
        let top = self.inject_below(&design.top, instances, signal)?;
        Ok(Design { top: Arc::new(top), reset: design.reset })
    }

    fn inject_below(self, module: &Module, instances: &[&str], signal: &str) -> Result<Module, FaultError> {
        let mut faulty = module.clone();
        if let Some((first, rest)) = instances.split_first() {
            let found = faulty.instances.iter_mut().find(|instance| instance.name == *first);
            let instance = found.ok_or_else(|| FaultError::NoInstance {
                module: module.name().to_owned(),
                instance: (*first).to_owned(),
            })?;
            let mut below = self.inject_below(&instance.module, rest, signal)?;
            // Other instances of the module have no fault, and no two modules of a design have one name.
            below.name += "_with_fault";
            instance.module = Arc::new(below);
            return Ok(faulty);
        }
        let found = faulty.nodes.iter().position(|node| node.name.as_deref() == Some(signal));
        let at = found.ok_or_else(|| FaultError::NoSignal {
            module: module.name().to_owned(),
            signal: signal.to_owned(),
        })?;
        self.rewire(&mut faulty, NodeId(at as u32));
        Ok(faulty)
    }

    /// Appends a node with the faulty value, and makes all readers of `at` read that node.
    fn rewire(self, module: &mut Module, at: NodeId) {
        // The array of a memory has no such fault; the logic has it.
        module.memory = None;
        let width = module.node(at).width;
        let section = module.node(at).section;
        let old_nodes = module.nodes.len();
        let mut append = |op| {
            module.nodes.push(Node { op, width, name: None, note: None, labels: None, section });
            NodeId(module.nodes.len() as u32 - 1)
        };
        let faulty = match self {
            Self::StuckAtZero => append(Op::Const(Bits::zero(width))),
            Self::StuckAtOne => append(Op::Const(Bits::ones(width))),
            Self::Inverted => append(Op::Not(at)),
            Self::Mutant(_) => return,
            Self::ShiftedLeft => {
                let one = append(Op::Const(Bits::new(width, 1)));
                append(Op::Binary(BinaryOp::Shl, at, one))
            }
        };
        let redirect = |id: &mut NodeId| {
            if *id == at {
                *id = faulty;
            }
        };
        module.nodes[..old_nodes].iter_mut().for_each(|node| for_each_operand(&mut node.op, redirect));
        for register in &mut module.registers {
            register.next.iter_mut().chain(&mut register.enable).for_each(redirect);
        }
        module.instances.iter_mut().flat_map(|i| &mut i.inputs).flatten().for_each(redirect);
        let outputs = module.ports.iter_mut().filter(|p| p.direction == super::Direction::Output);
        outputs.for_each(|port| redirect(&mut port.node));
    }
}

fn for_each_operand(op: &mut Op, mut visit: impl FnMut(&mut NodeId)) {
    match op {
        Op::Input(_) | Op::Const(_) | Op::Register(_) | Op::InstanceOutput(..) => {}
        Op::Wire(driver) => driver.iter_mut().for_each(visit),
        Op::Not(a) | Op::Reduce(_, a) | Op::Slice(a, _) | Op::Lookup(a, _) => visit(a),
        Op::Binary(_, a, b) => [a, b].into_iter().for_each(visit),
        Op::Mux(select, one, zero) => [select, one, zero].into_iter().for_each(visit),
        Op::Case(key, arms, default) => {
            visit(key);
            arms.iter_mut().for_each(|arm| visit(&mut arm.value));
            visit(default);
        }
        Op::Concat(parts) => parts.iter_mut().for_each(visit),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StuckAtZero => f.write_str("stuck at 0"),
            Self::StuckAtOne => f.write_str("stuck at 1"),
            Self::Inverted => f.write_str("inverted"),
            Self::ShiftedLeft => f.write_str("shifted left by one"),
            Self::Mutant(number) => write!(f, "mutant {number}"),
        }
    }
}
