//! Other names for the registers and instances of a design. Whatever reads a netlist for more than its names must not notice.

use std::collections::HashMap;
use std::sync::Arc;

use super::module::Op;
use super::{Design, Module};

impl Design {
    /// The same design, in which each register and each instance is called what `rename` makes of its name. Ports, wires and modules
    /// keep their names.
    pub fn renamed(&self, rename: &dyn Fn(&str) -> String) -> Self {
        Self { top: renamed(&self.top, rename, &mut HashMap::new()), reset: self.reset }
    }
}

fn renamed(
    module: &Arc<Module>,
    rename: &dyn Fn(&str) -> String,
    done: &mut HashMap<*const Module, Arc<Module>>,
) -> Arc<Module> {
    if let Some(known) = done.get(&Arc::as_ptr(module)) {
        return Arc::clone(known);
    }
    let mut new = Module::clone(module);
    for node in new.nodes.iter_mut().filter(|node| matches!(node.op, Op::Register(_))) {
        node.name = node.name.as_deref().map(rename);
    }
    for instance in &mut new.instances {
        instance.name = rename(&instance.name);
        instance.module = renamed(&instance.module, rename, done);
    }
    let new = Arc::new(new);
    done.insert(Arc::as_ptr(module), Arc::clone(&new));
    new
}
