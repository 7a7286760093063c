//! Leaves out of a module what none of its outputs depends on, so that a core can use a part of the logic of another.

use std::sync::Arc;

use super::reads::read_by_outputs;
use super::{Arm, Bits, Direction, Instance, Module, Node, NodeId, Op, Register};

/// The module without the nodes, registers and instances that no output depends on. A register or signal of which only
/// some bits are read keeps those bits.
pub(super) fn trimmed(module: Module) -> Module {
    let outputs: Vec<Vec<u32>> = module.outputs().map(|port| (0..port.width).collect()).collect();
    trimmed_to(module, &outputs)
}

/// The module with these bits of its outputs, without all that none of them depends on.
fn trimmed_to(mut module: Module, outputs: &[Vec<u32>]) -> Module {
    skip_aliases(&mut module);
    let masks = module.outputs().zip(outputs).map(|(port, bits)| mask(port.width, bits));
    let mut kept: Vec<Vec<u32>> = read_by_outputs(&module, masks).iter().map(set_bits).collect();
    narrow_outputs(&mut module, &mut kept);
    for (kept, node) in kept.iter_mut().zip(&mut module.nodes) {
        if !is_bitwise(&node.op) && (1..node.width as usize).contains(&kept.len()) {
            *kept = (0..node.width).collect();
            node.name = node.name.take().filter(|_| matches!(node.op, Op::Input(_)));
        }
    }
    for node in module.inputs().map(|port| port.node) {
        kept[node.index()] = (0..module.node(node).width).collect();
    }
    Trim::new(&module, kept).module(outputs)
}

/// Lets readers of a second name read what has the first name. A wire whose driver comes after it is no second name.
fn skip_aliases(module: &mut Module) {
    let mut original: Vec<NodeId> = Vec::new();
    for (index, node) in module.nodes.iter().enumerate() {
        original.push(match node.op {
            Op::Wire(Some(driver)) if driver.index() < index => original[driver.index()],
            _ => NodeId(index as u32),
        });
    }
    let of = |id: &mut NodeId| *id = original[id.index()];
    for node in &mut module.nodes {
        node.op.operands_mut().into_iter().for_each(of);
    }
    for register in &mut module.registers {
        register.next.iter_mut().chain(&mut register.enable).for_each(of);
    }
    module.instances.iter_mut().flat_map(|instance| &mut instance.inputs).flatten().for_each(of);
    module.ports.iter_mut().map(|port| &mut port.node).for_each(of);
}

/// Narrows outputs of instances to the bits that are read of some instance of the same module, and trims that module.
fn narrow_outputs(module: &mut Module, kept: &mut [Vec<u32>]) {
    let mut narrowed: Vec<[Arc<Module>; 2]> = Vec::new();
    for index in 0..module.instances.len() {
        let wide = Arc::clone(&module.instances[index].module);
        let known =
            narrowed.iter().find(|[of, _]| Arc::ptr_eq(of, &wide)).map(|[_, narrow]| Arc::clone(narrow));
        module.instances[index].module = known.unwrap_or_else(|| {
            let alike = module.instances.iter().filter(|instance| Arc::ptr_eq(&instance.module, &wide));
            let mut outputs: Vec<Vec<u32>> = Vec::new();
            for (output, port) in wide.outputs().enumerate() {
                let nodes: Vec<NodeId> =
                    alike.clone().filter_map(|instance| instance.outputs[output]).collect();
                let is_read = |bit: &u32| nodes.iter().any(|node| kept[node.index()].contains(bit));
                let mut read: Vec<u32> = (0..port.width).filter(is_read).collect();
                // An output that no instance is asked for is left open. A memory keeps its words whole.
                if read.is_empty() || wide.memory.is_some() {
                    read = (0..port.width).collect();
                }
                for node in nodes {
                    let own = &mut kept[node.index()];
                    if !own.is_empty() && *own != read {
                        module.nodes[node.index()].name = None;
                        own.clone_from(&read);
                    }
                }
                outputs.push(read);
            }
            let is_whole = wide.outputs().zip(&outputs).all(|(port, bits)| port.width as usize == bits.len());
            let narrow = if is_whole {
                Arc::clone(&wide)
            } else {
                Arc::new(trimmed_to(Module::clone(&wide), &outputs))
            };
            narrowed.push([wide, Arc::clone(&narrow)]);
            narrow
        });
    }
}

fn mask(width: u32, bits: &[u32]) -> Bits {
    let mut mask = Bits::zero(width);
    bits.iter().for_each(|&bit| mask.set(bit, true));
    mask
}

fn set_bits(bits: &Bits) -> Vec<u32> {
    (0..bits.width()).filter(|&bit| bits.bit(bit)).collect()
}

/// Whether a node keeps its meaning if some of its bits are left out.
fn is_bitwise(op: &Op) -> bool {
    use super::BinaryOp::{And, Or, Xor};
    match op {
        Op::Binary(op, ..) => matches!(op, And | Or | Xor),
        Op::Input(_) | Op::Reduce(..) => false,
        _ => true,
    }
}

/// The module that is being made.
struct Trim<'a> {
    old: &'a Module,
    /// The bits of each old node that the new one has.
    kept: Vec<Vec<u32>>,
    /// The new node of each old one.
    nodes_of: Vec<Option<NodeId>>,
    /// The new index of each old register, and of each old instance.
    registers_of: Vec<usize>,
    instances_of: Vec<usize>,
    nodes: Vec<Node>,
}

/// For each element, the number of kept elements before it.
fn places(kept: impl Iterator<Item = bool>) -> Vec<usize> {
    let place =
        |count: &mut usize, is_kept: bool| Some(std::mem::replace(count, *count + usize::from(is_kept)));
    kept.scan(0, place).collect()
}

impl<'a> Trim<'a> {
    fn new(old: &'a Module, kept: Vec<Vec<u32>>) -> Self {
        let is_kept = |node: NodeId| !kept[node.index()].is_empty();
        let registers_of = places(old.registers.iter().map(|register| is_kept(register.node)));
        let instances_of = places(
            old.instances.iter().map(|instance| instance.outputs.iter().flatten().any(|&node| is_kept(node))),
        );
        let nodes_of = vec![None; old.nodes.len()];
        Self { old, kept, nodes_of, registers_of, instances_of, nodes: Vec::new() }
    }

    fn module(mut self, outputs: &[Vec<u32>]) -> Module {
        for index in 0..self.old.nodes.len() {
            if !self.kept[index].is_empty() {
                self.copy(index);
            }
        }
        // Wires may have drivers that come after them.
        for index in 0..self.old.nodes.len() {
            if let (Op::Wire(Some(driver)), Some(node)) = (&self.old.nodes[index].op, self.nodes_of[index]) {
                let bits = self.kept[index].clone();
                let driver = self.bits(*driver, &bits, self.old.nodes[index].section);
                self.nodes[node.index()].op = Op::Wire(Some(driver));
            }
        }
        let registers = self.registers();
        let instances = self.instances();
        let mut ports = self.old.ports.clone();
        let (to_outside, inputs): (Vec<_>, Vec<_>) =
            ports.iter_mut().partition(|port| port.direction == Direction::Output);
        inputs.into_iter().for_each(|port| port.node = self.whole(port.node));
        for (port, bits) in to_outside.into_iter().zip(outputs) {
            let section = self.old.node(port.node).section;
            (port.node, port.width) = (self.bits(port.node, bits, section), bits.len() as u32);
        }
        let Module { name, summary, sections, memory, .. } = self.old.clone();
        Module {
            name,
            summary,
            nodes: self.nodes,
            ports,
            registers,
            instances,
            sections,
            memory,
            marks: Vec::new(),
        }
    }

    /// Copies a node, of which some bits are kept.
    fn copy(&mut self, index: usize) {
        let old = self.old;
        let node = &old.nodes[index];
        let bits = self.kept[index].clone();
        let section = node.section;
        let op = match &node.op {
            Op::Input(port) => Op::Input(*port),
            Op::Const(value) => Op::Const(chosen(value, &bits)),
            Op::Register(register) => Op::Register(self.registers_of[*register]),
            Op::InstanceOutput(instance, port) => Op::InstanceOutput(self.instances_of[*instance], *port),
            // The driver is connected when all nodes are there.
            Op::Wire(_) => Op::Wire(None),
            Op::Not(a) => Op::Not(self.bits(*a, &bits, section)),
            Op::Binary(op, a, b) if is_bitwise(&node.op) => {
                Op::Binary(*op, self.bits(*a, &bits, section), self.bits(*b, &bits, section))
            }
            Op::Binary(op, a, b) => Op::Binary(*op, self.whole(*a), self.whole(*b)),
            Op::Reduce(op, a) => Op::Reduce(*op, self.whole(*a)),
            Op::Mux(select, one, zero) => Op::Mux(
                self.whole(*select),
                self.bits(*one, &bits, section),
                self.bits(*zero, &bits, section),
            ),
            Op::Case(key, arms, default) => {
                let arm = |arm: &Arm| Arm { value: self.bits(arm.value, &bits, section), ..arm.clone() };
                let arms = arms.iter().map(arm).collect();
                Op::Case(self.whole(*key), arms, self.bits(*default, &bits, section))
            }
            Op::Lookup(key, words) => {
                let word = |word: &u64| (0..).zip(&bits).map(|(to, bit)| (word >> bit & 1) << to).sum();
                Op::Lookup(self.whole(*key), words.iter().map(word).collect())
            }
            Op::Slice(of, low) => {
                let wanted: Vec<u32> = bits.iter().map(|bit| low + bit).collect();
                self.slices(*of, &wanted, section)
            }
            Op::Concat(parts) => {
                let mut chosen = Vec::new();
                let mut low = 0;
                for part in parts.iter().rev() {
                    let width = old.node(*part).width;
                    let of_part = bits.iter().filter(|&&bit| (low..low + width).contains(&bit));
                    let of_part: Vec<u32> = of_part.map(|bit| bit - low).collect();
                    if !of_part.is_empty() {
                        chosen.push(self.bits(*part, &of_part, section));
                    }
                    low += width;
                }
                chosen.reverse();
                if let [only] = chosen[..] { Op::Wire(Some(only)) } else { Op::Concat(chosen) }
            }
        };
        // All that is left of a slice without a name can be another node.
        if let (Op::Wire(Some(same)), None, false) = (&op, &node.name, matches!(node.op, Op::Wire(_))) {
            self.nodes_of[index] = Some(*same);
            return;
        }
        let is_whole = bits.len() == node.width as usize;
        let labels = node.labels.clone().filter(|_| is_whole);
        let copy = Node { op, width: bits.len() as u32, labels, ..node.clone() };
        self.nodes_of[index] = Some(self.push(copy));
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(node);
        id
    }

    /// The new node of an old one of which every bit is kept.
    fn whole(&self, old: NodeId) -> NodeId {
        assert_eq!(self.kept[old.index()].len(), self.old.node(old).width as usize);
        self.nodes_of[old.index()].expect("an operand comes before its reader")
    }

    /// Picks bits of an old node.
    fn bits(&mut self, old: NodeId, wanted: &[u32], section: usize) -> NodeId {
        if self.kept[old.index()] == wanted {
            return self.nodes_of[old.index()].expect("an operand comes before its reader");
        }
        let op = self.slices(old, wanted, section);
        self.unnamed(op, wanted.len(), section)
    }

    fn unnamed(&mut self, op: Op, width: usize, section: usize) -> NodeId {
        self.push(Node { op, width: width as u32, name: None, note: None, labels: None, section })
    }

    /// An operation that picks these bits of an old node.
    fn slices(&mut self, old: NodeId, wanted: &[u32], section: usize) -> Op {
        let node = self.nodes_of[old.index()].expect("an operand comes before its reader");
        let kept = &self.kept[old.index()];
        let place = |bit: &u32| kept.binary_search(bit).expect("a bit that is read is kept") as u32;
        let places: Vec<u32> = wanted.iter().map(place).collect();
        if places.len() == kept.len() {
            return Op::Wire(Some(node));
        }
        let mut runs: Vec<(u32, usize)> = Vec::new();
        for &place in &places {
            match runs.last_mut() {
                Some((low, length)) if *low + *length as u32 == place => *length += 1,
                _ => runs.push((place, 1)),
            }
        }
        if let [(low, _)] = runs[..] {
            return Op::Slice(node, low);
        }
        let parts = runs.into_iter().rev();
        Op::Concat(parts.map(|(low, length)| self.unnamed(Op::Slice(node, low), length, section)).collect())
    }

    fn registers(&mut self) -> Vec<Register> {
        let old = self.old;
        let mut registers = Vec::new();
        for register in &old.registers {
            let bits = self.kept[register.node.index()].clone();
            if bits.is_empty() {
                continue;
            }
            registers.push(Register {
                node: self.nodes_of[register.node.index()].expect("a register that is kept"),
                next: register.next.map(|next| self.bits(next, &bits, register.section)),
                enable: register.enable.map(|enable| self.whole(enable)),
                reset: register.reset.as_ref().map(|reset| chosen(reset, &bits)),
                ..register.clone()
            });
        }
        registers
    }

    fn instances(&self) -> Vec<Instance> {
        let is_kept = |node: &NodeId| !self.kept[node.index()].is_empty();
        let kept =
            self.old.instances.iter().filter(|instance| instance.outputs.iter().flatten().any(is_kept));
        let instance = |instance: &Instance| Instance {
            inputs: instance.inputs.iter().map(|input| input.map(|input| self.whole(input))).collect(),
            outputs: instance.outputs.iter().map(|output| self.nodes_of[(*output)?.index()]).collect(),
            ..instance.clone()
        };
        kept.map(instance).collect()
    }
}

/// Picks bits of a value.
fn chosen(value: &Bits, bits: &[u32]) -> Bits {
    let mut chosen = Bits::zero(bits.len() as u32);
    (0..).zip(bits).for_each(|(at, &bit)| chosen.set(at, value.bit(bit)));
    chosen
}
