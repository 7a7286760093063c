//! Levels of lookup tables: how many are in a row on the longest path between registers, if a mapper finds the shallowest cover.
//!
//! A cut of a node is a set of nodes from which its value follows: one lookup table if there are no more of them than it has inputs. Each
//! node keeps its shallowest cuts, which are merged from those of its operands (Cong and Ding, "FlowMap", 1994; Mishchenko and others,
//! "Combinational and Sequential Mapping with Priority Cuts", 2007).

use super::blast::Logic;
use super::graph::Node;

/// Inputs of a lookup table.
const INPUTS: usize = 4;
/// Cuts that a node keeps.
const CUTS: usize = 8;

/// A cut, with the level that its lookup table would be in.
#[derive(Clone, Copy)]
struct Cut {
    level: u32,
    leaves: [u32; INPUTS],
    count: usize,
}

impl Cut {
    fn of(leaf: usize, level: u32) -> Self {
        let mut leaves = [0; INPUTS];
        leaves[0] = leaf as u32;
        Self { level, leaves, count: 1 }
    }

    fn leaves(&self) -> &[u32] {
        &self.leaves[..self.count]
    }

    /// Both, if they have few leaves enough. Leaves are in ascending order.
    fn merged(&self, other: &Self, levels: &[u32]) -> Option<Self> {
        let (mut leaves, mut count) = ([0; INPUTS], 0);
        let (mut a, mut b) = (self.leaves(), other.leaves());
        while let Some(&next) = a.first().into_iter().chain(b.first()).min() {
            *leaves.get_mut(count)? = next;
            count += 1;
            a = a.strip_prefix(&[next]).unwrap_or(a);
            b = b.strip_prefix(&[next]).unwrap_or(b);
        }
        let below = leaves[..count].iter().map(|&leaf| levels[leaf as usize]).max();
        Some(Self { level: below.map_or(0, |below| below + 1), leaves, count })
    }
}

impl Logic {
    /// Levels of lookup tables of four inputs on the longest path from registers and inputs to registers and outputs.
    pub fn levels(&self) -> u32 {
        let nodes = self.aig.nodes();
        let (mut levels, mut cuts): (Vec<u32>, Vec<Vec<Cut>>) = (Vec::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            let (level, mut found) = match node {
                Node::False => (0, vec![Cut { level: 0, leaves: [0; INPUTS], count: 0 }]),
                Node::Leaf(_) => (0, Vec::new()),
                Node::And(a, b) => {
                    let found = merged(&cuts[a.node()], &cuts[b.node()], &levels);
                    (found[0].level, found)
                }
            };
            levels.push(level);
            found.push(Cut::of(index, level));
            cuts.push(found);
        }
        self.next.iter().chain(&self.outputs).map(|lit| levels[lit.node()]).max().unwrap_or_default()
    }
}

/// The shallowest cuts that are one of each operand's, at least that of both operands themselves.
fn merged(a: &[Cut], b: &[Cut], levels: &[u32]) -> Vec<Cut> {
    let pairs = a.iter().flat_map(|a| b.iter().filter_map(|b| a.merged(b, levels)));
    let mut all: Vec<Cut> = pairs.collect();
    all.sort_by_key(|cut| (cut.level, cut.count));
    all.dedup_by(|a, b| a.leaves() == b.leaves());
    all.truncate(CUTS);
    all
}

#[cfg(test)]
mod tests {
    use utfhdl_hdl::netlist::{Builder, Design, ResetStyle, Signal};

    use crate::aig::{Start, blast};

    /// Levels of the parity of as many inputs, in the order in which `make` adds them up.
    fn levels_of(bits: u32, make: impl for<'m> Fn(Vec<Signal<'m>>) -> Signal<'m>) -> u32 {
        let m = Builder::new("block", "");
        let inputs = (0..bits).map(|bit| m.input(&format!("input_{bit}"), 1, "")).collect();
        m.output("parity", make(inputs), "");
        let design = Design { top: m.built(), reset: ResetStyle::default() };
        blast(&design, Start::Zero).expect("it is small").levels()
    }

    fn one_by_one(inputs: Vec<Signal<'_>>) -> Signal<'_> {
        inputs.into_iter().reduce(|a, b| a ^ b).expect("an input")
    }

    fn pairwise(mut inputs: Vec<Signal<'_>>) -> Signal<'_> {
        while inputs.len() > 1 {
            inputs = inputs.chunks(2).map(|pair| one_by_one(pair.to_vec())).collect();
        }
        inputs[0]
    }

    #[test]
    fn a_lookup_table_takes_four_inputs() {
        // In a chain, each table after the first takes the output of the table before and three inputs. In a tree, each level has a quarter of
        // the signals of the level before.
        assert_eq!([1, 2, 4, 5, 7, 8, 16].map(|bits| levels_of(bits, one_by_one)), [0, 1, 1, 2, 2, 3, 5]);
        assert_eq!([1, 2, 4, 8, 16, 64].map(|bits| levels_of(bits, pairwise)), [0, 1, 1, 2, 2, 3]);
    }
}
