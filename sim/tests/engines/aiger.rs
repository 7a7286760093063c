//! AIGER files, run cycle by cycle, against the `native` engine on random designs.

use crate::common::bench::outputs;
use crate::common::random_netlist::recipes;
use crate::common::stimulus::{SplitMix, stimulus};
use proptest::prelude::*;
use utfhdl_hdl::netlist::Design;
use utfhdl_sim::aig::{Aiger, Start, blast};
use utfhdl_sim::native::Native;
use utfhdl_sim::{Layout, PortSlot};

const CYCLES: usize = 40;

/// The bits of a record, port by port, the lowest bit of each first; each in all 64 runs.
fn bits(ports: &[PortSlot], record: &[u64]) -> Vec<u64> {
    let bits = ports.iter().flat_map(|port| {
        let value = port.value(record);
        (0..port.width as usize).map(move |bit| value[bit / 64] >> (bit % 64) & 1)
    });
    bits.map(|bit| if bit == 1 { u64::MAX } else { 0 }).collect()
}

fn aiger(design: &Design, start: Start) -> Aiger {
    Aiger::sequential(&blast(design, start).expect("it is small"))
}

proptest! {
    #[test]
    fn agrees_with_native(recipe in recipes(), seed: u64) {
        let design = recipe.design();
        let layout = Layout::new(&design);
        let inputs = stimulus(&layout, design.reset.active_level(), CYCLES, seed);
        let mut native = Native::new(&design).expect("a design that is small enough");
        let expected = outputs(&mut native, &inputs);
        let aiger = aiger(&design, Start::Zero);
        let mut state = vec![0; aiger.latches.len()];
        let expected = expected.chunks(layout.output_words);
        for (input, expected) in inputs.chunks(layout.input_words).zip(expected) {
            let found = aiger.run(&mut state, &bits(&layout.inputs, input));
            prop_assert_eq!(found, bits(&layout.outputs, expected));
        }
    }

    /// Each cycle of a design is that of its registers and inputs alone.
    #[test]
    fn one_cycle_is_a_cycle(recipe in recipes(), seed: u64) {
        let design = recipe.design();
        let logic = blast(&design, Start::Zero).expect("it is small");
        let (whole, cycle) = (Aiger::sequential(&logic), Aiger::one_cycle(&logic));
        let mut random = SplitMix(seed);
        let mut words = |count: usize| (0..count).map(|_| random.next()).collect::<Vec<u64>>();
        let (mut state, inputs) = (words(whole.latches.len()), words(whole.inputs.len()));
        let found = cycle.run(&mut [], &[inputs.clone(), state.clone()].concat());
        let outputs = whole.run(&mut state, &inputs);
        prop_assert_eq!(found, [outputs, state].concat());
    }

    /// Whatever a design did before a reset, it continues as if it began there, with what registers without a reset value hold.
    #[test]
    fn a_start_is_a_reset_of_any_state(recipe in recipes(), seed: u64) {
        let design = recipe.design();
        prop_assume!(design.top.has_reset());
        let (zero, started) = (aiger(&design, Start::Zero), aiger(&design, Start::AfterReset { again: true }));
        let alone = aiger(&design, Start::AfterReset { again: false });
        prop_assert_eq!(&zero.inputs[..], &started.inputs[..zero.inputs.len()]);
        prop_assert_eq!(&started.inputs[1..], &alone.inputs[..]);
        let mut random = SplitMix(seed);
        let mut words = |count: usize| (0..count).map(|_| random.next()).collect::<Vec<u64>>();
        let mut state = words(zero.latches.len());
        let level = |active: bool| if design.reset.active_level() == active { u64::MAX } else { 0 };
        let mut inputs = words(zero.inputs.len());
        inputs[0] = level(true);
        zero.run(&mut state, &inputs);

        let held = |input: &String| {
            let name = input.strip_suffix("@start")?;
            Some(state[zero.latches.iter().position(|latch| latch.name == name)?])
        };
        let first: Vec<u64> = started.inputs[zero.inputs.len()..].iter().map(|input| held(input).unwrap()).collect();
        let mut states = [vec![0; started.latches.len()], vec![0; alone.latches.len()]];
        for cycle in 0..CYCLES {
            let mut inputs = words(zero.inputs.len());
            inputs[0] = level(false);
            let first = if cycle == 0 { first.clone() } else { words(first.len()) };
            let expected = zero.run(&mut state, &inputs);
            let inputs = [inputs, first].concat();
            prop_assert_eq!(&started.run(&mut states[0], &inputs), &expected);
            prop_assert_eq!(&alone.run(&mut states[1], &inputs[1..]), &expected);
        }
    }
}

/// A toggle with enable and reset, coded by hand.
#[test]
fn a_file_has_the_bytes_of_the_format() {
    let named = |name: &str, literal| utfhdl_sim::aig::Named { name: name.to_owned(), literal };
    let aiger = Aiger {
        inputs: vec!["enable".to_owned(), "reset".to_owned()],
        latches: vec![named("Q", 14)],
        outputs: vec![named("Q", 6), named("!Q", 7)],
        bad: vec![],
        // 8 = 6 & 2, 10 = 7 & 3, 12 = 9 & 11, 14 = 12 & 4
        ands: vec![(6, 2), (7, 3), (9, 11), (12, 4)],
    };
    let mut bytes = Vec::new();
    aiger.write(&mut bytes).expect("memory takes it");
    let expected =
        b"aig 7 2 1 2 4\n14\n6\n7\n\x02\x04\x03\x04\x01\x02\x02\x08i0 enable\ni1 reset\nl0 Q\no0 Q\no1 !Q\n";
    assert_eq!(bytes, expected);
    let mut state = [0];
    let outputs: Vec<u64> = [(1, 1), (1, 1), (0, 1), (1, 0)]
        .map(|(enable, reset)| aiger.run(&mut state, &[enable, reset])[0])
        .into();
    assert_eq!(outputs, [0, 1, 0, 0]);
}
