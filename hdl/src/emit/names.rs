//! The names in a module's text: of the nodes that have one, of the vectors that have several nodes, and of the fields of outputs.

use std::collections::{HashMap, HashSet};

use super::expression::{Expression, INDEX, Select};
use super::vectors::{Vector, candidates, looped};
use crate::netlist::{Module, NodeId, Op};

/// A signal of the text: a node, or a vector, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Whole {
    Node(NodeId),
    Vector(usize),
}

/// The names of a module's nodes.
pub(super) struct Names {
    /// Name in the text; `None` where the node is written in line, or not at all.
    names: Vec<Option<String>>,
    /// The fields of an instance's output that is only read field by field, high bits first; else empty.
    fields: Vec<Vec<NodeId>>,
    widths: Vec<u32>,
    vectors: Vec<Vector>,
    /// The vector of each node that is an element of one, and its index.
    elements: HashMap<NodeId, (usize, u32)>,
}

impl Names {
    /// The names of a module without vectors.
    pub(super) fn new(module: &Module) -> Self {
        let uses = uses(module);
        let fields = fields(module);
        let mut named: Vec<bool> = (0..module.nodes().len())
            .map(|index| {
                let node = &module.nodes()[index];
                let in_line = match &node.op {
                    Op::Const(_) | Op::Slice(..) => true,
                    Op::Case(..) | Op::Lookup(..) => false,
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
        Self {
            names: name(module, &named),
            fields,
            widths: module.nodes().iter().map(|node| node.width).collect(),
            vectors: Vec::new(),
            elements: HashMap::new(),
        }
    }

    /// The vectors that there could be, without those that would make a combinational loop.
    pub(super) fn candidates(&self, module: &Module) -> Vec<Vector> {
        let mut vectors = candidates(module, &self.names, &self.of_instances());
        loop {
            let looped = looped(module, &vectors);
            if looped.is_empty() {
                return vectors;
            }
            let mut at = 0..;
            vectors.retain(|_| at.next().is_some_and(|at| !looped.contains(&at)));
        }
    }

    /// Whether something has the name of the index of loops.
    pub(super) fn has_index(&self, module: &Module) -> bool {
        let mut names = self.names.iter().flatten().map(String::as_str);
        names.any(|name| name == INDEX) || module.ports().iter().any(|port| port.name == INDEX)
    }

    /// The fields of the outputs of instances.
    pub(super) fn of_instances(&self) -> HashSet<NodeId> {
        self.fields.iter().flatten().copied().collect()
    }

    /// Sets the vectors.
    pub(super) fn set_vectors(&mut self, vectors: &[Vector]) {
        self.elements.clear();
        for (at, vector) in vectors.iter().enumerate() {
            let indices = vector.first..;
            self.elements.extend(vector.elements.iter().zip(indices).map(|(id, index)| (*id, (at, index))));
        }
        self.vectors = vectors.to_vec();
    }

    /// The vectors.
    pub(super) fn vectors(&self) -> &[Vector] {
        &self.vectors
    }

    /// Name of a node in the text, if any.
    pub(super) fn name(&self, id: NodeId) -> Option<&str> {
        self.names[id.index()].as_deref()
    }

    /// The signal that has the node, and the lowest bit of the node in it.
    pub(super) fn whole(&self, id: NodeId) -> (Whole, u32) {
        match self.elements.get(&id) {
            Some(&(vector, index)) => (Whole::Vector(vector), index * self.widths[id.index()]),
            None => (Whole::Node(id), 0),
        }
    }

    /// A node that has a name.
    pub(super) fn select(&self, id: NodeId) -> Expression {
        let (whole, low) = self.whole(id);
        self.select_bits(whole, low, self.widths[id.index()])
    }

    /// Bits of a signal.
    pub(super) fn select_bits(&self, whole: Whole, low: u32, width: u32) -> Expression {
        match whole {
            Whole::Vector(vector) => self.vectors[vector].select(low, width),
            Whole::Node(id) => {
                let name = self.name(id).expect("what bits are taken of has a name").to_owned();
                let bits = (0, self.widths[id.index()] - 1);
                Expression::Select(Select { name, bits, low: low.into(), width, step: 0, per: 1 })
            }
        }
    }

    /// The fields that replace an output of an instance; empty if the output has a name.
    pub(super) fn fields(&self, id: NodeId) -> &[NodeId] {
        &self.fields[id.index()]
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
