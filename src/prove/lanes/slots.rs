//! The slots that the units of a beat make by the machine of the system. A slot belongs to the last unit of its sequence.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;
use super::memory::Before;
use super::window::Window;
use crate::prove::spec::Slot;

/// The slots of a beat, in their order.
pub(super) struct Slots<'m> {
    /// The slot before those of the lanes: the error of an open sequence that is cut short before the first unit of the beat.
    pub(super) first: Candidate<'m>,
    /// The slot of each lane.
    pub(super) lanes: Vec<Candidate<'m>>,
    /// 1 if two slots belong to one unit.
    pub(super) is_two_in_one: Signal<'m>,
}

/// A slot that may be present.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'m> {
    pub(super) is_there: Signal<'m>,
    /// The bits of the slot on the output lane.
    pub(super) shown: Signal<'m>,
}

impl<'m> Candidate<'m> {
    /// The slot on the output; `drops`: errors are not there.
    fn of(m: &'m Builder, slot: &Slot<'m>, drops: bool) -> Self {
        let is_dropped = if drops { slot.is_error() } else { m.lit(1, 0) };
        Self { is_there: slot.is_there & !is_dropped, shown: slot.shown(m) }
    }
}

/// The slots of a beat.
pub(super) fn slots<'m>(m: &'m Builder, window: Window, before: &Before<'m>, beat: &Beat<'m>) -> Slots<'m> {
    let units = beat.units(window.bits);
    let keep: Vec<Signal<'m>> = (0..).zip(&units).map(|(lane, _)| beat.has(lane)).collect();
    let ends = beat.ends();
    let states = window.states(m, before, &units);
    let open: Vec<Signal<'m>> = states.iter().map(|&state| window.machine.is_open(state)).collect();
    let steps: Vec<_> = units
        .iter()
        .enumerate()
        .map(|(lane, &bits)| window.step(m, states[lane], keep[lane], bits))
        .collect();
    let none = m.lit(1, 0);
    let holds = |lane: usize| keep.get(lane).copied().unwrap_or(none);
    let candidate = |slot: &Slot<'m>| Candidate::of(m, slot, window.drops);
    let at_end = |is_there: Signal<'m>, lane: usize| {
        let [_, at_end] = window.machine.cuts_at_end(m, states[lane], is_there);
        candidate(&at_end)
    };
    let mut is_two_in_one = none;
    // The first candidate that is present.
    let mut one_of = |candidates: &[Candidate<'m>]| {
        let mut one = candidates[0];
        for other in &candidates[1..] {
            is_two_in_one = is_two_in_one | one.is_there & other.is_there;
            one = Candidate {
                is_there: one.is_there | other.is_there,
                shown: one.is_there.mux(one.shown, other.shown),
            };
        }
        one
    };
    let first = one_of(&[candidate(&steps[0].cut), at_end(ends & !holds(0) & open[0], 0)]);
    let lanes = (0..units.len()).map(|lane| {
        let cut = steps.get(lane + 1).map(|next| candidate(&next.cut));
        let at_end = at_end(ends & holds(lane) & !holds(lane + 1) & open[lane + 1], lane + 1);
        let own = candidate(&steps[lane].own);
        one_of(&[Some(own), cut, Some(at_end)].into_iter().flatten().collect::<Vec<_>>())
    });
    let lanes = lanes.collect();
    Slots { first, lanes, is_two_in_one }
}
