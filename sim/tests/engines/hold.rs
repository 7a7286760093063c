//! A design that can be held is the design, as if the cycles in which it is held were not there.

use crate::common::bench::outputs;
use crate::common::random_netlist::recipes;
use crate::common::stimulus::stimulus;
use proptest::prelude::*;
use utfhdl_hdl::netlist::{Design, holdable};
use utfhdl_sim::Layout;
use utfhdl_sim::native::Native;

const CYCLES: usize = 60;

proptest! {
    #[test]
    fn cycles_in_which_it_is_held_leave_no_trace(recipe in recipes(), seed: u64) {
        let design = recipe.design();
        let held = Design { top: holdable(&design.top, "run_it"), reset: design.reset };
        let (layout, held_layout) = (Layout::new(&design), Layout::new(&held));
        let (run, active) = (held_layout.input("run_it").expect("it was added"), design.reset.active_level());
        let mut inputs = stimulus(&held_layout, active, CYCLES, seed);
        let mut moving = Vec::new();
        for record in inputs.chunks_exact_mut(held_layout.input_words) {
            let reset = held_layout.input(design.reset.port());
            // Reset clears what is held, too.
            if reset.is_some_and(|reset| reset.get(record) == u64::from(active)) {
                run.set(record, 1);
            }
            if run.get(record) == 1 {
                let mut same = vec![0; layout.input_words];
                for port in &layout.inputs {
                    let value = held_layout.input(&port.name).expect("a port of both").value(record);
                    port.write(&mut same, &value);
                }
                moving.extend(same);
            }
        }
        let found = outputs(&mut Native::new(&held).expect("a design that is small enough"), &inputs);
        let records = inputs.chunks(held_layout.input_words).zip(found.chunks(layout.output_words));
        let found: Vec<u64> =
            records.filter(|(record, _)| run.get(record) == 1).flat_map(|(_, found)| found.to_vec()).collect();
        prop_assume!(layout.input_words > 0);
        let expected = outputs(&mut Native::new(&design).expect("a design that is small enough"), &moving);
        prop_assert_eq!(found, expected);
    }
}
