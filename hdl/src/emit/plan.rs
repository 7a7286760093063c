//! The plan of a module's text: its names, what is written in loops, and the order of all.

use std::collections::{HashMap, HashSet};

use super::alike::{Alike, Array, alike};
use super::names::{Names, Whole};
use super::rolls::Roll;
use super::vectors::Vector;
use crate::netlist::{Arm, Instance, Module, NodeId, Op};

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
    pub(super) names: Names,
    alike: Alike,
    /// The array of an instance, by indices.
    array_of: HashMap<usize, usize>,
    /// The items under each heading, in order.
    items: Vec<Vec<Item>>,
    /// Signals that are read before the place where they are driven, and the section that reads them first.
    forward: HashMap<Whole, usize>,
}

impl Plan {
    pub(super) fn new(module: &Module) -> Self {
        let mut names = Names::new(module);
        let alike = alike(module, &mut names);
        let arrays = alike.arrays.iter().enumerate();
        let array_of = arrays.flat_map(|(at, array)| array.instances.iter().map(move |index| (*index, at)));
        let array_of = array_of.collect();
        let mut plan = Self { names, alike, array_of, items: Vec::new(), forward: HashMap::new() };
        plan.items = plan.arranged(module);
        plan.forward = plan.find_forward(module);
        plan
    }

    /// A vector, and the statements that drive its elements.
    pub(super) fn vector(&self, index: usize) -> (&Vector, &[Roll]) {
        (&self.names.vectors()[index], &self.alike.rolls[index])
    }

    /// The vectors of a section.
    pub(super) fn vectors_of(&self, section: usize) -> impl Iterator<Item = usize> {
        let vectors = self.names.vectors().iter().enumerate();
        vectors.filter(move |(_, vector)| vector.section == section).map(|(index, _)| index)
    }

    /// The array that an instance belongs to.
    pub(super) fn array_of(&self, instance: usize) -> Option<&Array> {
        self.array_of.get(&instance).map(|array| &self.alike.arrays[*array])
    }

    /// The path to an instance from its module: its name, after the label and the index of its loop, if it is in one.
    pub(super) fn path(&self, index: usize, instance: &Instance) -> String {
        let of_array = self.array_of(index).and_then(|array| {
            let at = array.instances.iter().position(|other| *other == index)?;
            let roll =
                array.rolls.iter().find(|roll| roll.is_loop() && roll.statements().any(|of| of == at))?;
            Some(format!("{}[{}].{}", array.label(roll), array.first as usize + at, array.name))
        });
        of_array.unwrap_or_else(|| instance.name.clone())
    }

    /// The items under the heading of `section`, in order: a named node where the source made it (a wire driven later,
    /// where its driver was made), an instance where the source first read an output of it. Inputs are ports, and not
    /// included.
    pub(super) fn items(&self, section: usize) -> &[Item] {
        &self.items[section]
    }

    /// Whether the signal is read before the place where it is driven, and so has to be declared where it is first read.
    pub(super) fn is_forward(&self, whole: Whole) -> bool {
        self.forward.contains_key(&whole)
    }

    /// The signals that `section` is the first to read, and that are driven further down.
    pub(super) fn read_first_in(&self, section: usize) -> Vec<Whole> {
        let of_section = self.forward.iter().filter(|(_, first)| **first == section);
        let mut signals: Vec<Whole> = of_section.map(|(whole, _)| *whole).collect();
        signals.sort_unstable();
        signals
    }

    fn arranged(&self, module: &Module) -> Vec<Vec<Item>> {
        let mut items: Vec<Vec<Item>> = vec![Vec::new(); module.sections().len()];
        let mut named: Vec<NodeId> = (0..module.nodes().len() as u32)
            .map(NodeId)
            .filter(|id| self.names.name(*id).is_some() || !self.names.fields(*id).is_empty())
            .collect();
        named.sort_by_key(|&id| match module.node(id).op {
            Op::Wire(Some(driver)) if driver > id => (driver, 1),
            _ => (id, 0),
        });
        let of_instances: HashSet<NodeId> = self.names.of_instances();
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
                Op::Lookup(..) => items[node.section].push(Item::Block(vec![id])),
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

    fn find_forward(&self, module: &Module) -> HashMap<Whole, usize> {
        let mut defined: HashSet<Whole> = HashSet::new();
        let mut forward = HashMap::new();
        for (section, items) in self.items.iter().enumerate() {
            let mut read = Vec::new();
            // Parameters and registers are declared right under the heading.
            defined.extend(items.iter().filter_map(|item| match item {
                Item::Node(id) if is_declared_first(&module.node(*id).op) => Some(self.names.whole(*id).0),
                _ => None,
            }));
            defined.extend(self.vectors_of(section).map(Whole::Vector));
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
                        let outputs = outputs.flat_map(|id| match self.names.fields(*id) {
                            [] => vec![*id],
                            fields => fields.to_vec(),
                        });
                        defined.extend(outputs.map(|id| self.names.whole(id).0));
                        (instance.inputs.iter().flatten().copied().collect(), vec![])
                    }
                };
                reads.into_iter().for_each(|id| self.names_read(module, id, &mut read));
                note_forward(&mut read, &defined, section, &mut forward);
                defined.extend(defines.into_iter().map(|id| self.names.whole(id).0));
            }
            let registers = module.registers().iter().filter(|register| register.section == section);
            let loads = registers.flat_map(|register| [register.next, register.enable]).flatten();
            loads.for_each(|id| self.names_read(module, id, &mut read));
            note_forward(&mut read, &defined, section, &mut forward);
        }
        forward
    }

    /// The names in the expression of `id`.
    fn names_read(&self, module: &Module, id: NodeId, read: &mut Vec<Whole>) {
        let node = module.node(id);
        if matches!(node.op, Op::Input(_)) {
        } else if self.names.name(id).is_some() {
            read.push(self.names.whole(id).0);
        } else {
            node.op.operands().into_iter().for_each(|operand| self.names_read(module, operand, read));
        }
    }
}

/// Takes the names out of `read`; those that are not defined yet are forward, and `section` is the first to read them.
fn note_forward(
    read: &mut Vec<Whole>,
    defined: &HashSet<Whole>,
    section: usize,
    forward: &mut HashMap<Whole, usize>,
) {
    for whole in read.drain(..).filter(|whole| !defined.contains(whole)) {
        forward.entry(whole).or_insert(section);
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
