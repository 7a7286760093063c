//! The stages after the slots, alone: gaps, carry, compaction, gearbox and output, against a list of slots in plain Rust.

use std::sync::Arc;

use super::front::{Build, First, Front, Placement, Spread};
use super::output::Slots;
use super::pipeline::Pipeline;
use super::slot::Layout;
use super::{carry, compaction, gaps, output};
use crate::core::lanes::{At, Lanes};
use crate::core::shared::ports::slots_out_ready;
use crate::core::{CoreSpec, Role, Steps, System};
use crate::netlist::evaluator::{Evaluator, Random};
use crate::netlist::{Builder, Module};

/// Bits of the slots.
const BITS: u32 = 9;

/// Random beats of a run.
const BEATS: usize = 30;

/// The blocks, with the slots as inputs. Of `every` lanes, at least one ends a slot.
fn block(lanes: usize, every: usize, placement: Placement, has_first: bool) -> Arc<Module> {
    let m = Builder::new("block", "");
    let m_axis_tready = slots_out_ready(&m);
    let pipeline = Pipeline::new(&m, lanes, placement == Placement::Dense);
    m.output("s_axis_tready", pipeline.takes(), "");
    let of_beat =
        |name: &str| At::new(pipeline.stage(), m.input(&format!("in_{name}"), 1, ""), 0).called(name);
    let of_lane = |name: &'static str, width: u32| {
        let (m, pipeline) = (&m, &pipeline);
        let input = move |lane| m.input(&format!("in_{name}_{lane}"), width, "");
        Lanes::new(name, (0..lanes).map(move |lane| At::new(pipeline.stage_at(lane), input(lane), 0)))
    };
    let build =
        Build { lanes, steps: Steps::default(), placement, positions: false, drops_mark: true, kinds: true };
    // Without a slot before those of the lanes, all move by one more.
    let farthest = lanes - 1 - (lanes - 1) / every + usize::from(has_first);
    let spread = Spread::new(build, lanes, farthest, move |place| place - place / every);
    let sums = spread.counted(0);
    let front = Front {
        first: has_first.then(|| First {
            ends: of_beat("first_ends").flag(),
            slot: At::new(pipeline.stage(), m.input("in_first_slot", BITS, ""), 0)
                .called("first_slot")
                .at(sums),
        }),
        ends: of_lane("ends", 1),
        slots: of_lane("slot", BITS).at(sums + 1),
        last: of_beat("last"),
        valid: of_beat("valid").flag(),
        layout: Layout::new(BITS, &[], false),
        spread,
        offsets: None,
    };
    let gaps = gaps::gaps(&m, &front, &pipeline);
    let carried = carry::carry(&m, &front, &gaps, &pipeline);
    let (compacted, at) = compaction::compact(&m, &front, &gaps, &carried, None, &pipeline);
    output::output(
        &m,
        &front,
        &CoreSpec { lanes: lanes as u32, ..CoreSpec::new(System::Latin1, Role::Decoder) },
        &carried,
        Slots { compacted, at, ways: None, passengers: None },
        [m.lit(1, 0), m_axis_tready],
        &pipeline,
    );
    drop((front, gaps, carried, pipeline));
    m.built_with_unused()
}

/// A beat of random slots, at least one in `every` lanes.
struct Beat {
    first: Option<u64>,
    slots: Vec<Option<u64>>,
    last: bool,
}

/// Runs random beats through the blocks. `every` is as for [`block`].
fn check(lanes: usize, every: usize, placement: Placement, has_first: bool) {
    let mut block = Evaluator::new(&block(lanes, every, placement, has_first));
    let mut random = Random::new((lanes * every) as u64);
    block.reset();
    let (mut expected, mut found): (Vec<Vec<u64>>, Vec<Vec<u64>>) = (vec![vec![]], vec![vec![]]);
    let (mut now, mut left, mut is_open): (Option<Beat>, usize, bool) = (None, BEATS, false);
    // The lanes since the last one that ended a slot.
    let mut since = 0;
    for _ in 0..BEATS * 3 + 60 {
        if now.is_none() && left > 0 && !random.one_in(4) {
            left -= 1;
            let is_sparse = random.one_in(2);
            let mut slot = || {
                let ends = since + 1 >= every || random.one_in(if is_sparse { 3 } else { 1 });
                since = if ends { 0 } else { since + 1 };
                ends.then(|| random.below(1 << BITS))
            };
            let slots: Vec<Option<u64>> = (0..lanes).map(|_| slot()).collect();
            // A sequence that a beat cuts was left open by the beat before.
            let first = (has_first && is_open && random.one_in(2)).then(|| random.below(1 << BITS));
            let last = left == 0 || random.one_in(5);
            is_open = slots[lanes - 1].is_none() && !last;
            since = 0;
            now = Some(Beat { first, slots, last });
        }
        let beat = now.as_ref();
        block.set("in_valid", beat.is_some().into());
        block.set("in_last", beat.is_some_and(|beat| beat.last).into());
        if has_first {
            block.set("in_first_ends", beat.is_some_and(|beat| beat.first.is_some()).into());
            block.set("in_first_slot", beat.and_then(|beat| beat.first).unwrap_or(0));
        }
        for lane in 0..lanes {
            let slot = beat.and_then(|beat| beat.slots[lane]);
            block.set(&format!("in_ends_{lane}"), slot.is_some().into());
            block.set(&format!("in_slot_{lane}"), slot.unwrap_or(0));
        }
        let ready = !random.one_in(3);
        block.set("m_axis_tready", ready.into());
        if block.get("s_axis_tready") == 1
            && let Some(beat) = now.take()
        {
            let slots = beat.first.into_iter().chain(beat.slots.into_iter().flatten());
            expected.last_mut().expect("a frame").extend(slots);
            if beat.last {
                expected.push(Vec::new());
            }
        }
        if ready && block.get("m_axis_tvalid") == 1 {
            let keep = block.get_bits("m_axis_tkeep");
            let count = keep.iter().filter(|keep| **keep).count();
            assert!(keep[..count].iter().all(|keep| *keep), "{lanes} lanes: slots are in the first lanes");
            let data = block.get_bits("m_axis_tdata");
            let number = |bits: &[bool]| bits.iter().rev().fold(0, |all, &bit| all << 1 | u64::from(bit));
            found.last_mut().expect("a frame").extend(data.chunks(32).take(count).map(number));
            let last = block.get("m_axis_tlast") == 1;
            assert!(last || count > 0, "{lanes} lanes: only the end of a frame has no slot");
            assert!(
                last || placement != Placement::Dense || count == lanes,
                "{lanes} lanes: the beat is full"
            );
            if last {
                found.push(Vec::new());
            }
        }
        block.clock();
    }
    assert!(expected.iter().map(Vec::len).sum::<usize>() > BEATS, "slots came");
    assert_eq!(found, expected, "{lanes} lanes, one of {every}, {placement:?}, a slot before: {has_first}");
}

/// Slots keep their order and their frame, wherever there are gaps, and whenever the output waits.
#[test]
fn slots_are_compacted() {
    for lanes in [2, 4, 8, 16] {
        for (every, has_first) in [(4, true), (4, false), (lanes, false), (2, true), (1, false)] {
            check(lanes, every, Placement::First, has_first);
        }
    }
    check(32, 4, Placement::First, true);
    check(64, 4, Placement::First, true);
}

/// Slots of several beats fill each output beat but the last of a frame.
#[test]
fn slots_of_several_beats_are_packed() {
    for lanes in [2, 4, 8, 16] {
        for (every, has_first) in [(4, true), (lanes, false)] {
            check(lanes, every, Placement::Dense, has_first);
        }
    }
}
