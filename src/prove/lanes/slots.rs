//! The slots that the units of a beat make by the machine of the system.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::beat::Beat;
use super::definition::Definition;
use super::step::Step;
use crate::prove::spec::{Read, Slot, State};

/// The slots of a beat.
pub(super) struct Slots<'m> {
    /// All that may be present, in their order.
    pub(super) all: Vec<Candidate<'m>>,
    /// Two are present that exclude each other: a unit that ends a slot leaves nothing open that could be cut short.
    pub(super) is_two_in_one: Signal<'m>,
    /// The state of the machine after the beat, before the end of its frame.
    pub(super) after: State<'m>,
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

    /// This one, or the other where it is absent.
    fn or(self, other: Self) -> Self {
        Self { is_there: self.is_there | other.is_there, shown: self.is_there.mux(self.shown, other.shown) }
    }
}

impl<'m> Slots<'m> {
    /// The slots of a beat that comes in a state of the machine.
    pub(super) fn of(m: &'m Builder, definition: Definition, state: State<'m>, beat: &Beat<'m>) -> Self {
        let Definition { machine, drops, .. } = definition;
        let (lanes, after) = definition.read(m, state, beat);
        let mut all: Vec<_> =
            lanes.into_iter().flat_map(|(_, Read { step, .. })| [step.cut, step.own]).collect();
        let [before_end, at_end] = machine.cuts_at_end(m, after, beat.ends() & machine.is_open(after));
        all.extend(machine.leaves_over().then_some(before_end).into_iter().chain([at_end]));
        let all: Vec<_> = all.iter().map(|slot| Candidate::of(m, slot, drops)).collect();
        // A slot of its own, and the one that the next unit or the end of the frame cuts short.
        let (first, pairs) = (all[0], all[1..].chunks(2));
        let is_both = |pair: &[Candidate<'m>]| pair.iter().map(|slot| slot.is_there).reduce(|a, b| a & b);
        let is_two_in_one = pairs.clone().filter(|pair| pair.len() > 1).filter_map(is_both);
        let pairs = pairs.filter_map(|pair| pair.iter().copied().reduce(Candidate::or));
        Self {
            is_two_in_one: is_two_in_one.reduce(|a, b| a | b).expect("there are lanes"),
            all: [first].into_iter().chain(pairs).collect(),
            after,
        }
    }

    /// The slot that the last lane or the end of the frame makes. Only this one can be in excess of the lanes.
    pub(super) fn last(&self, lanes: u32) -> Candidate<'m> {
        let last = self.all[lanes as usize..].iter().copied();
        last.reduce(|earlier, later| later.or(earlier)).expect("the last lane may make a slot")
    }

    /// The slots of the beat of a step, and those of the beat before that. The state of the machine is in registers.
    pub(super) fn of_both(m: &'m Builder, definition: Definition, step: &Step<'m>) -> [Self; 2] {
        let state = definition.state(m);
        let of_beat = Self::of(m, definition, state.q(), &step.beat);
        state.next(of_beat.after, !step.waits, step.beat.ends());
        let before = State {
            position: delayed(m, "position_before_reg", state.q().position, step),
            value: delayed(m, "value_before_reg", state.q().value, step),
        };
        [of_beat, Self::of(m, definition, before, &step.before)]
    }
}

/// A value of the beat before.
fn delayed<'m>(m: &'m Builder, name: &str, value: Signal<'m>, step: &Step<'m>) -> Signal<'m> {
    let register = m.reg(name, value.width());
    register.next_when(!step.waits, value);
    register.q
}
