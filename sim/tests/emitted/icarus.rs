//! Random designs in Icarus Verilog.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use utfhdl_hdl::netlist::{Builder, Design, ResetStyle, Signal};
use utfhdl_sim::Layout;

use crate::common::icarus::{Start, run};
use crate::common::random_netlist::{designs, recipes};
use crate::common::stimulus::stimulus;
use crate::native;

/// The designs are the same in each run unless `UTFHDL_RANDOM_DESIGNS` asks for a number of others, since Icarus Verilog 11 is wrong about
/// one design of some ten thousand: its compiler stops (`ivl_nexus_ptrs: Assertion`), or leaves out a block whose key it finds constant.
#[test]
#[ignore = "needs iverilog: tools/test installs it and runs it"]
fn random_designs_agree_with_native() {
    const CYCLES: usize = 40;
    let config =
        Config { cases: designs(300), max_shrink_iters: 300, failure_persistence: None, ..Config::default() };
    let mut runner = match std::env::var_os("UTFHDL_RANDOM_DESIGNS") {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let run = runner.run(&(recipes(), any::<u64>()), |(recipe, seed)| {
        let design = recipe.design();
        let inputs = stimulus(&Layout::new(&design), design.reset.active_level(), CYCLES, seed);
        let (ours, theirs) = (native(&design, &inputs), run(&design, &inputs, Start::Zero));
        prop_assert_eq!(theirs.len(), CYCLES);
        for (cycle, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            for (port, (ours, theirs)) in design.top.outputs().zip(ours.iter().zip(theirs)) {
                prop_assert!(
                    ours == theirs,
                    "cycle {cycle}, `{}`:\nnative {ours}\nicarus {theirs}\n{}",
                    port.name,
                    utfhdl_hdl::emit::verilog(&design, &crate::common::icarus::header())
                );
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// An `always @*` that reads no signal does not run at time 0; such logic must have its value all the same.
#[test]
#[ignore = "needs iverilog: tools/test installs it and runs it"]
fn a_case_between_constants_has_a_value() {
    let m = Builder::new("constants", "A choice that is made already.");
    let arms: [(&[u64], Signal); 2] = [(&[0, 1], m.lit(4, 3)), (&[2], m.lit(4, 5))];
    let chosen = m.lit(2, 2).named("KEY").case(arms, m.lit(4, 9));
    m.output("y", chosen + m.input("a", 4, ""), "");
    let design = Design { top: m.built(), reset: ResetStyle::SyncHigh };
    let outputs = run(&design, &[0, 1, 15], Start::Unknown);
    assert_eq!(outputs, [["0101"], ["0110"], ["0100"]]);
}
