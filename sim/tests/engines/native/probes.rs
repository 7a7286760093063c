//! Probes see every named signal of the last cycle, although compiled code computes only what it needs.

use proptest::prelude::*;
use utfhdl_hdl::netlist::Fault;
use utfhdl_sim::flat::Scope;
use utfhdl_sim::{Engine, Layout};

use crate::common::bench::{interpreted, native};
use crate::common::random_netlist::{designs, recipes};
use crate::common::stimulus::stimulus;

fn signals(scope: &Scope, path: &str, found: &mut Vec<(String, usize)>) {
    found.extend(scope.signals.iter().map(|signal| (format!("{path}.{}", signal.name), signal.signal)));
    scope.children.iter().for_each(|child| signals(child, &format!("{path}.{}", child.name), found));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: designs(128), failure_persistence: None, ..ProptestConfig::default() })]

    /// After runs of one cycle and of several, probed in between or not; in designs with logic that nobody reads, too.
    #[test]
    fn every_signal_is_seen(
        recipe in recipes(),
        fault in prop::option::of(prop::sample::select(&Fault::ALL[..])),
        seed: u64,
        lengths in prop::collection::vec((1..5_usize, any::<bool>()), 1..20),
    ) {
        let sound = recipe.design();
        let design = fault.map_or_else(|| sound.clone(), |fault| fault.inject(&sound, "in0").expect("an input"));
        let layout = Layout::new(&design);
        let cycles = lengths.iter().map(|(length, _)| length).sum();
        let inputs = stimulus(&layout, design.reset.active_level(), cycles, seed);
        let (mut compiled, mut interpreted) = (native(&design), interpreted(&design));
        let mut names = Vec::new();
        signals(compiled.probe().expect("a probe").scope(), "top", &mut names);
        let mut rest = &inputs[..];
        for (length, probed) in lengths {
            let (now, later) = rest.split_at(length * layout.input_words);
            rest = later;
            let mut outputs = vec![0; length * layout.output_words];
            compiled.run(now, &mut outputs).expect("it runs");
            interpreted.run(now, &mut outputs).expect("it runs");
            if !probed {
                continue;
            }
            let probes = [&compiled, &interpreted].map(|engine| engine.probe().expect("a probe"));
            for (name, signal) in &names {
                let [found, expected] = probes.map(|probe| probe.value(*signal));
                prop_assert!(found == expected, "`{}`: {:x?}, not {:x?}", name, found, expected);
            }
        }
    }
}
