//! Logic of a core, bit by bit, as signals of another netlist.

use std::cell::RefCell;
use std::collections::HashMap;

use utfhdl_hdl::netlist::{Builder, Signal};
use utfhdl_sim::aig::{Leaf, Lit, Logic, Node};

/// The substitute for a leaf.
pub(super) enum Substitute<'m> {
    /// A signal.
    Signal(Signal<'m>),
    /// The next value of the register, as if the register were a wire.
    Next,
}

/// A copy of the logic.
pub(super) struct Copy<'c, 'm> {
    m: &'m Builder,
    logic: &'c Logic,
    substitute: Box<dyn Fn(Leaf) -> Substitute<'m> + 'c>,
    made: RefCell<HashMap<usize, Signal<'m>>>,
}

impl<'c, 'm> Copy<'c, 'm> {
    pub(super) fn new(
        m: &'m Builder,
        logic: &'c Logic,
        substitute: impl Fn(Leaf) -> Substitute<'m> + 'c,
    ) -> Self {
        Self { m, logic, substitute: Box::new(substitute), made: RefCell::default() }
    }

    /// This copy, in which bits have values that are given, in place of those that the logic gives them.
    pub(super) fn cut(self, bits: impl IntoIterator<Item = (Lit, Signal<'m>)>) -> Self {
        for (lit, value) in bits {
            let value = if lit.is_complement() { !value } else { value };
            self.made.borrow_mut().insert(lit.node(), value);
        }
        self
    }

    /// The value of a bit.
    pub(super) fn value(&self, lit: Lit) -> Signal<'m> {
        let plain = self.plain(lit.node());
        if lit.is_complement() { !plain } else { plain }
    }

    /// The next value of a register.
    pub(super) fn next(&self, index: usize) -> Signal<'m> {
        self.value(self.logic.next[index])
    }

    /// The substitute for an input of one bit, if the logic reads it.
    pub(super) fn input(&self, name: &str) -> Option<Signal<'m>> {
        let index = self.logic.inputs.iter().position(|input| input == name)?;
        self.leaf(Leaf::Input(index as u32))
    }

    /// The substitute for a register, if the logic reads it.
    pub(super) fn register(&self, index: usize) -> Option<Signal<'m>> {
        self.leaf(Leaf::Register(index as u32))
    }

    fn leaf(&self, leaf: Leaf) -> Option<Signal<'m>> {
        let is_it = |node: &Node| matches!(node, Node::Leaf(of) if *of == leaf);
        self.logic.aig.nodes().iter().position(is_it).map(|node| self.plain(node))
    }

    /// All bits of an output.
    pub(super) fn output(&self, name: &str) -> Signal<'m> {
        let bits: Vec<Signal<'m>> =
            bits_of(self.logic, name).map(|bit| self.value(self.logic.outputs[bit])).collect();
        self.m.concat(bits.into_iter().rev())
    }

    fn plain(&self, node: usize) -> Signal<'m> {
        if let Some(&made) = self.made.borrow().get(&node) {
            return made;
        }
        let signal = match self.logic.aig.nodes()[node] {
            Node::False => self.m.lit(1, 0),
            Node::Leaf(leaf) => match ((self.substitute)(leaf), leaf) {
                (Substitute::Signal(signal), _) => signal,
                (Substitute::Next, Leaf::Register(index)) => self.next(index as usize),
                (Substitute::Next, Leaf::Input(_)) => unreachable!("an input loads nothing"),
            },
            Node::And(a, b) => self.value(a) & self.value(b),
        };
        self.made.borrow_mut().insert(node, signal);
        signal
    }
}

/// The bits of an output, by number among those of all outputs, low bits first.
pub(super) fn bits_of(logic: &Logic, output: &str) -> impl Iterator<Item = usize> {
    let names = logic.output_names.iter().enumerate();
    names.filter(move |(_, name)| name.split('[').next() == Some(output)).map(|(bit, _)| bit)
}

/// Any value that bits can have: an input, but for bits that are constants.
pub(super) fn any<'m>(m: &'m Builder, name: &str, bits: &[Lit], note: &str) -> Signal<'m> {
    let any = m.input(name, bits.len() as u32, note);
    let bit = |(at, bit): (u32, &Lit)| match bit.node() {
        0 => m.lit(1, bit.is_complement().into()),
        _ => any.bit(at),
    };
    let bits: Vec<Signal<'m>> = (0..).zip(bits).map(bit).collect();
    m.concat(bits.into_iter().rev())
}

/// An input for a bit that is cut, for which another one stands.
pub(super) fn any_bit<'m>(m: &'m Builder, copy: &str, index: u32) -> Signal<'m> {
    m.input(&format!("{copy}_cut_{index}"), 1, "any bit")
}
