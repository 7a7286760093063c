//! The signal of a mistake, beside the value that the mistake would give it.

use std::collections::HashMap;
use std::sync::Arc;

use super::Design;
use super::module::{BinaryOp, Direction, Module, Node, NodeId, Op, Port};
use super::mutants::Replaced;

/// The top of `design` without the mistake of a [mutant](super::mutants) and with one more output of one bit, `port`: 1 where, in some
/// instance of the module, the signal with the mistake would have another value. `None` if there is no such mutant, or its mistake is in no
/// operation but in a register. The names of the copies end in `_exposed`.
pub fn exposed(design: &Design, module: &str, number: u32, port: &str) -> Option<Arc<Module>> {
    let replaced = Replaced::find(design, module, number)?;
    copied(&design.top, &replaced, port, &mut HashMap::new())
}

type Done = HashMap<*const Module, Option<Arc<Module>>>;

/// The copy of a module; `None` if the mistake is neither in it nor below.
fn copied(module: &Arc<Module>, replaced: &Replaced, port: &str, done: &mut Done) -> Option<Arc<Module>> {
    if let Some(known) = done.get(&Arc::as_ptr(module)) {
        return known.clone();
    }
    let mut copy = (**module).clone();
    copy.name = format!("{}_exposed", module.name());
    copy.memory = None;
    let append = |nodes: &mut Vec<Node>, op, width| {
        nodes.push(Node { op, width, name: None, note: None, labels: None, section: 0 });
        NodeId(nodes.len() as u32 - 1)
    };
    let mut differs = Vec::new();
    if Arc::ptr_eq(module, &replaced.module) {
        let width = module.node(replaced.node).width;
        let other = append(&mut copy.nodes, replaced.op.clone(), width);
        differs.push(append(&mut copy.nodes, Op::Binary(BinaryOp::Ne, replaced.node, other), 1));
    }
    for (index, instance) in copy.instances.iter_mut().enumerate() {
        if let Some(below) = copied(&instance.module, replaced, port, done) {
            let output = append(&mut copy.nodes, Op::InstanceOutput(index, instance.outputs.len()), 1);
            instance.outputs.push(Some(output));
            instance.module = below;
            differs.push(output);
        }
    }
    let any = differs
        .into_iter()
        .reduce(|one, other| append(&mut copy.nodes, Op::Binary(BinaryOp::Or, one, other), 1));
    let copy = any.map(|node| {
        copy.ports.push(Port {
            name: port.to_owned(),
            direction: Direction::Output,
            width: 1,
            note: "a signal would have another value".to_owned(),
            group: String::new(),
            node,
        });
        Arc::new(copy)
    });
    done.insert(Arc::as_ptr(module), copy.clone());
    copy
}
