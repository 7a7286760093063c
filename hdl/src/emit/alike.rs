//! Vectors and instances that are written in loops: those of which most elements are driven or connected alike.

use std::collections::HashSet;

use super::expression::Expression;
use super::lower::Expressions;
use super::names::Names;
use super::rolls::{Roll, STRIDES, rolled};
use super::vectors::{Driver, Vector};
use crate::netlist::{Direction, Module, NodeId, Op};

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

/// What a module writes in loops.
pub(super) struct Alike {
    /// The statements that drive the elements of each vector; none if instances drive them.
    pub(super) rolls: Vec<Vec<Roll>>,
    /// Instances that are alike.
    pub(super) arrays: Vec<Array>,
}

/// Chooses vectors, which are set in `names`, and arrays of instances.
pub(super) fn alike(module: &Module, names: &mut Names) -> Alike {
    let mut chosen = Alike { rolls: Vec::new(), arrays: Vec::new() };
    if names.has_index(module) {
        return chosen;
    }
    let mut vectors = names.candidates(module);
    let arrays = arrays(module);
    loop {
        names.set_vectors(&vectors);
        let rolls: Vec<Vec<Roll>> = vectors.iter().map(|vector| rolls(module, names, vector)).collect();
        let of_arrays: Vec<Vec<Roll>> =
            arrays.iter().map(|array| rolls_of_array(module, names, array)).collect();
        let is_rolled =
            |at: usize| !rolls[at].is_empty() && 2 * rolls[at].len() <= vectors[at].elements.len();
        let rolled_up = (0..vectors.len()).filter(|at| is_rolled(*at)).flat_map(|at| &rolls[at]);
        let read: HashSet<String> = selected(rolled_up.chain(of_arrays.iter().flatten()));
        let is_worthy = |at: usize| is_rolled(at) || read.contains(&vectors[at].name);
        let worthy: Vec<Vector> =
            (0..vectors.len()).filter(|at| is_worthy(*at)).map(|at| vectors[at].clone()).collect();
        if worthy.len() == vectors.len() {
            chosen.rolls = rolls;
            let arrays = arrays.into_iter().zip(of_arrays).filter(|(_, rolls)| has_loop(rolls));
            chosen.arrays = arrays.map(|(array, rolls)| Array { rolls, ..array }).collect();
            return chosen;
        }
        vectors = worthy;
    }
}

/// The statements that drive the elements of a vector.
fn rolls(module: &Module, names: &Names, vector: &Vector) -> Vec<Roll> {
    let expressions = Expressions { module, names };
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
fn rolls_of_array(module: &Module, names: &Names, array: &Array) -> Vec<Roll> {
    let connections: Vec<Vec<Expression>> =
        array.instances.iter().map(|index| connections(module, names, *index)).collect();
    rolled(array.first, &[1], &vec![(); connections.len()], &connections)
}

/// The connections of an instance, in the order of its ports.
pub(super) fn connections(module: &Module, names: &Names, index: usize) -> Vec<Expression> {
    let expressions = Expressions { module, names };
    let instance = &module.instances()[index];
    let (mut inputs, mut outputs) = (instance.inputs.iter(), instance.outputs.iter());
    let of_port = |direction| match direction {
        Direction::Input => inputs.next(),
        Direction::Output => outputs.next(),
    };
    let nodes = instance.module.ports().iter().map(|port| port.direction).map(of_port);
    let connection = |node: Option<&Option<NodeId>>| match *node.expect("there is a node for each port") {
        None => Expression::atom(""),
        Some(id) => match names.fields(id) {
            [] => expressions.read(id),
            fields => Expression::Concatenation(fields.iter().map(|id| expressions.read(*id)).collect()),
        },
    };
    nodes.map(connection).collect()
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
