//! The logic of a design as a graph in which every value is one machine word, made from [`Flat`] and simplified, for
//! engines that compile it.
//!
//! [`Logic::new`] runs these passes, each in a file of its own:
//!
//! | pass | what it does |
//! | --- | --- |
//! | `split` | signals of any width become words; slices and concatenations of constant place become shifts and masks |
//! | `fold` | while values are made: constants are folded, identities applied, and what is computed twice is one value |
//! | `settle` | finds the bits of the state that can never be 1 |
//! | `narrow` | removes masks, bits and values on which no output and no register depends |
//!
//! Two may follow: [`Packed::new`] (`pack`) packs the values of identical parts of a design, such as the lanes of a core, eight to a word, and
//! [`Packed::tabulated`] (`tabulate`) looks up what depends on few bits.
//!
//! A value is 64 bits wide, and operations are those of a processor: no result is cut to a width. Where a signal is
//! narrower than 64 bits, the upper bits of its value are 0. [`Value::ones`] says which bits can be 1, so that masks
//! are left out where they would change nothing.
//!
//! Reset is not a value of the graph. Under reset, words of the state are set to constants ([`StateWord::reset`]): at
//! the end of the cycle and, if reset is asynchronous, at its beginning too.

mod evaluator;
mod fold;
mod narrow;
mod pack;
mod settle;
mod split;
mod tabulate;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use utfhdl_hdl::netlist::Design;

use crate::flat::Flat;
use crate::layout::{Layout, PortSlot};

pub use evaluator::Evaluator;
pub use pack::Packed;

/// Index of a [`Value`]. Operands have lower indices than the values that read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

impl Id {
    /// The index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operation that computes a value. Comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant.
    Const(u64),
    /// A word of the input record.
    Input(u32),
    /// A word of the state.
    State(u32),
    /// Bitwise and.
    And(Id, Id),
    /// Bitwise or.
    Or(Id, Id),
    /// Bitwise exclusive or.
    Xor(Id, Id),
    /// Sum modulo 2^64.
    Add(Id, Id),
    /// Difference modulo 2^64.
    Sub(Id, Id),
    /// Left shift by a constant below 64.
    Shl(Id, u32),
    /// Right shift by a constant below 64.
    Shr(Id, u32),
    /// Left shift by a value, which is below 64.
    ShlBy(Id, Id),
    /// Right shift by a value, which is below 64.
    ShrBy(Id, Id),
    /// Equal.
    Eq(Id, Id),
    /// Not equal.
    Ne(Id, Id),
    /// Less, unsigned.
    Lt(Id, Id),
    /// Less or equal, unsigned.
    Le(Id, Id),
    /// Select, which is 0 or 1; value where it is 1; value where it is 0.
    Mux(Id, Id, Id),
    /// Whether an odd number of bits is 1.
    Parity(Id),
    /// The word of a table at this index, which is below the number of words.
    Lookup(Id, Table),
}

/// A constant table: its index in [`Logic::tables`], and the bits that some word has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The index.
    pub index: u32,
    /// The bits.
    pub ones: u64,
}

impl Op {
    /// The values that it reads.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let (a, b, c) = match self {
            Self::Const(_) | Self::Input(_) | Self::State(_) => (None, None, None),
            Self::Shl(a, _) | Self::Shr(a, _) | Self::Parity(a) | Self::Lookup(a, _) => (Some(a), None, None),
            Self::Mux(a, b, c) => (Some(a), Some(b), Some(c)),
            Self::And(a, b) | Self::Or(a, b) | Self::Xor(a, b) | Self::Add(a, b) | Self::Sub(a, b) => {
                (Some(a), Some(b), None)
            }
            Self::ShlBy(a, b) | Self::ShrBy(a, b) => (Some(a), Some(b), None),
            Self::Eq(a, b) | Self::Ne(a, b) | Self::Lt(a, b) | Self::Le(a, b) => (Some(a), Some(b), None),
        };
        [a, b, c].into_iter().flatten()
    }

    /// The bits that can be 1, given those of the operands and of the state.
    fn ones(self, of: impl Fn(Id) -> u64, state: impl Fn(u32) -> u64) -> u64 {
        match self {
            Self::Const(value) => value,
            Self::Input(_) | Self::Sub(..) => u64::MAX,
            Self::State(word) => state(word),
            Self::And(a, b) => of(a) & of(b),
            Self::Or(a, b) | Self::Xor(a, b) | Self::Mux(_, a, b) => of(a) | of(b),
            Self::Add(a, b) => {
                let most = up_to(of(a) | of(b));
                most << 1 | most & 1
            }
            Self::Shl(a, by) => of(a) << by,
            Self::Shr(a, by) => of(a) >> by,
            Self::ShlBy(a, _) => u64::MAX.checked_shl(of(a).trailing_zeros()).unwrap_or(0),
            Self::ShrBy(a, _) => up_to(of(a)),
            Self::Lookup(_, table) => table.ones,
            Self::Eq(..) | Self::Ne(..) | Self::Lt(..) | Self::Le(..) | Self::Parity(_) => 1,
        }
    }
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// How it is computed.
    pub op: Op,
    /// The bits that can be 1.
    pub ones: u64,
}

/// A word of the state: of a register, the bits from 64 × `word` on.
#[derive(Clone, Copy, Debug)]
pub struct StateWord {
    /// Index in [`Flat::registers`].
    pub register: usize,
    /// Which of its words, least significant first.
    pub word: usize,
    /// The bits that can be 1.
    pub ones: u64,
    /// The value under reset; `None` without reset.
    pub reset: Option<u64>,
    /// The value after the clock edge, unless the design is in reset.
    pub next: Id,
}

/// The position of the reset in the input record, and the kind of reset.
#[derive(Clone, Debug)]
pub struct ResetPort {
    /// The port.
    pub slot: PortSlot,
    /// Level of the port that resets.
    pub active_level: u64,
    /// Whether the state changes at once, rather than at the clock edge.
    pub asynchronous: bool,
}

impl ResetPort {
    /// The reset of `design`, if it has one.
    pub fn of(design: &Design, layout: &Layout) -> Option<Self> {
        let (slot, _) = layout.split_reset(design);
        slot.map(|slot| Self {
            slot: slot.clone(),
            active_level: u64::from(design.reset.active_level()),
            asynchronous: design.reset.is_asynchronous(),
        })
    }

    /// Whether a cycle with this input record is in reset.
    pub fn is_active(&self, inputs: &[u64]) -> bool {
        self.slot.get(inputs) == self.active_level
    }
}

/// The logic of a design; see [the module](self). All of the state is 0 before the first cycle.
#[derive(Clone, Debug, Default)]
pub struct Logic {
    values: Vec<Value>,
    known: HashMap<Op, Id>,
    /// The constant tables.
    pub tables: Vec<Arc<[u64]>>,
    /// The state.
    pub state: Vec<StateWord>,
    /// The words of the output record.
    pub outputs: Vec<Id>,
    /// The reset port, if there is one.
    pub reset: Option<ResetPort>,
}

impl Logic {
    /// The logic of `design`, simplified. All registers are kept, since a probe may ask for any of them; of the other
    /// signals only those on which an output or a register depends.
    pub fn new(design: &Design, flat: &Flat, layout: &Layout) -> Self {
        let mut logic = split::split(flat, layout, design);
        logic.settle();
        logic.narrow()
    }

    /// The logic of these signals alone, in place of the outputs: the words of one after the other. The state stays as it
    /// is, unless the design is in reset.
    pub fn of_signals(design: &Design, flat: &Flat, layout: &Layout, signals: &[usize]) -> Self {
        let (mut logic, words) = split::split_signals(flat, layout, design, signals);
        logic.settle();
        logic.outputs = words;
        for word in 0..logic.state.len() {
            logic.state[word].next = logic.state_word(word as u32);
        }
        logic.narrow()
    }

    /// All values, operands first.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// How a value is computed.
    pub fn op(&self, id: Id) -> Op {
        self.values[id.index()].op
    }

    /// The bits of a value that can be 1.
    pub fn ones(&self, id: Id) -> u64 {
        self.values[id.index()].ones
    }

    /// The values that have to be computed in every cycle: of the outputs, and what the registers load.
    fn roots(&self) -> impl Iterator<Item = Id> {
        self.outputs.iter().copied().chain(self.state.iter().map(|word| word.next))
    }
}

/// Ones up to the highest 1 of `value`.
fn up_to(value: u64) -> u64 {
    if value == 0 { 0 } else { u64::MAX >> value.leading_zeros() }
}
