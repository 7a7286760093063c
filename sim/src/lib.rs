//! Engines that run designs, with one trait, [`Engine`], and a folder for each; and writers of wave files.
//!
//! | engine | what runs |
//! | --- | --- |
//! | [`native`] | the netlist, compiled to machine code in the process, or interpreted |
//! | `rust_hdl` (a feature, on by default) | the netlist as a rust-hdl `Block`, in rust-hdl's loop |
//! | [`verilator`] | the emitted Verilog, compiled by Verilator and loaded at run time |
//! | [`batch`](mod@batch) | the netlist in single bits, compiled to vector instructions: 512 streams at once |
//!
//! [`flow`] follows the input of a design through its registers to the output.
//!
//! All engines but `batch` read and write one packed record a cycle, with the same [`Layout`]. Comparing engines in lockstep
//! is therefore a comparison of words. [`aig`] has designs in single bits, for `batch` and for other people's model
//! checkers.

pub mod aig;
pub mod batch;
mod engine;
pub mod feed;
pub mod flat;
pub mod flow;
mod hash;
mod layout;
pub mod logic;
pub mod native;
#[cfg(feature = "rust-hdl")]
pub mod rust_hdl;
pub mod scratch;
pub mod shown;
pub mod tool;
#[cfg(not(target_arch = "wasm32"))]
pub mod verilator;
pub mod wave;

pub use engine::{Engine, EngineError, Probe};
pub use layout::{Layout, PortSlot};

/// The code in the README of the package, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
