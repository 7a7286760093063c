//! Proofs about the cores, by other people's checkers: properties as netlists around a core, written as AIGER.
//!
//! | property | what is proved |
//! | --- | --- |
//! | [`emitted`] | the emitted Verilog does what the netlist does |
//! | [`stream`] | the handshake, frames and counts are as docs/interface.md has them |
//! | [`spec`] | a core makes the slots or units that the definition of its system asks for |
//! | [`elastic`] | stalls change nothing but time |
//! | [`lanes`] | a core of several lanes does the same, a transcoder excepted |
//! | [`apart`] | what comes out of one stream does not depend on the beats of the others |
//! | [`inverse`] | decoder and encoder, in both orders, give back what is well-formed |
//!
//! [`adapters`] has rules of adapters, which have no system and so none of these properties but the handshake.
//!
//! The proofs are about the netlist; [`emitted`] extends them to the Verilog. All properties cover all runs: any inputs, any
//! stalls of both sides, any number of cycles, from the state after a reset, with any values in registers without reset.

pub mod adapters;
pub mod apart;
pub mod bench;
pub mod certificate;
pub mod checker;
pub mod elastic;
pub mod emitted;
mod equivalent;
pub mod fingerprint;
pub mod formal;
pub mod inverse;
pub mod lanes;
mod lemmas;
pub mod mutants;
mod one_cycle;
mod one_state;
pub mod pick;
pub mod program;
pub mod property;
mod random_inputs;
mod relations;
pub mod run;
pub mod spec;
pub mod stream;
pub mod text_inputs;
pub mod trace;
pub mod unary;
pub mod verdict;
