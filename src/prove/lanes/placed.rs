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
}

impl<'m> Placed<'m> {
    /// Places the units of slots, in their order, after `left` units that are left over.
    pub(super) fn new(m: &'m Builder, left: Signal<'m>, slots: &[Vec<Written<'m>>]) -> Self {
        let most = slots.iter().map(Vec::len).sum::<usize>() + (1 << left.width()) - 1;
        let bits = most.ilog2() + 1;
        let length = |slot: &Vec<Written<'m>>| {
            slot.iter()
                .map(|unit| unit.is_there.zext(bits))
                .reduce(|a, b| a + b)
                .expect("a slot may have units")
        };
        let lengths: Vec<Signal<'m>> = slots.iter().map(length).collect();
        let ends: Vec<Signal<'m>> = sums(&lengths).into_iter().map(|sum| sum + left.zext(bits)).collect();
        let none = m.lit(slots[0][0].bits.width(), 0);
        let placed = |(slot, &end): (&Vec<Written<'m>>, &Signal<'m>)| {
            let mut at = vec![none; most];
            // The last unit of a slot is at the position before the next slot. The other units that are there precede it without a gap.
            for (distance, unit) in (1..).zip(slot.iter().rev()) {
                for (position, bits) in at[..most + 1 - distance].iter_mut().enumerate() {
                    let is_here = unit.is_there & end.is((position + distance) as u64);
                    *bits = *bits | unit.bits.when(is_here);
                }
            }
            at
        };
        let units = slots.iter().zip(&ends).map(placed).collect();
        Self { m, units, filled: ends[ends.len() - 1] }
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
}

/// The sums of the lengths up to each.
pub(super) fn sums<'m>(lengths: &[Signal<'m>]) -> Vec<Signal<'m>> {
    joined(lengths, &|one, other| one + other)
}

/// All signals up to each, joined, made of the joined ones of both halves: a checker compares sums that are made so more easily with the sums in the core.
pub(super) fn joined<'m>(
    signals: &[Signal<'m>],
    join: &dyn Fn(Signal<'m>, Signal<'m>) -> Signal<'m>,
) -> Vec<Signal<'m>> {
    if let [signal] = *signals {
        return vec![signal];
    }
    let (low, high) = signals.split_at(signals.len() / 2);
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
