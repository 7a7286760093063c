//! Helpers for several tests, each of which uses a part of them.
#![allow(dead_code, unused_imports)]

pub mod bench;
pub mod designs;
pub mod icarus;
pub mod random_netlist;
pub mod stimulus;
