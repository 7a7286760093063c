//! All engines on small designs, with expected values worked out by hand or by other software; and the tools and the
//! cache of the `verilator` engine.

#[path = "../common/mod.rs"]
mod common;
mod lookups;
mod operators;
mod records;
mod registers;
mod tools;

use utfhdl_hdl::emit::verilog;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::verilator::{Cache, Effort, Verilator};

/// The `verilator` engine for `design`.
fn verilator(design: &Design) -> Verilator {
    Verilator::new(design, &verilog(design, &common::icarus::header()), &Cache::of_user(), Effort::Quick)
        .unwrap_or_else(|error| panic!("{error}"))
}
