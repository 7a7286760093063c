//! Paths through a module within a cycle: on which inputs an output depends, and whether it comes from a register.

use super::module::{Module, NodeId, Op};

impl Module {
    /// The inputs on which an output depends within the cycle, through instances too: indices in
    /// [`inputs`](Self::inputs), ascending. Empty where registers cut every path.
    ///
    /// `output` is an index in [`outputs`](Self::outputs).
    ///
    /// # Panics
    /// If there is no such output.
    pub fn combinational_inputs(&self, output: usize) -> Vec<usize> {
        let output = self.outputs().nth(output).expect("an output of the module");
        let mut seen = vec![false; self.nodes().len()];
        let mut stack = vec![output.node];
        let mut inputs = Vec::new();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.node(id).op {
                Op::Input(index) => inputs.push(index),
                _ => stack.extend(dependencies(self, id)),
            }
        }
        inputs.sort_unstable();
        inputs
    }

    /// Whether every bit of an output is a bit of a register, or a constant. The output then has no logic after its
    /// register, and settles at once after the edge.
    ///
    /// `output` is an index in [`outputs`](Self::outputs).
    ///
    /// # Panics
    /// If there is no such output.
    pub fn is_registered(&self, output: usize) -> bool {
        let mut stack = vec![self.outputs().nth(output).expect("an output of the module").node];
        while let Some(id) = stack.pop() {
            match &self.node(id).op {
                Op::Register(_) | Op::Const(_) => {}
                Op::InstanceOutput(instance, port) => {
                    if !self.instances()[*instance].module.is_registered(*port) {
                        return false;
                    }
                }
                op @ (Op::Wire(_) | Op::Slice(..) | Op::Concat(_)) => stack.extend(op.operands()),
                _ => return false,
            }
        }
        true
    }
}

/// The nodes that the value of `id` depends on within a cycle, through instances too.
pub(super) fn dependencies(module: &Module, id: NodeId) -> Vec<NodeId> {
    match module.node(id).op {
        Op::InstanceOutput(instance, port) => {
            let instance = &module.instances()[instance];
            let through = instance.module.combinational_inputs(port);
            through.into_iter().filter_map(|input| instance.inputs[input]).collect()
        }
        ref op => op.operands(),
    }
}
