//! Registers that carry what is known of earlier beats to later ones, as ports of their module.
//!
//! A module of one stream has a register for each such state. Where beats of several streams come in any order, each stream has its own
//! state, and a module around this one keeps the states in memories: see [`states_outside`].

use std::sync::Arc;

use super::module::{Direction, Module, Node, NodeId, Op, Port};

/// A state that a module gets from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The input with the state before the beat. The output `<input>_next` has the state after it.
    pub input: String,
    /// The output that is 1 in cycles in which the state after the beat counts; `None` if it always does.
    pub loads: Option<String>,
    /// Bits of the state.
    pub width: u32,
    /// The pipeline stage of the beat that reads and changes the state.
    pub stage: u32,
}

impl State {
    /// The output with the state after the beat.
    pub fn output(&self) -> String {
        format!("{}_next", self.input)
    }
}

/// Heading of the ports of states.
const GROUP: &str = "States of the stream";

/// A copy of `module` in which each register that [carries](super::Reg::carried) something is an input and an output, and the states; those of
/// instances go through the ports of the module that has them.
pub fn states_outside(module: &Module) -> (Arc<Module>, Vec<State>) {
    let mut copy = Module { registers: Vec::new(), ..module.clone() };
    let (mut states, mut enables): (Vec<State>, Vec<(NodeId, String)>) = Default::default();
    for register in &module.registers {
        let Some(stage) = register.carried else {
            copy.nodes[register.node.index()].op = Op::Register(copy.registers.len());
            copy.registers.push(register.clone());
            continue;
        };
        let node = &mut copy.nodes[register.node.index()];
        let name = node.name.as_deref().expect("registers have names");
        let input = format!("state_{}", name.trim_end_matches("_reg"));
        node.op = Op::Input(copy.ports.iter().filter(|port| port.direction == Direction::Input).count());
        node.name = Some(input.clone());
        let (width, note) = (node.width, node.note.take());
        let note = note.unwrap_or_else(|| "what is known of the beats before".to_owned());
        let loads = register.enable.map(|enable| match enables.iter().find(|(node, _)| *node == enable) {
            Some((_, name)) => name.clone(),
            None => format!("loads_states_{}", enables.len() + 1),
        });
        let state = State { input, loads, width, stage };
        let mut port = |name: &str, direction, width, note: &str, node| {
            let (name, note, group) = (name.to_owned(), note.to_owned(), GROUP.to_owned());
            copy.ports.push(Port { name, direction, width, note, group, node });
        };
        port(&state.input, Direction::Input, width, &note, register.node);
        let next = register.next.expect("a finished module");
        port(&state.output(), Direction::Output, width, "the same after the beat", next);
        if let (Some(enable), Some(loads)) = (register.enable, &state.loads)
            && enables.iter().all(|(node, _)| *node != enable)
        {
            port(loads, Direction::Output, 1, "the states after the beat count", enable);
            enables.push((enable, loads.clone()));
        }
        states.push(state);
    }
    for index in 0..copy.instances.len() {
        states.extend(states_of_instance(&mut copy, index));
    }
    (Arc::new(copy), states)
}

/// Puts the states of an instance of `module` outside of both; gives them, with the names of the ports of `module`.
fn states_of_instance(module: &mut Module, index: usize) -> Vec<State> {
    let (inner, states) = states_outside(&module.instances[index].module);
    if states.is_empty() {
        return states;
    }
    let (instance, section) = (module.instances[index].name.clone(), module.instances[index].section);
    // `state_open` of the instance `words` is `state_words_open`.
    let outer = |port: &str| {
        let (first, rest) = port.split_once('_').expect("a port of states");
        format!("{first}_{instance}_{rest}")
    };
    let added = inner.ports[module.instances[index].module.ports.len()..].to_vec();
    module.instances[index].module = inner;
    for port in added {
        let (name, node) = (outer(&port.name), NodeId(module.nodes.len() as u32));
        let of_instance = &mut module.instances[index];
        let (op, node_name) = match port.direction {
            Direction::Input => {
                of_instance.inputs.push(Some(node));
                let of_module = module.ports.iter().filter(|port| port.direction == Direction::Input);
                (Op::Input(of_module.count()), name.clone())
            }
            Direction::Output => {
                of_instance.outputs.push(Some(node));
                let output = of_instance.outputs.len() - 1;
                (Op::InstanceOutput(index, output), format!("{instance}_{}", port.name))
            }
        };
        let node_of_port =
            Node { op, width: port.width, name: Some(node_name), note: None, labels: None, section };
        module.nodes.push(node_of_port);
        module.ports.push(Port { name, node, ..port });
    }
    let renamed = |state: State| {
        let loads = state.loads.as_deref().map(outer);
        State { input: outer(&state.input), loads, ..state }
    };
    states.into_iter().map(renamed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Builder;
    use crate::netlist::evaluator::{Evaluator, Random};

    /// A sum, which is carried, and its last value, which is not.
    fn sum() -> Arc<Module> {
        let m = Builder::new("sum", "A sum.");
        let (adds, number) = (m.input("adds", 1, ""), m.input("number", 4, ""));
        let sum = m.reg("sum_reg", 4).carried(2);
        sum.next_when(adds, sum.q + number);
        let last = m.reg("last_reg", 4);
        last.next(sum.q);
        m.output("sum", sum.q, "");
        m.output("last", last.q, "");
        m.built()
    }

    #[test]
    fn a_state_outside_is_the_register_that_was_inside() {
        let (outside, states) = states_outside(&sum());
        let state =
            State { input: "state_sum".into(), loads: Some("loads_states_1".into()), width: 4, stage: 2 };
        assert_eq!(states, std::slice::from_ref(&state));
        let (mut inside, mut outside) = (Evaluator::new(&sum()), Evaluator::new(&outside));
        let (mut random, mut held) = (Random::new(5), 0);
        for _ in 0..200 {
            let (adds, number) = (random.below(2), random.below(16));
            for block in [&mut inside, &mut outside] {
                block.set("adds", adds);
                block.set("number", number);
            }
            outside.set(&state.input, held);
            assert_eq!(
                ["sum", "last"].map(|name| outside.get(name)),
                ["sum", "last"].map(|name| inside.get(name))
            );
            assert_eq!(outside.get(state.loads.as_ref().expect("the sum has an enable")), adds);
            held = if adds == 1 { outside.get(&state.output()) } else { held };
            inside.clock();
            outside.clock();
        }
    }
}
