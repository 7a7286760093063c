//! Checks of a complete module: every signal is driven, read and named once, and there is no combinational loop.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::module::{Module, NodeId, Op};
use super::names::{RESERVED_PORTS, name_problem, port_name_problem};
use super::paths::dependencies;
use super::reads::read_bits;
use super::{Design, ResetStyle};

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
            what.push(format!("wire `{}`", module.describe(NodeId(index as u32), 1)));
        }
    }
    for register in module.registers().iter().filter(|register| register.next.is_none()) {
        what.push(format!("register `{}`", module.describe(register.node, 1)));
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
                    let path = around.map(|id| format!("`{}`", module.describe(id, 1))).collect();
                    return Some(CheckError::Loop { module: module.name().to_owned(), path });
                }
            }
        }
    }
    None
}

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
