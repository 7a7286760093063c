//! The machine of a system, as a function of the last few units: its state behind them does not depend on what was before.

use utfhdl_hdl::netlist::{Builder, Signal};

use crate::prove::spec::{Machine, Slot, State, Step, Unit};

/// A machine, and how many units decide its state. Units that are zero stand for none, since they leave nothing open.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) machine: Machine,
    pub(super) units: usize,
    pub(super) bits: u32,
}

impl Window {
    /// The state behind some units, the first one first.
    pub(super) fn behind<'m>(self, m: &'m Builder, units: &[Signal<'m>]) -> State<'m> {
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

    /// 1 where the last few units do not decide the machine's state. Three steps show that they do: states that are alike make the
    /// same of a unit, and lead to states that are alike; the state behind a window and one more unit is like that behind the window
    /// moved on by that unit; and the state at the start of a frame is like that behind zeros.
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
        let whole = self.step(m, self.behind(m, &given), there, bits).next;
        let moved: Vec<Signal<'m>> = given[1..].iter().copied().chain([bits]).collect();
        let depends = !alike(whole, self.behind(m, &moved));

        let none = vec![m.lit(self.bits, 0); self.units];
        let begins = !alike(self.machine.start(m), self.behind(m, &none));
        forgets | depends | begins
    }
}

/// Whether two states are the same in all that matters.
fn alike<'m>(one: State<'m>, other: State<'m>) -> Signal<'m> {
    one.position.eq(other.position) & (!one.position.any() | one.value.eq(other.value))
}

fn differ<'m>(m: &'m Builder, one: &Slot<'m>, other: &Slot<'m>) -> Signal<'m> {
    one.is_there ^ other.is_there | one.is_there & one.shown(m).ne(other.shown(m))
}
