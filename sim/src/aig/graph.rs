//! The and-inverter graph: ANDs of two inputs, and edges that may complement.
//!
//! A new AND is first simplified against its operands and their operands (Brummayer and Biere, "Local Two-Level And-Inverter
//! Graph Minimization without Blowup", 2006), then looked up in a table, so that no AND is made twice.

use std::collections::HashMap;
use std::ops::Not;

/// A node, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// Constant 0.
    pub const FALSE: Lit = Lit(0);
    /// Constant 1.
    pub const TRUE: Lit = Lit(1);

    /// The value of a node.
    pub fn of(node: usize) -> Lit {
        Lit((node as u32) << 1)
    }

    /// A constant.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The index of the node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the complement of the node.
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A bit that a cycle starts from: of the input record, or of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A bit of the input record.
    Input(u32),
    /// A bit of the state.
    Register(u32),
}

/// A node; its operands come before it in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Constant 0: the first node, and no other.
    False,
    /// A value at the start of the cycle.
    Leaf(Leaf),
    /// Both.
    And(Lit, Lit),
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    ands: HashMap<(Lit, Lit), Lit>,
}

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    /// A graph of nothing but the constant.
    pub fn new() -> Self {
        Self { nodes: vec![Node::False], ands: HashMap::new() }
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A new leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> Lit {
        self.nodes.push(Node::Leaf(leaf));
        Lit::of(self.nodes.len() - 1)
    }

    /// Gives registers new numbers. Registers without a number are read by nothing that matters.
    pub(super) fn renumber_registers(&mut self, numbers: &[Option<u32>]) {
        for node in &mut self.nodes {
            if let Node::Leaf(Leaf::Register(index)) = node {
                *index = numbers[*index as usize].unwrap_or(u32::MAX);
            }
        }
    }

    /// The operands of the node of `lit`, if that is an AND.
    fn operands(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.nodes[lit.node()] {
            Node::And(a, b) => Some((a, b)),
            Node::False | Node::Leaf(_) => None,
        }
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simpler) = self.with_operands_of(x, y) {
                return simpler;
            }
        }
        if let Some(simpler) = self.of_two_ands(a, b) {
            return simpler;
        }
        if let Some(&known) = self.ands.get(&(a, b)) {
            return known;
        }
        self.nodes.push(Node::And(a, b));
        let lit = Lit::of(self.nodes.len() - 1);
        self.ands.insert((a, b), lit);
        lit
    }

    /// `x & y`, simplified by the operands of `x`, where that is possible.
    fn with_operands_of(&mut self, x: Lit, y: Lit) -> Option<Lit> {
        let (p, q) = self.operands(x)?;
        if !x.is_complement() {
            // (p & q) & y
            return match y {
                _ if y == p || y == q => Some(x),
                _ if y == !p || y == !q => Some(Lit::FALSE),
                _ => None,
            };
        }
        // !(p & q) & y
        match y {
            _ if y == !p || y == !q => Some(y),
            _ if y == p => Some(self.and(y, !q)),
            _ if y == q => Some(self.and(y, !p)),
            _ => None,
        }
    }

    /// `a & b`, simplified by the operands of both, where that is possible.
    fn of_two_ands(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let ((p, q), (r, s)) = (self.operands(a)?, self.operands(b)?);
        let opposed = p == !r || p == !s || q == !r || q == !s;
        match (a.is_complement(), b.is_complement()) {
            (false, false) => opposed.then_some(Lit::FALSE),
            (true, false) => self.beside_not_both(b, (r, s), (p, q), opposed),
            (false, true) => self.beside_not_both(a, (p, q), (r, s), opposed),
            (true, true) => {
                // !(p & q) & !(p & !q) is !p.
                let pairs = [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)];
                pairs.into_iter().find(|(p, q, r, s)| p == r && *q == !*s).map(|(p, ..)| !p)
            }
        }
    }

    /// `both & !(p & q)`, where `both` is `r & s`, simplified where that is possible.
    fn beside_not_both(
        &mut self,
        both: Lit,
        (r, s): (Lit, Lit),
        (p, q): (Lit, Lit),
        opposed: bool,
    ) -> Option<Lit> {
        match () {
            () if opposed => Some(both),
            () if p == r || p == s => Some(self.and(both, !q)),
            () if q == r || q == s => Some(self.and(both, !p)),
            () => None,
        }
    }

    /// Either.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// One, but not both.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let neither = self.and(!a, !b);
        let both = self.and(a, b);
        self.and(!neither, !both)
    }

    /// `one` where `select`, else `zero`.
    pub fn mux(&mut self, select: Lit, one: Lit, zero: Lit) -> Lit {
        if one == zero {
            return one;
        }
        if one == !zero {
            return self.xor(select, zero);
        }
        let high = self.and(select, one);
        let low = self.and(!select, zero);
        self.or(high, low)
    }

    /// Whether at least two of three are 1.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let both = self.and(a, b);
        let either = self.or(a, b);
        let carried = self.and(either, c);
        self.or(both, carried)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of `lit` where leaf `i` is bit `i` of `leaves`.
    fn value(aig: &Aig, lit: Lit, leaves: u32) -> bool {
        let plain = match aig.nodes()[lit.node()] {
            Node::False => false,
            Node::Leaf(Leaf::Input(index) | Leaf::Register(index)) => leaves >> index & 1 == 1,
            Node::And(a, b) => value(aig, a, leaves) && value(aig, b, leaves),
        };
        plain != lit.is_complement()
    }

    /// Every AND of two ANDs of any of four leaves and constants, with every complement.
    #[test]
    fn simplifying_keeps_the_function() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..4).map(|index| aig.leaf(Leaf::Input(index))).collect();
        let mut lits: Vec<Lit> = leaves.iter().flat_map(|&leaf| [leaf, !leaf]).collect();
        lits.extend([Lit::FALSE, Lit::TRUE]);
        let pairs: Vec<(Lit, Lit)> = lits.iter().flat_map(|&a| lits.iter().map(move |&b| (a, b))).collect();
        let ands: Vec<Lit> = pairs.iter().map(|&(a, b)| aig.and(a, b)).collect();
        let both_ways: Vec<Lit> = ands.iter().flat_map(|&and| [and, !and]).collect();
        for &x in &both_ways {
            for &y in &both_ways {
                let and = aig.and(x, y);
                for assignment in 0..16 {
                    let expected = value(&aig, x, assignment) && value(&aig, y, assignment);
                    assert_eq!(value(&aig, and, assignment), expected);
                }
            }
        }
    }

    #[test]
    fn gates_made_of_ands_have_their_functions() {
        let mut aig = Aig::new();
        let [a, b, c] = [0, 1, 2].map(|index| aig.leaf(Leaf::Register(index)));
        let (or, xor) = (aig.or(a, b), aig.xor(a, b));
        let (mux, majority) = (aig.mux(a, b, c), aig.majority(a, b, c));
        for bits in 0..8_u32 {
            let [x, y, z] = [0, 1, 2].map(|index| bits >> index & 1 == 1);
            assert_eq!(value(&aig, or, bits), x || y);
            assert_eq!(value(&aig, xor, bits), x != y);
            assert_eq!(value(&aig, mux, bits), if x { y } else { z });
            assert_eq!(value(&aig, majority, bits), bits.count_ones() > 1);
        }
    }

    #[test]
    fn no_and_is_made_twice() {
        let mut aig = Aig::new();
        let [a, b] = [0, 1].map(|index| aig.leaf(Leaf::Input(index)));
        let first = aig.xor(a, b);
        let nodes = aig.nodes().len();
        assert_eq!(aig.xor(b, a), first);
        assert_eq!(aig.mux(a, !b, b), first);
        assert_eq!(aig.nodes().len(), nodes);
    }
}
