//! The units that open a frame and are no text, or say how the text is to be read: they may come in several beats.

use super::code_points::OCTET;
use crate::netlist::{Builder, Signal};

/// The units of a mark at the start of a frame, in a beat of several lanes or one.
///
/// The state is the number of units of the mark that are before the beat, if the frame has no others, and all ones otherwise.
pub(in crate::core) struct MarkUnits<'m> {
    /// What the names of its signals begin with.
    name: String,
    mark: Vec<u64>,
    keep: Signal<'m>,
    data: Signal<'m>,
    /// Entry n: n units of the mark are before the beat, and no others.
    begins: Vec<Signal<'m>>,
}

impl<'m> MarkUnits<'m> {
    /// Bits of the state.
    pub(in crate::core) fn state_bits(mark: &[u64]) -> u32 {
        usize::BITS - mark.len().leading_zeros()
    }

    /// The units of a beat, which are in the first lanes, after the `state` before it. The names of signals begin with `name`.
    pub(in crate::core) fn new(
        name: &str,
        mark: Vec<u64>,
        state: Signal<'m>,
        keep: Signal<'m>,
        data: Signal<'m>,
    ) -> Self {
        let before = |number: u64| state.is(number).named(&format!("{name}_after_{number}"));
        let begins = (0..mark.len() as u64).map(before).collect();
        Self { name: name.to_owned(), mark, keep, data, begins }
    }

    fn lanes(&self) -> u32 {
        self.keep.width()
    }

    fn most(&self) -> u32 {
        self.mark.len() as u32
    }

    /// The unit of the lane is that of the mark with the number `index`.
    fn is_unit(&self, lane: u32, index: u32) -> Signal<'m> {
        let unit = self.data.bits(lane * OCTET..(lane + 1) * OCTET);
        self.keep.bit(lane) & unit.is(self.mark[index as usize])
    }

    /// The units of the frame before lane `count` are `from + count` of the mark, `from` of which are before the beat.
    fn matches(&self, from: u32, count: u32) -> Signal<'m> {
        (0..count).fold(self.begins[from as usize], |all, lane| all & self.is_unit(lane, from + lane))
    }

    /// The frame has `number` units of the mark and no others, with those of the beat.
    fn after(&self, number: u32) -> Signal<'m> {
        let lanes = self.lanes();
        any((0..=number).filter(|from| number - from <= lanes).map(|from| {
            let count = number - from;
            let all = self.matches(from, count);
            if count < lanes { all & !self.keep.bit(count) } else { all }
        }))
    }

    /// The state after the beat, if the beat is not its frame's last.
    pub(in crate::core) fn next(&self, m: &'m Builder) -> Signal<'m> {
        let others = !any((0..self.most()).map(|number| self.after(number)));
        let others = others.named(&format!("{}_others", self.name)).note("the frame has other units");
        let bit = |bit: u32| {
            let set = (0..self.most()).filter(|number| number >> bit & 1 == 1);
            any(set.map(|number| self.after(number)).chain([others]))
        };
        m.concat((0..Self::state_bits(&self.mark)).rev().map(bit))
    }

    /// The frame up to the lane is the first `number` units of the mark, if that lane is in the beat and can be that of the last of these.
    pub(in crate::core) fn ends(&self, number: u32, lane: u32) -> Option<Signal<'m>> {
        let from = number.checked_sub(lane + 1)?;
        (lane < self.lanes()).then(|| self.matches(from, lane + 1))
    }

    /// The lane comes after the first `number` units of the mark, and has another unit than that which the mark goes on with.
    pub(in crate::core) fn breaks(&self, number: u32, lane: u32) -> Option<Signal<'m>> {
        let from = number.checked_sub(lane)?;
        let goes_on = self.is_unit(lane, number);
        (lane < self.lanes()).then(|| self.matches(from, lane) & !goes_on)
    }

    /// A bit for each of the first lanes: the unit of the lane belongs to a mark that the beat completes.
    pub(in crate::core) fn lanes_of_whole(&self) -> Vec<Signal<'m>> {
        let most = self.most();
        let lanes = self.lanes().min(most);
        let ends = |first: u32| any((first..lanes).filter_map(|lane| self.ends(most, lane)));
        (0..lanes).map(ends).collect()
    }

    /// The beat completes the mark.
    pub(in crate::core) fn is_whole(&self) -> Signal<'m> {
        any((0..self.most()).filter_map(|lane| self.ends(self.most(), lane)))
    }
}

fn any<'m>(all: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    all.into_iter().reduce(|a, b| a | b).expect("a mark can come")
}
