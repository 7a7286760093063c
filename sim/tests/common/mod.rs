//! What several tests need. Each test uses a part of it.
#![allow(dead_code, unused_imports)]

pub mod bench;
pub mod designs;
pub mod icarus;
pub mod random_netlist;
pub mod stimulus;
