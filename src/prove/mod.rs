//! Proofs about the cores, by other people's checkers: properties as netlists around a core, written as AIGER.
//!
//! | property | what is proved |
//! | --- | --- |
//! | [`emitted`] | the emitted Verilog does what the netlist does |

pub mod bench;
pub mod checker;
pub mod emitted;
pub mod pick;
pub mod program;
pub mod property;
pub mod spec;
pub mod stream;
pub mod verdict;
