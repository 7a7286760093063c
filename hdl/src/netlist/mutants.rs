//! Mutants: copies of a design with one small mistake, as a person could have made it in the source. A test that does not notice a mutant
//! leaves the mutated logic untested, or the logic is superfluous.
//!
//! A mutant is made of the source of a module, so it is in all instances of the module.

use std::collections::HashMap;
use std::sync::Arc;

use super::module::{BinaryOp, Module, Node, NodeId, Op, ReduceOp, Register, RegisterRole};
use super::{Bits, Design};

/// A mutant of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The module's name.
    pub module: String,
    /// The number of the mutant, from 0 on, among those of the module.
    pub number: u32,
    /// The mistake in words: the signal, and how it changes.
    pub change: String,
}

/// A mistake at a signal of a module.
enum Change {
    /// Another operation.
    Op(NodeId, Op),
    /// Another reset value of the register with this index.
    Reset(usize, Option<Bits>),
    /// No enable.
    NoEnable(usize),
    /// The enable, one cycle late.
    LateEnable(usize),
}

/// All mutants of a design.
pub fn mutants(design: &Design) -> Vec<Mutant> {
    let of_module = |module: &Arc<Module>| {
        let changes = changes(module).into_iter();
        let module = module.name().to_owned();
        (0..).zip(changes).map(move |(number, (change, _))| Mutant { module: module.clone(), number, change })
    };
    design.modules().into_iter().flat_map(of_module).collect()
}

/// The design with the mutant of this number in all instances of the module. `Err` has the number of mutants of the module: none if
/// the design has no such module.
pub(super) fn mutant(design: &Design, module: &str, number: u32) -> Result<Design, usize> {
    let found = design.modules().into_iter().find(|found| found.name() == module).ok_or(0_usize)?;
    let mut changes = changes(found);
    if number as usize >= changes.len() {
        return Err(changes.len());
    }
    let (_, change) = changes.swap_remove(number as usize);
    let changed = Arc::new(apply(found, change));
    Ok(Design { top: with(&design.top, found, &changed), reset: design.reset })
}

/// `module` with another module in the place of `old`. Modules that have no `old` below them stay the same, so that no two modules
/// have one name.
fn with(module: &Arc<Module>, old: &Arc<Module>, new: &Arc<Module>) -> Arc<Module> {
    if Arc::ptr_eq(module, old) {
        return Arc::clone(new);
    }
    let mut changed: HashMap<*const Module, Arc<Module>> = HashMap::new();
    for instance in module.instances() {
        let below = &instance.module;
        changed.entry(Arc::as_ptr(below)).or_insert_with(|| with(below, old, new));
    }
    if changed.iter().all(|(before, after)| *before == Arc::as_ptr(after)) {
        return Arc::clone(module);
    }
    let mut copy = Module::clone(module);
    for instance in &mut copy.instances {
        instance.module = Arc::clone(&changed[&Arc::as_ptr(&instance.module)]);
    }
    Arc::new(copy)
}

fn apply(module: &Module, change: Change) -> Module {
    let mut mutant = module.clone();
    // The array of a memory has no such mistake; the logic has it.
    mutant.memory = None;
    match change {
        Change::Op(node, op) => mutant.nodes[node.index()].op = op,
        Change::Reset(index, value) => mutant.registers[index].reset = value,
        Change::NoEnable(index) => mutant.registers[index].enable = None,
        Change::LateEnable(index) => {
            let register = &module.registers[index];
            let node = NodeId(mutant.nodes.len() as u32);
            mutant.nodes.push(Node {
                op: Op::Register(module.registers.len()),
                width: 1,
                name: Some(format!("late_enable_{index}_reg")),
                note: None,
                labels: None,
                section: module.node(register.node).section,
            });
            mutant.registers.push(Register {
                node,
                next: register.enable,
                enable: None,
                reset: Some(Bits::zero(1)),
                section: register.section,
                stage: None,
                lane: register.lane,
                role: RegisterRole::Data,
                carried: None,
                family: "late_enable".to_owned(),
            });
            mutant.registers[index].enable = Some(node);
        }
    }
    mutant
}

/// All mistakes in a module, with words.
fn changes(module: &Module) -> Vec<(String, Change)> {
    let nodes = (0..module.nodes.len() as u32).map(NodeId);
    let of_nodes = nodes.flat_map(|id| {
        let changed = other_ops(module, id).into_iter();
        changed.map(move |(how, op)| (format!("{}: {how}", near(module, id)), Change::Op(id, op)))
    });
    let of_registers = module.registers.iter().enumerate().flat_map(|(index, register)| {
        let name = near(module, register.node);
        let resets = register
            .reset
            .iter()
            .flat_map(|value| [("no reset", None), ("another reset value", Some(flipped(value, 0)))]);
        let resets = resets.map(|(how, value)| (how, Change::Reset(index, value)));
        let enables = register.enable.into_iter().flat_map(|_| {
            [("no enable", Change::NoEnable(index)), ("its enable a cycle late", Change::LateEnable(index))]
        });
        let all: Vec<(&str, Change)> = resets.chain(enables).collect();
        all.into_iter().map(move |(how, change)| (format!("{name}: {how}"), change))
    });
    of_nodes.chain(of_registers).collect()
}

/// The name of a node, or of the first named node after it, in whose expression it is.
fn near(module: &Module, id: NodeId) -> String {
    let after = module.nodes[id.index()..].iter();
    let named = after.clone().position(|node| node.name.is_some());
    match named.and_then(|at| Some((at, module.nodes[id.index() + at].name.as_ref()?))) {
        Some((0, name)) => name.clone(),
        Some((_, name)) => format!("before {name}"),
        None => format!("node {}", id.0),
    }
}

fn flipped(value: &Bits, bit: u32) -> Bits {
    let mut flipped = value.clone();
    flipped.set(bit, !value.bit(bit));
    flipped
}

/// The operations that could be at a node by mistake.
fn other_ops(module: &Module, id: NodeId) -> Vec<(String, Op)> {
    let node = module.node(id);
    let text = |id: NodeId| module.describe(id, 1);
    match &node.op {
        Op::Input(_) | Op::Register(_) | Op::InstanceOutput(..) | Op::Wire(_) | Op::Concat(_) => vec![],
        Op::Const(value) => {
            let bits = if node.width > 1 { vec![0, node.width - 1] } else { vec![0] };
            let flipped = |bit| {
                (format!("bit {bit} of the constant {value:?} flipped"), Op::Const(flipped(value, bit)))
            };
            bits.into_iter().map(flipped).collect()
        }
        Op::Not(a) => vec![(format!("{} without its complement", text(*a)), Op::Wire(Some(*a)))],
        Op::Reduce(op, a) => {
            let other = match op {
                ReduceOp::And | ReduceOp::Xor => ReduceOp::Or,
                ReduceOp::Or => ReduceOp::And,
            };
            vec![(format!("{other:?} and not {op:?} of {}", text(*a)), Op::Reduce(other, *a))]
        }
        Op::Binary(op, a, b) => other_binaries(module, node.width, *op, *a, *b),
        Op::Mux(select, one, zero) => {
            let at = |how: &str| format!("the choice by {} {how}", text(*select));
            vec![
                (at("the wrong way round"), Op::Mux(*select, *zero, *one)),
                (at("as for 1"), Op::Wire(Some(*one))),
                (at("as for 0"), Op::Wire(Some(*zero))),
            ]
        }
        Op::Case(key, arms, default) => {
            let other = |value: NodeId| {
                let others = arms.iter().map(|arm| arm.value).chain([*default]);
                others.rev().find(|other| *other != value)
            };
            let changed = |index: usize| {
                let mut changed = arms.clone();
                changed[index].value = other(arms[index].value)?;
                let at = format!("arm {index} of the case of {} with the value of another", text(*key));
                Some((at, Op::Case(*key, changed, *default)))
            };
            (0..arms.len()).filter_map(changed).collect()
        }
        Op::Lookup(key, words) => {
            let changed = |bit: u32| {
                let words = words.iter().map(|word| word ^ 1 << bit).collect();
                (format!("bit {bit} of the look-up of {} inverted", text(*key)), Op::Lookup(*key, words))
            };
            vec![changed(0)]
        }
        Op::Slice(a, low) => {
            let fits_above = low + node.width < module.node(*a).width;
            let other = if fits_above { Some(low + 1) } else { low.checked_sub(1) };
            let shifted = |low| (format!("bits of {} from {low} on", text(*a)), Op::Slice(*a, low));
            other.map(shifted).into_iter().collect()
        }
    }
}

fn other_binaries(module: &Module, width: u32, op: BinaryOp, a: NodeId, b: NodeId) -> Vec<(String, Op)> {
    let others: &[BinaryOp] = match op {
        BinaryOp::And => &[BinaryOp::Or],
        BinaryOp::Or => &[BinaryOp::And, BinaryOp::Xor],
        BinaryOp::Xor => &[BinaryOp::Or],
        BinaryOp::Add => &[BinaryOp::Sub, BinaryOp::Or],
        BinaryOp::Sub => &[BinaryOp::Add],
        BinaryOp::Eq => &[BinaryOp::Ne],
        BinaryOp::Ne => &[BinaryOp::Eq],
        BinaryOp::Lt => &[BinaryOp::Le],
        BinaryOp::Le => &[BinaryOp::Lt],
        BinaryOp::Shl => &[BinaryOp::Shr],
        BinaryOp::Shr => &[BinaryOp::Shl],
    };
    let (left, right) = (module.describe(a, 1), module.describe(b, 1));
    let other = |other: &BinaryOp| {
        let how =
            format!("{left} {} {right} with {} in place of {}", op.symbol(), other.symbol(), op.symbol());
        (how, Op::Binary(*other, a, b))
    };
    let mut all: Vec<_> = others.iter().map(other).collect();
    if matches!(op, BinaryOp::And | BinaryOp::Or) && module.node(a).width == width {
        let alone = |kept: &str, node| {
            (format!("{kept} in place of {left} {} {right}", op.symbol()), Op::Wire(Some(node)))
        };
        all.extend([alone(&left, a), alone(&right, b)]);
    }
    all
}
