//! Checks that an invariant proves that a circuit never reaches a bad state.
//!
//! ```text
//!  problem.aig ───> Circuit ──┐
//!                             ├──> check: three questions to a SAT solver
//!  invariant.aig ─> Circuit ──┘
//! ```
//!
//! A model checker that finds an invariant has to be right in much: what it simplifies, what it generalises. Here, all that is trusted is a
//! reader of AIGER files, the encoding of ANDs as clauses, and the solver.

mod aiger;
mod check;
mod encoding;

pub use aiger::{Circuit, Latch, ReadError, Start};
pub use check::{Fault, Part, check};
