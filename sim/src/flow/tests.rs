//! Labels through small designs, in which one can see where they go.

use utfhdl_hdl::netlist::{Builder, Design, ResetStyle};

use super::*;

/// Two stages of four bits. The second stage can hold, and its output can be masked.
fn pipeline() -> Design {
    let m = Builder::new("pipeline", "Two stages.");
    let data = m.input("data", 4, "");
    let load = m.input("load", 1, "");
    let mask = m.input("mask", 1, "");
    let first = m.reg("first", 4);
    let second = m.reg("second", 4);
    let parity = m.reg("parity", 1);
    let idle = m.reg("idle", 4);
    first.next(data);
    second.next_when(load, first.q);
    parity.next(first.q.bit(0) ^ first.q.bit(1));
    idle.next(first.q);
    m.output("shown", mask.mux(m.lit(4, 0), second.q), "");
    m.output("odd", parity.q, "");
    m.output("aside", idle.q, "");
    Design { top: m.finish().expect("a correct module"), reset: ResetStyle::SyncHigh }
}

/// The labels of all bits of a register, in each cycle.
fn follow(inputs: &[u64], cycles: &[FlowCycle], path: &str) -> Vec<Vec<u32>> {
    let flow = Flow::new(&pipeline()).expect("a small design");
    let register = flow.registers().iter().find(|register| register.path == path).expect("the register");
    let mut found = vec![Vec::new(); cycles.len()];
    flow.follow(None, inputs, cycles, 64, &mut |cycle, held| {
        let mut labels: Vec<u32> = register.bits.clone().flat_map(|bit| held.labels(bit)).collect();
        labels.sort_unstable();
        labels.dedup();
        found[cycle] = labels;
    });
    found
}

/// The record of a cycle.
fn record(data: u64, load: u64, mask: u64) -> u64 {
    data | load << 4 | mask << 5
}

/// Labels 0, 1, 2 … on `data` in every cycle, and on `shown` as given.
fn labelled(shown: &[Option<u32>]) -> Vec<FlowCycle> {
    let cycle = |(label, shown): (usize, &Option<u32>)| FlowCycle {
        inputs: vec![Labelled { bits: 0..4, label: label as u32 }],
        outputs: shown.iter().map(|&label| Labelled { bits: 0..4, label }).collect(),
    };
    shown.iter().enumerate().map(cycle).collect()
}

#[test]
fn a_label_is_in_each_stage_on_its_way() {
    let inputs = [9, 5, 3, 7].map(|data| record(data, 1, 0));
    let cycles = labelled(&[None, None, Some(0), Some(1)]);
    assert_eq!(follow(&inputs, &cycles, "first"), [vec![], vec![0], vec![1], vec![]]);
    assert_eq!(follow(&inputs, &cycles, "second"), [vec![], vec![], vec![0], vec![1]]);
}

#[test]
fn what_reaches_no_output_with_its_label_is_held_by_nobody() {
    let inputs = [9, 5, 3, 7].map(|data| record(data, 1, 0));
    // The second stage shows label 0 in cycle 2, which is called 1 here.
    let cycles = labelled(&[None, None, Some(1), None]);
    for register in ["first", "second", "idle"] {
        assert_eq!(follow(&inputs, &cycles, register), vec![Vec::<u32>::new(); 4], "{register}");
    }
}

#[test]
fn a_register_that_holds_its_value_holds_its_label() {
    let inputs = [record(9, 1, 0), record(5, 1, 0), record(3, 0, 0), record(7, 0, 0), record(7, 1, 0)];
    let cycles = labelled(&[None, None, None, None, Some(0)]);
    assert_eq!(follow(&inputs, &cycles, "second"), [vec![], vec![], vec![0], vec![0], vec![0]]);
    assert_eq!(follow(&inputs, &cycles, "first"), [vec![], vec![0], vec![], vec![], vec![]]);
}

#[test]
fn a_mask_stops_a_label() {
    let inputs = [record(15, 1, 0), record(15, 1, 0), record(15, 1, 1)];
    let cycles = labelled(&[None, None, Some(0)]);
    assert_eq!(follow(&inputs, &cycles, "second"), [vec![], vec![], vec![]]);
}

#[test]
fn a_register_beside_the_way_holds_nothing() {
    let inputs = [9, 5, 3, 7].map(|data| record(data, 1, 0));
    assert_eq!(
        follow(&inputs, &labelled(&[None, None, Some(0), Some(1)]), "idle"),
        vec![Vec::<u32>::new(); 4]
    );
}

/// A new label reuses the mark of an older one, and the two are not confused.
#[test]
fn more_labels_than_marks() {
    let cycles = 200;
    let inputs: Vec<u64> = (0..cycles).map(|cycle| record(cycle % 16, 1, 0)).collect();
    let shown: Vec<Option<u32>> = (0..cycles as u32).map(|cycle| cycle.checked_sub(2)).collect();
    let found = follow(&inputs, &labelled(&shown), "first");
    for (cycle, labels) in found.iter().enumerate().skip(1).take(cycles as usize - 2) {
        assert_eq!(*labels, [cycle as u32 - 1]);
    }
}

/// The register before an output holds a label if the bits of that label can change the output.
#[test]
fn no_change_goes_unnoticed() {
    let flow = Flow::new(&pipeline()).expect("a small design");
    let parity = flow.registers().iter().find(|register| register.path == "parity").expect("the register");
    let bits = parity.bits.clone();
    for data in 0..16 {
        let run = |data| flow.state_after(None, &[record(data, 1, 0), record(0, 1, 0)])[bits.start];
        let can_change = (0..16).any(|other| run(other) != run(data));
        let inputs = [record(data, 1, 0), record(0, 1, 0), record(0, 1, 0)];
        let mut cycles = labelled(&[None, None, None]);
        cycles[2].outputs.push(Labelled { bits: 4..5, label: 0 });
        let mut holds = false;
        flow.follow(None, &inputs, &cycles, 64, &mut |cycle, held| {
            holds |= cycle == 2 && held.labels(bits.start).any(|label| label == 0);
        });
        assert!(can_change, "a bit of the data turns the parity");
        assert!(holds, "{data}");
    }
}

/// Runs longer than what is in memory at once.
#[test]
fn a_long_run_is_followed_in_pieces() {
    let flow = Flow::new(&pipeline()).expect("a small design");
    let second = flow.registers().iter().find(|register| register.path == "second").expect("the register");
    let cycles = 307;
    let inputs: Vec<u64> = (0..cycles as u64).map(|cycle| record(cycle * 7 % 16, 1, 0)).collect();
    let shown: Vec<Option<u32>> = (0..cycles as u32).map(|cycle| cycle.checked_sub(2)).collect();
    let labels = labelled(&shown);
    // Marks of 64 labels are used again.
    let run = Run { flow: &flow, inputs: &inputs, cycles: &labels, ends: ends(&labels), most: 64 };
    for chunk in [1, 2, 17, 100, 306, 307, 1000] {
        let bits = flow.gates.registers();
        let start = Now { state: vec![false; bits], marks: Sets::empty(bits) };
        let mut visited = 0;
        flow.follow_in_chunks(&run, start, chunk, &mut |cycle, held| {
            let found: Vec<u32> = second.bits.clone().flat_map(|bit| held.labels(bit)).collect();
            let expected = cycle.checked_sub(2).map(|label| label as u32);
            assert!(expected.is_none_or(|label| found.contains(&label)), "{chunk}: {cycle}: {found:?}");
            assert!(found.iter().all(|label| Some(*label) == expected), "{chunk}: {cycle}: {found:?}");
            visited += 1;
        });
        assert_eq!(visited, cycles);
    }
}
