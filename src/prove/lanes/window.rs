//! The machine of a system as a function of the last few units: the state after them does not depend on earlier units.

use utfhdl_hdl::netlist::{Builder, Signal};

use crate::prove::spec::{Machine, Slot, State, Step, Unit};

/// A machine, and the number of units that determine its state. Zeros stand in for missing units, since a zero leaves no sequence open.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) machine: Machine,
    pub(super) units: usize,
    pub(super) bits: u32,
}

impl Window {
    /// The state after `units`, in order of time.
    pub(super) fn state_after<'m>(self, m: &'m Builder, units: &[Signal<'m>]) -> State<'m> {
        assert_eq!(units.len(), self.units);
        let read = |state, &bits: &Signal<'m>| self.step(m, state, m.lit(1, 1), bits).next;
        units.iter().fold(self.machine.start(m), read)
    }

    pub(super) fn step<'m>(
        self,
        m: &'m Builder,
        state: State<'m>,
        is_there: Signal<'m>,
        bits: Signal<'m>,
    ) -> Step<'m> {
        self.machine.step(m, state, &Unit { is_there, bits })
    }

    /// 1 if the last few units do not determine the state of the machine. By induction they do, if three properties hold: equivalent
    /// states make the same slots of a unit and lead to equivalent states; the state after a window and another unit is equivalent to
    /// the state after the window shifted by that unit; and the state at the start of a frame is equivalent to the state after zeros.
    pub(super) fn bad<'m>(self, m: &'m Builder) -> Signal<'m> {
        let bits = m.input("unit", self.bits, "a unit");
        let there = m.lit(1, 1);
        let [one, other] = ["one", "other"].map(|name| self.machine.any(m, name));
        let [of_one, of_other] = [one, other].map(|state| self.step(m, state, there, bits));
        let slots = [(&of_one.cut, &of_other.cut), (&of_one.own, &of_other.own)];
        let says_other = slots.into_iter().map(|(a, b)| differ(m, a, b)).reduce(|a, b| a | b);
        let forgets =
            alike(one, other) & (says_other.expect("two slots") | !alike(of_one.next, of_other.next));

        let given: Vec<Signal<'m>> =
            (0..self.units).map(|index| m.input(&format!("before_{index}"), self.bits, "a unit")).collect();
        let whole = self.step(m, self.state_after(m, &given), there, bits).next;
        let moved: Vec<Signal<'m>> = given[1..].iter().copied().chain([bits]).collect();
        let depends = !alike(whole, self.state_after(m, &moved));

        let none = vec![m.lit(self.bits, 0); self.units];
        let begins = !alike(self.machine.start(m), self.state_after(m, &none));
        forgets | depends | begins
    }
}

/// Whether two states are equivalent: the same position and, within a sequence, the same value.
fn alike<'m>(one: State<'m>, other: State<'m>) -> Signal<'m> {
    one.position.eq(other.position) & (!one.position.any() | one.value.eq(other.value))
}

fn differ<'m>(m: &'m Builder, one: &Slot<'m>, other: &Slot<'m>) -> Signal<'m> {
    one.is_there ^ other.is_there | one.is_there & one.shown(m).ne(other.shown(m))
}
