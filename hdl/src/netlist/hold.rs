//! A copy of a module that can be held: all of its state stays as it is in cycles in which an input says so.

use std::collections::HashMap;
use std::sync::Arc;

use super::module::{BinaryOp, Direction, Module, Node, NodeId, Op, Port};

/// A copy of `module` with one more input, `run`, of one bit: where that is 0, no register loads, in the module and in all below.
/// Reset still clears them. The names of the copies end in `_holdable`.
///
/// # Panics
/// If some module has a port or signal called `run`.
pub fn holdable(module: &Arc<Module>, run: &str) -> Arc<Module> {
    held(module, run, &mut HashMap::new())
}

fn held(module: &Arc<Module>, run: &str, done: &mut HashMap<*const Module, Arc<Module>>) -> Arc<Module> {
    if let Some(known) = done.get(&Arc::as_ptr(module)) {
        return Arc::clone(known);
    }
    let is_taken = module.nodes().iter().any(|node| node.name.as_deref() == Some(run));
    assert!(!is_taken, "module `{}` has a signal `{run}` already", module.name());
    let mut copy = (**module).clone();
    copy.name = format!("{}_holdable", module.name());
    // The array of a memory has no such input; the logic has it.
    copy.memory = None;
    let input = Op::Input(copy.inputs().count());
    let mut append = |op, name: Option<&str>| {
        let name = name.map(str::to_owned);
        copy.nodes.push(Node { op, width: 1, name, note: None, labels: None, section: 0 });
        NodeId(copy.nodes.len() as u32 - 1)
    };
    let node = append(input, Some(run));
    for register in &mut copy.registers {
        register.enable = Some(match register.enable {
            Some(enable) => append(Op::Binary(BinaryOp::And, enable, node), None),
            None => node,
        });
    }
    for instance in &mut copy.instances {
        instance.module = held(&instance.module, run, done);
        instance.inputs.push(Some(node));
    }
    copy.ports.push(Port {
        name: run.to_owned(),
        direction: Direction::Input,
        width: 1,
        note: "the state moves on".to_owned(),
        group: String::new(),
        node,
    });
    let copy = Arc::new(copy);
    done.insert(Arc::as_ptr(module), Arc::clone(&copy));
    copy
}
