//! Streaming hardware that decodes and encodes text, and the proof that it does.

// A library returns what is to be said.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod adapters;
pub mod campaign;
pub mod clock;
pub mod cores;
pub mod cosim;
pub mod deliverables;
pub mod engines;
pub mod explain;
pub mod fault;
pub mod input;
pub mod noise;
pub mod page;
#[cfg(doctest)]
mod pages;
pub mod printable;
pub mod promise;
pub mod prove;
pub mod report;
pub mod shell;
pub mod tables;
pub mod trace;
pub mod unknown_start;
