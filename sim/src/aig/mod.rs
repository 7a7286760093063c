//! Designs in single bits: an and-inverter graph, made of a netlist by [`blast`], and the AIGER files that model checkers read.
//!
//! ```text
//! design ──> Logic ──> Aiger ──> file
//!            graph,    file
//!            blast
//! ```

mod blast;
mod file;
mod graph;
mod known;
mod levels;

pub use blast::{Logic, MOST_ANDS, RegisterBit, Start, TooLarge, blast, blast_cut};
pub use file::{Aiger, Latch, NEXT, Named};
pub use graph::{Aig, Leaf, Lit, Node};
pub use known::{Bit, Known, UnknownStart};
