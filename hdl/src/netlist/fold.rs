//! Pipeline stages that are one: the registers that begin a folded stage are left out, and its logic does its work in the stage before.
//!
//! ```text
//!  stage   1         2         3         4            stages 2 and 3 folded
//!          a ─[reg]─ b ─[reg]─ c ─[reg]─ d            a ─ b ─ c ─[reg]─ d     now stages 1 and 2
//! ```
//!
//! A module is written for all its stages. Registers that only delay, [`data`](super::Stage::data) and [`flag`](super::Stage::flag), are
//! left out as they are asked for. Registers that hold a state from beat to beat stay: their next value and their readers are of one stage.

use std::collections::HashSet;

use super::folded::Folded;
use super::graph::{Builder, Signal};
use super::module::{Module, NodeId, Op};
use super::reads::read_bits;

impl Builder {
    /// Folds stages of the module: for registers that are made from here on.
    pub fn fold(&self, folded: Folded) {
        self.folded.set(folded);
    }

    /// The stages that are folded.
    pub fn folded(&self) -> Folded {
        self.folded.get()
    }

    /// A new module for instances in this one, with the same stages.
    pub fn below(&self, name: impl Into<String>, summary: impl Into<String>) -> Self {
        let module = Self::new(name, summary);
        module.fold(self.folded());
        module
    }

    /// `signal` in place of a register `name` that is left out. The signal gets that name, where it has none and the name is free.
    pub(super) fn without_register<'m>(&'m self, name: &str, signal: Signal<'m>) -> Signal<'m> {
        let name = name.strip_suffix("_reg").unwrap_or(name);
        self.left_out.borrow_mut().push((signal.id, name.to_owned()));
        signal
    }
}

/// Gives signals the names of the registers in whose place they are.
pub(super) fn name_left_out(module: &mut Module, left_out: Vec<(NodeId, String)>) {
    if left_out.is_empty() {
        return;
    }
    let signals = module.nodes.iter().filter_map(|node| node.name.clone());
    let ports = module.ports.iter().map(|port| port.name.clone());
    let instances = module.instances.iter().map(|instance| instance.name.clone());
    let mut names: HashSet<String> = signals.chain(ports).chain(instances).collect();
    let read = read_bits(module);
    for (id, name) in left_out {
        let node = &mut module.nodes[id.index()];
        let is_value = !matches!(node.op, Op::Const(_)) && !read[id.index()].is_zero();
        if node.name.is_none() && is_value && names.insert(name.clone()) {
            node.name = Some(name);
        }
    }
}
