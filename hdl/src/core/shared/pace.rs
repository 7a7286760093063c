//! When the stages of a decoder move: all together, by a register, so that it can fan out to all of them.

use std::cell::OnceCell;

use crate::netlist::{Builder, Signal, Stage};

/// The movement of a pipeline: driven by the buffer at its end, read by all stages.
pub(in crate::core) struct Pace<'m> {
    m: &'m Builder,
    /// The stages from the slot register on move: the ready of the buffer at the end, a register.
    pub(in crate::core) advance: Signal<'m>,
    /// The stages of units move.
    pub(in crate::core) take: Signal<'m>,
    /// The stages of units wait: a wire that is still to be driven; where they can.
    pub(in crate::core) wait: Option<Signal<'m>>,
    looks_ahead: bool,
    advance_next: OnceCell<Signal<'m>>,
}

impl<'m> Pace<'m> {
    /// All stages move together. `looks_ahead` says whether the buffer at the end tells a cycle ahead that they do.
    pub(in crate::core) fn new(m: &'m Builder, looks_ahead: bool) -> Self {
        let advance = m.wire("advance", 1).note("all stages move");
        Self { m, advance, take: advance, wait: None, looks_ahead, advance_next: OnceCell::new() }
    }

    /// The stages of units may wait while slots that are owed go out.
    pub(in crate::core) fn with_waits(m: &'m Builder, looks_ahead: bool) -> Self {
        let advance = m.wire("advance", 1).note("the stages of slots move");
        let wait = m.wire("wait_for_slots", 1).note("the stages of units wait");
        let take = (advance & !wait).named("take").note("the stages of units move");
        Self { m, advance, take, wait: Some(wait), looks_ahead, advance_next: OnceCell::new() }
    }

    /// The registers of a stage of units.
    pub(in crate::core) fn units(&self) -> Stage<'m> {
        self.m.stage(self.take)
    }

    /// The registers of a stage of slots.
    pub(in crate::core) fn slots(&self) -> Stage<'m> {
        self.m.stage(self.advance)
    }

    /// The registers of a stage of units that keep what they have until a beat comes; `present` says that there is one before
    /// the stage in front of it. Where it can be, the enable is computed a cycle ahead, and a register too.
    pub(in crate::core) fn sequence(&self, present: Signal<'m>) -> Stage<'m> {
        if !self.looks_ahead {
            let there = self.units().flag("present_reg", present);
            return self.m.stage((self.take & there).named("load"));
        }
        let advance_next = self
            .advance_next
            .get_or_init(|| self.m.wire("advance_next", 1).note("all stages move in the next cycle"));
        let there = self.m.reg("present_reg", 1).reset(0).note("a beat stands before stage 2");
        let there_next = self.take.mux(present, there.q).named("present_next");
        there.next(there_next);
        let load = self.m.reg("load_reg", 1).reset(0);
        load.next(there_next & *advance_next);
        self.m.stage(match self.wait {
            None => load.note("it moves into stage 2").q,
            Some(wait) => (load.note("it moves into stage 2, unless it waits").q & !wait).named("load"),
        })
    }

    /// The wire for whether all stages move in the next cycle, if some stage looks at it.
    pub(in crate::core) fn advance_next(&self) -> Option<Signal<'m>> {
        self.advance_next.get().copied()
    }
}
