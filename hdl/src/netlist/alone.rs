//! A module without the modules below it.

use super::module::{Direction, Module, Op, Port};

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
        let port = |of: &Port, direction, node| Port {
            name: format!("{}_{}", instance.name, of.name),
            direction,
            node,
            ..of.clone()
        };
        for (of, driver) in instance.module.inputs().zip(&instance.inputs) {
            copy.ports.push(port(of, Direction::Output, driver.expect("a finished module")));
        }
        let read = instance.module.outputs().zip(&instance.outputs);
        for (of, node) in read.filter_map(|(of, node)| Some((of, (*node)?))) {
            copy.nodes[node.index()].op = Op::Input(inputs);
            inputs += 1;
            copy.ports.push(port(of, Direction::Input, node));
        }
    }
    copy
}
