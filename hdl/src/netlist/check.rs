//! Checks of a complete module: every signal is driven, read and named once, and there is no combinational loop.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::graph::describe;
use super::module::{BinaryOp, Module, Node, NodeId, Op};
use super::names::{RESERVED_PORTS, name_problem, port_name_problem};
use super::paths::dependencies;
use super::{Bits, Design, ResetStyle};

/// A fault in the structure of a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A register, wire or instance input that nothing drives.
    #[error("module `{module}`: {what} is not driven")]
    Undriven {
        /// The module.
        module: String,
        /// The signal or port without a driver.
        what: String,
    },
    /// A signal, or bits of a signal, on which no output depends.
    #[error("module `{module}`: {what} is never read")]
    Unused {
        /// The module.
        module: String,
        /// The signal, or the range of its bits.
        what: String,
    },
    /// A name that two things have.
    #[error("module `{module}`: the name `{name}` stands for {first} and for {second}")]
    NameClash {
        /// The module.
        module: String,
        /// The name.
        name: String,
        /// The first thing with the name.
        first: String,
        /// The second thing with the name.
        second: String,
    },
    /// A name that Verilog does not allow, or that the emitter needs itself.
    #[error("module `{module}`: `{name}` cannot be a name: {reason}")]
    BadName {
        /// The module.
        module: String,
        /// The name.
        name: String,
        /// Why the module or signal cannot be called so.
        reason: &'static str,
    },
    /// Signals that depend on themselves within a cycle.
    #[error("module `{module}`: combinational loop through {}", path.join(" -> "))]
    Loop {
        /// The module.
        module: String,
        /// The signals on the loop, each depending on the next, the first again at the end.
        path: Vec<String>,
    },
    /// Two different modules of one name in one design.
    #[error(
        "below module `{module}` two different modules are called `{name}`: rename one, or instantiate whole designs by \
         Design::part"
    )]
    ModuleClash {
        /// The module.
        module: String,
        /// The name they share.
        name: String,
    },
}

/// All faults in the structure of a module: a slice of [`CheckError`]s, displayed a line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckErrors(Vec<CheckError>);

impl CheckErrors {
    pub(super) fn new(errors: Vec<CheckError>) -> Self {
        Self(errors)
    }
}

impl Deref for CheckErrors {
    type Target = [CheckError];

    fn deref(&self) -> &[CheckError] {
        &self.0
    }
}

impl fmt::Display for CheckErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for CheckErrors {}

/// All faults in the structure of `module`.
pub(super) fn check(module: &Module) -> Vec<CheckError> {
    let mut errors = undriven(module);
    errors.extend(names(module));
    if errors.is_empty() {
        // The checks below walk the graph, which must be complete for them.
        errors.extend(combinational_loop(module));
        errors.extend(unused(module));
    }
    errors
}

fn undriven(module: &Module) -> Vec<CheckError> {
    let mut what = Vec::new();
    for (index, node) in module.nodes().iter().enumerate() {
        if node.op == Op::Wire(None) {
            what.push(format!("wire `{}`", describe(module, NodeId(index as u32), 1)));
        }
    }
    for register in module.registers().iter().filter(|register| register.next.is_none()) {
        what.push(format!("register `{}`", describe(module, register.node, 1)));
    }
    for instance in module.instances() {
        for (port, driver) in instance.module.inputs().zip(&instance.inputs) {
            if driver.is_none() {
                what.push(format!("input `{}` of instance `{}`", port.name, instance.name));
            }
        }
    }
    what.into_iter().map(|what| CheckError::Undriven { module: module.name().to_owned(), what }).collect()
}

fn names(module: &Module) -> Vec<CheckError> {
    let mut errors = Vec::new();
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let inputs = module.inputs().map(|port| (port.name.as_str(), "an input"));
    let outputs = module.outputs().map(|port| (port.name.as_str(), "an output"));
    let ports = inputs.chain(outputs).map(|(name, owner)| (name, owner, port_name_problem(name)));
    let instances = module.instances().iter().map(|instance| (instance.name.as_str(), "an instance"));
    let signals = module.nodes().iter().filter(|node| !matches!(node.op, Op::Input(_)));
    let signals = signals.filter_map(|node| Some((node.name.as_deref()?, "a signal")));
    let inside = instances.chain(signals).map(|(name, owner)| (name, owner, name_problem(name)));
    for (name, owner, problem) in ports.chain(inside) {
        let taken = RESERVED_PORTS.contains(&name).then_some("clock and reset have it");
        if let Some(reason) = problem.or(taken) {
            let (module, name) = (module.name().to_owned(), name.to_owned());
            errors.push(CheckError::BadName { module, name, reason });
        }
        if let Some(first) = owners.insert(name, owner) {
            errors.push(CheckError::NameClash {
                module: module.name().to_owned(),
                name: name.to_owned(),
                first: first.to_owned(),
                second: owner.to_owned(),
            });
        }
    }
    if let Some(reason) = name_problem(module.name()) {
        let name = module.name().to_owned();
        errors.push(CheckError::BadName { module: name.clone(), name, reason });
    }
    errors.extend(module_names(module));
    errors
}

fn module_names(module: &Module) -> Vec<CheckError> {
    let design = Design { top: Arc::new(module.clone()), reset: ResetStyle::default() };
    let mut seen: Vec<&str> = Vec::new();
    let mut errors = Vec::new();
    // The top has a name of its own in Verilog: it is the prefix of the others.
    for below in design.modules().into_iter().filter(|below| !Arc::ptr_eq(below, &design.top)) {
        if seen.contains(&below.name()) {
            let (module, name) = (module.name().to_owned(), below.name().to_owned());
            errors.push(CheckError::ModuleClash { module, name });
        }
        seen.push(below.name());
    }
    errors
}

/// The first combinational loop, by a depth-first search. The search has its own stack, since deep logic would overflow
/// that of the program.
fn combinational_loop(module: &Module) -> Option<CheckError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let mut marks = vec![Mark::New; module.nodes().len()];
    for start in 0..module.nodes().len() {
        if marks[start] != Mark::New {
            continue;
        }
        let start = NodeId(start as u32);
        marks[start.index()] = Mark::OnPath;
        let mut path = vec![(start, dependencies(module, start))];
        while let Some((id, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                marks[id.index()] = Mark::Done;
                path.pop();
                continue;
            };
            match marks[next.index()] {
                Mark::Done => {}
                Mark::New => {
                    marks[next.index()] = Mark::OnPath;
                    path.push((next, dependencies(module, next)));
                }
                Mark::OnPath => {
                    let around = path.iter().map(|(id, _)| *id).skip_while(|id| *id != next).chain([next]);
                    let path = around.map(|id| format!("`{}`", describe(module, id, 1))).collect();
                    return Some(CheckError::Loop { module: module.name().to_owned(), path });
                }
            }
        }
    }
    None
}

/// How the name of a signal begins that nothing reads on purpose. The operands of such a signal count as read, as they do
/// in Verilator.
const UNUSED: &str = "unused_";

/// Inputs and named signals of which some bit reaches no output, register or instance that matters.
fn unused(module: &Module) -> Vec<CheckError> {
    let read = read_bits(module);
    let mut errors = Vec::new();
    for (index, node) in module.nodes().iter().enumerate() {
        let Some(name) = &node.name else { continue };
        let mask = &read[index];
        let unread: Vec<u32> = (0..node.width).filter(|&bit| !mask.bit(bit)).collect();
        let what = match unread[..] {
            [] => continue,
            _ if mask.is_zero() => format!("`{name}`"),
            [low, .., high] => format!("`{name}` (from bit {low} to bit {high})"),
            [only] => format!("bit {only} of `{name}`"),
        };
        errors.push(CheckError::Unused { module: module.name().to_owned(), what });
    }
    errors
}

/// Which bits of each node some output depends on.
pub(super) fn read_bits(module: &Module) -> Vec<Bits> {
    read_by_outputs(module, module.outputs().map(|port| Bits::ones(port.width)))
}

/// The bits of each node on which these bits of the outputs depend, found backwards.
pub(super) fn read_by_outputs(module: &Module, outputs: impl Iterator<Item = Bits>) -> Vec<Bits> {
    let mut read: Vec<Bits> = module.nodes().iter().map(|node| Bits::zero(node.width)).collect();
    let mut work: Vec<(NodeId, Bits)> = module.outputs().map(|port| port.node).zip(outputs).collect();
    let unused = |node: &Node| node.name.as_deref().is_some_and(|name| name.starts_with(UNUSED));
    let unused = module.nodes().iter().enumerate().filter(|(_, node)| unused(node));
    work.extend(unused.map(|(index, node)| (NodeId(index as u32), Bits::ones(node.width))));
    while let Some((id, mask)) = work.pop() {
        let known = &mut read[id.index()];
        let mut news = false;
        for bit in (0..mask.width()).filter(|&bit| mask.bit(bit)) {
            news |= !known.bit(bit);
            known.set(bit, true);
        }
        if news {
            let known = known.clone();
            work.extend(read_by(module, id, &known));
        }
    }
    read
}

/// The bits of other nodes on which the bits `mask` of `id` depend.
fn read_by(module: &Module, id: NodeId, mask: &Bits) -> Vec<(NodeId, Bits)> {
    let whole = |id: NodeId| (id, Bits::ones(module.node(id).width));
    match &module.node(id).op {
        Op::Input(_) | Op::Const(_) => vec![],
        Op::Wire(driver) => driver.iter().map(|driver| (*driver, mask.clone())).collect(),
        Op::Not(a) => vec![(*a, mask.clone())],
        Op::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => {
            vec![(*a, mask.clone()), (*b, mask.clone())]
        }
        Op::Mux(select, one, zero) => vec![whole(*select), (*one, mask.clone()), (*zero, mask.clone())],
        Op::Case(key, arms, default) => {
            let values = arms.iter().map(|arm| arm.value).chain([*default]);
            values.map(|value| (value, mask.clone())).chain([whole(*key)]).collect()
        }
        Op::Slice(of, low) => {
            let mut wide = Bits::zero(module.node(*of).width);
            (0..mask.width()).for_each(|bit| wide.set(low + bit, mask.bit(bit)));
            vec![(*of, wide)]
        }
        Op::Concat(parts) => {
            let mut low = 0;
            let mut read = Vec::new();
            for part in parts.iter().rev() {
                let mut narrow = Bits::zero(module.node(*part).width);
                (0..narrow.width()).for_each(|bit| narrow.set(bit, mask.bit(low + bit)));
                low += narrow.width();
                read.push((*part, narrow));
            }
            read
        }
        Op::Register(index) => {
            let register = &module.registers()[*index];
            let next = register.next.map(|next| (next, mask.clone()));
            next.into_iter().chain(register.enable.map(whole)).collect()
        }
        Op::InstanceOutput(instance, _) => {
            module.instances()[*instance].inputs.iter().flatten().map(|input| whole(*input)).collect()
        }
        op @ (Op::Binary(..) | Op::Reduce(..)) => op.operands().into_iter().map(whole).collect(),
    }
}
