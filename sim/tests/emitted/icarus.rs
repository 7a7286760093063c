//! Random designs in Icarus Verilog.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use utfhdl_sim::Layout;

use crate::common::icarus::{Start, run};
use crate::common::random_netlist::recipes;
use crate::common::stimulus::stimulus;
use crate::{designs, native};

#[test]
#[ignore = "needs iverilog: tools/test installs it and runs it"]
fn random_designs_agree_with_native() {
    const CYCLES: usize = 40;
    let config = Config {
        cases: u32::try_from(designs(60)).expect("fewer than 2^32 designs"),
        max_shrink_iters: 300,
        failure_persistence: None,
        ..Config::default()
    };
    let run = TestRunner::new(config).run(&(recipes(), any::<u64>()), |(recipe, seed)| {
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
