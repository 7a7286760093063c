//! The plan of a module's text: the nodes that get names, the nodes that are written in line, and the order of all.

use std::collections::HashSet;

use crate::netlist::{Arm, Module, NodeId, Op};

/// Something with a place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A named node, declared and driven.
    Node(NodeId),
    /// Cases that share a block: one, or several with one key and the same labels.
    Block(Vec<NodeId>),
    /// An instance, with the declarations of the nodes it drives.
    Instance(usize),
}

/// The choice for every node of a module.
pub(super) struct Plan {
    /// Name in the text; `None` where the node is written in line, or not at all.
    names: Vec<Option<String>>,
    /// The fields of an instance's output that is only read field by field, high bits first; else empty.
    fields: Vec<Vec<NodeId>>,
    /// The items under each heading, in order.
    items: Vec<Vec<Item>>,
    /// Nodes that something in the text reads before the place where they are defined.
    forward: HashSet<NodeId>,
}

impl Plan {
    pub(super) fn new(module: &Module) -> Self {
        let uses = uses(module);
        let fields = fields(module);
        let mut named: Vec<bool> = (0..module.nodes().len())
            .map(|index| {
                let node = &module.nodes()[index];
                let in_line = match &node.op {
                    Op::Const(_) | Op::Slice(..) => true,
                    Op::Case(..) => false,
                    _ => uses[index] <= 1,
                };
                uses[index] > 0 && (node.name.is_some() || !in_line) && fields[index].is_empty()
            })
            .collect();
        // Verilog selects bits of names only.
        for (index, node) in module.nodes().iter().enumerate() {
            if let Op::Slice(of, _) = node.op
                && uses[index] > 0
                && fields[of.index()].is_empty()
            {
                named[of.index()] = true;
            }
        }
        let mut plan =
            Self { names: name(module, &named), fields, items: Vec::new(), forward: HashSet::new() };
        plan.items = plan.arranged(module);
        plan.forward = plan.find_forward(module);
        plan
    }

    /// Name of a node in the text, if any.
    pub(super) fn name(&self, id: NodeId) -> Option<&str> {
        self.names[id.index()].as_deref()
    }

    /// The fields that replace an output of an instance; empty if the output has a name.
    pub(super) fn fields(&self, id: NodeId) -> &[NodeId] {
        &self.fields[id.index()]
    }

    /// The items under the heading of `section`, in order: a named node where the source made it (a wire driven later,
    /// where its driver was made), an instance where the source first read an output of it. Inputs are ports, and not
    /// included.
    pub(super) fn items(&self, section: usize) -> &[Item] {
        &self.items[section]
    }

    /// Whether the node is read before the place where it is defined, and so has to be declared at the top.
    pub(super) fn is_forward(&self, id: NodeId) -> bool {
        self.forward.contains(&id)
    }

    fn arranged(&self, module: &Module) -> Vec<Vec<Item>> {
        let mut items: Vec<Vec<Item>> = vec![Vec::new(); module.sections().len()];
        let mut named: Vec<NodeId> = (0..module.nodes().len() as u32)
            .map(NodeId)
            .filter(|id| self.name(*id).is_some() || !self.fields(*id).is_empty())
            .collect();
        named.sort_by_key(|&id| match module.node(id).op {
            Op::Wire(Some(driver)) if driver > id => (driver, 1),
            _ => (id, 0),
        });
        let of_instances: HashSet<NodeId> = self.fields.iter().flatten().copied().collect();
        let mut placed = vec![false; module.instances().len()];
        for id in named {
            let node = module.node(id);
            match node.op {
                Op::Input(_) => {}
                Op::InstanceOutput(index, _) => {
                    if !std::mem::replace(&mut placed[index], true) {
                        items[module.instances()[index].section].push(Item::Instance(index));
                    }
                }
                _ if of_instances.contains(&id) => {}
                Op::Case(..) if is_block(module, id) => match items[node.section].last_mut() {
                    Some(Item::Block(others)) if share_a_block(module, others, id) => others.push(id),
                    _ => items[node.section].push(Item::Block(vec![id])),
                },
                _ => items[node.section].push(Item::Node(id)),
            }
        }
        for (index, instance) in module.instances().iter().enumerate().filter(|(index, _)| !placed[*index]) {
            items[instance.section].push(Item::Instance(index));
        }
        items
    }

    fn find_forward(&self, module: &Module) -> HashSet<NodeId> {
        let mut defined: HashSet<NodeId> = HashSet::new();
        let mut forward = HashSet::new();
        for (section, items) in self.items.iter().enumerate() {
            let mut read = Vec::new();
            // Parameters and registers are declared right under the heading.
            defined.extend(items.iter().filter_map(|item| match item {
                Item::Node(id) if is_declared_first(&module.node(*id).op) => Some(*id),
                _ => None,
            }));
            for item in items {
                let (reads, defines) = match item {
                    Item::Node(id) => (module.node(*id).op.operands(), vec![*id]),
                    Item::Block(ids) => {
                        let reads = ids.iter().flat_map(|id| module.node(*id).op.operands());
                        (reads.collect(), ids.clone())
                    }
                    Item::Instance(index) => {
                        let instance = &module.instances()[*index];
                        let outputs = instance.outputs.iter().flatten();
                        defined.extend(outputs.flat_map(|id| match self.fields(*id) {
                            [] => vec![*id],
                            fields => fields.to_vec(),
                        }));
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

/// Whether a node is declared right under the heading of its section.
pub(super) fn is_declared_first(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Register(_))
}

/// Whether a case is written as an `always @*` block: not if it is between parameters only, for which such a block would
/// never run.
fn is_block(module: &Module, id: NodeId) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        match &module.node(id).op {
            Op::Input(_) | Op::Register(_) | Op::InstanceOutput(..) => return true,
            op => stack.extend(op.operands().into_iter().filter(|id| seen.insert(*id))),
        }
    }
    false
}

/// Whether the case `id` can share a block with those before it: it has the same key and labels, and none depends on
/// another.
fn share_a_block(module: &Module, others: &[NodeId], id: NodeId) -> bool {
    let [Op::Case(key, arms, _), Op::Case(other_key, other_arms, _)] =
        [id, others[0]].map(|id| &module.node(id).op)
    else {
        return false;
    };
    let alike = |(arm, other): (&Arm, &Arm)| arm.labels == other.labels && arm.note == other.note;
    key == other_key
        && arms.len() == other_arms.len()
        && arms.iter().zip(other_arms).all(alike)
        && others.iter().all(|other| !depends(module, id, *other) && !depends(module, *other, id))
}

/// Whether `id` depends on `other` within a cycle. Of an instance every output is taken to depend on every input.
fn depends(module: &Module, id: NodeId, other: NodeId) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        let before = match module.node(id).op {
            Op::InstanceOutput(instance, _) => {
                module.instances()[instance].inputs.iter().flatten().copied().collect()
            }
            ref op => op.operands(),
        };
        if before.contains(&other) {
            return true;
        }
        stack.extend(before.into_iter().filter(|id| seen.insert(*id)));
    }
    false
}

/// Whether a concatenation is of one part, several times.
pub(super) fn is_repetition(parts: &[NodeId]) -> bool {
    parts[1..].iter().all(|part| part == &parts[0])
}

/// How often each node is read by what matters: outputs, registers, instances, and what has a name.
fn uses(module: &Module) -> Vec<u32> {
    let mut uses = vec![0; module.nodes().len()];
    let named = (0..module.nodes().len() as u32).map(NodeId).filter(|&id| module.node(id).name.is_some());
    let mut work = roots(module);
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

/// The nodes that outputs, registers and instances read, and the registers themselves.
fn roots(module: &Module) -> Vec<NodeId> {
    let mut roots: Vec<NodeId> = module.outputs().map(|port| port.node).collect();
    roots.extend(module.registers().iter().flat_map(|r| [Some(r.node), r.next, r.enable]).flatten());
    roots.extend(module.instances().iter().flat_map(|i| i.inputs.iter().flatten().copied()));
    roots
}

/// The fields of each output of an instance, if only named fields are read and they cover the whole output.
fn fields(module: &Module) -> Vec<Vec<NodeId>> {
    let mut readers: Vec<Vec<NodeId>> = vec![Vec::new(); module.nodes().len()];
    for id in (0..module.nodes().len() as u32).map(NodeId) {
        module.node(id).op.operands().into_iter().for_each(|operand| readers[operand.index()].push(id));
    }
    let roots: HashSet<NodeId> = roots(module).into_iter().collect();
    let mut fields = vec![Vec::new(); module.nodes().len()];
    for instance in module.instances() {
        for &id in instance.outputs.iter().flatten() {
            let node = module.node(id);
            if roots.contains(&id) {
                continue;
            }
            let low = |id: &NodeId| match module.node(*id) {
                node if node.name.is_none() => None,
                node => match node.op {
                    Op::Slice(_, low) => Some((low, low + node.width)),
                    _ => None,
                },
            };
            let mut parts = readers[id.index()].clone();
            parts.sort_by_key(|id| std::cmp::Reverse(low(id)));
            let ranges: Option<Vec<(u32, u32)>> = parts.iter().map(low).collect();
            let covers = ranges.is_some_and(|ranges| {
                ranges.first().is_some_and(|(_, end)| *end == node.width)
                    && ranges.windows(2).all(|pair| pair[0].0 == pair[1].1)
                    && ranges.last().is_some_and(|(low, _)| *low == 0)
            });
            if covers {
                fields[id.index()] = parts;
            }
        }
    }
    fields
}

/// The names in the text: the source's names, else `value_0`, `value_1`, and so on.
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
