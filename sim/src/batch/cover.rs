//! Technology mapping: covers the graph with as few gates as can be found, each of up to three inputs. A gate can be any
//! function that the [library](super::library) has, if complements of its inputs and of its output are left aside.
//!
//! A *cut* of a node is a set of nodes, its leaves, whose values decide that of the node. The best few cuts of each node are
//! kept. A cover picks one cut for each node that is needed, and a gate takes the place of the nodes between the leaves and
//! the node. Cuts are rated first by area flow (the gates that a cut needs, each shared among its readers), then by the
//! number of gates that a choice really adds (Mishchenko, Cho, Chatterjee and Brayton, "Combinational and Sequential Mapping
//! with Priority Cuts", 2007).

use std::collections::HashMap;

use super::gate::{Gate, Root, Source, Target};
use super::library::Library;
use super::network::Network;
use crate::aig::{Aig, Leaf, Lit, Logic, Node};

/// The most cuts that are kept of a node.
const CUTS: usize = 8;
/// Rounds of each kind of rating.
const ROUNDS: usize = 2;
/// The most inputs a gate can have.
pub(super) const MOST_LEAVES: usize = 3;

/// A cut of a node, and the function that the node is of its leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NodeCut {
    /// The leaves in ascending order, `len` of them.
    leaves: [u32; MOST_LEAVES],
    len: u8,
    /// Bit `i` is the value of the node where leaf `j` is bit `j` of `i`.
    table: u8,
}

impl NodeCut {
    /// The cut that is the node itself.
    fn trivial(node: usize) -> Self {
        Self { leaves: [node as u32, 0, 0], len: 1, table: 0b10 }
    }

    fn leaves(&self) -> &[u32] {
        &self.leaves[..usize::from(self.len)]
    }

    /// The value of the node where leaf `j` is bit `j` of `assignment`.
    fn value(&self, assignment: usize) -> bool {
        self.table >> assignment & 1 == 1
    }

    /// The same function as a table over `leaves`, a superset of the cut's leaves.
    fn table_over(&self, leaves: &[u32]) -> u8 {
        let at = |leaf: &u32| leaves.iter().position(|other| other == leaf).expect("a subset");
        let positions: Vec<usize> = self.leaves().iter().map(at).collect();
        let mut table = 0;
        for assignment in 0..1 << leaves.len() {
            let mine = positions.iter().enumerate().map(|(mine, &at)| (assignment >> at & 1) << mine);
            table |= u8::from(self.value(mine.sum())) << assignment;
        }
        table
    }

    /// The cut of `a & b` from a cut of each operand, if the library has such a gate.
    fn and(a: Operand, b: Operand, library: Library) -> Option<NodeCut> {
        let mut leaves: Vec<u32> = a.cut.leaves().iter().chain(b.cut.leaves()).copied().collect();
        leaves.sort_unstable();
        leaves.dedup();
        if leaves.len() > library.most_inputs() {
            return None;
        }
        let table_of = |operand: Operand| {
            let table = operand.cut.table_over(&leaves);
            if operand.is_complement { !table } else { table }
        };
        let all = ((1_u16 << (1 << leaves.len())) - 1) as u8;
        let table = table_of(a) & table_of(b) & all;
        let mut cut = NodeCut { leaves: [0; MOST_LEAVES], len: leaves.len() as u8, table };
        cut.leaves[..leaves.len()].copy_from_slice(&leaves);
        let cut = cut.without_idle_leaves();
        library.holds(cut.leaves().len(), cut.table).then_some(cut)
    }

    /// Drops leaves that the function does not depend on; the last leaf stays.
    fn without_idle_leaves(mut self) -> Self {
        let mut at = 0;
        while at < usize::from(self.len) && self.len > 1 {
            let assignments = 0..1_usize << self.len;
            if assignments.into_iter().any(|i| self.value(i) != self.value(i ^ 1 << at)) {
                at += 1;
                continue;
            }
            let mut table = 0;
            for assignment in 0..1_usize << (self.len - 1) {
                let (low, high) = (assignment & ((1 << at) - 1), assignment >> at);
                table |= u8::from(self.value(low | high << (at + 1))) << assignment;
            }
            self.leaves.copy_within(at + 1.., at);
            self.leaves[MOST_LEAVES - 1] = 0;
            (self.len, self.table) = (self.len - 1, table);
        }
        self
    }
}

/// An operand of an AND: a cut of its node, and whether the AND takes its complement.
#[derive(Clone, Copy)]
struct Operand<'c> {
    cut: &'c NodeCut,
    is_complement: bool,
}

/// Covers `logic` with gates of a library.
pub(super) fn cover(logic: &Logic, library: Library) -> Network {
    let mut mapper = Mapper::new(logic, library);
    for _ in 0..ROUNDS {
        mapper.rate_by_flow();
        mapper.count_references();
    }
    for _ in 0..ROUNDS {
        mapper.rate_by_area();
    }
    mapper.network(logic)
}

struct Mapper<'l> {
    aig: &'l Aig,
    library: Library,
    roots: Vec<usize>,
    /// The cuts of each AND, the best first.
    cuts: Vec<Vec<NodeCut>>,
    /// How many gates and roots read each node.
    references: Vec<u32>,
    /// The area flow of each node's best cut.
    flow: Vec<f32>,
}

impl<'l> Mapper<'l> {
    fn new(logic: &'l Logic, library: Library) -> Self {
        let aig = &logic.aig;
        let mut references = vec![0; aig.nodes().len()];
        let roots: Vec<usize> = logic.roots().map(|(_, lit)| lit.node()).collect();
        let operands = aig.nodes().iter().flat_map(|node| match node {
            Node::And(a, b) => vec![a.node(), b.node()],
            Node::False | Node::Leaf(_) => vec![],
        });
        roots.iter().copied().chain(operands).for_each(|node| references[node] += 1);
        let mut mapper =
            Self { aig, library, roots, cuts: Vec::new(), references, flow: vec![0.0; aig.nodes().len()] };
        for node in 0..aig.nodes().len() {
            let cuts = mapper.enumerate(node);
            mapper.flow[node] = cuts.first().map_or(0.0, |cut| mapper.flow_of(cut));
            mapper.cuts.push(cuts);
        }
        mapper
    }

    fn is_gate(&self, node: usize) -> bool {
        matches!(self.aig.nodes()[node], Node::And(..))
    }

    /// The cuts of a node, combined from the cuts of its operands.
    fn enumerate(&self, node: usize) -> Vec<NodeCut> {
        let Node::And(a, b) = self.aig.nodes()[node] else { return vec![] };
        let choices = |lit: Lit| {
            let trivial = NodeCut::trivial(lit.node());
            std::iter::once(trivial).chain(self.cuts[lit.node()].iter().copied()).collect::<Vec<_>>()
        };
        let (of_a, of_b) = (choices(a), choices(b));
        let mut cuts: Vec<NodeCut> = Vec::new();
        for cut_a in &of_a {
            for cut_b in &of_b {
                let operands = [(cut_a, a), (cut_b, b)]
                    .map(|(cut, lit)| Operand { cut, is_complement: lit.is_complement() });
                if let Some(cut) = NodeCut::and(operands[0], operands[1], self.library)
                    && !cuts.contains(&cut)
                {
                    cuts.push(cut);
                }
            }
        }
        cuts.sort_by(|a, b| self.flow_of(a).total_cmp(&self.flow_of(b)).then(a.len.cmp(&b.len)));
        cuts.truncate(CUTS);
        cuts
    }

    /// The gates that a cut needs, each divided by the number of its readers.
    fn flow_of(&self, cut: &NodeCut) -> f32 {
        let shares = cut.leaves().iter().map(|&leaf| {
            let leaf = leaf as usize;
            if self.is_gate(leaf) { self.flow[leaf] / self.references[leaf].max(1) as f32 } else { 0.0 }
        });
        1.0 + shares.sum::<f32>()
    }

    /// Puts the cut of the least area flow first, node by node.
    fn rate_by_flow(&mut self) {
        for node in 0..self.cuts.len() {
            let cuts = &self.cuts[node];
            let best =
                (0..cuts.len()).min_by(|&a, &b| self.flow_of(&cuts[a]).total_cmp(&self.flow_of(&cuts[b])));
            if let Some(best) = best {
                self.flow[node] = self.flow_of(&cuts[best]);
                self.cuts[node].swap(0, best);
            }
        }
    }

    /// Counts the references in the cover that the best cuts make.
    fn count_references(&mut self) {
        self.references.fill(0);
        for root in self.roots.clone() {
            self.acquire(root);
        }
    }

    /// Adds a reader to `node`; gives how many gates that adds to the cover.
    fn acquire(&mut self, node: usize) -> u32 {
        self.references[node] += 1;
        if self.references[node] > 1 || !self.is_gate(node) {
            return 0;
        }
        self.acquire_leaves(self.cuts[node][0])
    }

    fn acquire_leaves(&mut self, cut: NodeCut) -> u32 {
        1 + cut.leaves().iter().map(|&leaf| self.acquire(leaf as usize)).sum::<u32>()
    }

    /// Takes a reader from `node`; gives how many gates that removes from the cover.
    fn release(&mut self, node: usize) -> u32 {
        self.references[node] -= 1;
        if self.references[node] > 0 || !self.is_gate(node) {
            return 0;
        }
        self.release_leaves(self.cuts[node][0])
    }

    fn release_leaves(&mut self, cut: NodeCut) -> u32 {
        1 + cut.leaves().iter().map(|&leaf| self.release(leaf as usize)).sum::<u32>()
    }

    /// Puts the cut first that adds the fewest gates to the cover, node by node.
    fn rate_by_area(&mut self) {
        for node in 0..self.cuts.len() {
            let used = self.references[node] > 0;
            if !self.is_gate(node) {
                continue;
            }
            if used {
                self.release_leaves(self.cuts[node][0]);
            }
            let mut best = (u32::MAX, 0);
            for index in 0..self.cuts[node].len() {
                let cut = self.cuts[node][index];
                let area = self.acquire_leaves(cut);
                self.release_leaves(cut);
                best = best.min((area, index));
            }
            self.cuts[node].swap(0, best.1);
            if used {
                self.acquire_leaves(self.cuts[node][0]);
            }
        }
    }

    fn network(&self, logic: &Logic) -> Network {
        let mut gates = Vec::new();
        let mut sources: Vec<Option<Source>> = vec![None; self.cuts.len()];
        for (index, node) in self.aig.nodes().iter().enumerate() {
            if self.references[index] == 0 {
                continue;
            }
            sources[index] = match node {
                Node::False => None,
                Node::Leaf(leaf) => Some(Source::from(*leaf)),
                Node::And(..) => {
                    let cut = &self.cuts[index][0];
                    let source = |leaf: &u32| sources[*leaf as usize].expect("leaves come before their gate");
                    let inputs = cut.leaves().iter().map(source).collect();
                    gates.push(Gate { inputs, table: cut.table });
                    Some(Source::Gate(gates.len() as u32 - 1))
                }
            };
        }
        let roots = logic.roots().map(|(target, lit)| Root {
            target,
            source: sources[lit.node()],
            complement: lit.is_complement(),
        });
        Network::new(gates, roots.collect(), self.library)
    }
}

impl Logic {
    /// The bits that a cycle writes. An output that is a register comes right before the register's next value, so that the
    /// value is fetched once for both.
    fn roots(&self) -> impl Iterator<Item = (Target, Lit)> {
        let outputs = self.outputs.iter().enumerate().map(|(at, &lit)| (Target::Output(at as u32), lit));
        let (mut of_registers, mut roots) = (HashMap::<u32, Vec<_>>::new(), Vec::new());
        for output in outputs {
            match self.aig.nodes()[output.1.node()] {
                Node::Leaf(Leaf::Register(index)) => of_registers.entry(index).or_default().push(output),
                Node::Leaf(Leaf::Input(_)) | Node::And(..) | Node::False => roots.push(output),
            }
        }
        for (at, &lit) in self.next.iter().enumerate() {
            roots.extend(of_registers.remove(&(at as u32)).unwrap_or_default());
            roots.push((Target::Register(at as u32), lit));
        }
        roots.into_iter()
    }
}
