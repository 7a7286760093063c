//! All engines on small designs, with expected values worked out by hand or by other software, and on random designs against each
//! other; the tools and the cache of the `verilator` engine.

#[path = "../common/mod.rs"]
mod common;

/// A test for each engine, which calls a function with the name of the engine and a function that makes the engine of a design.
macro_rules! in_every_engine {
    ($check:ident) => {
        #[test]
        fn in_native() {
            $check("native", crate::common::bench::native);
        }

        #[test]
        fn in_native_interpreted() {
            $check("native, interpreted", crate::common::bench::interpreted);
        }

        #[cfg(feature = "rust-hdl")]
        #[test]
        fn in_rust_hdl() {
            $check("rust-hdl", utfhdl_sim::rust_hdl::RustHdl::new);
        }

        #[test]
        #[ignore = "needs verilator: tools/test installs it and runs it"]
        fn in_verilator() {
            $check("verilator", crate::verilator);
        }
    };
}

mod aiger;
mod batch;
mod hold;
mod lookups;
mod native;
mod operators;
mod records;
mod registers;
#[cfg(feature = "rust-hdl")]
mod rust_hdl_by_hand;
#[cfg(feature = "rust-hdl")]
mod rust_hdl_lockstep;
#[cfg(feature = "rust-hdl")]
mod rust_hdl_probes;
mod stream;
mod tools;

use utfhdl_hdl::emit::verilog;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::verilator::{Cache, Effort, Verilator};

/// The `verilator` engine for `design`.
fn verilator(design: &Design) -> Verilator {
    Verilator::new(design, &verilog(design, &common::icarus::header()), &Cache::of_user(), Effort::Quick)
        .unwrap_or_else(|error| panic!("{error}"))
}
