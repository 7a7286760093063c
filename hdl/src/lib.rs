//! The hardware: netlists, Verilog, handshake blocks and the codec cores.
//!
//! Arrows run one way: [`core`] (the codec cores) uses [`stream`] (handshake blocks), which uses
//! [`netlist`] (signals, registers, modules); [`emit`] writes any netlist as Verilog and knows no core.

pub mod core;
pub mod emit;
pub mod netlist;
pub mod stream;

/// The code in the README of the package, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
