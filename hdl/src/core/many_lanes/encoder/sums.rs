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
use super::sizes::{Sizes, bits_for};
use crate::core::lanes::At;
use crate::core::lanes::scan::levels;
use crate::core::many_lanes::logic::{any_of, bits_of, carry_out, exceeds, sum};
use crate::netlist::{Builder, Signal};

/// Numbers of units of a beat.
pub(super) struct Sums<'m> {
    /// Units up to each lane, those of the lane included.
    up_to: Vec<At<'m>>,
    /// Units of all lanes; a beat less one more if an output beat is made that is not full.
    rounded: At<'m>,
}

impl Sums<'_> {
    /// The stage in which they are known.
    pub(super) fn stage(&self) -> u32 {
        self.rounded.stage()
    }
}

/// Adds up `lengths`, the number of units of each lane, over all lanes up to each. `extra` has conditions, of which one holds at most, each with
/// a number of units that precede those of the first lane. `rounds`: an output beat is made even if it is not full. All are of one stage.
pub(super) fn sums<'m>(
    m: &'m Builder,
    lengths: &[At<'m>],
    extra: &[(At<'m>, usize)],
    rounds: At<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Sums<'m> {
    let before = lengths[0].stage();
    m.stage_section(before, "numbers of units");
    let most = |from: usize, to: usize| {
        let most_extra = extra.iter().map(|&(_, units)| units).max().unwrap_or(0);
        let extra = if from == 0 { most_extra } else { 0 };
        sizes.most_units_of(to + 1 - from) + extra
    };
    let mut sums: Vec<Signal> = lengths.iter().map(|length| length.signal()).collect();
    if let Some(most_extra) = extra.iter().map(|&(_, units)| units).max() {
        let bit = |bit: u32| {
            let set: Vec<Signal> = extra
                .iter()
                .filter(|&&(_, units)| units >> bit & 1 == 1)
                .map(|&(is, _)| is.at(before).signal())
                .collect();
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
    let last_lane = sizes.lanes - 1;
    let rest = vec![rounds.at(before).signal(); sizes.lane_bits() as usize];
    let width = bits_for(most(last_lane, last_lane) + last_lane);
    let rounded = sum("rounded_length", &bits_of(sums[last_lane]), &rest, None, width as usize);
    let counted =
        |lane: usize, name: &str, signal| movement.of_lane(lane, signal, before).delayed(name, before + 1);
    let mut rounded = counted(last_lane, "rounded", m.concat(rounded.into_iter().rev()));
    let length = |(lane, length)| counted(lane, &format!("units_of_{lane}"), length);
    let mut sums: Vec<At> = sums.into_iter().enumerate().map(length).collect();
    let title = |step| format!("numbers of units, of {} lanes at a time", 2 << step);
    for step in sizes.steps(before + 1, levels(sizes.lanes)).begin(m, title) {
        let block = 1 << step.number;
        let width = bits_for(most(sizes.lanes - 2 * block, last_lane) + last_lane);
        let total = sums[last_lane - block].zext(width) + rounded.zext(width);
        rounded = step.put("rounded", total.on(rounded.registers()));
        let added = |lane: usize| {
            let total = match lane & block {
                0 => sums[lane],
                _ => {
                    let width = bits_for(most(lane & !(2 * block - 1), lane));
                    sums[lane].zext(width) + sums[(lane & !(block - 1)) - 1].zext(width)
                }
            };
            step.put(&format!("units_up_to_{}_of_group_{}", lane % (2 * block), lane / (2 * block)), total)
        };
        sums = (0..sizes.lanes).map(added).collect();
    }
    Sums { up_to: sums, rounded }
}

/// Positions of the units of a beat.
pub(super) struct Ends<'m> {
    /// The position after the units of each lane.
    pub(super) ends: Vec<At<'m>>,
    /// The position of the first unit; `None` where the replacement never precedes the first lane.
    pub(super) begin: Option<At<'m>>,
    /// More than one output beat is made, more than two, and so on.
    pub(super) more: Vec<At<'m>>,
}

/// Adds the units left over of earlier beats, which fill no output beat yet, to the sums. `goes_on`: the beat does not end its frame, so its own
/// units may be left over for the next beat.
pub(super) fn ends<'m>(
    m: &'m Builder,
    sums: &Sums<'m>,
    goes_on: At<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Ends<'m> {
    let at = sums.stage();
    m.stage_section(at, "the units of earlier beats that fill no output beat");
    let bits = sizes.lane_bits();
    let left = m.reg("left_over_reg", bits).note("number of units left over");
    let left_over = movement.of_beat(left.q, at);
    let total = (left_over + sums.up_to[sizes.lanes - 1].bits(0..bits)).named("left_over_behind");
    movement.load(left, total.masked(goes_on));
    let width = bits_for(sizes.most_positions());
    let end = |(lane, sum): (usize, &At<'m>)| {
        (sum.zext(width) + left_over.zext(width)).stored(&format!("end_{lane}_reg"))
    };
    let ends = sums.up_to.iter().enumerate().map(end).collect();
    let rounded = sums.rounded.signal();
    let carry = carry_out(left.q, rounded.bits(0..bits), |bit| format!("rounded_carry_{}", bit + 1));
    let full = rounded.bits(bits..rounded.width());
    let more = |beats: u64| {
        // The low bits make at most one beat more.
        let is_as_many = (beats >> full.width() == 0).then(|| full.is(beats) & carry);
        let is_more = ((beats + 1) >> full.width() == 0).then(|| exceeds(full, beats));
        any_of(is_more.into_iter().chain(is_as_many))
    };
    let most = sizes.most_positions().div_ceil(sizes.lanes);
    let more = (1..most as u64).map(|beats| {
        let more = more(beats).expect("units reach so far");
        movement.of_beat(more, at).delayed(&format!("more_than_{beats}"), at + 1)
    });
    let more = more.collect();
    let begin = (sizes.replacement_reach > 0).then(|| left_over.delayed("begin", at + 1));
    Ends { ends, begin, more }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::sizes::Source;

    /// The sums and ends of `utf-8`, as a module without stalls: lengths in, ends out.
    fn block(sizes: &Sizes) -> (std::sync::Arc<crate::netlist::Module>, u32) {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, sizes);
        let input = |name: &str, width| movement.of_beat(m.input(name, width, ""), sizes.decided());
        let lengths: Vec<At> = (0..sizes.lanes)
            .map(|lane| input(&format!("length_{lane}"), bits_for(sizes.most_units)))
            .collect();
        let (cut, last) = (input("cut_before", 1), input("last", 1));
        let sums = sums(&m, &lengths, &[(cut, sizes.replacement_units)], last, sizes, &movement);
        let ends = ends(&m, &sums, (!last).delayed("goes_on", sums.stage()), sizes, &movement);
        for (lane, &end) in ends.ends.iter().enumerate() {
            m.output(&format!("end_{lane}"), end.signal(), "");
        }
        for (beats, &more) in (1..).zip(&ends.more) {
            m.output(&format!("more_than_{beats}"), more.signal(), "");
        }
        let begin = ends.begin.expect("the replacement stands before the first lane");
        m.output("first_end", begin.signal(), "");
        let latency = begin.stage() - sizes.decided();
        movement.drive_by(|_| m.lit(1, 1));
        (m.built_with_unused(), latency)
    }

    #[test]
    fn ends_are_running_sums_behind_what_is_left_over() {
        for (lanes, steps) in
            [2, 4, 8, 16, 32, 64].into_iter().flat_map(|lanes| Steps::all().map(move |s| (lanes, s)))
        {
            let shape = super::super::shape(System::Utf8, Source::Bus);
            let sizes = Sizes::new(lanes, shape.as_ref(), 0, ErrorMode::Replace, steps, Source::Bus);
            let (block, latency) = block(&sizes);
            let mut block = Evaluator::new(&block);
            let mut random = Random::new(lanes as u64);
            assert_eq!(latency, sizes.ends() - sizes.decided(), "lanes are told the stage of ends");
            let latency = latency as usize;
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
                for many in 1..sizes.most_positions().div_ceil(sizes.lanes) as u64 {
                    let more = block.get(&format!("more_than_{many}")) == 1;
                    assert_eq!(more, *beats > many, "more than {many} of {beats} in {lanes} lanes");
                }
            }
        }
    }
}
