//! The software reference against the seeds' vectors and against what others wrote.

#[path = "../common/mod.rs"]
mod common;

mod software_systems;
mod third_opinions;
mod third_opinions_of_software;
mod vectors;
