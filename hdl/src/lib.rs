//! What the hardware is.
//!
//! Arrows run one way: [`core`] (the codec cores) stands on [`stream`] (handshake blocks), which stands on
//! [`netlist`] (signals, registers, modules); [`emit`] writes any netlist as Verilog and knows no core.

pub mod core;
pub mod emit;
pub mod netlist;
pub mod stream;

/// The code in the README of the package, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
