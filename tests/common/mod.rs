//! Helpers that several tests share.

// Every test program compiles this folder, and none uses all of it.
#![allow(dead_code)]

pub mod browser;
pub mod campaigns;
pub mod clock;
pub mod command;
pub mod examples;
pub mod hardware;
pub mod lanes;
pub mod programs;
pub mod samples;
pub mod scrubbers;
#[cfg(unix)]
pub mod slurm;
