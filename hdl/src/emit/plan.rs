//! The plan of a module's text: the nodes that get names, the nodes that are written in line, and the order of all.

use std::collections::{HashMap, HashSet};

use super::expression::{Expression, INDEX, Select};
use super::lower::Expressions;
use super::rolls::{Roll, STRIDES, rolled};
use super::vectors::{Driver, Vector, candidates, looped};
use crate::netlist::{Arm, Direction, Instance, Module, NodeId, Op};

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

/// A signal of the text: a node, or a vector, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Whole {
    Node(NodeId),
    Vector(usize),
}

/// Instances of a module whose names differ in one number.
pub(super) struct Array {
    /// The name, without the number.
    pub(super) name: String,
    /// The number of the first instance.
    pub(super) first: u32,
    pub(super) instances: Vec<usize>,
    /// Their connections, in the order of the ports.
    pub(super) rolls: Vec<Roll>,
}

impl Array {
    /// The label of the loop over some of the instances.
    pub(super) fn label(&self, roll: &Roll) -> String {
        let all = format!("{}s", self.name);
        if self.rolls.iter().filter(|roll| roll.is_loop()).count() == 1 {
            return all;
        }
        format!("{all}_from_{}", roll.first)
    }
}

/// The choice for every node of a module.
pub(super) struct Plan {
    /// Name in the text; `None` where the node is written in line, or not at all.
    names: Vec<Option<String>>,
    /// The fields of an instance's output that is only read field by field, high bits first; else empty.
    fields: Vec<Vec<NodeId>>,
    /// The items under each heading, in order.
    items: Vec<Vec<Item>>,
    /// Signals that are read before the place where they are driven, and the section that reads them first.
    forward: HashMap<Whole, usize>,
    widths: Vec<u32>,
    /// The vectors, each with the statements that drive its elements; none if instances drive them.
    vectors: Vec<(Vector, Vec<Roll>)>,
    /// The vector of each node that is an element of one, and its index.
    elements: HashMap<NodeId, (usize, u32)>,
    /// Instances that are alike.
    arrays: Vec<Array>,
    /// The array of an instance, by indices.
    array_of: HashMap<usize, usize>,
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
        let mut plan = Self {
            names: name(module, &named),
            fields,
            items: Vec::new(),
            forward: HashMap::new(),
            widths: module.nodes().iter().map(|node| node.width).collect(),
            vectors: Vec::new(),
            elements: HashMap::new(),
            arrays: Vec::new(),
            array_of: HashMap::new(),
        };
        plan.roll_up(module);
        plan.items = plan.arranged(module);
        plan.forward = plan.find_forward(module);
        plan
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
            Whole::Vector(vector) => self.vectors[vector].0.select(low, width),
            Whole::Node(id) => {
                let name = self.name(id).expect("what bits are taken of has a name").to_owned();
                let bits = (0, self.widths[id.index()] - 1);
                Expression::Select(Select { name, bits, low: low.into(), width, step: 0, per: 1 })
            }
        }
    }

    /// A vector, and the statements that drive its elements.
    pub(super) fn vector(&self, index: usize) -> (&Vector, &[Roll]) {
        let (vector, rolls) = &self.vectors[index];
        (vector, rolls)
    }

    /// The vectors of a section.
    pub(super) fn vectors_of(&self, section: usize) -> impl Iterator<Item = usize> {
        (0..self.vectors.len()).filter(move |index| self.vectors[*index].0.section == section)
    }

    /// The array that an instance belongs to.
    pub(super) fn array_of(&self, instance: usize) -> Option<&Array> {
        self.array_of.get(&instance).map(|array| &self.arrays[*array])
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

    /// Chooses vectors and arrays of instances: those of which most elements are driven alike.
    fn roll_up(&mut self, module: &Module) {
        let mut names = self.names.iter().flatten().map(String::as_str);
        if names.any(|name| name == INDEX) || module.ports().iter().any(|port| port.name == INDEX) {
            return;
        }
        let of_instances: HashSet<NodeId> = self.fields.iter().flatten().copied().collect();
        let mut vectors = candidates(module, &self.names, &of_instances);
        loop {
            let looped = looped(module, &vectors);
            if looped.is_empty() {
                break;
            }
            vectors = kept(vectors, |at, _| !looped.contains(&at));
        }
        let arrays = arrays(module);
        loop {
            self.elements.clear();
            for (at, vector) in vectors.iter().enumerate() {
                let indices = vector.first..;
                self.elements
                    .extend(vector.elements.iter().zip(indices).map(|(id, index)| (*id, (at, index))));
            }
            self.vectors = vectors.iter().map(|vector| (vector.clone(), Vec::new())).collect();
            let rolls: Vec<Vec<Roll>> = vectors.iter().map(|vector| self.rolls(module, vector)).collect();
            let of_arrays: Vec<Vec<Roll>> =
                arrays.iter().map(|array| self.rolls_of_array(module, array)).collect();
            let is_rolled =
                |at: usize| !rolls[at].is_empty() && 2 * rolls[at].len() <= vectors[at].elements.len();
            let rolled_up = (0..vectors.len()).filter(|at| is_rolled(*at)).flat_map(|at| &rolls[at]);
            let read: HashSet<String> = selected(rolled_up.chain(of_arrays.iter().flatten()));
            let keep: Vec<bool> =
                (0..vectors.len()).map(|at| is_rolled(at) || read.contains(&vectors[at].name)).collect();
            let count = vectors.len();
            let worthy = kept(vectors, |at, _| keep[at]);
            if worthy.len() == count {
                self.vectors = worthy.into_iter().zip(rolls).collect();
                for (array, rolls) in arrays.into_iter().zip(of_arrays).filter(|(_, rolls)| has_loop(rolls)) {
                    let at = self.arrays.len();
                    self.array_of.extend(array.instances.iter().map(|instance| (*instance, at)));
                    self.arrays.push(Array { rolls, ..array });
                }
                return;
            }
            vectors = worthy;
        }
    }

    /// The statements that drive the elements of a vector.
    fn rolls(&self, module: &Module, vector: &Vector) -> Vec<Roll> {
        let expressions = Expressions { module, plan: self };
        let of_element = |id: &NodeId| match module.node(*id).op {
            Op::Register(index) => {
                let register = &module.registers()[index];
                let next = expressions.read(register.next.expect("a finished module is driven"));
                let enable = register.enable.map(|enable| expressions.read(enable));
                (Some(register.section), [next].into_iter().chain(enable).collect())
            }
            _ => (None, vec![expressions.define(*id)]),
        };
        if vector.driver == Driver::Instances {
            return Vec::new();
        }
        let (kinds, statements): (Vec<_>, Vec<_>) = vector.elements.iter().map(of_element).unzip();
        rolled(vector.first, &STRIDES, &kinds, &statements)
    }

    /// The connections of the instances of an array.
    fn rolls_of_array(&self, module: &Module, array: &Array) -> Vec<Roll> {
        let connections: Vec<Vec<Expression>> =
            array.instances.iter().map(|index| self.connections(module, *index)).collect();
        rolled(array.first, &[1], &vec![(); connections.len()], &connections)
    }

    /// The connections of an instance, in the order of its ports.
    pub(super) fn connections(&self, module: &Module, index: usize) -> Vec<Expression> {
        let expressions = Expressions { module, plan: self };
        let instance = &module.instances()[index];
        let (mut inputs, mut outputs) = (instance.inputs.iter(), instance.outputs.iter());
        let of_port = |direction| match direction {
            Direction::Input => inputs.next(),
            Direction::Output => outputs.next(),
        };
        let nodes = instance.module.ports().iter().map(|port| port.direction).map(of_port);
        let connection = |node: Option<&Option<NodeId>>| match *node.expect("there is a node for each port") {
            None => Expression::atom(""),
            Some(id) => match self.fields(id) {
                [] => expressions.read(id),
                fields => Expression::Concatenation(fields.iter().map(|id| expressions.read(*id)).collect()),
            },
        };
        nodes.map(connection).collect()
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

    fn find_forward(&self, module: &Module) -> HashMap<Whole, usize> {
        let mut defined: HashSet<Whole> = HashSet::new();
        let mut forward = HashMap::new();
        for (section, items) in self.items.iter().enumerate() {
            let mut read = Vec::new();
            // Parameters and registers are declared right under the heading.
            defined.extend(items.iter().filter_map(|item| match item {
                Item::Node(id) if is_declared_first(&module.node(*id).op) => Some(self.whole(*id).0),
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
                        let outputs = outputs.flat_map(|id| match self.fields(*id) {
                            [] => vec![*id],
                            fields => fields.to_vec(),
                        });
                        defined.extend(outputs.map(|id| self.whole(id).0));
                        (instance.inputs.iter().flatten().copied().collect(), vec![])
                    }
                };
                reads.into_iter().for_each(|id| self.names_read(module, id, &mut read));
                note_forward(&mut read, &defined, section, &mut forward);
                defined.extend(defines.into_iter().map(|id| self.whole(id).0));
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
        } else if self.name(id).is_some() {
            read.push(self.whole(id).0);
        } else {
            node.op.operands().into_iter().for_each(|operand| self.names_read(module, operand, read));
        }
    }
}

/// The elements of a list that are kept; `keep` gets the index, too.
fn kept<T>(list: Vec<T>, keep: impl Fn(usize, &T) -> bool) -> Vec<T> {
    list.into_iter()
        .enumerate()
        .filter(|(at, element)| keep(*at, element))
        .map(|(_, element)| element)
        .collect()
}

fn has_loop(rolls: &[Roll]) -> bool {
    rolls.iter().any(Roll::is_loop)
}

/// The names of the signals of which loops select other bits for each element.
fn selected<'r>(rolls: impl Iterator<Item = &'r Roll>) -> HashSet<String> {
    let mut names = HashSet::new();
    for roll in rolls.filter(|roll| roll.is_loop()) {
        roll.expressions.iter().for_each(|expression| expression.add_selected(&mut names));
    }
    names
}

/// Instances of one module and section whose names end in successive numbers.
fn arrays(module: &Module) -> Vec<Array> {
    let mut arrays: Vec<(usize, Array)> = Vec::new();
    for (index, instance) in module.instances().iter().enumerate() {
        let Some((name, number)) = instance.name.rsplit_once('_') else { continue };
        let Some(number) = number.parse::<u32>().ok().filter(|parsed| parsed.to_string() == number) else {
            continue;
        };
        let continues = |(section, array): &&mut (usize, Array)| {
            let first = &module.instances()[array.instances[0]].module;
            let next = array.first + array.instances.len() as u32;
            *section == instance.section
                && array.name == name
                && number == next
                && std::sync::Arc::ptr_eq(first, &instance.module)
        };
        match arrays.iter_mut().find(continues) {
            Some((_, array)) => array.instances.push(index),
            None => {
                let array =
                    Array { name: name.to_owned(), first: number, instances: vec![index], rolls: Vec::new() };
                arrays.push((instance.section, array));
            }
        }
    }
    arrays.into_iter().map(|(_, array)| array).filter(|array| array.instances.len() > 2).collect()
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
