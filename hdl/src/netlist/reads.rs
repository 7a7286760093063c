//! The bits of nodes on which outputs depend.

use super::Bits;
use super::module::{BinaryOp, Module, Node, NodeId, Op};

/// How the name of a signal begins that nothing reads on purpose. The operands of such a signal count as read, as they do
/// in Verilator.
const UNUSED: &str = "unused_";

/// Which bits of each node some output depends on.
pub(super) fn read_bits(module: &Module) -> Vec<Bits> {
    read_by_outputs(module, module.outputs().map(|port| Bits::ones(port.width)))
}

/// The bits of each node on which these bits of the outputs depend, found backwards.
pub(super) fn read_by_outputs(module: &Module, outputs: impl Iterator<Item = Bits>) -> Vec<Bits> {
    let mut read: Vec<Bits> = module.nodes().iter().map(|node| Bits::zero(node.width)).collect();
    let mut work: Vec<(NodeId, Bits)> = module.outputs().map(|port| port.node).zip(outputs).collect();
    let unused = |node: &Node| node.name.as_deref().is_some_and(|name| name.starts_with(UNUSED));
    let unused = module.nodes().iter().enumerate().filter(|(_, node)| unused(node));
    work.extend(unused.map(|(index, node)| (NodeId(index as u32), Bits::ones(node.width))));
    while let Some((id, mask)) = work.pop() {
        let known = &mut read[id.index()];
        let mut news = false;
        for bit in (0..mask.width()).filter(|&bit| mask.bit(bit)) {
            news |= !known.bit(bit);
            known.set(bit, true);
        }
        if news {
            let known = known.clone();
            work.extend(read_by(module, id, &known));
        }
    }
    read
}

/// The bits of other nodes on which the bits `mask` of `id` depend.
fn read_by(module: &Module, id: NodeId, mask: &Bits) -> Vec<(NodeId, Bits)> {
    let whole = |id: NodeId| (id, Bits::ones(module.node(id).width));
    match &module.node(id).op {
        Op::Input(_) | Op::Const(_) => vec![],
        Op::Wire(driver) => driver.iter().map(|driver| (*driver, mask.clone())).collect(),
        Op::Not(a) => vec![(*a, mask.clone())],
        Op::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => {
            vec![(*a, mask.clone()), (*b, mask.clone())]
        }
        Op::Mux(select, one, zero) => vec![whole(*select), (*one, mask.clone()), (*zero, mask.clone())],
        Op::Case(key, arms, default) => {
            let values = arms.iter().map(|arm| arm.value).chain([*default]);
            values.map(|value| (value, mask.clone())).chain([whole(*key)]).collect()
        }
        Op::Slice(of, low) => {
            let mut wide = Bits::zero(module.node(*of).width);
            (0..mask.width()).for_each(|bit| wide.set(low + bit, mask.bit(bit)));
            vec![(*of, wide)]
        }
        Op::Concat(parts) => {
            let mut low = 0;
            let mut read = Vec::new();
            for part in parts.iter().rev() {
                let mut narrow = Bits::zero(module.node(*part).width);
                (0..narrow.width()).for_each(|bit| narrow.set(bit, mask.bit(low + bit)));
                low += narrow.width();
                read.push((*part, narrow));
            }
            read
        }
        Op::Register(index) => {
            let register = &module.registers()[*index];
            let next = register.next.map(|next| (next, mask.clone()));
            next.into_iter().chain(register.enable.map(whole)).collect()
        }
        Op::InstanceOutput(instance, _) => {
            module.instances()[*instance].inputs.iter().flatten().map(|input| whole(*input)).collect()
        }
        op @ (Op::Binary(..) | Op::Reduce(..) | Op::Lookup(..)) => {
            op.operands().into_iter().map(whole).collect()
        }
    }
}
