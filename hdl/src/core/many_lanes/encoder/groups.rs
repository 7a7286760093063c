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
//! Limbs of heads in the same beat are counted by a tree over the lanes, those of heads in earlier beats by [`limbs_left`].
//!
//! Cost: log2(lanes) levels of a comparison and a selection, two LUTs each; a loop of one subtraction of log2(lanes) + 2 bits.

use super::movement::Movement;
use super::plan::{Plan, levels};
use crate::core::many_lanes::logic::{bits_of, exceeds, is_less, less_power, masked, sum};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, InstanceHandle, Signal};

/// The replacements of a beat, in stage `plan.groups`.
pub(super) struct Groups<'m> {
    /// The replacement is written in place of the slot.
    pub(super) replaced: Vec<Signal<'m>>,
    /// The replacement is written before the units of the beat.
    pub(super) cut_before: Signal<'m>,
}

/// The slots of a beat, a signal for each lane, as of stage 1.
pub(super) struct Slots<'m> {
    /// The lane holds a slot.
    pub(super) kept: Vec<Signal<'m>>,
    /// The slot is a limb.
    pub(super) is_limb: Vec<Signal<'m>>,
    /// The slot is of another kind.
    pub(super) is_no_limb: Vec<Signal<'m>>,
    /// The slot is the head of a group of two limbs or more.
    pub(super) opens: Vec<Signal<'m>>,
    /// The slot is a code point or a head: an open group before it is an error of its own.
    pub(super) cuts: Vec<Signal<'m>>,
    /// The slot itself is an error, unless it is a limb.
    pub(super) refused: Vec<Signal<'m>>,
    /// The number of limbs, valid in a head.
    pub(super) number: Vec<Signal<'m>>,
    /// The number of limbs is greater than the distance of any two lanes of the beat. Not of the last lane.
    pub(super) number_is_far: Vec<Signal<'m>>,
    /// The high part of the number of limbs is not zero.
    pub(super) number_is_high: Vec<Signal<'m>>,
}

impl<'m> Slots<'m> {
    /// The slots as the modules of lanes classify them.
    pub(super) fn of(lanes: &[InstanceHandle<'m>]) -> Self {
        let all_of = |lanes: &[InstanceHandle<'m>], name: &str| {
            lanes.iter().map(|lane| lane.output(name)).collect::<Vec<Signal>>()
        };
        let all = |name: &str| all_of(lanes, name);
        Self {
            kept: all("is_kept"),
            is_limb: all("is_limb"),
            is_no_limb: all("is_no_limb"),
            opens: all("opens_group"),
            cuts: all("cuts_group"),
            refused: all("refused"),
            number: all("number"),
            number_is_far: all_of(&lanes[..lanes.len() - 1], "number_is_far"),
            number_is_high: all("number_is_high"),
        }
    }
}

/// The last slot of some lanes that is no limb.
#[derive(Clone, Copy)]
struct LastHead<'m> {
    /// There is one.
    is: Signal<'m>,
    /// The slot is the head of a group of `number` limbs.
    opens: Signal<'m>,
    number: Signal<'m>,
    /// The high part of the number is not zero.
    is_high: Signal<'m>,
    /// The number of limbs that follow the head; `None` if none can.
    behind: Option<Signal<'m>>,
    /// How many slots the lanes hold.
    slots: Signal<'m>,
}

/// Some neighbouring lanes together.
#[derive(Clone, Copy)]
struct Block<'m> {
    /// The limbs that a head of the block awaits after the block, at most the number of lanes. One less in the first lane of a pair. `None` in
    /// the last block of the beat.
    awaited: Option<Signal<'m>>,
    /// All slots are limbs.
    is_limbs: Signal<'m>,
}

/// Follows groups. `last_before` and `last` say in stage `plan.heads - 1` and in the next that the beat ends its frame.
pub(super) fn groups<'m>(
    m: &'m Builder,
    slots: &Slots<'m>,
    [last_before, last]: [Signal<'m>; 2],
    plan: &Plan,
    movement: &Movement<'m>,
) -> Groups<'m> {
    let flags = |name: &str, signals: &[Signal<'m>]| -> Vec<Signal<'m>> {
        let flag = |(lane, &signal): (usize, &Signal<'m>)| {
            movement.stage_at(plan.class, lane).data(&format!("{name}_{lane}_{}_reg", plan.class), signal)
        };
        signals.iter().enumerate().map(flag).collect()
    };
    m.stage_section(plan.class, "heads and limbs");
    let (is_limb, opens) = (flags("is_limb", &slots.is_limb), flags("opens", &slots.opens));
    let (kept, cuts) = (flags("kept", &slots.kept), flags("cuts", &slots.cuts));
    let refused = flags("refused", &slots.refused);
    let last_head = last_head(m, slots, last_before, plan, movement);
    let (awaited, runs) = awaited_in_beat(m, slots, &is_limb, plan, movement);

    let delay = |name: &str, signals: Vec<Signal<'m>>, to: u32| -> Vec<Signal<'m>> {
        let delay = |(lane, signal): (usize, Signal<'m>)| {
            movement.delay_at(lane, &format!("{name}_{lane}"), signal, plan.class, to)
        };
        signals.into_iter().enumerate().map(delay).collect()
    };
    let flag_at = |at: u32, name: &str, lane: usize, signal: Signal<'m>| {
        movement.stage_at(at, lane).data(&format!("{name}_{lane}_{at}_reg"), signal)
    };
    let [is_limb, opens, refused] = [("is_limb", is_limb), ("opens", opens), ("refused", refused)]
        .map(|(name, signals)| delay(name, signals, plan.heads - 1));
    let [cuts, kept] =
        [("cuts", cuts), ("kept", kept)].map(|(name, signals)| delay(name, signals, plan.heads));
    let (inside, alone): (Vec<Signal>, Vec<Signal>) = (0..plan.lanes)
        .map(|lane| {
            let at_heads = |name: &str, signal| flag_at(plan.heads, name, lane, signal);
            let inside = awaited[lane].map_or(opens[lane], |awaited| opens[lane] | awaited);
            let limb = awaited[lane].map_or(is_limb[lane], |awaited| is_limb[lane] & !awaited);
            (at_heads("is_inside", inside), at_heads("is_alone", refused[lane] | limb))
        })
        .unzip();
    m.stage_section(plan.heads, "limbs that are awaited by a head of an earlier beat");
    let left = limbs_left(m, &last_head, plan, movement);
    let is_awaited = awaited_before(&left, plan).into_iter().zip(&runs).enumerate();
    let is_awaited =
        is_awaited.map(|(lane, (awaited, &run))| (run & awaited).named(&format!("limb_{lane}_is_awaited")));
    let is_awaited: Vec<Signal> = is_awaited.collect();
    let flag = |name: &str, lane: usize, signal: Signal<'m>| flag_at(plan.groups, name, lane, signal);
    let is_open = (left.many | left.is_low).named("group_is_open");
    let cut_before = (is_open & (cuts[0] | (!kept[0] & last))).named("cut_before");
    let cut_before = movement.stage(plan.groups).data("cut_before_reg", cut_before);
    let silent = (0..plan.lanes).map(|lane| flag("is_inside", lane, inside[lane] | is_awaited[lane]));
    let silent: Vec<Signal> = silent.collect();
    let alone = (0..plan.lanes).map(|lane| flag("is_alone", lane, alone[lane] & !is_awaited[lane]));
    let alone: Vec<Signal> = alone.collect();
    let ends_group = |lane: usize| {
        flag(
            "cut_behind",
            lane,
            match lane + 1 < plan.lanes {
                true => cuts[lane + 1] | (!kept[lane + 1] & last),
                false => last,
            },
        )
    };
    let cut_behind: Vec<Signal> = (0..plan.lanes).map(ends_group).collect();

    m.stage_section(plan.groups, "where the replacement is written");
    let replaced =
        |lane: usize| (alone[lane] | (silent[lane] & cut_behind[lane])).named(&format!("replaced_{lane}"));
    Groups { replaced: (0..plan.lanes).map(replaced).collect(), cut_before }
}

/// The limbs that the last head of the beat awaits after the beat, in stage `plan.heads`: the low and the high part of their number, which are
/// zero if there is no head, or if the frame ends.
struct OfBeat<'m> {
    /// The beat has no slot but limbs, and the frame goes on: limbs that were awaited before the beat still are.
    stays: Signal<'m>,
    low: Signal<'m>,
    /// The number is not zero.
    is_low: Signal<'m>,
    /// The low part has borrowed from the high part.
    owed: Signal<'m>,
    high: Signal<'m>,
    /// The high part is not zero.
    many: Signal<'m>,
    /// Slots of the beat.
    slots: Signal<'m>,
}

/// Finds the last slot of the beat that is no limb. `last` says in stage `plan.heads - 1` that the beat ends its frame.
fn last_head<'m>(
    m: &'m Builder,
    slots: &Slots<'m>,
    last: Signal<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> OfBeat<'m> {
    let of_lane = |lane: usize| LastHead {
        is: slots.is_no_limb[lane],
        opens: slots.opens[lane],
        number: slots.number[lane],
        is_high: slots.number_is_high[lane],
        behind: None,
        slots: slots.kept[lane],
    };
    let mut heads: Vec<LastHead> = (0..plan.lanes).map(of_lane).collect();
    let mut at = plan.class - 1;
    let steps = levels(plan.lanes);
    for step in 0..steps {
        m.stage_section(at, format!("the last head of {} lanes", 2 << step));
        let is_registered = plan.is_short_registered(step, steps);
        at += u32::from(is_registered);
        let joined = |(index, pair): (usize, &[LastHead<'m>])| {
            let [first, second] = pair else { unreachable!("lanes are a power of two") };
            let lane = index << (step + 1);
            let put = |what: &str, signal: Signal<'m>| {
                let name = format!("last_head_{what}_{lane}_{at}");
                match is_registered {
                    true => movement.stage_at(at, lane).data(&format!("{name}_reg"), signal),
                    false => signal.named(&format!("{name}_{step}")),
                }
            };
            let width = step + 1;
            let added = |what: &str, a: Signal<'m>, b: Signal<'m>, width: u32| {
                let name = format!("last_head_{what}_{lane}_{at}_{step}");
                let bits = sum(&name, &bits_of(a), &bits_of(b), None, width as usize);
                m.concat(bits.into_iter().rev())
            };
            let behind_first = match first.behind {
                None => second.slots.zext(width),
                Some(behind) => added("sum_behind", behind, second.slots, width),
            };
            let behind_second = second.behind.map_or(m.lit(width, 0), |behind| behind.zext(width));
            LastHead {
                is: put("is", first.is | second.is),
                opens: put("opens", second.is.mux(second.opens, first.opens)),
                number: put("number", second.is.mux(second.number, first.number)),
                is_high: put("is_high", second.is.mux(second.is_high, first.is_high)),
                behind: Some(put("behind", second.is.mux(behind_second, behind_first))),
                slots: put("slots", added("sum_of_slots", first.slots, second.slots, width + 1)),
            }
        };
        heads = heads.chunks(2).enumerate().map(joined).collect();
    }
    assert_eq!(at + 1, plan.heads, "the last head is there when the plan says so");
    m.stage_section(at, "limbs that are awaited after the beat");
    let LastHead { is, opens, number, is_high, behind, slots } = heads[0];
    let stage = movement.stage(plan.heads);
    let low_bits = plan.low_bits_of_limbs();
    let behind = behind.expect("there are several lanes").zext(low_bits).named("limbs_behind_head");
    let (low, high) = (number.bits(0..low_bits), number.bits(low_bits..SLOT_DATA_BITS));
    let goes_on = (opens & !last).named("group_may_go_on");
    let many = (goes_on & is_high).named("head_awaits_many");
    OfBeat {
        // The empty beat of the cycle after reset clears the count.
        stays: stage.data("limbs_left_stay_reg", !is & !last & !movement.flushes(plan.heads - 1)),
        low: stage.data("head_low_reg", masked(low - behind, goes_on)),
        is_low: stage.data("head_is_low_reg", many | (goes_on & is_less("head_awaits", behind, low))),
        owed: stage.data("head_owed_reg", many & is_less("head_borrows", low, behind)),
        high: stage.data("head_high_reg", masked(high, goes_on)),
        many: stage.data("head_many_reg", many),
        slots: stage.data("slots_reg", slots.zext(low_bits)),
    }
}

/// Bits of a piece of the high part of a number of limbs.
const PIECE: u32 = 9;

/// The limbs that are awaited after the beats before, in stage `plan.heads`.
struct Left<'m> {
    /// There are more than the beat has slots, whatever `low` is.
    many: Signal<'m>,
    /// There are `low` of them, if not `many`.
    is_low: Signal<'m>,
    low: Signal<'m>,
}

/// Counts the limbs of groups that continue from beat to beat.
///
/// The number has a low part, and a high part in pieces. A borrow of a piece is subtracted from the next piece one beat later, and the test
/// of all pieces for zero takes one beat more: the low part lasts for as many beats. So no carry is long. If the low part borrows and the high
/// part is zero, the flag `limbs_left` is cleared, and the low part no longer counts.
fn limbs_left<'m>(m: &'m Builder, beat: &OfBeat<'m>, plan: &Plan, movement: &Movement<'m>) -> Left<'m> {
    let enable = movement.stage(plan.groups).enable;
    let low = m
        .reg("limbs_left_low_reg", plan.low_bits_of_limbs())
        .note("limbs that are awaited after the beats before");
    let is_low = m.reg("limbs_left_reg", 1).note("there are some: if not many, that number");
    let many = m.reg("limbs_left_many_reg", 1).note("the high part is not zero, or was not two beats ago");
    let borrows = is_less("low_part_borrows", low.q, beat.slots);
    let outlasts = is_less("low_part_outlasts", beat.slots, low.q);
    low.next_when(enable, beat.low | masked(low.q - beat.slots, beat.stays));
    is_low.next_when(enable, beat.is_low | (beat.stays & (many.q | (is_low.q & outlasts))));
    let mut owed_next = beat.owed | (beat.stays & borrows & many.q);
    let mut pieces = Vec::new();
    for from in (plan.low_bits_of_limbs()..SLOT_DATA_BITS).step_by(PIECE as usize) {
        let to = (from + PIECE).min(SLOT_DATA_BITS);
        let owed = m.reg(&format!("limbs_left_owed_{from}_reg"), 1);
        if pieces.is_empty() {
            owed.note("the part below has borrowed from this piece");
        }
        owed.next_when(enable, owed_next);
        let piece = m.reg(&format!("limbs_left_{from}_reg"), to - from);
        let paid = (piece.q - owed.q.zext(to - from)).named(&format!("limbs_left_{from}_paid"));
        let of_head = beat.high.bits(from - plan.low_bits_of_limbs()..to - plan.low_bits_of_limbs());
        piece.next_when(enable, of_head | masked(paid, beat.stays));
        owed_next = beat.stays & owed.q & !piece.q.any();
        pieces.push(piece.q);
    }
    let is_high = m.concat(pieces.into_iter().rev()).any();
    many.next_when(enable, beat.many | (beat.stays & is_high));
    Left { many: many.q, is_low: is_low.q, low: low.q }
}

/// For each lane: a limb in the lane, with nothing but limbs below, is awaited by a head of an earlier beat, and not the last.
fn awaited_before<'m>(left: &Left<'m>, plan: &Plan) -> Vec<Signal<'m>> {
    let (bits, most) = (plan.lane_bits(), plan.lanes as u64);
    let fills = (left.many | (left.is_low & left.low.bits(bits..left.low.width()).any()))
        .named("limbs_left_fill_beat");
    let of_lane = |limbs: u64| match limbs {
        // One test for all lanes, and one of few bits for each.
        limbs if limbs + 1 < most => fills | (left.is_low & exceeds(left.low.bits(0..bits), limbs)),
        limbs if limbs < most => fills,
        limbs => left.many | (left.is_low & exceeds(left.low, limbs)),
    };
    (1..=most).map(of_lane).collect()
}

/// For each lane: it holds a limb that is awaited by a head of the beat, and not the last, `None` in the first lane, in the stage before
/// `plan.heads`; and in that stage, the lane and all lanes below hold limbs.
fn awaited_in_beat<'m>(
    m: &'m Builder,
    slots: &Slots<'m>,
    is_limb: &[Signal<'m>],
    plan: &Plan,
    movement: &Movement<'m>,
) -> (Vec<Option<Signal<'m>>>, Vec<Signal<'m>>) {
    let bits = plan.lane_bits() + 1;
    let block = |lane: usize| {
        if lane + 1 == plan.lanes {
            return Block { awaited: None, is_limbs: is_limb[lane] };
        }
        let far = slots.number_is_far[lane].repeat(bits as usize);
        let number = (slots.number[lane].bits(0..bits) | far).named(&format!("awaited_behind_{lane}"));
        // The next lane takes one, if it is the second lane of the pair.
        let number = if lane.is_multiple_of(2) { less_power(m, number, 0) } else { number };
        let number = masked(number, slots.opens[lane]);
        let stage = movement.stage_at(plan.class, lane);
        let awaited = stage.data(&format!("awaited_behind_{lane}_{}_reg", plan.class), number);
        Block { awaited: Some(awaited), is_limbs: is_limb[lane] }
    };
    let mut blocks: Vec<Block> = (0..plan.lanes).map(block).collect();
    let mut runs = is_limb.to_vec();
    let mut awaited: Vec<Option<Signal>> = vec![None; plan.lanes];
    let mut at = plan.class;
    let steps = levels(plan.lanes);
    for step in 0..steps {
        m.stage_section(at, format!("awaited limbs of {} lanes", 2 << step));
        let is_registered = plan.is_short_registered(step, steps);
        let is_last = step + 1 == steps;
        at += u32::from(is_registered);
        let size = 1usize << step;
        let put = |what: &str, lane: usize, signal: Signal<'m>| {
            let name = format!("{what}_{lane}_{at}");
            match is_registered {
                true => movement.stage_at(at, lane).data(&format!("{name}_reg"), signal),
                false => signal.named(&format!("{name}_{step}")),
            }
        };
        // The last step needs no register: the other conditions are known in its stage.
        let put_awaited = |lane: usize, signal: Signal<'m>| match is_last {
            true => signal.named(&format!("is_awaited_{lane}")),
            false => put("is_awaited", lane, signal),
        };
        let of_lane = |lane: usize| {
            if lane & size == 0 {
                let awaited = awaited[lane].map(|awaited| put_awaited(lane, awaited));
                return (awaited, put("run_of_limbs", lane, runs[lane]));
            }
            let first = &blocks[(lane >> step) - 1];
            let place = (lane & (size - 1)) as u64;
            let first_awaits = first.awaited.expect("it is not the last");
            // No head opens a group of one limb.
            let is_more = if step == 0 { first_awaits.any() } else { exceeds(first_awaits, place + 1) };
            let here = runs[lane] & is_more;
            let here = awaited[lane].map_or(here, |awaited| awaited | here);
            (Some(put_awaited(lane, here)), put("run_of_limbs", lane, runs[lane] & first.is_limbs))
        };
        let (new_awaited, new_runs): (Vec<_>, Vec<_>) = (0..plan.lanes).map(of_lane).unzip();
        let joined = |(index, pair): (usize, &[Block<'m>])| {
            let [first, second] = pair else { unreachable!("lanes are a power of two") };
            let lane = index << (step + 1);
            let of_both = first.awaited.zip(second.awaited).map(|(first, of_second)| match step {
                0 => of_second | masked(first, second.is_limbs),
                _ => {
                    let goes_on = exceeds(first, size as u64) & second.is_limbs;
                    of_second | masked(less_power(m, first, step), goes_on)
                }
            });
            Block {
                awaited: of_both.map(|awaited| put("awaited_behind", lane, awaited)),
                is_limbs: new_runs[lane + (2 << step) - 1],
            }
        };
        blocks = if is_last { Vec::new() } else { blocks.chunks(2).enumerate().map(joined).collect() };
        (awaited, runs) = (new_awaited, new_runs);
    }
    assert_eq!(at, plan.heads, "the limbs are known when the plan says so");
    (awaited, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::spec::ErrorMode;
    use crate::core::{Steps, System};
    use crate::netlist::evaluator::{Evaluator, Random};

    use super::super::plan::Source;

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

    fn block(plan: &Plan) -> std::sync::Arc<crate::netlist::Module> {
        let m = Builder::new("block", "");
        let movement = Movement::new(&m, plan.lanes, plan.windows);
        let all = |(name, width): (&str, u32)| -> Vec<Signal<'_>> {
            (0..plan.lanes).map(|lane| m.input(&format!("{name}_{lane}"), width, "")).collect()
        };
        let [kept, is_limb, is_no_limb, opens, cuts, refused, number, number_is_far, number_is_high] =
            INPUTS.map(all);
        let slots =
            Slots { kept, is_limb, is_no_limb, opens, cuts, refused, number, number_is_far, number_is_high };
        let last = movement.delay("last", m.input("last", 1, ""), 1, plan.heads - 1);
        let at_heads = movement.delay("last", last, plan.heads - 1, plan.heads);
        let groups = groups(&m, &slots, [last, at_heads], plan, &movement);
        for (lane, &replaced) in groups.replaced.iter().enumerate() {
            m.output(&format!("replaced_{lane}_out"), replaced, "");
        }
        m.output("cut_before_out", groups.cut_before, "");
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
            let plan = Plan::new(lanes, shape.as_ref(), 0, ErrorMode::Replace, Steps::Auto, Source::Bus);
            let mut block = Evaluator::new(&block(&plan));
            let mut random = Random::new(lanes as u64);
            let latency = (plan.groups - 1) as usize;
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
                        (number >> (plan.lane_bits() + 1) > 0).into(),
                        (number >> plan.low_bits_of_limbs() > 0).into(),
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
