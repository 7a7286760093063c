//! The units of a beat of slots, at the positions that the definition demands.

use utfhdl_hdl::netlist::{Builder, Signal};

use crate::prove::spec::Written;

/// The units of a beat, each at its position: those left over from beats before have the first ones.
pub(super) struct Placed<'m> {
    m: &'m Builder,
    /// The bits of units, by slot and position: 0 at a position that holds no unit of the slot.
    pub(super) units: Vec<Vec<Signal<'m>>>,
    /// The number of positions that are filled.
    pub(super) filled: Signal<'m>,
    /// The bits of a position in an output beat.
    lane_bits: u32,
    /// The number of filled positions, rounded up: with the lanes of an output beat but one added, if an output beat that is not full counts.
    rounded: Signal<'m>,
}

impl<'m> Placed<'m> {
    /// Places the units of `slots`, in their order, after `left` units that are left over, of which there are fewer than an output beat has. The first
    /// `before` slots, one or none, come before that of lane 0. `rounds`: an output beat that is not full counts, too.
    pub(super) fn new(
        m: &'m Builder,
        left: Signal<'m>,
        (slots, before): (&[Vec<Written<'m>>], usize),
        rounds: Signal<'m>,
    ) -> Self {
        let lane_bits = left.width();
        let rest = Count { number: rounds.repeat(lane_bits as usize), most: (1 << lane_bits) - 1 };
        let left = Count { number: left, ..rest };
        let lengths: Vec<Count<'m>> = slots.iter().map(|slot| Count::of_slot(slot)).collect();
        let (before, of_lanes) = lengths.split_at(before);
        // Sums are made as the core makes them: of both halves of the lanes, where a slot before lane 0 counts as part of the slot there.
        let mut sums_of = of_lanes.to_vec();
        sums_of[0] = before.iter().fold(sums_of[0], |first, before| first.plus(*before));
        sums_of.resize(of_lanes.len().next_power_of_two(), Count { number: m.lit(1, 0), most: 0 });
        let sums = |of: &[Count<'m>]| joined(of, &|one: Count<'m>, other: Count<'m>| one.plus(other));
        let ends = before.iter().copied().chain(sums(&sums_of)).take(slots.len());
        let ends: Vec<Signal<'m>> = ends.map(|sum| sum.plus(left).number).collect();
        let last = sums_of.len() - 1;
        sums_of[last] = sums_of[last].plus(rest);
        let rounded = sums(&sums_of)[last].plus(left).number;
        let most = slots.iter().map(Vec::len).sum::<usize>() + left.most;
        let none = m.lit(slots[0][0].bits.width(), 0);
        let placed = |(slot, &end): (&Vec<Written<'m>>, &Signal<'m>)| {
            let mut at = vec![none; most];
            // The last unit of a slot is at the position before the next slot. The other units that are there precede it without a gap.
            for (distance, unit) in (1..).zip(slot.iter().rev()) {
                for (position, bits) in at[..most + 1 - distance].iter_mut().enumerate() {
                    let is_here = unit.is_there & is(m, end, position + distance);
                    *bits = *bits | unit.bits.when(is_here);
                }
            }
            at
        };
        let units = slots.iter().zip(&ends).map(placed).collect();
        Self { m, units, filled: ends[slots.len() - 1], lane_bits, rounded }
    }

    /// The unit at the position that `of_window` gives for the window that is presented, 0 where none is. `number` has a bit for each window.
    pub(super) fn unit(&self, number: &[Signal<'m>], of_window: impl Fn(usize) -> usize) -> Signal<'m> {
        let of_slot = |units: &Vec<Signal<'m>>| {
            let shown =
                (0..).zip(number).filter_map(|(window, is)| Some(units.get(of_window(window))?.when(*is)));
            shown.reduce(|a, b| a | b)
        };
        merged(self.units.iter().filter_map(of_slot).collect())
            .unwrap_or(self.m.lit(self.units[0][0].width(), 0))
    }

    /// Whether `count` positions are filled, or more.
    pub(super) fn reaches(&self, count: usize) -> Signal<'m> {
        if count > self.units[0].len() {
            return self.m.lit(1, 0);
        }
        self.m.lit(self.filled.width(), count as u64).le(self.filled)
    }

    /// Whether `beats` output beats are full, or more.
    pub(super) fn fills(&self, beats: usize) -> Signal<'m> {
        self.are_beats(self.filled, beats)
    }

    /// Whether `beats` output beats are made, or more. An output beat that is not full is made if such output beats count.
    pub(super) fn makes(&self, beats: usize) -> Signal<'m> {
        self.are_beats(self.rounded, beats)
    }

    fn are_beats(&self, positions: Signal<'m>, beats: usize) -> Signal<'m> {
        let full = positions.bits(self.lane_bits..positions.width());
        if beats >> full.width() > 0 {
            self.m.lit(1, 0)
        } else {
            self.m.lit(full.width(), beats as u64).le(full)
        }
    }
}

/// A number of units.
#[derive(Clone, Copy)]
struct Count<'m> {
    number: Signal<'m>,
    /// The greatest that it can be: sums have no bits that are never 1, which a checker would have to find.
    most: usize,
}

impl<'m> Count<'m> {
    /// The number of units of a slot.
    fn of_slot(slot: &[Written<'m>]) -> Self {
        let units = slot.iter().map(|unit| Self { number: unit.is_there, most: 1 });
        units.reduce(Self::plus).expect("a slot may have units")
    }

    fn plus(self, other: Self) -> Self {
        let most = self.most + other.most;
        let bits = (most.max(1)).ilog2() + 1;
        let [one, other] = [self, other].map(|of| of.number.bits(0..of.number.width().min(bits)).zext(bits));
        Self { number: one + other, most }
    }
}

/// Whether a number is `value`.
fn is<'m>(m: &'m Builder, number: Signal<'m>, value: usize) -> Signal<'m> {
    if value >> number.width() > 0 { m.lit(1, 0) } else { number.is(value as u64) }
}

/// All up to each, joined, made of the joined ones of both halves: a checker compares sums that are made so more easily with the sums in the core.
pub(super) fn joined<T: Copy>(all: &[T], join: &dyn Fn(T, T) -> T) -> Vec<T> {
    if let [one] = *all {
        return vec![one];
    }
    let (low, high) = all.split_at(all.len() / 2);
    let (low, high) = (joined(low, join), joined(high, join));
    let before = low[low.len() - 1];
    low.into_iter().chain(high.into_iter().map(|up_to| join(up_to, before))).collect()
}

/// The OR of all signals, made of the ORs of both halves, for the same reason.
pub(super) fn merged<'m>(signals: Vec<Signal<'m>>) -> Option<Signal<'m>> {
    if signals.len() <= 1 {
        return signals.first().copied();
    }
    let (low, high) = signals.split_at(signals.len() / 2);
    Some(merged(low.to_vec())? | merged(high.to_vec())?)
}
