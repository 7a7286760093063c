//! One state for registers that hold the same, in two kinds of problem.
//!
//! The first compares two designs: it asks whether an input makes their outputs or their next states differ, in a state that both have. If no reachable
//! state has such an input, the designs behave alike, by induction over cycles. The problem has each register once, but for registers that differ in a
//! simulation, where the difference may not matter: each of the two designs has its own. So the problem is little larger than one about one design.
//!
//! The second has a design and its definition side by side. Registers of both that hold the same are there once. What is left to compare is logic that
//! reads the same registers, which a checker does piece by piece, without an invariant.

use std::collections::{HashMap, HashSet};

use utfhdl_sim::aig::{Aig, Aiger, Leaf, Lit, Logic, Node, RegisterBit};

use super::random_inputs::{CYCLES, RandomInputs, values_of};

/// The result of a simulation of two designs with random inputs.
enum Seen {
    /// The outputs differ in this cycle.
    Differ(usize),
    /// The index of each register bit's twin. A bit of the second design has its twin in the first one if no bit of its register ever differs; other bits
    /// are their own twins.
    Alike(Vec<u32>),
}

/// The question about two designs.
pub(super) enum Question {
    /// Random inputs answer it: the outputs differ in this cycle.
    Answered(usize),
    /// The problem whether they ever differ.
    Problem(Box<Aiger>),
}

/// Makes the question about two instances, `one` and `other`, of a top whose output says that the instances differ.
pub(super) fn in_one_state(logic: &Logic, one: &str, other: &str) -> Question {
    let twins = match simulated(logic, &twins(logic, one, other)) {
        Seen::Differ(cycle) => return Question::Answered(cycle),
        Seen::Alike(twins) => twins,
    };
    let twins: Vec<Option<u32>> = twins.into_iter().map(Some).collect();
    let (mut together, differences) = merged(logic, &twins);
    let all = together.outputs.iter().copied().chain(differences.into_iter().map(|(_, differs)| differs));
    let differ = all
        .collect::<Vec<Lit>>()
        .into_iter()
        .fold(Lit::FALSE, |some, differs| together.aig.or(some, differs));
    together.outputs = vec![differ];
    together.output_names.truncate(1);
    Question::Problem(Box::new(Aiger::sequential(&together.without_dead_registers())))
}

/// The problem of a design in which registers that random inputs do not tell apart are one. Each such pair adds a bad state: the two would then load
/// different values. `None` if random inputs reach a bad state.
///
/// If no bad state is reached, the design reaches none, by induction over cycles. A bad state that is reached says nothing of the design, since random
/// inputs may fail to tell two registers apart.
pub(super) fn with_alike_once(logic: &Logic) -> Option<Logic> {
    let (mut together, differences) = merged(logic, &alike(logic)?);
    for (register, differs) in differences {
        together.output_names.push(format!("next_{}", logic.registers[register].name));
        together.outputs.push(differs);
    }
    Some(together)
}

/// Replaces registers in a design: each by its twin, or by 0 if there is no twin. A register that is its own twin stays.
///
/// Returns the design, and for each replaced register its index and a signal: its next value differs from the next value of the replacement.
fn merged(logic: &Logic, twins: &[Option<u32>]) -> (Logic, Vec<(usize, Lit)>) {
    let mut aig = Aig::new();
    let mut leaves: HashMap<Leaf, Lit> = HashMap::new();
    let mut lits: Vec<Lit> = Vec::with_capacity(logic.aig.nodes().len());
    let of = |lits: &[Lit], lit: Lit| if lit.is_complement() { !lits[lit.node()] } else { lits[lit.node()] };
    for node in logic.aig.nodes() {
        lits.push(match *node {
            Node::False => Lit::FALSE,
            Node::Leaf(leaf) => {
                let leaf = match leaf {
                    Leaf::Register(index) => twins[index as usize].map(Leaf::Register),
                    Leaf::Input(_) => Some(leaf),
                };
                leaf.map_or(Lit::FALSE, |leaf| *leaves.entry(leaf).or_insert_with(|| aig.leaf(leaf)))
            }
            Node::And(a, b) => aig.and(of(&lits, a), of(&lits, b)),
        });
    }
    let next: Vec<Lit> = logic.next.iter().map(|lit| of(&lits, *lit)).collect();
    let replaced = (0..).zip(twins).filter(|(index, twin)| **twin != Some(*index));
    let differences = replaced.map(|(index, twin)| {
        let next_of_twin = twin.map_or(Lit::FALSE, |twin| next[twin as usize]);
        (index as usize, aig.xor(next[index as usize], next_of_twin))
    });
    let differences = differences.collect();
    let together = Logic {
        aig,
        inputs: logic.inputs.clone(),
        registers: logic.registers.clone(),
        next,
        outputs: logic.outputs.iter().map(|lit| of(&lits, *lit)).collect(),
        output_names: logic.output_names.clone(),
        marks: Vec::new(),
        cuts: Vec::new(),
    };
    (together, differences)
}

/// The twin of each register: the first register that holds the same in all cycles of random inputs, or `None` for a register that is always 0. There are
/// no twins if an output is ever 1.
fn alike(logic: &Logic) -> Option<Vec<Option<u32>>> {
    let registers: Vec<usize> = (0..logic.registers.len()).collect();
    let seen = values_of(&Aiger::sequential(logic), &registers)?;
    let mut first = HashMap::from([(vec![0; CYCLES], None)]);
    Some((0..).zip(seen).map(|(index, seen)| *first.entry(seen).or_insert(Some(index))).collect())
}

/// For each register the one of the same name in `one`, or itself: a register in `one`, or in neither, or one that starts with another value.
fn twins(logic: &Logic, one: &str, other: &str) -> Vec<u32> {
    let below =
        |name: &'_ str, instance: &str| Some(name.strip_prefix(instance)?.strip_prefix('.')?.to_owned());
    let registers = || (0..).zip(&logic.registers);
    let mut of_one: HashMap<String, Vec<u32>> = HashMap::new();
    for (index, bit) in registers() {
        if let Some(name) = below(&bit.name, one) {
            of_one.entry(name).or_default().push(index);
        }
    }
    let twin = |(index, bit): (u32, &RegisterBit)| {
        let twin = match of_one.get(&below(&bit.name, other)?)?[..] {
            [twin] => twin,
            _ => return Some(index),
        };
        (logic.registers[twin as usize].complemented == bit.complemented).then_some(twin)
    };
    registers().map(|(index, bit)| twin((index, bit)).unwrap_or(index)).collect()
}

/// Simulates two designs with random inputs, and keeps those of the `twins` that do not differ.
fn simulated(logic: &Logic, twins: &[u32]) -> Seen {
    let problem = Aiger::sequential(logic);
    let mut inputs = RandomInputs::new(&problem);
    let mut state = vec![0; problem.latches.len()];
    let mut twins = twins.to_vec();
    for cycle in 0..CYCLES {
        if problem.run(&mut state, &inputs.cycle()).iter().any(|differ| *differ != 0) {
            return Seen::Differ(cycle);
        }
        for (index, twin) in (0..).zip(&mut twins) {
            if state[index as usize] != state[*twin as usize] {
                *twin = index;
            }
        }
    }
    Seen::Alike(of_whole_registers(logic, twins))
}

/// The twins without those of a register of which some bit has none: noise may not show that another bit differs, too.
fn of_whole_registers(logic: &Logic, mut twins: Vec<u32>) -> Vec<u32> {
    let register = |index: u32| {
        let name = &logic.registers[index as usize].name;
        name.split_once('[').map_or(name.as_str(), |(register, _)| register)
    };
    let differ: HashSet<&str> =
        (0..).zip(&twins).filter(|(index, twin)| index == *twin).map(|(index, _)| register(index)).collect();
    for (index, twin) in (0..).zip(&mut twins) {
        if differ.contains(register(index)) {
            *twin = index;
        }
    }
    twins
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use utfhdl_hdl::netlist::{Builder, Design, Module, ResetStyle, Signal};
    use utfhdl_sim::aig::{Start, blast};

    use super::*;

    /// A module with two registers: what the second holds is an output once the first, which `start` sets, is 1.
    fn module(name: &str, garbage: u64) -> Arc<Module> {
        let m = Builder::new(name, "Two registers.");
        let (start, data) = (m.input("start", 1, ""), m.input("data", 1, ""));
        let (valid, payload) = (m.reg("valid_reg", 1).reset(0), m.reg("payload_reg", 1));
        valid.next(start);
        payload.next(start.mux(data, m.lit(1, garbage)));
        m.output("valid", valid.q, "");
        m.output("shown", valid.q & payload.q, "");
        m.finish().expect("a correct module")
    }

    fn question(one: &Arc<Module>, other: &Arc<Module>) -> Question {
        let m = Builder::new("problem", "Two modules.");
        let instances = [m.instance("one", one), m.instance("other", other)];
        for (name, signal) in ["start", "data"].map(|name| (name, m.input(name, 1, ""))) {
            instances.iter().for_each(|instance| {
                instance.input(name, signal);
            });
        }
        let differ = ["valid", "shown"].map(|name| instances[0].output(name).ne(instances[1].output(name)));
        m.output("bad", differ[0] | differ[1], "");
        let design = Design { top: m.built_with_unused(), reset: ResetStyle::SyncHigh };
        in_one_state(&blast(&design, Start::Cleared).expect("a small design"), "one", "other")
    }

    #[test]
    fn registers_that_differ_are_there_twice() {
        let latches = |other: &Arc<Module>| match question(&module("first", 0), other) {
            Question::Problem(problem) => problem.latches.iter().map(|latch| latch.name.clone()).collect(),
            Question::Answered(cycle) => vec![format!("differ in cycle {cycle}")],
        };
        // Equal logic is there once, so that no latch is left to ask about.
        assert_eq!(latches(&module("second", 0)), Vec::<String>::new());
        assert_eq!(latches(&module("second", 1)), ["one.valid_reg", "one.payload_reg", "other.payload_reg"]);
    }

    /// A design with four registers: two load the same, the third is always 0, and the last loads `other`, which may differ from the first two.
    fn alike_but_one(other: impl for<'m> Fn([Signal<'m>; 2]) -> Signal<'m>) -> Logic {
        let m = Builder::new("problem", "Four registers.");
        let [data, rare] = [m.input("data", 1, ""), m.input("rare", 32, "").is(0x5a69_33c6)];
        let registers = ["one_reg", "twin_reg", "zero_reg", "other_reg"].map(|name| m.reg(name, 1).reset(0));
        let [one, twin, zero, last] = registers;
        one.next(data);
        twin.next(data);
        zero.next(zero.q & data);
        last.next(other([data, rare]));
        m.output("bad", one.q & !twin.q | zero.q | last.q & !one.q, "");
        let design = Design { top: m.built_with_unused(), reset: ResetStyle::SyncHigh };
        blast(&design, Start::Cleared).expect("a small design")
    }

    #[test]
    fn registers_that_hold_the_same_are_there_once() {
        let names = |logic: &Logic| {
            let once = with_alike_once(logic).expect("no bad state is reached");
            let once = Aiger::sequential(&once.without_dead_registers());
            let latches: Vec<String> = once.latches.iter().map(|latch| latch.name.clone()).collect();
            (latches, once.bad.iter().all(|bad| bad.literal == 0))
        };
        // All that is left to ask is decided by the logic.
        assert_eq!(names(&alike_but_one(|[data, _]| data)), (Vec::new(), true));
        assert!(with_alike_once(&alike_but_one(|[data, _]| !data)).is_none());
        // Noise does not show the difference, so that it is a bad state.
        let (latches, is_decided) = names(&alike_but_one(|[data, rare]| data | rare));
        assert_eq!((latches, is_decided), (Vec::new(), false));
    }

    #[test]
    fn outputs_that_differ_are_an_answer() {
        let m = Builder::new("second", "Always valid.");
        let (start, data) = (m.input("start", 1, ""), m.input("data", 1, ""));
        let payload = m.reg("payload_reg", 1);
        payload.next(start & data);
        m.output("valid", m.lit(1, 1), "");
        m.output("shown", payload.q, "");
        let other = m.finish().expect("a correct module");
        assert!(matches!(question(&module("first", 0), &other), Question::Answered(0)));
    }
}
