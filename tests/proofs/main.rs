//! Proofs of cores, and that proofs, assertions and campaigns notice a core with a fault.

#[path = "../common/mod.rs"]
mod common;

mod assertions;
mod campaign_faults;
mod faults;
mod prove;
mod prove_faults;
mod prove_lanes;
mod proved;
mod sby;
