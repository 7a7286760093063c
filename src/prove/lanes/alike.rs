//! Bits that go the same way: the logic does with one bit the same as with the other. A proof about one is then a proof about the other.

use std::collections::{BTreeMap, BTreeSet};

use utfhdl_sim::aig::{Leaf, Lit, Logic, Node};

use super::cells::Place;

/// Logic that bits go through.
pub(super) struct Ways<'a> {
    logic: &'a Logic,
    places: &'a [Place],
    /// Whether a register of a place is a wire: its value is followed to the value that it loads.
    follows: fn(Place) -> bool,
    /// Whether each node is one of the bits, or depends on a bit of this cycle or an earlier one.
    depends: Vec<bool>,
}

impl<'a> Ways<'a> {
    /// The ways of bits from `sources` on.
    pub(super) fn new(
        logic: &'a Logic,
        places: &'a [Place],
        follows: fn(Place) -> bool,
        sources: impl IntoIterator<Item = Lit>,
    ) -> Self {
        let nodes = logic.aig.nodes();
        let mut depends = vec![false; nodes.len()];
        sources.into_iter().filter(|bit| bit.node() != 0).for_each(|bit| depends[bit.node()] = true);
        let mut is_more = true;
        while std::mem::take(&mut is_more) {
            for (index, node) in nodes.iter().enumerate() {
                let of = match *node {
                    Node::And(a, b) => depends[a.node()] || depends[b.node()],
                    Node::Leaf(Leaf::Register(register)) => depends[logic.next[register as usize].node()],
                    Node::False | Node::Leaf(Leaf::Input(_)) => false,
                };
                is_more |= of && !depends[index];
                depends[index] |= of;
            }
        }
        Self { logic, places, follows, depends }
    }

    /// Whether in each pair of `ends`, the first bit is made of the first bits of pairs of `sources` as the second one is of the second ones.
    pub(super) fn are_alike(&self, sources: &[(Lit, Lit)], ends: &[(Lit, Lit)]) -> bool {
        let of_sources: BTreeMap<Lit, Lit> = sources.iter().flat_map(|&(a, b)| [(a, b), (!a, !b)]).collect();
        // Pairs hold by induction over cycles: those that were found are taken to be alike, and all of them are looked at.
        let (mut found, mut left) = (BTreeSet::new(), ends.to_vec());
        while let Some((a, b)) = left.pop() {
            if !found.insert((a, b)) || of_sources.get(&a) == Some(&b) {
                continue;
            }
            // A selection is one node for both, and does not depend on the bits.
            if a == b && !self.depends[a.node()] {
                continue;
            }
            if a.is_complement() != b.is_complement() || of_sources.contains_key(&a) {
                return false;
            }
            let nodes = self.logic.aig.nodes();
            match (nodes[a.node()], nodes[b.node()]) {
                (Node::And(a, b), Node::And(c, d)) if a == d || b == c => left.extend([(a, d), (b, c)]),
                (Node::And(a, b), Node::And(c, d)) => left.extend([(a, c), (b, d)]),
                (Node::Leaf(Leaf::Register(a)), Node::Leaf(Leaf::Register(b))) => {
                    let [a, b] = [a, b].map(|index| index as usize);
                    if self.places[a] != self.places[b] || !(self.follows)(self.places[a]) {
                        return false;
                    }
                    left.push((self.logic.next[a], self.logic.next[b]));
                }
                _ => return false,
            }
        }
        true
    }

    /// A few of `count` bits that stand for all: each of the others is like one of the few. `of` gives the sources and the ends of two bits,
    /// if they may be alike.
    pub(super) fn few(
        &self,
        count: usize,
        of: impl Fn(usize, usize) -> Option<[Vec<(Lit, Lit)>; 2]>,
    ) -> Vec<usize> {
        let mut few: Vec<usize> = Vec::new();
        for bit in 0..count {
            let is_like =
                |&one: &usize| of(one, bit).is_some_and(|[sources, ends]| self.are_alike(&sources, &ends));
            if !few.iter().any(is_like) {
                few.push(bit);
            }
        }
        few
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};
    use utfhdl_sim::aig::{Start, blast};

    /// Two words of four bits, of which `select` picks one for the output. In bit 2 it picks the other, and in bit 3 a bit of the words has a part in
    /// the choice.
    fn picked() -> Logic {
        let m = Builder::new("picked", "One of two words.");
        let select = m.input("select", 1, "picks the first");
        let [one, other] = ["one", "other"].map(|name| m.input(name, 4, "a word"));
        let bit = |at: u32| {
            let (one, other) = (one.bit(at), other.bit(at));
            match at {
                2 => select.mux(other, one),
                3 => (select & other).mux(one, other),
                _ => select.mux(one, other),
            }
        };
        m.output("out", m.concat((0..4).rev().map(bit).collect::<Vec<_>>()), "one of them");
        let design = Design { top: m.built(), reset: ResetStyle::SyncHigh };
        blast(&design, Start::Zero).expect("a small design")
    }

    #[test]
    fn a_bit_stands_for_those_that_go_its_way() {
        let logic = picked();
        let input = |name: String| {
            let index = logic.inputs.iter().position(|input| *input == name).expect("an input");
            let is_it = |node: &Node| matches!(node, Node::Leaf(Leaf::Input(of)) if *of as usize == index);
            Lit::of(logic.aig.nodes().iter().position(is_it).expect("a node for each input"))
        };
        let words = ["one", "other"].map(|word| [0, 1, 2, 3].map(|at| input(format!("{word}[{at}]"))));
        let ways = Ways::new(&logic, &[], |_| false, words.as_flattened().iter().copied());
        let few = ways.few(4, |a, b| {
            Some([
                words.iter().map(|word| (word[a], word[b])).collect(),
                vec![(logic.outputs[a], logic.outputs[b])],
            ])
        });
        assert_eq!(few, [0, 2, 3]);
    }
}
