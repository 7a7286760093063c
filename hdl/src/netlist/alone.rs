//! A module without the modules below it, or with one of them in view.

use super::module::{Direction, Instance, Module, NodeId, Op, Port};

/// A copy of `module` without its instances: what they read is at outputs of the copy, and what it reads of them comes from inputs.
/// These ports are called after instance and port.
///
/// If two such copies have the same outputs for all inputs, the modules have the same outputs, whatever is below them, as long as it
/// is the same.
pub fn alone(module: &Module) -> Module {
    let mut copy = module.clone();
    copy.name = format!("{}_alone", module.name());
    // The array of a memory has no such ports.
    copy.memory = None;
    let mut inputs = copy.inputs().count();
    for instance in std::mem::take(&mut copy.instances) {
        copy.ports.extend(driven(&instance));
        for (of, node) in read(&instance) {
            copy.nodes[node.index()].op = Op::Input(inputs);
            inputs += 1;
            copy.ports.push(port(&instance, of, Direction::Input, node));
        }
    }
    copy
}

/// A copy of `module` with outputs that show the ports of an instance in it, called after instance and port; `None` without such an instance.
pub fn revealed(module: &Module, name: &str) -> Option<Module> {
    let instance = module.instances().iter().find(|instance| instance.name == name)?;
    let mut copy = module.clone();
    copy.ports.extend(driven(instance));
    copy.ports.extend(read(instance).map(|(of, node)| port(instance, of, Direction::Output, node)));
    Some(copy)
}

/// A port of the module around an instance, for a port `of` the instance.
fn port(instance: &Instance, of: &Port, direction: Direction, node: NodeId) -> Port {
    Port { name: format!("{}_{}", instance.name, of.name), direction, node, ..of.clone() }
}

/// Outputs that show what drives the inputs of an instance.
fn driven(instance: &Instance) -> impl Iterator<Item = Port> {
    let inputs = instance.module.inputs().zip(&instance.inputs);
    inputs.map(|(of, driver)| port(instance, of, Direction::Output, driver.expect("a finished module")))
}

/// The outputs of an instance that the module around it reads, each with the node for its value.
fn read(instance: &Instance) -> impl Iterator<Item = (&Port, NodeId)> {
    let outputs = instance.module.outputs().zip(&instance.outputs);
    outputs.filter_map(|(of, node)| Some((of, (*node)?)))
}
