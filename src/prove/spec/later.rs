//! Registers at the input and at the output of a machine, so that the machine reads units and makes slots in the same cycle as the core.
//!
//! A proof consists of facts that relate registers of the machine to registers of the core. If the machine read a unit as soon as the core takes the unit, each fact
//! would be about registers of several stages, and proofs would take ten times as long. The statement is the same with and without these registers, since a core that
//! offers an item before the item is owed is found at fault.

use utfhdl_hdl::netlist::{Builder, Signal};

use super::Unit;
use crate::prove::bench::{Bench, Side};
use crate::prove::pick::Item;

/// The stages of a core, which move together in each cycle with `s_axis_tready`.
#[derive(Clone, Copy)]
pub(super) struct Stages<'m> {
    m: &'m Builder,
    moves: Signal<'m>,
    /// The stages before what is made is known, and those between that and the output.
    before: u32,
    behind: u32,
}

impl<'m> Stages<'m> {
    /// The stages of a core of one lane.
    pub(super) fn of(bench: &Bench<'m>) -> Self {
        Self::new(bench.m, &bench.input, bench.core.latency)
    }

    /// The stages that a beat passes in `latency` cycles from an input to a register at an output.
    pub(super) fn new(m: &'m Builder, input: &Side<'m>, latency: u32) -> Self {
        // The last stage is the output register.
        let inner = latency - 1;
        Self { m, moves: input.tready, before: inner.min(1), behind: inner.saturating_sub(1) }
    }

    /// A beat that is read after the first stage: whether there is one, and its bits.
    pub(super) fn read(self, name: &str, is_there: Signal<'m>, word: Signal<'m>) -> [Signal<'m>; 2] {
        self.later(name, self.before, [is_there, word])
    }

    /// Whether a beat is read, its unit, and whether the frame ends with the beat, which may be empty.
    pub(super) fn unit(self, bench: &Bench<'m>) -> (Signal<'m>, Unit<'m>, Signal<'m>) {
        let input = &bench.input;
        // A unit of fewer bits than its lane is in the low bits.
        let bits = bench.core.spec.system.unit_bits();
        let word = self.m.concat([input.tlast, input.tkeep.bit(0), input.tdata.bits(0..bits)]);
        let [taken, word] = self.read("unit", input.taken(), word);
        let unit = Unit { is_there: (taken & word.bit(bits)).named("unit_taken"), bits: word.bits(0..bits) };
        (taken, unit, taken & word.bit(bits + 1))
    }

    /// Items, when they reach the output register.
    pub(super) fn made<const N: usize>(self, items: [Item<'m>; N]) -> [Item<'m>; N] {
        let mut number = 0..;
        items.map(|Item { is_there, word }| {
            let name = format!("item_{}", number.next().expect("numbers go on"));
            let [is_there, word] = self.later(&name, self.behind, [is_there, word]);
            Item { is_there, word }
        })
    }

    fn later(self, name: &str, stages: u32, signals: [Signal<'m>; 2]) -> [Signal<'m>; 2] {
        (0..stages).fold(signals, |[is_there, word], stage| {
            let flag = self.m.reg(&format!("{name}_is_there_{stage}_reg"), 1).reset(0);
            let data = self.m.reg(&format!("{name}_{stage}_reg"), word.width());
            flag.next_when(self.moves, is_there);
            data.next_when(self.moves, word);
            [flag.q & self.moves, data.q]
        })
    }
}
