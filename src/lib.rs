//! Streaming hardware that decodes and encodes text, and the proof that it does.

pub mod codec;
pub mod cosim;
pub mod engines;
#[cfg(doctest)]
mod pages;
pub mod system;
pub mod units;
