//! What of a module gets a name of its own in the text, and what stands where it is used.

use std::collections::HashSet;

use crate::netlist::{Module, NodeId, Op};

/// Something with a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A named node, declared and driven.
    Node(NodeId),
    /// An instance, with the declarations of the nodes it drives.
    Instance(usize),
}

/// The choice for every node of a module.
pub(super) struct Plan {
    /// Name in the text; `None` where the node is written in line, or not at all.
    names: Vec<Option<String>>,
    /// Nodes that something in the text reads before the place where they are defined.
    forward: HashSet<NodeId>,
}

impl Plan {
    pub(super) fn new(module: &Module) -> Self {
        let uses = uses(module);
        let mut named: Vec<bool> = (0..module.nodes().len())
            .map(|index| {
                let node = &module.nodes()[index];
                let in_line = match &node.op {
                    Op::Const(_) | Op::Slice(..) => true,
                    Op::Case(..) => false,
                    _ => uses[index] <= 1,
                };
                uses[index] > 0 && (node.name.is_some() || !in_line)
            })
            .collect();
        // Verilog selects bits of names only.
        for (index, node) in module.nodes().iter().enumerate() {
            if let Op::Slice(of, _) = node.op
                && uses[index] > 0
            {
                named[of.index()] = true;
            }
        }
        let mut plan = Self { names: name(module, &named), forward: HashSet::new() };
        plan.forward = plan.find_forward(module);
        plan
    }

    /// Name of a node in the text, where it has one.
    pub(super) fn name(&self, id: NodeId) -> Option<&str> {
        self.names[id.index()].as_deref()
    }

    /// What stands under the heading of `section`, in order: each named node where the source made it (a wire driven
    /// later, where its driver was made), each instance where the source first read an output of it. Inputs are
    /// ports, not among them.
    pub(super) fn items(&self, module: &Module, section: usize) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut instances: Vec<usize> = (0..module.instances().len())
            .filter(|&index| module.instances()[index].section == section)
            .collect();
        let mut named: Vec<NodeId> =
            (0..module.nodes().len() as u32).map(NodeId).filter(|id| self.name(*id).is_some()).collect();
        named.sort_by_key(|&id| match module.node(id).op {
            Op::Wire(Some(driver)) if driver > id => (driver, 1),
            _ => (id, 0),
        });
        for id in named {
            let node = module.node(id);
            match node.op {
                Op::Input(_) => {}
                Op::InstanceOutput(instance, _) => {
                    if let Some(at) = instances.iter().position(|&index| index == instance) {
                        items.push(Item::Instance(instances.remove(at)));
                    }
                }
                _ if node.section == section => items.push(Item::Node(id)),
                _ => {}
            }
        }
        items.extend(instances.into_iter().map(Item::Instance));
        items
    }

    /// Whether the node is read before the place where it is defined, and so has to be declared at the top.
    pub(super) fn is_forward(&self, id: NodeId) -> bool {
        self.forward.contains(&id)
    }

    /// Whether a node is written as an `always @*` block: a case, unless it is between parameters only, for which such
    /// a block would never run.
    pub(super) fn is_block(&self, module: &Module, id: NodeId) -> bool {
        let mut seen = HashSet::new();
        let mut stack = match &module.node(id).op {
            case @ Op::Case(..) => case.operands(),
            _ => return false,
        };
        while let Some(id) = stack.pop() {
            match &module.node(id).op {
                Op::Const(_) => {}
                Op::Input(_) | Op::Register(_) | Op::InstanceOutput(..) => return true,
                op if seen.insert(id) => stack.extend(op.operands()),
                _ => {}
            }
        }
        false
    }

    fn find_forward(&self, module: &Module) -> HashSet<NodeId> {
        let mut defined: HashSet<NodeId> = HashSet::new();
        let mut forward = HashSet::new();
        for section in 0..module.sections().len() {
            let mut read = Vec::new();
            for item in self.items(module, section) {
                let (reads, defines) = match item {
                    Item::Node(id) => (module.node(id).op.operands(), vec![id]),
                    Item::Instance(index) => {
                        let instance = &module.instances()[index];
                        defined.extend(instance.outputs.iter().flatten());
                        (instance.inputs.iter().flatten().copied().collect(), vec![])
                    }
                };
                reads.into_iter().for_each(|id| self.names_read(module, id, &mut read));
                forward.extend(read.drain(..).filter(|id| !defined.contains(id)));
                defined.extend(defines);
            }
            let registers = module.registers().iter().filter(|register| register.section == section);
            let loads = registers.flat_map(|register| [register.next, register.enable]).flatten();
            loads.for_each(|id| self.names_read(module, id, &mut read));
            forward.extend(read.drain(..).filter(|id| !defined.contains(id)));
        }
        forward
    }

    /// The names in the expression of `id`.
    fn names_read(&self, module: &Module, id: NodeId, read: &mut Vec<NodeId>) {
        let node = module.node(id);
        if matches!(node.op, Op::Input(_)) {
        } else if self.name(id).is_some() {
            read.push(id);
        } else {
            node.op.operands().into_iter().for_each(|operand| self.names_read(module, operand, read));
        }
    }
}

/// Whether a concatenation is of one part, several times.
pub(super) fn is_repetition(parts: &[NodeId]) -> bool {
    parts[1..].iter().all(|part| part == &parts[0])
}

/// How often each node is read by what matters: outputs, registers, instances, and what has a name.
fn uses(module: &Module) -> Vec<u32> {
    let mut uses = vec![0; module.nodes().len()];
    let named = (0..module.nodes().len() as u32).map(NodeId).filter(|&id| module.node(id).name.is_some());
    let mut work: Vec<NodeId> = module.outputs().map(|port| port.node).collect();
    work.extend(module.registers().iter().flat_map(|r| [Some(r.node), r.next, r.enable]).flatten());
    work.extend(module.instances().iter().flat_map(|i| i.inputs.iter().flatten().copied()));
    work.extend(named);
    while let Some(id) = work.pop() {
        uses[id.index()] += 1;
        if uses[id.index()] == 1 {
            match &module.node(id).op {
                // `{3{a}}` reads `a` once.
                Op::Concat(parts) if is_repetition(parts) => work.push(parts[0]),
                op => work.extend(op.operands()),
            }
        }
    }
    uses
}

/// The source's names where it gave one; else `value_0`, `value_1`, and so on.
fn name(module: &Module, named: &[bool]) -> Vec<Option<String>> {
    let ports = module.ports().iter().map(|port| port.name.as_str());
    let instances = module.instances().iter().map(|instance| instance.name.as_str());
    let nodes = module.nodes().iter().filter_map(|node| node.name.as_deref());
    let taken: HashSet<&str> = ports.chain(instances).chain(nodes).collect();
    let mut free =
        (0..).map(|number| format!("value_{number}")).filter(|name| !taken.contains(name.as_str()));
    let node_names = module.nodes().iter().zip(named).map(|(node, &named)| match &node.name {
        _ if !named => None,
        Some(name) => Some(name.clone()),
        None => free.next(),
    });
    node_names.collect()
}
