//! The number of gaps before each lane, which is the distance by which its slot is compacted. A gap is a lane that ends no slot.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::front::{Front, GROUPS_SUMMED, LANES_COUNTED, Spread, steps_of_sums};
use super::pipeline::Pipeline;
use crate::core::lanes::{At, section};
use crate::core::many_lanes::logic::{Number, carry_of, sum};
use crate::netlist::{Builder, Mark, Signal, Stage};

/// Sums of gaps.
pub(super) struct Gaps<'m> {
    /// For each place: the gaps before it, in the stage that makes slots.
    pub(super) before: Vec<Number<'m>>,
    /// Every lane ends a slot, if that was asked for.
    pub(super) full: Option<At<'m>>,
    /// Some lane ends a slot. Known a stage before the gaps, if there are any.
    pub(super) some: At<'m>,
}

/// Counts the gaps of a beat.
pub(super) fn gaps<'m>(m: &'m Builder, front: &Front<'m>, pipeline: &Pipeline<'m>) -> Gaps<'m> {
    let spread = &front.spread;
    if spread.steps == 0 {
        let some = front.ends.packed().any();
        return Gaps { before: vec![Vec::new(); front.ends.len()], full: None, some };
    }
    let ends: Vec<Signal> = front.ends.iter().map(|ends| ends.signal()).collect();
    count(m, &ends, front.first.is_some(), spread, [front.ends_at(), front.sums_at()], pipeline)
}

/// Counts the gaps in `ends`, signals of stage `from`, for stage `to`. `tells_full` says whether a full beat is asked for.
fn count<'m>(
    m: &'m Builder,
    ends: &[Signal<'m>],
    tells_full: bool,
    spread: &Spread,
    [from, to]: [u32; 2],
    pipeline: &Pipeline<'m>,
) -> Gaps<'m> {
    let most = |place: usize| spread.most_gaps(place);
    section(m, from, "gaps are counted");
    let mut at = from + 1;
    let bits_for = |most: usize| (usize::BITS - most.leading_zeros()) as usize;
    let register = |at: u32, lane: usize, name: String, number: Number<'m>| -> Number<'m> {
        let bits = number.into_iter().enumerate();
        bits.map(|(bit, value)| {
            let number = m.folded().number(at);
            pipeline.stage_at(lane).at(at).data(&format!("{name}_bit_{bit}_{number}_reg"), value)
        })
        .collect()
    };
    let name_of =
        |lane: usize| format!("gaps_before_{}_of_group_{}", lane % LANES_COUNTED, lane / LANES_COUNTED);
    let groups: Vec<&[Signal]> = ends.chunks(LANES_COUNTED).collect();
    let mut local: Vec<Number> = Vec::new();
    let mut totals: Vec<Number> = Vec::new();
    for (group, ends) in groups.iter().enumerate() {
        let counts = Counts::new(group, ends);
        for index in 0..ends.len() {
            let lane = group * LANES_COUNTED + index;
            let count = counts.before(index, bits_for(most(lane).min(index)));
            local.push(register(at, lane, name_of(lane), count));
        }
        if group + 1 < groups.len() {
            let total = counts.before(ends.len(), bits_for(most(LANES_COUNTED).min(LANES_COUNTED)));
            totals.push(register(at, group * LANES_COUNTED, format!("gaps_in_group_{group}"), total));
        }
    }
    let registers = |group: usize| pipeline.stage_at(group * LANES_COUNTED);
    let full = ["full", "is_full", "every lane ends a slot"];
    let full = tells_full.then(|| reduced(full, &groups, Signal::all, registers, from));
    let some = ["some", "is_some", "some lane ends a slot"];
    let some = reduced(some, &groups, Signal::any, registers, from);

    // Each level sums the gaps up to each group in blocks of twice as many groups as the level before.
    let mut sums = Sums { up_to: totals, copies: BTreeMap::new() };
    let steps = steps_of_sums(sums.up_to.len());
    for step in 0..steps {
        let reach = GROUPS_SUMMED << step;
        section(m, at, &format!("gaps before each group, over {reach} groups"));
        let is_registered = spread.is_registered(step, steps);
        at += u32::from(is_registered);
        let between = |lane: usize, name: String, number: Number<'m>| match is_registered {
            true => register(at, lane, name, number),
            false => number,
        };
        local = (0..).zip(local).map(|(lane, count)| between(lane, name_of(lane), count)).collect();
        let bits = |groups: usize| bits_for(most(groups * LANES_COUNTED));
        if step == 0 {
            // The levels before that of GROUPS_SUMMED groups share its stage.
            for level in 1..GROUPS_SUMMED.ilog2() {
                sums.up_to = sums.over(1 << level, bits);
            }
        }
        let totals = sums.over(reach, bits);
        let copied = if is_registered && step + 1 < steps { totals.len() } else { 0 };
        let copies = copies(reach, copied).map(|(last, group)| {
            let name = format!("gaps_to_{last}_for_{group}");
            ((last, group / GROUPS_SUMMED), between(group * LANES_COUNTED, name, totals[last].clone()))
        });
        let copies = copies.collect();
        let registered = |(group, total)| between(group * LANES_COUNTED, up_to(group), total);
        sums = Sums { up_to: totals.into_iter().enumerate().map(registered).collect(), copies };
    }
    section(m, at, "gaps before each lane");
    let before = local.iter().enumerate().map(|(lane, count)| {
        let offset = (lane / LANES_COUNTED)
            .checked_sub(1)
            .map(|group| sums.up_to[group].as_slice())
            .unwrap_or_default();
        let total = sum(&name_of(lane), offset, count, None, bits_for(most(lane)));
        for (bit, signal) in total.iter().enumerate() {
            signal.mark(Mark::GapsBefore { lane, bit });
        }
        (at + 1..=to).fold(total, |total, at| register(at, lane, format!("gaps_before_{lane}"), total))
    });
    Gaps { before: before.collect(), full: full.map(|full| full.at(at)), some: some.at(at) }
}

/// The gaps up to each group, from the first group of its block on.
struct Sums<'m> {
    up_to: Vec<Number<'m>>,
    /// Copies of sums for groups of the next block. The key is the group up to which the gaps are summed, and which [`GROUPS_SUMMED`] groups
    /// read the copy, counted from 0.
    copies: BTreeMap<(usize, usize), Number<'m>>,
}

impl<'m> Sums<'m> {
    /// The gaps up to each group, in blocks of `reach` groups, from those in blocks of half that number. `bits` gives the width of a sum by its
    /// number of groups.
    fn over(&self, reach: usize, bits: impl Fn(usize) -> usize) -> Vec<Number<'m>> {
        let half = reach / 2;
        let over_block = |(group, own): (usize, &Number<'m>)| {
            if group & half == 0 {
                return own.clone();
            }
            let first = group & !(reach - 1);
            let last = first + half - 1;
            let below = self.copies.get(&(last, group / GROUPS_SUMMED)).unwrap_or(&self.up_to[last]);
            let name = format!("gaps_{}_to_group_{group}", first * LANES_COUNTED);
            sum(&name, below, own, None, bits(group + 1 - first))
        };
        self.up_to.iter().enumerate().map(over_block).collect()
    }
}

/// The copies that sums in blocks of `reach` of `groups` groups need: each with the last group of a block, and the first of the [`GROUPS_SUMMED`] groups
/// of the next block that read the copy. Without copies, up to half of the lanes would read one register.
fn copies(reach: usize, groups: usize) -> impl Iterator<Item = (usize, usize)> {
    let readers = (reach..groups).step_by(GROUPS_SUMMED).filter(move |group| group & reach != 0);
    readers.map(move |group| ((group & !(reach - 1)) - 1, group))
}

/// The name of the gaps up to a group.
fn up_to(group: usize) -> String {
    format!("gaps_up_to_group_{group}")
}

/// A bit that reduces the `ends` of all groups, by a register of each group that is named after `name`; of
/// several groups, the signal `joined` with a comment.
fn reduced<'m>(
    [name, joined, note]: [&str; 3],
    groups: &[&[Signal<'m>]],
    reduce: fn(Signal<'m>) -> Signal<'m>,
    group_of: impl Fn(usize) -> Stage<'m>,
    from: u32,
) -> At<'m> {
    let of_group = |(group, ends): (usize, &&[Signal<'m>])| {
        let registers = group_of(group);
        let all = registers.builder().concat(ends.iter().rev().copied());
        At::new(registers, reduce(all), from).registered(&format!("{name}_of_group_{group}"))
    };
    let of_groups: Vec<At> = groups.iter().enumerate().map(of_group).collect();
    match of_groups[..] {
        [only] => only,
        _ => At::concat(of_groups).map(reduce).named(joined).note(note),
    }
}

/// The gaps of a group of lanes, counted: each bit of a sum is made when it is asked for.
struct Counts<'a, 'm> {
    group: usize,
    /// The first lane.
    first: usize,
    ends: &'a [Signal<'m>],
    made: RefCell<BTreeMap<String, Signal<'m>>>,
}

impl<'a, 'm> Counts<'a, 'm> {
    /// `group` is the number of the group.
    fn new(group: usize, ends: &'a [Signal<'m>]) -> Self {
        Self { group, first: group * LANES_COUNTED, ends, made: RefCell::default() }
    }

    /// How many of the group's gaps are before one of its lanes; the low `bits` bits.
    fn before(&self, lane: usize, bits: usize) -> Number<'m> {
        (0..bits).map_while(|bit| self.bit(0..lane, bit)).collect()
    }

    /// A bit of the number of gaps in a range of lanes; none if it is always zero.
    fn bit(&self, lanes: Range<usize>, bit: usize) -> Option<Signal<'m>> {
        match lanes.len() {
            0 => None,
            1 if bit > 0 => None,
            1 => Some(self.made(format!("gap_{}", self.first + lanes.start), || {
                let note = "ends no slot; counted by gates, for + becomes a carry chain, which is slower";
                (!self.ends[lanes.start]).note(note)
            })),
            _ => {
                let operands = self.operands(&lanes, bit);
                let sum = || operands.iter().copied().reduce(|a, b| a ^ b).expect("an operand");
                (!operands.is_empty()).then(|| self.made(self.name(&lanes, "bit", bit), sum))
            }
        }
    }

    /// The operands of a bit of the sum: bits of both halves, and a carry.
    fn operands(&self, lanes: &Range<usize>, bit: usize) -> Vec<Signal<'m>> {
        let middle = lanes.start + lanes.len().div_ceil(2);
        let halves = [lanes.start..middle, middle..lanes.end].map(|half| self.bit(half, bit));
        halves.into_iter().chain([self.carry(lanes, bit)]).flatten().collect()
    }

    /// The carry into a bit of the number.
    fn carry(&self, lanes: &Range<usize>, bit: usize) -> Option<Signal<'m>> {
        let operands = self.operands(lanes, bit.checked_sub(1)?);
        let carry = carry_of(&operands)?;
        Some(self.made(self.name(lanes, "carry", bit), || carry))
    }

    fn name(&self, lanes: &Range<usize>, what: &str, bit: usize) -> String {
        format!("gaps_{}_to_{}_{what}_{bit}_of_group_{}", lanes.start, lanes.end - 1, self.group)
    }

    fn made(&self, name: String, make: impl FnOnce() -> Signal<'m>) -> Signal<'m> {
        *self.made.borrow_mut().entry(name.clone()).or_insert_with(|| make().named(&name))
    }
}
