//! Two designs in one state: whether an input makes their outputs or their next states differ, in a state that they both have.
//!
//! If no reachable state has such an input, the designs behave alike, by induction over cycles. Since the registers are there once, this is a
//! problem about one design, with the logic twice that reads the difference between the two.

use std::collections::HashMap;

use utfhdl_sim::aig::{Aig, Leaf, Lit, Logic, Node, RegisterBit};

/// The problem of two instances, `one` and `other`, of a top whose outputs say that the instances differ. `None` if a register of both starts
/// with different values, or two registers have one name.
pub(super) fn in_one_state(logic: &Logic, one: &str, other: &str) -> Option<Logic> {
    let twins = twins(logic, one, other)?;
    let mut aig = Aig::new();
    let mut leaves: HashMap<Leaf, Lit> = HashMap::new();
    let mut lits: Vec<Lit> = Vec::with_capacity(logic.aig.nodes().len());
    let of = |lits: &[Lit], lit: Lit| if lit.is_complement() { !lits[lit.node()] } else { lits[lit.node()] };
    for node in logic.aig.nodes() {
        lits.push(match *node {
            Node::False => Lit::FALSE,
            Node::Leaf(leaf) => {
                let leaf = match leaf {
                    Leaf::Register(index) => Leaf::Register(twins[index as usize]),
                    Leaf::Input(_) => leaf,
                };
                *leaves.entry(leaf).or_insert_with(|| aig.leaf(leaf))
            }
            Node::And(a, b) => aig.and(of(&lits, a), of(&lits, b)),
        });
    }
    let next: Vec<Lit> = logic.next.iter().map(|lit| of(&lits, *lit)).collect();
    let outputs = logic.outputs.iter().map(|lit| of(&lits, *lit));
    let mut differs = outputs.fold(Lit::FALSE, |some, differs| aig.or(some, differs));
    for (next_of_other, twin) in next.iter().zip(twins) {
        let differ = aig.xor(*next_of_other, next[twin as usize]);
        differs = aig.or(differs, differ);
    }
    let output_names = logic.output_names[..1].to_vec();
    let registers = logic.registers.clone();
    let together = Logic { aig, inputs: logic.inputs.clone(), registers, next, outputs: vec![differs], output_names };
    Some(together.without_dead_registers())
}

/// For each register its twin in `one`: itself, but of registers in `other`.
fn twins(logic: &Logic, one: &str, other: &str) -> Option<Vec<u32>> {
    let below = |name: &'_ str, instance: &str| Some(name.strip_prefix(instance)?.strip_prefix('.')?.to_owned());
    let registers = || (0..).zip(&logic.registers);
    let named = registers().filter_map(|(index, bit)| Some((below(&bit.name, one)?, index)));
    let of_one: HashMap<String, u32> = named.clone().collect();
    if of_one.len() < named.count() {
        return None;
    }
    let twin = |(index, bit): (u32, &RegisterBit)| {
        let twin = below(&bit.name, other).and_then(|name| of_one.get(&name).copied()).unwrap_or(index);
        (logic.registers[twin as usize].complemented == bit.complemented).then_some(twin)
    };
    registers().map(twin).collect()
}
