//! Streaming hardware that decodes and encodes text, and the proof that it does.

pub mod campaign;
pub mod cores;
pub mod cosim;
pub mod engines;
pub mod noise;
#[cfg(doctest)]
mod pages;
pub mod promise;
pub mod report;
