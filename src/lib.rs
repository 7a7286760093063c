//! Streaming hardware that decodes and encodes text, and the proof that it does.

pub mod campaign;
pub mod codec;
pub mod cores;
pub mod cosim;
pub mod engines;
pub mod lines;
#[cfg(doctest)]
mod pages;
pub mod report;
pub mod system;
pub mod units;
