//! Random designs: every operator, widths of 1 to 200 bits, registers, enables, all reset styles, hierarchy.

use proptest::prelude::*;
use utfhdl_hdl::netlist::Fault;
use utfhdl_sim::flat::Flat;
use utfhdl_sim::logic::{Evaluator, Logic};
use utfhdl_sim::{Engine, Layout};

use super::difference;
use crate::common::bench::{interpreted, native, outputs};
use crate::common::random_netlist::{designs, recipes};
use crate::common::stimulus::stimulus;

const CYCLES: usize = 100;

proptest! {
    #![proptest_config(ProptestConfig { cases: designs(1024), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compiled_is_interpreted(recipe in recipes(), seed: u64) {
        prop_assert_eq!(difference(&recipe.design(), CYCLES, seed), None);
    }

    /// A fault leaves logic that nobody reads, and a constant from which much can be folded.
    #[test]
    fn compiled_is_interpreted_with_faults(
        recipe in recipes(),
        seed: u64,
        fault in prop::sample::select(&Fault::ALL[..]),
    ) {
        let faulty = fault.inject(&recipe.design(), "in0").expect("every design has an input `in0`");
        prop_assert_eq!(difference(&faulty, CYCLES, seed), None);
    }

    /// The simplified logic by itself, without the compiler, which could hide a mistake in it.
    #[test]
    fn logic_is_interpreted(recipe in recipes(), seed: u64) {
        let design = recipe.design();
        let layout = Layout::new(&design);
        let inputs = stimulus(&layout, design.reset.active_level(), CYCLES, seed);
        let logic = Logic::new(&design, &Flat::new(&design), &layout);
        let mut evaluator = Evaluator::new(&logic);
        let found: Vec<u64> = inputs.chunks(layout.input_words).flat_map(|record| evaluator.cycle(record)).collect();
        prop_assert_eq!(found, outputs(&mut interpreted(&design), &inputs));
    }

    /// A run gives the same outputs however it is cut into calls.
    #[test]
    fn a_run_can_be_cut_anywhere(
        recipe in recipes(),
        seed: u64,
        mut cuts in prop::collection::vec(0..=CYCLES, 0..6),
    ) {
        let design = recipe.design();
        let layout = Layout::new(&design);
        let inputs = stimulus(&layout, design.reset.active_level(), CYCLES, seed);
        let whole = outputs(&mut native(&design), &inputs);
        let (mut engine, mut parts) = (native(&design), vec![0; whole.len()]);
        cuts.extend([0, CYCLES]);
        cuts.sort_unstable();
        for cut in cuts.windows(2) {
            let [part, results] = [layout.input_words, layout.output_words].map(|words| cut[0] * words..cut[1] * words);
            engine.run(&inputs[part], &mut parts[results]).expect("it runs");
        }
        prop_assert_eq!(parts, whole);
    }
}
