//! The movement of a decoder's pipeline: all stages move together.

use crate::netlist::{Builder, Signal, Stage};

/// The enables of the registers of a pipeline.
pub(super) struct Pipeline<'m> {
    m: &'m Builder,
    /// All stages move; a wire that the output drives.
    pub(super) advance: Signal<'m>,
}

impl<'m> Pipeline<'m> {
    pub(super) fn new(m: &'m Builder) -> Self {
        Self { m, advance: m.wire("advance", 1).note("all stages move") }
    }

    /// The registers of a stage.
    pub(super) fn stage(&self) -> Stage<'m> {
        self.m.stage(self.advance)
    }
}

/// Registers that take `signal` from stage `from` to stage `to`; their names are `name` and the number of the stage.
pub(super) fn delay<'m>(stage: Stage<'m>, name: &str, signal: Signal<'m>, from: u32, to: u32) -> Signal<'m> {
    (from + 1..=to).fold(signal, |signal, at| stage.data(&format!("{name}_{at}_reg"), signal))
}

/// The same with registers that reset clears.
pub(super) fn delay_flag<'m>(
    stage: Stage<'m>,
    name: &str,
    signal: Signal<'m>,
    from: u32,
    to: u32,
) -> Signal<'m> {
    (from + 1..=to).fold(signal, |signal, at| stage.flag(&format!("{name}_{at}_reg"), signal))
}
