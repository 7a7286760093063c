//! The opening of a frame: units that are written before every frame.

use super::pass::Pass;
use crate::netlist::{Builder, Signal};

/// The opening, which takes a pass of its own. An event that has no units is taken in the same pass.
pub(super) struct Opening<'m> {
    units: Vec<u64>,
    /// The pass with the opening in it.
    pub(super) pass: Pass<'m>,
    /// The opening is loaded.
    pub(super) now: Signal<'m>,
    /// The opening is being written.
    written: Signal<'m>,
}

impl<'m> Opening<'m> {
    /// Adds the opening to `pass`: to the first event of a frame, or, if it `waits`, to the first that makes a beat. It
    /// waits where the last unit of a frame may make two events that are both dropped: then the opening carries the end
    /// of the frame.
    pub(super) fn new(
        m: &'m Builder,
        units: Vec<u64>,
        pass: Pass<'m>,
        start: Signal<'m>,
        waits: bool,
    ) -> Self {
        let opened = m.reg("opened_reg", 1).reset(0).note("the opening of the frame has been loaded");
        let written = m.reg("opening_reg", 1).note("the opening is being written");
        let now = if waits { !opened.q & pass.valid } else { !opened.q }.named("opening_now");
        let alone = (now & pass.keep).named("opening_alone").note("the event has units of its own");
        let pass = Pass {
            // A slot that aborts a group is never the first of its frame.
            valid: (pass.valid | pass.here & now).named("pass_valid"),
            last: (pass.last & !alone).named("pass_last"),
            keep: pass.keep | now,
            again: Some(pass.again.map_or(alone, |again| again | alone)),
            ..pass
        };
        opened.next_when(start, if waits { (opened.q | now) & !pass.last } else { !pass.last });
        written.next_when(start, now);
        Self { units, pass, now, written: written.q }
    }

    /// The position of its first unit.
    pub(super) fn start(&self) -> u64 {
        self.units.len() as u64 - 1
    }

    /// The unit at a position of the opening while that is written, else `unit`.
    pub(super) fn unit(&self, m: &'m Builder, position: Signal<'m>, unit: Signal<'m>) -> Signal<'m> {
        let lit = |value| m.lit(unit.width(), value);
        let positions = (1..self.units.len() as u64).rev();
        let arms = positions.zip(&self.units).map(|(position, &value)| ([position], lit(value)));
        let opening = position.case_of(arms, lit(self.units[self.units.len() - 1]));
        self.written.mux(opening.named("opening_unit"), unit)
    }
}
