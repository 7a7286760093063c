//! How many lanes before each end no slot: by so many places its slot moves down.

use super::logic::{Number, bits_of, sum};
use super::pipeline::{Pipeline, delay};
use super::plan::{GROUP, Plan};
use crate::netlist::{Builder, Signal};

/// Sums of gaps, as of stage `plan.sums`.
pub(super) struct Gaps<'m> {
    /// For each place: the gaps before it.
    pub(super) before: Vec<Number<'m>>,
    /// Every lane ends a slot, if that was asked for. As of stage `plan.offsets`.
    pub(super) full: Option<Signal<'m>>,
    /// Some lane ends a slot. As of stage `plan.offsets`.
    pub(super) some: Signal<'m>,
}

/// Counts the gaps in `ends`. `most` says how many there can be before a lane, `tells_full` whether anyone asks for a full beat.
pub(super) fn gaps<'m>(
    m: &'m Builder,
    ends: &[Signal<'m>],
    most: &dyn Fn(usize) -> usize,
    tells_full: bool,
    plan: &Plan,
    pipeline: &Pipeline<'m>,
) -> Gaps<'m> {
    let stage = pipeline.stage();
    if plan.steps() == 0 {
        let some = m.concat(ends.iter().rev().copied()).any();
        return Gaps { before: vec![Vec::new(); ends.len()], full: None, some };
    }
    m.section(format!("Stage {}: gaps are counted", plan.ends));
    let bits_for = |most: usize| (usize::BITS - most.leading_zeros()) as usize;
    let register = |name: String, number: Number<'m>| -> Number<'m> {
        if number.is_empty() {
            return number;
        }
        bits_of(stage.data(&name, m.concat(number.into_iter().rev())))
    };
    let groups: Vec<&[Signal]> = ends.chunks(GROUP).collect();
    let mut local: Vec<Number> = Vec::new();
    let mut totals: Vec<Number> = Vec::new();
    for (group, ends) in groups.iter().enumerate() {
        let mut counts = prefix_counts(&ends.iter().map(|&ends| !ends).collect::<Vec<_>>());
        let total = counts.pop().expect("a count behind the last lane");
        for (lane, count) in counts.into_iter().enumerate() {
            let lane = group * GROUP + lane;
            let count = count.into_iter().take(bits_for(most(lane))).collect();
            local.push(register(format!("gaps_before_{lane}_{}_reg", plan.gaps), count));
        }
        if group + 1 < groups.len() {
            let total = total.into_iter().take(bits_for(most(GROUP))).collect();
            totals.push(register(format!("gaps_in_group_{group}_{}_reg", plan.gaps), total));
        }
    }
    let of_groups = |name: &str, reduce: fn(Signal<'m>) -> Signal<'m>| -> Vec<Signal<'m>> {
        let of_group = |(group, ends): (usize, &&[Signal<'m>])| {
            let all = m.concat(ends.iter().rev().copied());
            stage.data(&format!("{name}_{group}_{}_reg", plan.gaps), reduce(all))
        };
        groups.iter().enumerate().map(of_group).collect()
    };
    let full = tells_full.then(|| of_groups("full", Signal::all)).map(|full| m.concat(full).all());
    let some = m.concat(of_groups("some", Signal::any)).any();

    // The sums up to each group, of twice as many groups with each stage.
    let mut offsets = totals;
    let mut at = plan.gaps;
    let mut step = 1;
    let later = |number: &Number<'m>, name: String| register(name, number.clone());
    while step < offsets.len() {
        m.section(format!("Stage {at}: gaps before each group, {} at a time", 2 * step));
        at += 1;
        local = (0..)
            .zip(&local)
            .map(|(lane, count)| later(count, format!("gaps_before_{lane}_{at}_reg")))
            .collect();
        offsets = (0..offsets.len())
            .map(|group| {
                let name = format!("gaps_up_to_group_{group}_{at}_reg");
                if group & step == 0 {
                    return later(&offsets[group], name);
                }
                let below = &offsets[(group & !(step - 1)) - 1];
                let width = bits_for(most((group + 1) * GROUP));
                register(name, sum(below, &offsets[group], None, width))
            })
            .collect();
        step *= 2;
    }
    assert_eq!(at, plan.offsets, "the sums are there when the plan says so");
    let full = full.map(|full| delay(stage, "full", full, plan.gaps, plan.offsets));
    let some = delay(stage, "some", some, plan.gaps, plan.offsets);
    m.section(format!("Stage {}: gaps before each lane", plan.offsets));
    let before = local.iter().enumerate().map(|(lane, count)| {
        let offset = (lane / GROUP).checked_sub(1).map(|group| offsets[group].as_slice()).unwrap_or_default();
        let total = sum(offset, count, None, bits_for(most(lane)));
        let at = |at: u32| format!("gaps_before_{lane}_{at}_reg");
        (plan.offsets + 1..=plan.sums).fold(total, |total, stage| register(at(stage), total))
    });
    Gaps { before: before.collect(), full, some }
}

/// How many bits are set before each of them, and in all: of 8 at most.
fn prefix_counts<'m>(bits: &[Signal<'m>]) -> Vec<Number<'m>> {
    let one = |index: usize| vec![bits[index]];
    let add = |a: &Number<'m>, b: &Number<'m>| sum(a, b, None, a.len().max(b.len()) + 1);
    let pairs: Vec<Number> =
        (0..bits.len() / 2).map(|pair| add(&one(2 * pair), &one(2 * pair + 1))).collect();
    let mut counts: Vec<Number> = vec![Vec::new()];
    for count in 1..=bits.len() {
        let next = match count {
            1 => one(0),
            2 => pairs[0].clone(),
            4 => add(&pairs[0], &pairs[1]),
            6 => sum(&counts[4], &pairs[2], None, 3),
            8 => add(&counts[4], &add(&pairs[2], &pairs[3])),
            odd => sum(&counts[odd - 1], &one(odd - 1), None, if odd > 3 { 3 } else { 2 }),
        };
        counts.push(next);
    }
    counts
}
