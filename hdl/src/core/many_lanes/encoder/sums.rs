//! Where the units of each slot stand: sums of the numbers of units up to each slot, behind those that fill no output beat yet.

use super::movement::Movement;
use super::plan::{Plan, bits_for, levels};
use crate::core::many_lanes::logic::{any_of, bits_of, masked, sum};
use crate::netlist::{Builder, Signal};

/// Adds up `lengths`, as of stage `plan.written`, over all lanes up to each. `extra` says that so many units stand before those of the first
/// lane; no two of these are so at a time. The sums are as of stage `plan.sums`.
pub(super) fn sums<'m>(
    m: &'m Builder,
    lengths: Vec<Signal<'m>>,
    extra: &[(Signal<'m>, usize)],
    plan: &Plan,
    movement: &Movement<'m>,
) -> Vec<Signal<'m>> {
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
    let mut at = plan.written;
    let steps = levels(plan.lanes);
    for step in 0..steps {
        m.section(format!("Stage {at}: numbers of units, of {} lanes at a time", 2 << step));
        let is_registered = plan.is_registered(step, steps);
        at += u32::from(is_registered);
        let block = 1 << step;
        let added = |lane: usize| {
            let total = match lane & block {
                0 => sums[lane],
                _ => {
                    let width = bits_for(most(lane & !(2 * block - 1), lane));
                    sums[lane].zext(width) + sums[(lane & !(block - 1)) - 1].zext(width)
                }
            };
            let name = format!("units_up_to_{lane}_{at}");
            match is_registered {
                true => movement.stage_at(at, lane).data(&format!("{name}_reg"), total),
                false => total.named(&format!("{name}_{step}")),
            }
        };
        sums = (0..plan.lanes).map(added).collect();
    }
    assert_eq!(at, plan.sums, "the sums are there when the plan says so");
    sums
}

/// The ends of the units of each lane, and where those of the beat begin, as of stage `plan.ends`.
pub(super) struct Ends<'m> {
    pub(super) ends: Vec<Signal<'m>>,
    /// If the replacement ever stands there.
    pub(super) begin: Option<Signal<'m>>,
}

/// Places the units of a beat behind those that fill no output beat yet. `goes_on` says that these stay for the next beat: the beat does
/// not end its frame.
pub(super) fn ends<'m>(
    m: &'m Builder,
    sums: &[Signal<'m>],
    goes_on: Signal<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> Ends<'m> {
    m.section(format!("Stage {}: the units of earlier beats that fill no output beat", plan.sums));
    let bits = plan.lane_bits();
    let stage = movement.stage(plan.ends);
    let left = m.reg("left_over_reg", bits).note("so many are left over");
    let total = (left.q + sums[plan.lanes - 1].bits(0..bits)).named("left_over_behind");
    left.next_when(stage.enable, masked(total, goes_on));
    let width = bits_for(plan.most_positions());
    let end = |(lane, sum): (usize, &Signal<'m>)| {
        let end = sum.zext(width) + left.q.zext(width);
        movement.stage_at(plan.ends, lane).data(&format!("end_{lane}_reg"), end)
    };
    let ends = sums.iter().enumerate().map(end).collect();
    let begin = (plan.replacement_reach > 0).then(|| stage.data(&format!("begin_{}_reg", plan.ends), left.q));
    Ends { ends, begin }
}
