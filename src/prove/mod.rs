//! Proofs about the cores, by other people's checkers: properties as netlists around a core, written as AIGER.
//!
//! | property | what is proved |
//! | --- | --- |
//! | [`emitted`] | the emitted Verilog does what the netlist does |

pub mod emitted;
pub mod program;
pub mod verdict;
