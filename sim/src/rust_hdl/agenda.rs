//! What a module has to do, in the order of the source, since values changed.

use utfhdl_hdl::netlist::{Module, NodeId, Op};

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Compute a node.
    Node(NodeId),
    /// Give an instance its inputs, update it and take its outputs.
    Instance(usize),
}

/// The steps of a module, and which of them are to be done: those that read something that changed.
#[derive(Debug)]
pub(super) struct Agenda {
    /// All steps, in the order of the source; an instance stands where its first output is read.
    steps: Vec<Step>,
    /// A bit a step.
    due: Vec<u64>,
    /// Whether a node has changed since the last round: outputs may be news even where no step is due.
    news: bool,
    /// The steps that read each node.
    readers: Vec<Vec<u32>>,
    /// The step of each instance.
    instances: Vec<u32>,
}

impl Agenda {
    /// All steps of `module`, all of them due.
    pub fn new(module: &Module) -> Self {
        let mut steps = Vec::new();
        for (index, node) in module.nodes().iter().enumerate() {
            match node.op {
                Op::Input(_) | Op::Const(_) | Op::Register(_) => {}
                Op::InstanceOutput(instance, _) if steps.contains(&Step::Instance(instance)) => {}
                Op::InstanceOutput(instance, _) => steps.push(Step::Instance(instance)),
                _ => steps.push(Step::Node(NodeId(index as u32))),
            }
        }
        for unread in 0..module.instances().len() {
            if !steps.contains(&Step::Instance(unread)) {
                steps.push(Step::Instance(unread));
            }
        }
        let mut readers = vec![Vec::new(); module.nodes().len()];
        let mut instances = vec![0; module.instances().len()];
        for (index, step) in (0..).zip(&steps) {
            let reads = match step {
                Step::Node(id) => module.node(*id).op.operands(),
                Step::Instance(instance) => {
                    instances[*instance] = index;
                    module.instances()[*instance].inputs.iter().flatten().copied().collect()
                }
            };
            reads.iter().for_each(|read| readers[read.index()].push(index));
        }
        let due = vec![0; steps.len().div_ceil(64)];
        let mut agenda = Self { steps, due, news: true, readers, instances };
        (0..agenda.steps.len() as u32).for_each(|step| agenda.add(step));
        agenda
    }

    /// Whether nothing is due and nothing is news.
    pub fn is_empty(&self) -> bool {
        !self.news && self.due.iter().all(|&word| word == 0)
    }

    /// Ends a round.
    pub fn finish_round(&mut self) {
        self.news = false;
    }

    /// A node has changed: the steps that read it become due.
    pub fn add_readers(&mut self, id: NodeId) {
        self.news = true;
        for &step in &self.readers[id.index()] {
            self.due[step as usize / 64] |= 1 << (step % 64);
        }
    }

    /// The step of an instance becomes due.
    pub fn add_instance(&mut self, instance: usize) {
        self.add(self.instances[instance]);
    }

    /// Takes the first step that is due from number `first` on, with its number.
    pub fn take(&mut self, first: usize) -> Option<(usize, Step)> {
        let mut mask = u64::MAX << (first % 64);
        for (index, word) in self.due.iter_mut().enumerate().skip(first / 64) {
            let due = *word & mask;
            if due != 0 {
                *word &= !(due & due.wrapping_neg());
                let step = 64 * index + due.trailing_zeros() as usize;
                return Some((step, self.steps[step]));
            }
            mask = u64::MAX;
        }
        None
    }

    fn add(&mut self, step: u32) {
        self.due[step as usize / 64] |= 1 << (step % 64);
    }
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::Builder;

    use super::*;

    #[test]
    fn only_readers_of_what_changed_are_due_and_those_behind_wait_for_the_next_round() {
        let m = Builder::new("chain", "A chain of inverters, long enough for two words.");
        let first = m.wire("first", 1);
        let last = (0..70).fold(first, |signal, _| !signal);
        let a = m.input("a", 1, "");
        m.drive(first, a);
        m.output("b", last, "");
        let module = m.built();
        let mut agenda = Agenda::new(&module);
        assert!((0..71).all(|step| agenda.take(step) == Some((step, Step::Node(NodeId(step as u32))))));
        assert!(!agenda.is_empty());
        agenda.finish_round();
        assert!(agenda.is_empty());

        agenda.add_readers(NodeId(63));
        agenda.add_readers(module.inputs().next().expect("one input").node);
        assert_eq!(agenda.take(1), Some((64, Step::Node(NodeId(64)))));
        assert_eq!(agenda.take(65), None);
        agenda.finish_round();
        assert!(!agenda.is_empty());
        assert_eq!(agenda.take(0), Some((0, Step::Node(NodeId(0)))));
        assert!(agenda.is_empty());
    }
}
