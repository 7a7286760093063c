//! The netlist: a small graph of synchronous hardware that ordinary Rust builds at run time. A Rust function stands for a
//! piece of hardware, and a loop for lanes.
//!
//! # What a netlist means
//!
//! A netlist describes two-valued logic in one clock domain and nothing else: it has no latches, no multiple drivers, no
//! combinational loops and no X. In each cycle all inputs are applied, every combinational node settles to the one value
//! that its operands give, the outputs are sampled, and then, at the rising edge, all registers load at once.
//!
//! | operation | operand widths | result width | value |
//! | --- | --- | --- | --- |
//! | `a & b`, `a \| b`, `a ^ b`, `!a` | equal | the same | bit by bit |
//! | `a + b`, `a - b` | equal | the same | modulo 2^width |
//! | [`eq`](Signal::eq), [`ne`](Signal::ne), [`lt`](Signal::lt), [`le`](Signal::le) | equal | 1 | unsigned comparison |
//! | `a << b`, `a >> b` | any, any | that of the first | zeros shifted in; an amount of the width or more gives 0 |
//! | [`all`](Signal::all), [`any`](Signal::any), [`parity`](Signal::parity) | any | 1 | and, or, exclusive or of all bits |
//! | [`mux`](Signal::mux) | select 1, arms equal | that of the arms | first arm where the select is 1 |
//! | [`case`](Signal::case) | labels as the key, arms equal | that of the arms | the arm whose label is the key, else the default |
//! | [`table`](Signal::table) | patterns as the key, values of a column equal | those of the columns | the first row whose pattern the key matches, else the default |
//! | [`bits`](Signal::bits), [`bit`](Signal::bit) | any | the range's | those bits |
//! | [`Builder::concat`] | any | the sum | first operand in the high bits |
//! | [`zext`](Signal::zext) | at most the new width | the new width | zeros above |
//!
//! No value is ever widened, narrowed or sign-extended implicitly: a width that does not fit is a panic where the signal is made, with both signals
//! and both widths in the message. A fault that shows only in the complete module (a signal without driver or reader, a name used twice, or a loop)
//! is a [`CheckError`] from [`Builder::finish`].
//!
//! A register without enable loads its next value at every edge; a register with enable, at the edges where the enable is 1. A register with a reset
//! value takes that value while reset is active; a register without reset value keeps on loading. Reset is not a signal of the netlist: its style
//! ([`ResetStyle`]) is chosen for the whole [`Design`]. All registers hold 0 before the first edge.

mod ahead;
mod alone;
mod bits;
mod builder;
mod carried;
mod case;
mod check;
mod delay;
mod design;
#[cfg(test)]
pub(crate) mod evaluator;
mod fault;
mod fold;
mod folded;
mod graph;
mod hold;
mod instance;
mod lookup;
mod mark;
mod memory;
mod module;
mod mutants;
mod names;
mod paths;
mod pattern;
mod reads;
mod registers;
mod rename;
mod rom;
mod schedule;
mod signal;
mod tie;
mod trim;

pub use ahead::with_next;
pub use alone::{alone, revealed};
pub use bits::Bits;
pub use carried::{State, states_outside};
pub use case::Row;
pub use check::{CheckError, CheckErrors};
pub use design::{Design, ResetStyle};
pub use fault::{Fault, FaultError};
pub use folded::Folded;
pub use graph::{Builder, Signal};
pub use hold::holdable;
pub use instance::InstanceHandle;
pub use mark::Mark;
pub use memory::{Collision, Memory, Read};
pub use module::{
    Arm, BinaryOp, Direction, Instance, Labels, Module, Node, NodeId, Op, Port, ReduceOp, Register,
    RegisterRole, Section,
};
pub use mutants::{Mutant, mutants};
pub use names::name_problem;
pub use pattern::{Pattern, disjoint};
pub use registers::{Reg, Stage};
pub use rom::Rom;
pub(crate) use rom::suffix as rom_suffix;
pub use schedule::ScheduledStage;
