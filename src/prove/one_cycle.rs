//! Failures of a problem as questions about one cycle: whether values of inputs and registers, any that there are, make a failure 1.
//!
//! A failure that no values make 1 never happens. The problem of a wide core has hundreds of failures, and most of these are the same logic of other inputs and registers. There
//! is one question for all failures that are such instances of one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use utfhdl_sim::aig::{Aiger, Leaf, Lit, Logic, Node};

/// The number of questions in a problem. Questions in one problem share what a checker finds, and a problem with too many takes too long.
const AT_ONCE: usize = 64;

/// The questions about the failures of a problem.
pub(super) struct Questions {
    /// The outputs are what must be 0 for all values of the inputs.
    pub(super) problems: Vec<Aiger>,
    /// The number of the output that stands for each failure, among those of all problems.
    of: Vec<usize>,
}

impl Questions {
    /// The questions about the outputs of `logic`, which are failures.
    pub(super) fn new(logic: &Logic) -> Self {
        let shapes = Shapes::new(logic);
        let mut alike: HashMap<(u64, bool), Vec<usize>> = HashMap::new();
        let mut asked: Vec<Lit> = Vec::new();
        let mut question = |&failure: &Lit| {
            let alike = alike.entry(shapes.of(failure)).or_default();
            let known = alike.iter().find(|&&one| shapes.is_instance(failure, asked[one])).copied();
            known.unwrap_or_else(|| {
                alike.push(asked.len());
                asked.push(failure);
                asked.len() - 1
            })
        };
        let of = logic.outputs.iter().map(&mut question).collect();
        let problem = |asked: &[Lit]| {
            let output_names = (0..asked.len()).map(|at| format!("question_{at}")).collect();
            let outputs = asked.to_vec();
            Aiger::one_cycle(&Logic { output_names, outputs, next: Vec::new(), ..logic.clone() })
        };
        Self { problems: asked.chunks(AT_ONCE).map(problem).collect(), of }
    }

    /// Whether each failure may happen, if each output of the questions is 0 or not as `is_0` says.
    pub(super) fn may_happen(&self, is_0: &[bool]) -> Vec<bool> {
        self.of.iter().map(|&question| !is_0[question]).collect()
    }
}

/// The shapes of logic.
struct Shapes<'a> {
    logic: &'a Logic,
    /// A number for each node: the same for nodes that are the same logic of leaves with the same names, but for numbers.
    shapes: Vec<u64>,
}

impl<'a> Shapes<'a> {
    fn new(logic: &'a Logic) -> Self {
        let mut shapes = Self { logic, shapes: Vec::new() };
        for node in logic.aig.nodes() {
            let shape = match *node {
                Node::False => 0,
                Node::Leaf(leaf) => {
                    hash(name_of(logic, leaf).split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>())
                }
                Node::And(a, b) => {
                    let mut of = [a, b].map(|operand| shapes.of(operand));
                    of.sort_unstable();
                    hash(of)
                }
            };
            shapes.shapes.push(shape);
        }
        shapes
    }

    fn of(&self, lit: Lit) -> (u64, bool) {
        (self.shapes[lit.node()], lit.is_complement())
    }

    /// Whether `other` is the logic of `one` with other leaves, or with the same leaf for several: if no values make `one` 1, none make `other` 1.
    fn is_instance(&self, other: Lit, one: Lit) -> bool {
        let nodes = self.logic.aig.nodes();
        let mut of: HashMap<usize, usize> = HashMap::new();
        let mut left = vec![[one, other]];
        while let Some([one, other]) = left.pop() {
            if one.is_complement() != other.is_complement() {
                return false;
            }
            let [one, other] = [one.node(), other.node()];
            match of.insert(one, other) {
                Some(known) if known == other => continue,
                Some(_) => return false,
                None => {}
            }
            match (nodes[one], nodes[other]) {
                (Node::False, Node::False) | (Node::Leaf(_), Node::Leaf(_)) => {}
                (Node::And(a, b), Node::And(c, d)) => {
                    let is_straight = self.of(a) == self.of(c) && self.of(b) == self.of(d);
                    left.extend(if is_straight { [[a, c], [b, d]] } else { [[a, d], [b, c]] });
                }
                _ => return false,
            }
        }
        true
    }
}

/// The name of a leaf.
fn name_of(logic: &Logic, leaf: Leaf) -> &str {
    match leaf {
        Leaf::Input(index) => &logic.inputs[index as usize],
        Leaf::Register(index) => &logic.registers[index as usize].name,
    }
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};
    use utfhdl_sim::aig::{Start, blast};

    #[test]
    fn one_failure_stands_for_those_that_are_alike() {
        let m = Builder::new("picked", "Bits of one of two words.");
        let select = m.input("select", 1, "picks the first");
        let [one, other] = ["one", "other"].map(|name| m.input(name, 5, "a word"));
        let bit = |at: u32| {
            let (one, other) = (one.bit(at), other.bit(at));
            match at {
                // Other logic, and another leaf in place of two.
                2 => select.mux(other, one),
                3 => (select & other).mux(one, other),
                4 => select.mux(one, one & other),
                _ => select.mux(one, other),
            }
        };
        m.output("out", m.concat((0..5).rev().map(bit).collect::<Vec<_>>()), "one of them");
        let design = Design { top: m.built(), reset: ResetStyle::SyncHigh };
        let questions = Questions::new(&blast(&design, Start::Zero).expect("a small design"));
        let asked: usize = questions.problems.iter().map(|problem| problem.outputs.len()).sum();
        // Bits 0 and 1 are alike; the choice of bit 2 is that of bit 0 with the words exchanged, which are no bits of one name.
        assert_eq!((asked, &questions.of[..]), (4, &[0, 0, 1, 2, 3][..]));
        assert_eq!(questions.may_happen(&[true, true, false, true]), [false, false, false, true, false]);
    }

    #[test]
    fn a_failure_of_the_same_leaf_twice_stands_for_no_other() {
        let m = Builder::new("twice", "An exclusive OR of two inputs, and of one.");
        let bits = m.input("bits", 3, "three bits");
        let differ = |a: u32, b: u32, c: u32| (bits.bit(a) & bits.bit(b)) ^ bits.bit(c);
        m.output("out", m.concat([differ(0, 1, 1), differ(0, 1, 2)]), "whether they differ");
        let design = Design { top: m.built(), reset: ResetStyle::SyncHigh };
        let logic = blast(&design, Start::Zero).expect("a small design");
        let shapes = Shapes::new(&logic);
        let [of_three, of_two] = [logic.outputs[0], logic.outputs[1]];
        assert!(!shapes.is_instance(of_three, of_two), "what two bits never do, three may");
    }
}
