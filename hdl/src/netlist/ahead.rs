//! The next value of an output: a copy of a module that gives, beside an output, the value that the output will have in the
//! next cycle.

use std::sync::Arc;

use super::Bits;
use super::module::{BinaryOp, Direction, Module, Node, NodeId, Op, Port};

/// A copy of `module` with one more output for each of `outputs`, which come from registers: its name ends in `_next`, and
/// its value is that of the output in the next cycle, if there is no reset. Modules below that are copied for it have names
/// that end in `_next`, too.
///
/// # Panics
/// If the module has no such output, or the output depends on more than registers.
pub fn with_next(module: &Arc<Module>, outputs: &[&str]) -> Arc<Module> {
    let mut copy = Copy { module: Module::clone(module) };
    for name in outputs {
        let port = module.outputs().find(|port| port.name == *name);
        let port = port.unwrap_or_else(|| panic!("module `{}` has no output `{name}`", module.name()));
        copy.add(port, 0, port.width);
    }
    Arc::new(copy.module)
}

/// A module to which nodes are added.
struct Copy {
    module: Module,
}

impl Copy {
    /// Adds the output for the next value of `width` bits of `port`, from bit `low` on.
    fn add(&mut self, port: &Port, low: u32, width: u32) {
        let node = self.next(port.node, low, width);
        let mut name = format!("{}_next", port.name);
        if self.module.ports.iter().any(|other| other.name == name) {
            name += &format!("_{low}");
        }
        self.module.ports.push(Port {
            name,
            direction: Direction::Output,
            width,
            note: format!("{}, in the next cycle", port.note),
            group: port.group.clone(),
            node,
        });
    }

    fn append(&mut self, op: Op, width: u32, section: usize) -> NodeId {
        self.module.nodes.push(Node { op, width, name: None, note: None, labels: None, section });
        NodeId(self.module.nodes.len() as u32 - 1)
    }

    /// `width` bits of a node in the next cycle, from bit `low` on.
    fn next(&mut self, id: NodeId, low: u32, width: u32) -> NodeId {
        let Node { op, section, .. } = self.module.node(id).clone();
        match op {
            Op::Const(_) => self.now(id, low, width),
            Op::Wire(driver) => self.next(driver.expect("a finished module"), low, width),
            Op::Slice(of, from) => self.next(of, from + low, width),
            Op::Concat(parts) => {
                let pieces = self.pieces(&parts, low, width);
                let pieces =
                    pieces.into_iter().map(|(part, low, width)| self.next(part, low, width)).collect();
                self.joined(pieces, width, section)
            }
            Op::Not(of) => {
                let of = self.next(of, low, width);
                self.append(Op::Not(of), width, section)
            }
            Op::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) => {
                let (a, b) = (self.next(a, low, width), self.next(b, low, width));
                self.append(Op::Binary(op, a, b), width, section)
            }
            Op::Mux(select, one, zero) => {
                let select = self.next(select, 0, 1);
                let (one, zero) = (self.next(one, low, width), self.next(zero, low, width));
                self.append(Op::Mux(select, one, zero), width, section)
            }
            Op::Register(index) => {
                let register = &self.module.registers[index];
                let (next, enable, section) = (register.next, register.enable, register.section);
                let next = self.now(next.expect("a finished module"), low, width);
                let Some(enable) = enable else { return next };
                let stays = self.now(id, low, width);
                self.append(Op::Mux(enable, next, stays), width, section)
            }
            Op::InstanceOutput(instance, output) => self.next_of_instance(instance, output, low, width),
            Op::Input(_) | Op::Case(..) | Op::Lookup(..) | Op::Reduce(..) | Op::Binary(..) => {
                panic!("the next value of an output of `{}` is not known", self.module.name())
            }
        }
    }

    /// Copies the module of an instance, and reads the output that is added there.
    fn next_of_instance(&mut self, instance: usize, output: usize, low: u32, width: u32) -> NodeId {
        let outer = &self.module.instances[instance];
        let (name, section) = (outer.name.clone(), outer.section);
        let mut inner = Self { module: Module::clone(&outer.module) };
        let port = inner.module.outputs().nth(output).expect("an output of the instance").clone();
        inner.add(&port, low, width);
        if !inner.module.name.ends_with("_next") {
            inner.module.name += "_next";
        }
        let added = inner.module.outputs().count() - 1;
        let node = self.append(Op::InstanceOutput(instance, added), width, section);
        let added = inner.module.ports.last().expect("the output that was added");
        self.module.nodes[node.index()].name = Some(format!("{name}_{}", added.name));
        let outer = &mut self.module.instances[instance];
        outer.module = Arc::new(inner.module);
        outer.outputs.push(Some(node));
        node
    }

    /// `width` bits of a node in this cycle, from bit `low` on. Expressions without a name are taken apart, since Verilog has
    /// no bits of an expression.
    fn now(&mut self, id: NodeId, low: u32, width: u32) -> NodeId {
        let node = self.module.node(id).clone();
        if node.width == width {
            return id;
        }
        match node.op {
            Op::Const(value) => {
                let mut bits = Bits::zero(width);
                (0..width).for_each(|bit| bits.set(bit, value.bit(low + bit)));
                self.append(Op::Const(bits), width, node.section)
            }
            Op::Mux(select, one, zero) if node.name.is_none() => {
                let (one, zero) = (self.now(one, low, width), self.now(zero, low, width));
                self.append(Op::Mux(select, one, zero), width, node.section)
            }
            Op::Slice(of, from) if node.name.is_none() => self.now(of, from + low, width),
            Op::Concat(parts) if node.name.is_none() => {
                let pieces = self.pieces(&parts, low, width);
                let pieces =
                    pieces.into_iter().map(|(part, low, width)| self.now(part, low, width)).collect();
                self.joined(pieces, width, node.section)
            }
            _ => self.append(Op::Slice(id, low), width, node.section),
        }
    }

    /// The parts of a concatenation that `width` bits from bit `low` on are in, the high ones first: node, first bit and number
    /// of bits.
    fn pieces(&self, parts: &[NodeId], low: u32, width: u32) -> Vec<(NodeId, u32, u32)> {
        let (mut pieces, mut start) = (Vec::new(), 0);
        for &part in parts.iter().rev() {
            let end = start + self.module.node(part).width;
            let (from, to) = (start.max(low), end.min(low + width));
            if from < to {
                pieces.insert(0, (part, from - start, to - from));
            }
            start = end;
        }
        pieces
    }

    fn joined(&mut self, pieces: Vec<NodeId>, width: u32, section: usize) -> NodeId {
        match pieces[..] {
            [only] => only,
            _ => self.append(Op::Concat(pieces), width, section),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Builder;
    use crate::netlist::evaluator::{Evaluator, Random};
    use crate::stream::{Fields, connect, elastic_buffer, register_slice, skid_buffer};

    /// A block that holds three fields. The module has an output for the middle field, and one for both others.
    fn around(block: &Arc<Module>) -> Arc<Module> {
        let m = Builder::new("around", "A block.");
        let fields = [3, 1, 4].map(|width| m.input(&format!("in_{width}"), width, ""));
        let taken = m.input("m_ready", 1, "");
        let out = connect(m.instance("block", block), m.input("s_valid", 1, ""), m.concat(fields), taken);
        let mut parts = Fields::of(out.payload);
        let [high, middle, low] = fields.map(|field| parts.next(field, &format!("out_{}", field.width())));
        m.output("s_ready", out.ready, "");
        m.output("m_valid", out.valid, "");
        m.output("middle", middle, "");
        m.output("others", m.concat([low, high]), "");
        m.built()
    }

    #[test]
    fn the_output_is_what_was_announced_in_the_cycle_before() {
        for block in [skid_buffer(8), register_slice(8), elastic_buffer(8)] {
            let module = with_next(&around(&block), &["m_valid", "middle", "others"]);
            let (mut random, mut block) = (Random::new(7), Evaluator::new(&module));
            block.reset();
            let mut changes = 0;
            for _ in 0..2000 {
                for (name, most) in [("in_3", 8), ("in_1", 2), ("in_4", 16), ("m_ready", 2), ("s_valid", 2)] {
                    block.set(name, random.below(most));
                }
                let outputs = ["m_valid", "middle", "others"];
                let announced = outputs.map(|name| block.get(&format!("{name}_next")));
                let before = block.get("others");
                block.clock();
                assert_eq!(outputs.map(|name| block.get(name)), announced);
                changes += usize::from(block.get("others") != before);
            }
            assert!(changes > 300, "{changes}");
        }
    }
}
