//! What several tests need. Each test uses a part of it.
#![allow(dead_code)]

pub mod bench;
pub mod random_netlist;
pub mod stimulus;
