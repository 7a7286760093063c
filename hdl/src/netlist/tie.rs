//! Inputs of instances that are tied to a constant. A module whose instances all have the same constant at an input is built without that
//! input, and registers whose enable is so tied to 1 are built without enable.

use std::collections::HashMap;
use std::sync::Arc;

use super::Bits;
use super::module::{Direction, Module, NodeId, Op};

/// The modules that were tied, by the module and the inputs with their constants: each with the module that it was made of, whose
/// address is the key.
type Tied = HashMap<(*const Module, Vec<(usize, Bits)>), [Arc<Module>; 2]>;

/// The module, and all below, without inputs that are tied.
pub(super) fn tied(mut module: Module) -> Module {
    tie_instances(&mut module, &mut Tied::new());
    module
}

fn tie_instances(module: &mut Module, done: &mut Tied) {
    let drivers: Vec<Vec<Option<Bits>>> = module
        .instances
        .iter()
        .map(|instance| instance.inputs.iter().map(|input| constant(module, (*input)?)).collect())
        .collect();
    let modules: Vec<Arc<Module>> =
        module.instances.iter().map(|instance| Arc::clone(&instance.module)).collect();
    for (index, instance) in module.instances.iter_mut().enumerate() {
        let alike = || modules.iter().zip(&drivers).filter(|(other, _)| Arc::ptr_eq(other, &modules[index]));
        let same = |(input, value): (usize, &Option<Bits>)| {
            let value = value.as_ref()?;
            alike().all(|(_, drivers)| drivers[input].as_ref() == Some(value)).then(|| (input, value.clone()))
        };
        let ties: Vec<(usize, Bits)> = drivers[index].iter().enumerate().filter_map(same).collect();
        let is_free = |input: usize| ties.iter().all(|(tied, _)| *tied != input);
        instance.inputs = instance
            .inputs
            .iter()
            .enumerate()
            .filter(|(input, _)| is_free(*input))
            .map(|(_, driver)| *driver)
            .collect();
        instance.module = without(&modules[index], ties, done);
    }
}

/// The value of a node, if it is a constant.
fn constant(module: &Module, id: NodeId) -> Option<Bits> {
    match &module.node(id).op {
        Op::Const(value) => Some(value.clone()),
        Op::Wire(Some(driver)) => constant(module, *driver),
        _ => None,
    }
}

/// `module` without inputs, which are constants.
fn without(module: &Arc<Module>, ties: Vec<(usize, Bits)>, done: &mut Tied) -> Arc<Module> {
    let key = (Arc::as_ptr(module), ties);
    if let Some([_, known]) = done.get(&key) {
        return Arc::clone(known);
    }
    let ties = &key.1;
    let mut copy = Module::clone(module);
    for node in &mut copy.nodes {
        let Op::Input(input) = &mut node.op else { continue };
        match ties.iter().find(|(tied, _)| tied == input) {
            Some((_, value)) => (node.op, node.name) = (Op::Const(value.clone()), None),
            None => *input -= ties.iter().filter(|(tied, _)| tied < input).count(),
        }
    }
    let mut inputs = 0..;
    copy.ports.retain(|port| {
        port.direction == Direction::Output
            || inputs.next().is_none_or(|input| ties.iter().all(|(tied, _)| *tied != input))
    });
    let enables: Vec<Option<NodeId>> = copy
        .registers
        .iter()
        .map(|register| {
            let is_signal = |enable: &NodeId| constant(&copy, *enable).is_none_or(|value| value.is_zero());
            register.enable.filter(is_signal)
        })
        .collect();
    copy.registers.iter_mut().zip(enables).for_each(|(register, enable)| register.enable = enable);
    tie_instances(&mut copy, done);
    let copy = Arc::new(copy);
    done.insert(key, [Arc::clone(module), Arc::clone(&copy)]);
    copy
}
