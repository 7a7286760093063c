//! The `rust-hdl` engine against the `native` one on random designs.
#![cfg(feature = "rust-hdl")]

mod common;

use common::random_netlist::{Recipe, recipe_from_seed, recipes};
use common::stimulus::stimulus;
use proptest::prelude::*;
use utfhdl_hdl::netlist::{Design, Fault};
use utfhdl_sim::native::Native;
use utfhdl_sim::rust_hdl::RustHdl;
use utfhdl_sim::{Engine, Layout};

/// The first cycle in which the engines differ, with both records.
fn difference(design: &Design, seed: u64) -> Option<(usize, Vec<u64>, Vec<u64>)> {
    const CYCLES: usize = 60;
    let layout = Layout::new(design);
    let inputs = stimulus(&layout, design.reset.active_level(), CYCLES, seed);
    let run = |engine: &mut dyn Engine| {
        let mut outputs = vec![0; CYCLES * layout.output_words];
        engine.run(&inputs, &mut outputs).expect("the engine runs");
        outputs
    };
    let (native, rust_hdl) = (run(&mut Native::new(design)), run(&mut RustHdl::new(design)));
    let cycles = native.chunks(layout.output_words).zip(rust_hdl.chunks(layout.output_words));
    let found = cycles.enumerate().find(|(_, (native, rust_hdl))| native != rust_hdl);
    found.map(|(cycle, (native, rust_hdl))| (cycle, native.to_vec(), rust_hdl.to_vec()))
}

proptest! {
    #[test]
    fn agrees_with_native(recipe in recipes(), seed: u64) {
        prop_assert_eq!(difference(&recipe.design(), seed), None);
    }

    #[test]
    fn agrees_with_native_where_readers_stand_before_what_they_read(
        recipe in recipes(),
        seed: u64,
        fault in prop::sample::select(&Fault::ALL[..]),
    ) {
        prop_assert_eq!(difference(&faulty(&recipe, fault), seed), None);
    }
}

/// A fault at the first input is a node behind all others.
fn faulty(recipe: &Recipe, fault: Fault) -> Design {
    fault.inject(&recipe.design(), "in0").expect("every design has an input `in0`")
}

/// Not vacuous: outputs do depend on inputs, so that one inverted input is seen in nearly every design.
#[test]
fn a_difference_between_designs_is_seen() {
    let outputs = |design: &Design| {
        let layout = Layout::new(design);
        let inputs = stimulus(&layout, design.reset.active_level(), 60, 1);
        let mut outputs = vec![0; 60 * layout.output_words];
        RustHdl::new(design).run(&inputs, &mut outputs).expect("the engine runs");
        outputs
    };
    let seen = (0..50)
        .map(recipe_from_seed)
        .filter(|recipe| outputs(&recipe.design()) != outputs(&faulty(recipe, Fault::Inverted)));
    let seen = seen.count();
    assert!(seen > 40, "an inverted input was seen in {seen} of 50 designs only");
}
