//! The tasks of a module in a round, in the order of the source, and the task with which a round has to begin.

use utfhdl_hdl::netlist::{Module, NodeId, Op};

/// A task: to compute a node, or to have an instance compute its outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Compute a node.
    Node(NodeId),
    /// Give an instance its inputs, update it and take its outputs.
    Instance(usize),
}

/// The tasks of `module` in the order of the source. An instance has the place of its first output, or comes last.
pub(super) fn tasks(module: &Module) -> Vec<Task> {
    let mut is_there = vec![false; module.instances().len()];
    let mut tasks = Vec::new();
    for (index, node) in module.nodes().iter().enumerate() {
        match node.op {
            Op::Input(_) | Op::Const(_) | Op::Register(_) => {}
            Op::InstanceOutput(instance, _) => {
                if !std::mem::replace(&mut is_there[instance], true) {
                    tasks.push(Task::Instance(instance));
                }
            }
            _ => tasks.push(Task::Node(NodeId(index as u32))),
        }
    }
    let unread = (0..module.instances().len()).filter(|&instance| !is_there[instance]);
    tasks.extend(unread.map(Task::Instance));
    tasks
}

/// For each node the number of the first task that reads it, or [`Due::NONE`] if no task does.
pub(super) fn first_readers(module: &Module, tasks: &[Task]) -> Vec<u32> {
    let mut first = vec![Due::NONE; module.nodes().len()];
    for (number, task) in (0..).zip(tasks) {
        let reads = match task {
            Task::Node(id) => module.node(*id).op.operands(),
            Task::Instance(instance) => {
                module.instances()[*instance].inputs.iter().flatten().copied().collect()
            }
        };
        reads.iter().for_each(|read| first[read.index()] = first[read.index()].min(number));
    }
    first
}

/// The tasks that are due because values have changed: every task from a certain one on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    from: u32,
    /// Whether a node has changed since the last round: outputs may have changed even where no task is due.
    has_changes: bool,
}

impl Due {
    /// The number of no task, higher than all others.
    pub const NONE: u32 = u32::MAX;
    /// Every task.
    pub const ALL: Self = Self { from: 0, has_changes: true };

    /// Whether there is nothing to do.
    pub fn is_empty(self) -> bool {
        self.from == Self::NONE && !self.has_changes
    }

    /// Takes all tasks that are due, and gives the number of the first.
    pub fn take(&mut self) -> u32 {
        self.has_changes = false;
        std::mem::replace(&mut self.from, Self::NONE)
    }

    /// A node with this first reader has changed.
    #[inline]
    pub fn add(&mut self, first_reader: u32) {
        self.has_changes = true;
        self.from = self.from.min(first_reader);
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::Builder;

    use super::*;

    #[test]
    fn a_round_begins_at_the_first_reader_of_what_changed() {
        let m = Builder::new("chain", "Two inverters, of which the second stands first.");
        let middle = m.wire("middle", 1);
        let last = !middle;
        let a = m.input("a", 1, "");
        m.drive(middle, !a);
        m.output("b", last, "");
        let module = m.built();
        let tasks = tasks(&module);
        let first_readers = first_readers(&module, &tasks);
        let input = module.inputs().next().expect("one input").node;
        let number =
            |id: NodeId| tasks.iter().position(|task| *task == Task::Node(id)).expect("a task") as u32;
        let [wire, inverted] = [0, 1].map(NodeId);
        assert_eq!(first_readers[wire.index()], number(inverted));
        assert_eq!(first_readers[input.index()], number(NodeId(input.0 + 1)));
        let output = module.outputs().next().expect("one output").node;
        assert_eq!(first_readers[output.index()], Due::NONE);

        let mut due = Due::ALL;
        assert_eq!(due.take(), 0);
        assert!(due.is_empty());
        due.add(first_readers[input.index()]);
        due.add(first_readers[wire.index()]);
        assert_eq!(due.take(), number(inverted));
        due.add(Due::NONE);
        assert!(!due.is_empty(), "no task, but an output");
    }
}
