//! Groups of limbs: the slots of each group, and the slot in whose place the replacement of a group is written.
//!
//! A head announces limbs. An awaited limb writes nothing, unless it is the last. The last limb of a group, and a limb that is not awaited, are
//! errors. The last slot of a group that is cut short writes the replacement of the group. If that slot is in an earlier beat, the replacement
//! is written before the units of the beat that cuts the group.
//!
//! ```text
//!  lane        0      1     2     3     4     5      6     7        h3: head of a group of three limbs
//!  slot        limb   h3    limb  limb  limb  h5     limb  'A'
//!  awaited     no     -     2     1     last  -      4     -
//!  replaced    yes    no    no    no    yes   no     yes   no       'A' cuts the group of lane 5, whose last slot is in lane 6
//! ```
//!
//! Limbs of heads in the same beat are counted by a tree over the lanes, those of heads in earlier beats by [`limbs_left`](limbs_left()).
//!
//! Cost: log2(lanes) levels of a comparison and a selection, two LUTs each; a loop of one subtraction of log2(lanes) + 2 bits.

mod limbs_left;

use super::lane::GroupPorts;
use super::movement::Movement;
use super::sizes::Sizes;
use crate::core::lanes::scan::levels;
use crate::core::lanes::{At, Instances};
use crate::core::many_lanes::logic::{exceeds, less_power};
use crate::netlist::Builder;

use limbs_left::{awaited_before, last_head, limbs_left};

/// The replacements of a beat, in the stage in which it is decided what is written.
pub(super) struct Groups<'m> {
    /// The replacement is written in place of the slot.
    pub(super) replaced: Vec<At<'m>>,
    /// The replacement is written before the units of the beat.
    pub(super) cut_before: At<'m>,
}

/// The slots of a beat, a signal for each lane, in stage 1.
pub(super) struct Slots<'m> {
    /// The lane holds a slot.
    pub(super) kept: Vec<At<'m>>,
    /// The slot is a limb.
    pub(super) is_limb: Vec<At<'m>>,
    /// The slot is of another kind.
    pub(super) is_no_limb: Vec<At<'m>>,
    /// The slot is the head of a group of two limbs or more.
    pub(super) opens: Vec<At<'m>>,
    /// The slot is a code point or a head: an open group before it is an error of its own.
    pub(super) cuts: Vec<At<'m>>,
    /// The slot itself is an error, unless it is a limb.
    pub(super) refused: Vec<At<'m>>,
    /// The number of limbs, valid in a head.
    pub(super) number: Vec<At<'m>>,
    /// The number of limbs is greater than the distance of any two lanes of the beat. Not of the last lane.
    pub(super) number_is_far: Vec<At<'m>>,
    /// The high part of the number of limbs is not zero.
    pub(super) number_is_high: Vec<At<'m>>,
}

impl<'m> Slots<'m> {
    /// The slots as the modules of lanes classify them.
    pub(super) fn of(lanes: &Instances<'_, 'm>, ports: &GroupPorts) -> Self {
        let all_but_last = 0..lanes.len() - 1;
        Self {
            kept: lanes.each(&ports.kept),
            is_limb: lanes.each(&ports.is_limb),
            is_no_limb: lanes.each(&ports.is_no_limb),
            opens: lanes.each(&ports.opens),
            cuts: lanes.each(&ports.cuts),
            refused: lanes.each(&ports.refused),
            number: lanes.each(&ports.number),
            number_is_far: all_but_last.map(|lane| lanes.output(lane, &ports.number_is_far)).collect(),
            number_is_high: lanes.each(&ports.number_is_high),
        }
    }
}

/// Some neighbouring lanes together.
#[derive(Clone, Copy)]
struct Block<'m> {
    /// The limbs that a head of the block awaits after the block, at most the number of lanes. One less in the first lane of a pair. `None` in
    /// the last block of the beat.
    awaited: Option<At<'m>>,
    /// All slots are limbs.
    is_limbs: At<'m>,
}

/// Follows groups. `last`: the beat ends its frame.
pub(super) fn groups<'m>(
    m: &'m Builder,
    slots: &Slots<'m>,
    last: At<'m>,
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> Groups<'m> {
    let each = |name: &str, signals: &[At<'m>], to: u32| -> Vec<At<'m>> {
        let delayed = |(lane, signal): (usize, &At<'m>)| signal.delayed(&format!("{name}_{lane}"), to);
        signals.iter().enumerate().map(delayed).collect()
    };
    m.stage_section(sizes.class(), "heads and limbs");
    let (is_limb, opens) =
        (each("is_limb", &slots.is_limb, sizes.class()), each("opens", &slots.opens, sizes.class()));
    let (kept, cuts) = (each("kept", &slots.kept, sizes.class()), each("cuts", &slots.cuts, sizes.class()));
    let refused = each("refused", &slots.refused, sizes.class());
    let last_head = last_head(m, slots, last, sizes, movement);
    let (awaited, runs) = awaited_in_beat(m, slots, &is_limb, sizes, movement);

    let searched = sizes.searched();
    let [is_limb, opens, refused] = [("is_limb", is_limb), ("opens", opens), ("refused", refused)]
        .map(|(name, signals)| each(name, &signals, searched - 1));
    let [cuts, kept] = [("cuts", cuts), ("kept", kept)].map(|(name, signals)| each(name, &signals, searched));
    let last = last.at(searched);
    let (inside, alone): (Vec<At>, Vec<At>) = (0..sizes.lanes)
        .map(|lane| {
            let inside = awaited[lane].map_or(opens[lane], |awaited| opens[lane] | awaited);
            let limb = awaited[lane].map_or(is_limb[lane], |awaited| is_limb[lane] & !awaited);
            let inside = inside.delayed(&format!("is_inside_{lane}"), searched);
            (inside, (refused[lane] | limb).delayed(&format!("is_alone_{lane}"), searched))
        })
        .unzip();
    m.stage_section(searched, "limbs that are awaited by a head of an earlier beat");
    let left = limbs_left(m, &last_head, sizes, movement);
    let flag =
        |name: &str, lane: usize, signal: At<'m>| signal.delayed(&format!("{name}_{lane}"), searched + 1);
    // The number of limbs that are left takes a stage of its own to compare with each lane.
    let is_awaited = awaited_before(&left, sizes).into_iter().zip(&runs).enumerate();
    let is_awaited = is_awaited.map(|(lane, (awaited, &run))| {
        let awaited = flag("limbs_left_pass", lane, run.map(|_| awaited));
        (flag("run_of_limbs", lane, run) & awaited).named(&format!("limb_{lane}_is_awaited"))
    });
    let is_awaited: Vec<At> = is_awaited.collect();
    let is_open = movement.of_beat((left.many | left.is_low).named("group_is_open"), searched);
    let cut_before = (is_open & (cuts[0] | (!kept[0] & last))).named("cut_before");
    let cut_before = cut_before.stored("cut_before_reg");
    let silent = (0..sizes.lanes).map(|lane| flag("is_inside", lane, inside[lane]) | is_awaited[lane]);
    let silent: Vec<At> = silent.collect();
    let alone = (0..sizes.lanes).map(|lane| flag("is_alone", lane, alone[lane]) & !is_awaited[lane]);
    let alone: Vec<At> = alone.collect();
    let ends_group = |lane: usize| {
        let cut = match lane + 1 < sizes.lanes {
            true => cuts[lane + 1] | (!kept[lane + 1] & last),
            false => last,
        };
        flag("cut_behind", lane, cut.on(movement.lane(lane)))
    };
    let cut_behind: Vec<At> = (0..sizes.lanes).map(ends_group).collect();

    m.stage_section(searched + 1, "where the replacement is written");
    let replaced =
        |lane: usize| (alone[lane] | (silent[lane] & cut_behind[lane])).named(&format!("replaced_{lane}"));
    Groups { replaced: (0..sizes.lanes).map(replaced).collect(), cut_before }
}

/// Each lane as a block of its own, in the stage of `is_limb`.
fn blocks_of_one<'m>(m: &'m Builder, slots: &Slots<'m>, is_limb: &[At<'m>], sizes: &Sizes) -> Vec<Block<'m>> {
    let bits = sizes.lane_bits() + 1;
    let block = |lane: usize| {
        if lane + 1 == sizes.lanes {
            return Block { awaited: None, is_limbs: is_limb[lane] };
        }
        let number = slots.number[lane].map(|number| {
            let far = slots.number_is_far[lane].signal().repeat(bits as usize);
            let number = (number.bits(0..bits) | far).named(&format!("awaited_behind_{lane}"));
            // The next lane takes one, if it is the second lane of the pair.
            if lane.is_multiple_of(2) { less_power(m, number, 0) } else { number }
        });
        let awaited =
            number.masked(slots.opens[lane]).delayed(&format!("awaited_behind_{lane}"), sizes.class());
        Block { awaited: Some(awaited), is_limbs: is_limb[lane] }
    };
    (0..sizes.lanes).map(block).collect()
}

/// For each lane: it holds a limb that is awaited by a head of the beat, and not the last, `None` in the first lane, in the stage before
/// that in which the beat has been searched; and in the latter, the lane and all lanes below hold limbs.
fn awaited_in_beat<'m>(
    m: &'m Builder,
    slots: &Slots<'m>,
    is_limb: &[At<'m>],
    sizes: &Sizes,
    movement: &Movement<'m>,
) -> (Vec<Option<At<'m>>>, Vec<At<'m>>) {
    let mut blocks = blocks_of_one(m, slots, is_limb, sizes);
    let mut runs = is_limb.to_vec();
    let mut awaited: Vec<Option<At>> = vec![None; sizes.lanes];
    let steps = levels(sizes.lanes);
    let title = |step| format!("awaited limbs of {} lanes", 2 << step);
    for step in sizes.search(sizes.class()).begin(m, title) {
        let is_last = step.number + 1 == steps;
        let size = 1usize << step.number;
        let put = |what: &str, lane: usize, signal: At<'m>| {
            step.put(&format!("{what}_{lane}"), signal.on(movement.lane(lane)))
        };
        // The last step needs no register: the other conditions are known in its stage.
        let put_awaited = |lane: usize, signal: At<'m>| match is_last {
            true => signal.named(&format!("is_awaited_{lane}")),
            false => {
                let name = format!("is_awaited_{}_of_group_{}", lane % (2 * size), lane / (2 * size));
                step.put(&name, signal.on(movement.lane(lane)))
            }
        };
        let of_lane = |lane: usize| {
            if lane & size == 0 {
                let awaited = awaited[lane].map(|awaited| put_awaited(lane, awaited));
                return (awaited, put("run_of_limbs", lane, runs[lane]));
            }
            let first = &blocks[(lane >> step.number) - 1];
            let place = (lane & (size - 1)) as u64;
            let first_awaits = first.awaited.expect("it is not the last");
            // No head opens a group of one limb.
            let is_more = if step.number == 0 {
                first_awaits.any()
            } else {
                first_awaits.map(|first| exceeds(first, place + 1))
            };
            let here = runs[lane] & is_more;
            let here = awaited[lane].map_or(here, |awaited| awaited | here);
            (Some(put_awaited(lane, here)), put("run_of_limbs", lane, runs[lane] & first.is_limbs))
        };
        let (new_awaited, new_runs): (Vec<_>, Vec<_>) = (0..sizes.lanes).map(of_lane).unzip();
        let joined = |(index, pair): (usize, &[Block<'m>])| {
            let [first, second] = pair else { unreachable!("lanes are a power of two") };
            let lane = index << (step.number + 1);
            let of_both = first.awaited.zip(second.awaited).map(|(first, of_second)| match step.number {
                0 => of_second | first.masked(second.is_limbs),
                _ => {
                    let goes_on = first.map(|first| exceeds(first, size as u64)) & second.is_limbs;
                    of_second | first.map(|first| less_power(m, first, step.number)).masked(goes_on)
                }
            });
            Block {
                awaited: of_both.map(|awaited| {
                    step.put(&format!("awaited_behind_of_group_{index}"), awaited.on(movement.lane(lane)))
                }),
                is_limbs: new_runs[lane + (2 << step.number) - 1],
            }
        };
        blocks = if is_last { Vec::new() } else { blocks.chunks(2).enumerate().map(joined).collect() };
        (awaited, runs) = (new_awaited, new_runs);
    }
    (awaited, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shared::ports::SLOT_DATA_BITS;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::sizes::Source;

    /// Names of the inputs of a lane, in the order of the fields, and their bits.
    const INPUTS: [(&str, u32); 9] = [
        ("kept", 1),
        ("is_limb", 1),
        ("is_no_limb", 1),
        ("opens", 1),
        ("cuts", 1),
        ("refused", 1),
        ("number", SLOT_DATA_BITS),
        ("is_far", 1),
        ("is_high", 1),
    ];

    fn block(sizes: &Sizes) -> std::sync::Arc<crate::netlist::Module> {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, sizes);
        let all = |(name, width): (&str, u32)| -> Vec<At<'_>> {
            let input = |lane| movement.of_lane(lane, m.input(&format!("{name}_{lane}"), width, ""), 1);
            (0..sizes.lanes).map(input).collect()
        };
        let [kept, is_limb, is_no_limb, opens, cuts, refused, number, number_is_far, number_is_high] =
            INPUTS.map(all);
        let slots =
            Slots { kept, is_limb, is_no_limb, opens, cuts, refused, number, number_is_far, number_is_high };
        let last = movement.of_beat(m.input("last", 1, ""), 1);
        let groups = groups(&m, &slots, last, sizes, &movement);
        for (lane, &replaced) in groups.replaced.iter().enumerate() {
            m.output(&format!("replaced_{lane}_out"), replaced.signal(), "");
        }
        m.output("cut_before_out", groups.cut_before.signal(), "");
        movement.drive_by(|_| m.lit(1, 1));
        m.built_with_unused()
    }

    #[derive(Clone, Copy, Debug)]
    enum Slot {
        CodePoint { refused: bool },
        Head { limbs: u64 },
        Limb,
        Error,
    }

    /// The slots of a beat, and whether the frame ends with it, to the lanes in which the replacement is written, and whether it is
    /// written before the first lane: one slot after the other.
    fn expected(left: &mut u64, slots: &[Slot], last: bool) -> (Vec<bool>, bool) {
        let (mut replaced, mut before) = (vec![false; slots.len()], false);
        let cut = |lane: usize, replaced: &mut Vec<bool>, before: &mut bool| match lane {
            0 => *before = true,
            _ => replaced[lane - 1] = true,
        };
        for (lane, &slot) in slots.iter().enumerate() {
            let is_cut = *left > 0 && matches!(slot, Slot::CodePoint { .. } | Slot::Head { .. });
            if is_cut {
                cut(lane, &mut replaced, &mut before);
            }
            *left = match slot {
                Slot::Limb if *left > 1 => *left - 1,
                Slot::Head { limbs } if limbs > 1 => limbs,
                Slot::CodePoint { refused: false } => 0,
                _ => {
                    replaced[lane] = true;
                    0
                }
            };
        }
        if last {
            if *left > 0 {
                cut(slots.len(), &mut replaced, &mut before);
            }
            *left = 0;
        }
        (replaced, before)
    }

    fn drawn(random: &mut Random, lanes: usize) -> Slot {
        match random.below(12) {
            0 => Slot::CodePoint { refused: random.one_in(3) },
            1 => Slot::Error,
            2 => Slot::Head {
                limbs: match random.below(5) {
                    0 => random.below(3),
                    1 => random.below(12 * lanes as u64),
                    2 => random.below(1 << 16),
                    _ => random.below(lanes as u64 + 3),
                },
            },
            _ => Slot::Limb,
        }
    }

    #[test]
    fn the_replacement_is_written_for_each_group_that_breaks_the_rules() {
        for lanes in [2, 4, 8, 16, 64] {
            let shape = super::super::shape(System::Utf8, Source::Bus);
            let sizes = Sizes::new(lanes, shape.as_ref(), 0, ErrorMode::Replace, Steps::Auto, Source::Bus);
            let mut block = Evaluator::new(&block(&sizes));
            let mut random = Random::new(lanes as u64);
            let latency = (sizes.decided() - 1) as usize;
            // No beat is taken in the cycle after reset.
            block.reset();
            block.clock();
            let (mut left, mut all) = (0, Vec::new());
            for beat in 0..if lanes > 16 { 60 } else { 400 } {
                let count = if random.one_in(3) { random.below(lanes as u64 + 1) as usize } else { lanes };
                let slots: Vec<Slot> = (0..count).map(|_| drawn(&mut random, lanes)).collect();
                let last = random.one_in(20);
                for lane in 0..lanes {
                    let slot = slots.get(lane).copied();
                    let number = match slot {
                        Some(Slot::Head { limbs }) => limbs,
                        _ => random.below(1 << SLOT_DATA_BITS),
                    };
                    let is_limb = matches!(slot, Some(Slot::Limb));
                    let opens = matches!(slot, Some(Slot::Head { limbs: 2.. }));
                    let cuts = matches!(slot, Some(Slot::Head { .. } | Slot::CodePoint { .. }));
                    let writes = matches!(slot, Some(Slot::CodePoint { refused: false }));
                    let values = [
                        u64::from(slot.is_some()),
                        is_limb.into(),
                        (slot.is_some() && !is_limb).into(),
                        opens.into(),
                        cuts.into(),
                        (slot.is_some() && !is_limb && !opens && !writes).into(),
                        number,
                        (number >> (sizes.lane_bits() + 1) > 0).into(),
                        (number >> sizes.low_bits_of_limbs() > 0).into(),
                    ];
                    for ((name, _), value) in INPUTS.iter().zip(values) {
                        block.set(&format!("{name}_{lane}"), value);
                    }
                }
                block.set("last", last.into());
                let (mut replaced, before) = expected(&mut left, &slots, last);
                replaced.resize(lanes, false);
                all.push((replaced, before));
                block.clock();
                let Some(at) = (beat + 1_usize).checked_sub(latency) else { continue };
                // The beats of the first cycles were under way before reset ended.
                let Some((replaced, before)) = all.get(at).filter(|_| at < all.len()) else { continue };
                for (lane, &replaced) in replaced.iter().enumerate() {
                    let out = block.get(&format!("replaced_{lane}_out"));
                    assert_eq!(out, u64::from(replaced), "lane {lane} of {lanes}, beat {at}");
                }
                assert_eq!(block.get("cut_before_out"), u64::from(*before), "{lanes} lanes, beat {at}");
            }
        }
    }
}
