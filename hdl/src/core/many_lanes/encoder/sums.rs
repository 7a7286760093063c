//! Positions of units: the running sum of the numbers of units of all slots, and the units left over of earlier beats.
//!
//! ```text
//!  lane                 0   1   2   3   4   5   6   7
//!  length               1   3   2   0   1   1   4   1      as of stage `written - 1`
//!  pairs                1   4   2   2   1   2   4   5      a level adds blocks of 1, then 2, then 4 lanes
//!  fours                1   4   6   6   1   2   6   7
//!  units up to          1   4   6   6   7   8  12  13      as of stage `sums`
//!  left over            5
//!  end                  6   9  11  11  12  13  17  18      as of stage `ends`: two full output beats, two units left over
//! ```
//!
//! The number of output beats has a sum of its own, `rounded`, to which a beat less one unit is added where an output beat that is not full
//! is made, too. So that number is known in the same stage as the ends.
//!
//! Cost: log2(lanes) levels of adders of up to 9 bits, one a stage; then one adder, and a carry out of log2(lanes) bits.

use super::movement::Movement;
use super::plan::{Plan, bits_for, levels};
use crate::core::many_lanes::logic::{any_of, bits_of, carry_out, exceeds, masked, sum};
use crate::netlist::{Builder, Signal};

/// Numbers of units of a beat, valid in stage `plan.sums`.
pub(super) struct Sums<'m> {
    /// Units up to each lane, those of the lane included.
    up_to: Vec<Signal<'m>>,
    /// Units of all lanes; a beat less one more if an output beat is made that is not full.
    rounded: Signal<'m>,
}

/// Adds up `lengths`, the number of units of each lane, over all lanes up to each. `extra` has conditions, of which one holds at most, each with
/// a number of units that precede those of the first lane. `rounds`: an output beat is made even if it is not full. All are valid in the
/// stage before `plan.written`.
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

/// Positions of the units of a beat, valid in stage `plan.ends`.
pub(super) struct Ends<'m> {
    /// The position after the units of each lane.
    pub(super) ends: Vec<Signal<'m>>,
    /// The position of the first unit; `None` where the replacement never precedes the first lane.
    pub(super) begin: Option<Signal<'m>>,
    /// More than one output beat is made, more than two, and so on.
    pub(super) more: Vec<Signal<'m>>,
}

/// Adds the units left over of earlier beats, which fill no output beat yet, to the sums. `goes_on`: the beat does not end its frame, so its own
/// units may be left over for the next beat.
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
    let left = m.reg("left_over_reg", bits).note("number of units left over");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::plan::Source;

    /// The sums and ends of `utf-8`, as a module without stalls: lengths in, ends out.
    fn block(plan: &Plan) -> std::sync::Arc<crate::netlist::Module> {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, plan.lanes, plan.windows);
        let lengths =
            (0..plan.lanes).map(|lane| m.input(&format!("length_{lane}"), bits_for(plan.most_units), ""));
        let (cut, last) = (m.input("cut_before", 1, ""), m.input("last", 1, ""));
        let sums = sums(&m, lengths.collect(), &[(cut, plan.replacement_units)], last, plan, &movement);
        let goes_on = movement.delay("goes_on", !last, plan.written - 1, plan.sums);
        let ends = ends(&m, &sums, goes_on, plan, &movement);
        for (lane, &end) in ends.ends.iter().enumerate() {
            m.output(&format!("end_{lane}"), end, "");
        }
        for (beats, &more) in (1..).zip(&ends.more) {
            m.output(&format!("more_than_{beats}"), more, "");
        }
        m.output("first_end", ends.begin.expect("the replacement stands before the first lane"), "");
        movement.drive_by(|_| m.lit(1, 1));
        m.built_with_unused()
    }

    #[test]
    fn ends_are_running_sums_behind_what_is_left_over() {
        for (lanes, steps) in
            [2, 4, 8, 16, 32, 64].into_iter().flat_map(|lanes| Steps::all().map(move |s| (lanes, s)))
        {
            let shape = super::super::shape(System::Utf8, Source::Bus);
            let plan = Plan::new(lanes, shape.as_ref(), 0, ErrorMode::Replace, steps, Source::Bus);
            let mut block = Evaluator::new(&block(&plan));
            let mut random = Random::new(lanes as u64);
            let latency = (plan.ends - (plan.written - 1)) as usize;
            let (mut left, mut expected) = (0, Vec::new());
            for beat in 0..60 {
                let density = random.below(6);
                let length =
                    |random: &mut Random| if random.below(6) < density { random.below(5) } else { 0 };
                let lengths: Vec<u64> = (0..lanes).map(|_| length(&mut random)).collect();
                let (cut, last) = (random.one_in(4), random.one_in(6));
                for (lane, &length) in lengths.iter().enumerate() {
                    block.set(&format!("length_{lane}"), length);
                }
                block.set("cut_before", cut.into());
                block.set("last", last.into());
                let begin = left;
                let mut end = left + if cut { 3 } else { 0 };
                let ends: Vec<u64> = lengths
                    .iter()
                    .map(|length| {
                        end += length;
                        end
                    })
                    .collect();
                let lanes = lanes as u64;
                let beats = if last { end.div_ceil(lanes) } else { end / lanes };
                left = if last { 0 } else { end % lanes };
                expected.push((begin, ends, beats));
                block.clock();
                let Some((begin, ends, beats)) =
                    (beat + 1_usize).checked_sub(latency).map(|beat| &expected[beat])
                else {
                    continue;
                };
                assert_eq!(block.get("first_end"), *begin, "{lanes} lanes, beat {beat}");
                for (lane, &end) in ends.iter().enumerate() {
                    assert_eq!(block.get(&format!("end_{lane}")), end, "lane {lane} of {lanes}, beat {beat}");
                }
                for many in 1..plan.most_positions().div_ceil(plan.lanes) as u64 {
                    let more = block.get(&format!("more_than_{many}")) == 1;
                    assert_eq!(more, *beats > many, "more than {many} of {beats} in {lanes} lanes");
                }
            }
        }
    }
}
