//! Groups of limbs: which slots belong to one, and where the replacement is written for it.
//!
//! A head announces limbs. A limb that is awaited, but not the last, writes nothing; the last one, and one that is not awaited, are
//! errors. A head or limb behind which its group is cut writes the replacement of the group. Where the group was open at the end of
//! a beat, the replacement goes before the units of the next.

use super::movement::Movement;
use super::plan::{Plan, levels};
use crate::core::many_lanes::logic::{bits_of, exceeds, is_less, less_power, masked, sum};
use crate::core::shared::ports::SLOT_DATA_BITS;
use crate::netlist::{Builder, InstanceHandle, Signal};

/// What groups amount to, as of stage `plan.groups`.
pub(super) struct Groups<'m> {
    /// The replacement is written in place of the slot.
    pub(super) replaced: Vec<Signal<'m>>,
    /// It is written before the units of the beat.
    pub(super) cut_before: Signal<'m>,
}

/// The last slot of some lanes that is no limb.
#[derive(Clone, Copy)]
struct LastHead<'m> {
    /// There is one.
    is: Signal<'m>,
    /// It is the head of a group of so many limbs.
    opens: Signal<'m>,
    number: Signal<'m>,
    /// The high part of the number is not zero.
    is_high: Signal<'m>,
    /// So many limbs follow; `None` if none can.
    behind: Option<Signal<'m>>,
    /// How many slots the lanes hold.
    slots: Signal<'m>,
}

/// What the lanes of a block amount to.
#[derive(Clone, Copy)]
struct Block<'m> {
    /// Limbs that are awaited behind the block, by a head in it; as many as the beat has lanes, or more, count alike. `None` of the
    /// last block of the beat. Of a lane that is the first of its pair, one less.
    awaited: Option<Signal<'m>>,
    /// All slots are limbs.
    is_limbs: Signal<'m>,
}

/// Follows groups. `last_before` and `last` say in stage `plan.heads - 1` and in the next that the beat ends its frame.
pub(super) fn groups<'m>(
    m: &'m Builder,
    lanes: &[InstanceHandle<'m>],
    [last_before, last]: [Signal<'m>; 2],
    plan: &Plan,
    movement: &Movement<'m>,
) -> Groups<'m> {
    let flags = |name: &str, from: &str| -> Vec<Signal<'m>> {
        let flag = |(lane, handle): (usize, &InstanceHandle<'m>)| {
            movement
                .stage_at(plan.class, lane)
                .data(&format!("{name}_{lane}_{}_reg", plan.class), handle.output(from))
        };
        lanes.iter().enumerate().map(flag).collect()
    };
    m.stage_section(plan.class, "heads and limbs");
    let (is_limb, opens) = (flags("is_limb", "is_limb"), flags("opens", "opens_group"));
    let (kept, cuts) = (flags("kept", "is_kept"), flags("cuts", "cuts_group"));
    let refused = flags("refused", "refused");
    let last_head = last_head(m, lanes, last_before, plan, movement);
    let (awaited, runs) = awaited_in_beat(m, lanes, &is_limb, plan, movement);

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

/// Limbs that the last head of the beat awaits behind the beat, as of stage `plan.heads`: the low and the high part of their number,
/// which are zero if there is no head, or if the frame ends.
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
    lanes: &[InstanceHandle<'m>],
    last: Signal<'m>,
    plan: &Plan,
    movement: &Movement<'m>,
) -> OfBeat<'m> {
    let of_lane = |handle: &InstanceHandle<'m>| LastHead {
        is: handle.output("is_no_limb"),
        opens: handle.output("opens_group"),
        number: handle.output("number"),
        is_high: handle.output("number_is_high"),
        behind: None,
        slots: handle.output("is_kept"),
    };
    let mut heads: Vec<LastHead> = lanes.iter().map(of_lane).collect();
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
    m.stage_section(at, "limbs that are awaited behind the beat");
    let LastHead { is, opens, number, is_high, behind, slots } = heads[0];
    let stage = movement.stage(plan.heads);
    let low_bits = plan.low_bits_of_limbs();
    let behind = behind.expect("there are several lanes").zext(low_bits).named("limbs_behind_head");
    let (low, high) = (number.bits(0..low_bits), number.bits(low_bits..SLOT_DATA_BITS));
    let goes_on = (opens & !last).named("group_may_go_on");
    let many = (goes_on & is_high).named("head_awaits_many");
    OfBeat {
        // Behind reset, the empty beat of the cycle behind reset clears what is left.
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

/// Limbs that are awaited behind the beats before, as of stage `plan.heads`.
struct Left<'m> {
    /// More than the beat has slots, whatever `low` is.
    many: Signal<'m>,
    /// So many as `low` says, if they are not many; else none.
    is_low: Signal<'m>,
    low: Signal<'m>,
}

/// Counts the limbs of groups that go on from beat to beat.
///
/// The number has a low part, and a high one in pieces. Each piece pays what the one below has borrowed one beat later, and whether all
/// are zero is known one beat after that: until then the low part is more than a beat has slots. So no carry goes far within a beat.
/// Where the low part borrows and the high part has nothing, a flag says that none are left, and what the low part says is of no matter.
fn limbs_left<'m>(m: &'m Builder, beat: &OfBeat<'m>, plan: &Plan, movement: &Movement<'m>) -> Left<'m> {
    let enable = movement.stage(plan.groups).enable;
    let low = m
        .reg("limbs_left_low_reg", plan.low_bits_of_limbs())
        .note("limbs that are awaited behind the beats before");
    let is_low = m.reg("limbs_left_reg", 1).note("there are some: if not many, so many");
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
            owed.note("this piece is to pay what the part below has borrowed");
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

/// For each lane, whether a limb there, behind nothing but limbs, is awaited by a head of an earlier beat, and not the last.
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

/// For each lane: it holds a limb that is awaited by a head of the beat, and not the last, if that can be, in the last step in front of
/// stage `plan.heads`; and as of that stage, it and all before it hold limbs.
fn awaited_in_beat<'m>(
    m: &'m Builder,
    lanes: &[InstanceHandle<'m>],
    is_limb: &[Signal<'m>],
    plan: &Plan,
    movement: &Movement<'m>,
) -> (Vec<Option<Signal<'m>>>, Vec<Signal<'m>>) {
    let bits = plan.lane_bits() + 1;
    let block = |(lane, handle): (usize, &InstanceHandle<'m>)| {
        if lane + 1 == plan.lanes {
            return Block { awaited: None, is_limbs: is_limb[lane] };
        }
        let far = handle.output("number_is_far").repeat(bits as usize);
        let number = (handle.output("number").bits(0..bits) | far).named(&format!("awaited_behind_{lane}"));
        // The lane behind it takes one, if it is the second of their pair.
        let number = if lane.is_multiple_of(2) { less_power(m, number, 0) } else { number };
        let number = masked(number, handle.output("opens_group"));
        let stage = movement.stage_at(plan.class, lane);
        let awaited = stage.data(&format!("awaited_behind_{lane}_{}_reg", plan.class), number);
        Block { awaited: Some(awaited), is_limbs: is_limb[lane] }
    };
    let mut blocks: Vec<Block> = lanes.iter().enumerate().map(block).collect();
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
        // What else decides about a limb is known in the last step.
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
