//! The slots of a beat in the lanes in which they go out: one after the other, without the gaps between the places at which they are made.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::boundary::Made;
use super::counted::Counted;
use super::placed::merged;

/// The slots of a beat, in their order.
pub(super) struct Compacted<'m> {
    m: &'m Builder,
    /// The slots after the first are of a beat that goes on.
    goes: Signal<'m>,
    first: Made<'m>,
    others: Vec<Made<'m>>,
    counted: Counted<'m>,
}

impl<'m> Compacted<'m> {
    /// Compacts the slots of places to the slot of the first of them. The others go on where the beat `goes`.
    pub(super) fn new(m: &'m Builder, first: Made<'m>, others: &[Made<'m>], goes: Signal<'m>) -> Self {
        Self { m, goes, first, others: others.to_vec(), counted: Counted::new(m, goes, others) }
    }

    /// The slot that goes out in a lane, 0 where none does.
    pub(super) fn at(&self, lane: usize) -> Signal<'m> {
        let of_other = |(place, made): (usize, &Made<'m>)| {
            let behind_first = lane.checked_sub(1).map(|before| self.counted.is(place, before));
            let alone = self.counted.is(place, lane) & !self.first.is_there;
            let is_here = behind_first.map_or(alone, |is| is & self.first.is_there | alone);
            (place + 1 >= lane).then(|| made.slot.when(self.goes & made.is_there & is_here))
        };
        let of_others = self.others.iter().enumerate().filter_map(of_other).collect();
        let of_others = merged(of_others).unwrap_or(self.m.lit(self.first.slot.width(), 0));
        if lane == 0 { of_others | self.first.slot.when(self.first.is_there) } else { of_others }
    }

    /// Whether there are `count` slots, or more; `count` is not 0.
    pub(super) fn reaches(&self, count: usize) -> Signal<'m> {
        let others = |count| self.counted.reaches(self.others.len(), count);
        let with_others = self.goes & (self.first.is_there & others(count - 1) | others(count));
        if count == 1 { self.first.is_there | with_others } else { with_others }
    }
}
