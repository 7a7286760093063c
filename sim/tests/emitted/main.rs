//! The emitted text in other simulators, compared with the `native` engine: random designs, and the cores.
//!
//! By default the random designs take half a minute. For a longer run say how many:
//! `UTFHDL_RANDOM_DESIGNS=5000 cargo test -p utfhdl-sim --test emitted -- --ignored`

#[path = "../common/mod.rs"]
mod common;
mod cores;
mod icarus;
#[path = "../../../tests/common/samples.rs"]
mod samples;
mod verilator;

use utfhdl_hdl::netlist::Design;
use utfhdl_sim::Layout;

use common::bench::{self, outputs};

/// The outputs of the `native` engine, compiled and interpreted.
fn native_records(design: &Design, inputs: &[u64]) -> Vec<u64> {
    let compiled = outputs(&mut bench::native(design), inputs);
    let interpreted = outputs(&mut bench::interpreted(design), inputs);
    assert!(compiled == interpreted, "compiled and interpreted differ in `{}`", design.top.name());
    compiled
}

/// The records of the native engine, as bits.
fn native(design: &Design, inputs: &[u64]) -> Vec<common::icarus::Outputs> {
    common::icarus::as_bits(&Layout::new(design), &native_records(design, inputs))
}
