//! Registers that are being built, and the registers of a pipeline stage.

use super::Bits;
use super::graph::{Builder, Signal};
use super::module::RegisterRole;

/// A register that is being built: [`q`](Self::q) is its value.
#[derive(Clone, Copy)]
pub struct Reg<'m> {
    /// The value that the register holds.
    pub q: Signal<'m>,
    pub(super) index: usize,
}

impl<'m> Reg<'m> {
    /// Lets the register take `value` under reset.
    ///
    /// # Panics
    /// If `value` does not fit.
    #[track_caller]
    pub fn reset(self, value: u64) -> Self {
        let value = Bits::new(self.q.width, value);
        self.q.builder.module.borrow_mut().registers[self.index].reset = Some(value);
        self
    }

    /// Comments the register, at its declaration.
    pub fn note(self, note: &str) -> Self {
        self.q.note(note);
        self
    }

    /// Says which pipeline stage the register's value is of: it was taken by the core `stage` cycles ago, where nothing waited.
    pub fn at_stage(self, stage: u32) -> Self {
        self.placed(Some(self.q.builder.folded().number(stage)), None)
    }

    /// Says which lane of the beat the register's value belongs to.
    pub fn in_lane(self, lane: usize) -> Self {
        self.placed(None, Some(lane as u32))
    }

    /// Says what function the register has in the pipeline.
    pub fn role(self, role: RegisterRole) -> Self {
        self.q.builder.module.borrow_mut().registers[self.index].role = role;
        self
    }

    /// Says that the register carries what is known of the beats before to the beat of stage `stage`, which reads and changes it: beats of
    /// another stream have another such state.
    pub fn carried(self, stage: u32) -> Self {
        let stage = self.q.builder.folded().number(stage);
        self.q.builder.module.borrow_mut().registers[self.index].carried = Some(stage);
        self
    }

    /// Sets the stage and the lane that are given, and keeps what is not.
    fn placed(self, stage: Option<u32>, lane: Option<u32>) -> Self {
        let register = &mut self.q.builder.module.borrow_mut().registers[self.index];
        register.stage = stage.or(register.stage);
        register.lane = lane.or(register.lane);
        self
    }

    /// Lets the register load `next` at every edge.
    ///
    /// # Panics
    /// If the register has a next value already, or the widths differ.
    #[track_caller]
    pub fn next(self, next: Signal<'m>) {
        self.load(None, next);
    }

    /// Lets the register load `next` at the edges where `enable`, of one bit, is 1: at all edges, if `enable` is the constant 1.
    ///
    /// # Panics
    /// As [`next`](Self::next), and if `enable` has more than one bit.
    #[track_caller]
    pub fn next_when(self, enable: Signal<'m>, next: Signal<'m>) {
        self.q.builder.owns(enable);
        enable.expect_one_bit("enable");
        self.load(Some(enable), next);
    }

    #[track_caller]
    fn load(self, enable: Option<Signal<'m>>, next: Signal<'m>) {
        let builder = self.q.builder;
        builder.same_width("next", self.q, next);
        let enable = enable.filter(|signal| signal.constant_bit() != Some(true));
        let mut module = builder.module.borrow_mut();
        let section = module.sections.len() - 1;
        let register = &mut module.registers[self.index];
        let already = register.next.is_some();
        register.next = Some(next.id);
        register.enable = enable.map(|signal| signal.id);
        register.section = section;
        drop(module);
        assert!(!already, "register {} has a next value already", self.q.describe());
    }
}

/// The registers of a pipeline stage. Each is made, named and given its next value in one call.
#[derive(Clone, Copy)]
pub struct Stage<'m> {
    pub(super) builder: &'m Builder,
    /// The registers load in the cycles in which this bit is 1.
    pub enable: Signal<'m>,
    /// The pipeline whose stages load one by one, by its index.
    pub(super) pipeline: Option<usize>,
    /// The bit that clears flags and states in place of reset.
    pub(super) flush: Option<Signal<'m>>,
    /// The pipeline stage of the registers.
    pub(super) at: Option<u32>,
    /// The lane of the beat that the registers belong to.
    pub(super) lane: Option<u32>,
    /// Registers that only delay are left out.
    pub(super) is_folded: bool,
}

impl<'m> Stage<'m> {
    /// Makes a stage whose flags and states are cleared by `flush`, of one bit, in cycles in which the registers load, and not by
    /// reset. Reset is then no part of the enable, a net that is slow if it is wide. `flush` must be 1 in the cycle after reset,
    /// and the registers must load then.
    pub fn flushed_by(self, flush: Signal<'m>) -> Self {
        Self { flush: Some(flush), ..self }
    }

    /// Makes a stage for registers of pipeline stage `stage`: without stalls, the core took their data `stage` cycles ago.
    pub fn at(self, stage: u32) -> Self {
        let enable = self.pipeline.map_or(self.enable, |pipeline| {
            let enables = &self.builder.pipelines.borrow()[pipeline];
            Signal { id: enables[(stage as usize).clamp(1, enables.len()) - 1], ..self.enable }
        });
        let folded = self.builder.folded();
        Self { enable, at: Some(folded.number(stage)), is_folded: folded.has(stage), ..self }
    }

    /// These registers, as those of a lane of the beat.
    pub fn lane(self, lane: usize) -> Self {
        Self { lane: Some(lane as u32), ..self }
    }

    /// The bit that clears flags and states, where that is not reset.
    pub fn flush(self) -> Option<Signal<'m>> {
        self.flush
    }

    /// A register of data, which reset does not change; returns the value of the register. In a [folded](Builder::fold) stage that is
    /// `next`.
    #[track_caller]
    pub fn data(self, name: &str, next: Signal<'m>) -> Signal<'m> {
        if self.is_folded {
            return self.builder.without_register(name, next);
        }
        let register = self.register(name, next.width);
        register.next_when(self.enable, next);
        register.q
    }

    /// A register that says whether something is there, which reset clears; returns the value of the register.
    #[track_caller]
    pub fn flag(self, name: &str, next: Signal<'m>) -> Signal<'m> {
        if self.is_folded {
            return self.builder.without_register(name, next);
        }
        let register = self.state(name, next.width);
        self.load(register, next);
        register.q
    }

    /// A register that reset clears, for [`load`](Self::load).
    #[track_caller]
    pub fn state(self, name: &str, width: u32) -> Reg<'m> {
        let register = self.register(name, width);
        if self.flush.is_some() { register } else { register.reset(0) }
    }

    #[track_caller]
    fn register(self, name: &str, width: u32) -> Reg<'m> {
        self.builder.reg(name, width).placed(self.at, self.lane)
    }

    /// Lets a [`state`](Self::state) load `next` with the other registers of the stage.
    #[track_caller]
    pub fn load(self, register: Reg<'m>, next: Signal<'m>) {
        let zero = || self.builder.lit(next.width, 0);
        register.next_when(self.enable, self.flush.map_or(next, |flush| flush.mux(zero(), next)));
    }
}
