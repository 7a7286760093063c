//! The emitted text in the simulators of others, against the `native` engine: random designs, and the cores.
//!
//! By default as many designs as take half a minute. For a longer campaign say how many:
//! `UTFHDL_RANDOM_DESIGNS=5000 cargo test -p utfhdl-sim --test emitted -- --ignored`

#[path = "../common/mod.rs"]
mod common;
mod cores;
mod icarus;
mod verilator;

use utfhdl_hdl::netlist::Design;
use utfhdl_sim::Layout;
use utfhdl_sim::native::Native;

use common::bench::outputs;

/// How many random designs to try: what the variable says, or `usual`.
fn designs(usual: u64) -> u64 {
    match std::env::var("UTFHDL_RANDOM_DESIGNS") {
        Ok(number) => number.parse().expect("UTFHDL_RANDOM_DESIGNS is a number"),
        Err(_) => usual,
    }
}

/// The outputs of the `native` engine, as bits.
fn native(design: &Design, inputs: &[u64]) -> Vec<common::icarus::Outputs> {
    common::icarus::as_bits(&Layout::new(design), &outputs(&mut Native::new(design), inputs))
}
