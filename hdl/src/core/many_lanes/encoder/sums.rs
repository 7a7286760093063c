//! Where the units of each slot stand: sums of the numbers of units up to each slot, behind those that fill no output beat yet.
//!
//! A sum of its own tells how many output beats are made: it has a beat less one unit more, where one that is not full is made too. So
//! that is known as soon as where the units end, and no stage has to wait for it.

use super::movement::Movement;
use super::plan::{Plan, bits_for, levels};
use crate::core::many_lanes::logic::{any_of, bits_of, carry_out, exceeds, masked, sum};
use crate::netlist::{Builder, Signal};

/// Numbers of units of a beat, as of stage `plan.sums`.
pub(super) struct Sums<'m> {
    /// Those up to each lane.
    up_to: Vec<Signal<'m>>,
    /// All, and a beat less one more if an output beat is made that is not full.
    rounded: Signal<'m>,
}

/// Adds up `lengths`, one of each lane, over all lanes up to each. `extra` says that so many units stand before those of the first lane; no
/// two of these are so at a time. `rounds` says that an output beat is made even if it is not full. All are as of the stage before
/// `plan.written`.
pub(super) fn sums<'m>(
    m: &'m Builder,
    lengths: Vec<Signal<'m>>,
    extra: &[(Signal<'m>, usize)],
    rounds: Signal<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Sums<'m> {
    m.stage_section(plan.written - 1, "numbers of units");
    let most = |from: usize, to: usize| {
        let most_extra = extra.iter().map(|&(_, units)| units).max().unwrap_or(0);
        let extra = if from == 0 { most_extra } else { 0 };
        plan.most_units_of(to + 1 - from) + extra
    };
    let mut sums = lengths;
    if let Some(most_extra) = extra.iter().map(|&(_, units)| units).max() {
        let bit = |bit: u32| {
            let set: Vec<Signal> =
                extra.iter().filter(|&&(_, units)| units >> bit & 1 == 1).map(|&(is, _)| is).collect();
            match set[..] {
                [] => m.lit(1, 0),
                [is] => is,
                _ => any_of(set).expect("several").named(&format!("units_before_bit_{bit}")),
            }
        };
        let replacement: Vec<Signal> = (0..bits_for(most_extra)).map(bit).collect();
        let width = bits_for(most(0, 0)) as usize;
        let first = sum("first_length", &bits_of(sums[0]), &replacement, None, width);
        sums[0] = m.concat(first.into_iter().rev()).named("first_length");
    }
    let last_lane = plan.lanes - 1;
    let rest = vec![rounds; plan.lane_bits() as usize];
    let width = bits_for(most(last_lane, last_lane) + last_lane);
    let rounded = sum("rounded_length", &bits_of(sums[last_lane]), &rest, None, width as usize);
    let at_written = |lane: usize, name: &str, signal| {
        movement.stage_at(plan.written, lane).data(&format!("{name}_{}_reg", plan.written), signal)
    };
    let mut rounded = at_written(last_lane, "rounded", m.concat(rounded.into_iter().rev()));
    let length = |(lane, length)| at_written(lane, &format!("units_of_{lane}"), length);
    let mut sums: Vec<Signal> = sums.into_iter().enumerate().map(length).collect();
    let mut at = plan.written;
    let steps = levels(plan.lanes);
    for step in 0..steps {
        m.stage_section(at, format!("numbers of units, of {} lanes at a time", 2 << step));
        let is_registered = plan.is_registered(step, steps);
        at += u32::from(is_registered);
        let block = 1 << step;
        let put = |lane: usize, name: &str, total: Signal<'m>| match is_registered {
            true => movement.stage_at(at, lane).data(&format!("{name}_{at}_reg"), total),
            false => total.named(&format!("{name}_{at}_{step}")),
        };
        let width = bits_for(most(plan.lanes - 2 * block, last_lane) + last_lane);
        let total = sums[last_lane - block].zext(width) + rounded.zext(width);
        rounded = put(last_lane, "rounded", total);
        let added = |lane: usize| {
            let total = match lane & block {
                0 => sums[lane],
                _ => {
                    let width = bits_for(most(lane & !(2 * block - 1), lane));
                    sums[lane].zext(width) + sums[(lane & !(block - 1)) - 1].zext(width)
                }
            };
            put(lane, &format!("units_up_to_{lane}"), total)
        };
        sums = (0..plan.lanes).map(added).collect();
    }
    assert_eq!(at, plan.sums, "the sums are there when the plan says so");
    Sums { up_to: sums, rounded }
}

/// The ends of the units of each lane, and where those of the beat begin, as of stage `plan.ends`.
pub(super) struct Ends<'m> {
    pub(super) ends: Vec<Signal<'m>>,
    /// If the replacement ever stands there.
    pub(super) begin: Option<Signal<'m>>,
    /// More than one output beat is made, more than two, and so on.
    pub(super) more: Vec<Signal<'m>>,
}

/// Places the units of a beat behind those that fill no output beat yet. `goes_on` says that these stay for the next beat: the beat does
/// not end its frame.
pub(super) fn ends<'m>(
    m: &'m Builder,
    sums: &Sums<'m>,
    goes_on: Signal<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Ends<'m> {
    m.stage_section(plan.sums, "the units of earlier beats that fill no output beat");
    let bits = plan.lane_bits();
    let stage = movement.stage(plan.ends);
    let left = m.reg("left_over_reg", bits).note("so many are left over");
    let total = (left.q + sums.up_to[plan.lanes - 1].bits(0..bits)).named("left_over_behind");
    left.next_when(stage.enable, masked(total, goes_on));
    let width = bits_for(plan.most_positions());
    let end = |(lane, sum): (usize, &Signal<'m>)| {
        let end = sum.zext(width) + left.q.zext(width);
        movement.stage_at(plan.ends, lane).data(&format!("end_{lane}_reg"), end)
    };
    let ends = sums.up_to.iter().enumerate().map(end).collect();
    let carry = carry_out(left.q, sums.rounded.bits(0..bits), |bit| format!("rounded_carry_{}", bit + 1));
    let full = sums.rounded.bits(bits..sums.rounded.width());
    let more = |beats: u64| {
        // The low bits make at most one beat more.
        let is_as_many = (beats >> full.width() == 0).then(|| full.is(beats) & carry);
        let is_more = ((beats + 1) >> full.width() == 0).then(|| exceeds(full, beats));
        any_of(is_more.into_iter().chain(is_as_many))
    };
    let most = plan.most_positions().div_ceil(plan.lanes);
    let more = (1..most as u64).map(|beats| {
        let more = more(beats).expect("units reach so far");
        stage.data(&format!("more_than_{beats}_{}_reg", plan.ends), more)
    });
    let more = more.collect();
    let begin = (plan.replacement_reach > 0).then(|| stage.data(&format!("begin_{}_reg", plan.ends), left.q));
    Ends { ends, begin, more }
}
