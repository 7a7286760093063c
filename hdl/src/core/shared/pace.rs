//! The enables of a decoder's stages. All stages move together, and their enable is a register, since it fans out to
//! every register of the pipeline.

use std::cell::{Cell, OnceCell};

use crate::netlist::{Builder, Signal, Stage};

/// The enables of a decoder's pipeline stages. The buffer after the pipeline drives them, all stages read them.
pub(in crate::core) struct Pace<'m> {
    m: &'m Builder,
    /// The slot register and the stages after it move. This is the ready of the buffer at the end, a register.
    pub(in crate::core) advance: Signal<'m>,
    /// The stages before the slot register move.
    pub(in crate::core) take: Signal<'m>,
    /// The stages before the slot register wait: a wire that the decoder still has to drive. `None` if they never
    /// do.
    pub(in crate::core) wait: Option<Signal<'m>>,
    looks_ahead: bool,
    /// Beats of several streams come in any order, and the states of sequences are kept outside.
    is_of_streams: bool,
    advance_next: OnceCell<Signal<'m>>,
    /// The enable of the registers that hold the state of a sequence.
    of_sequence: Cell<Option<Signal<'m>>>,
}

impl<'m> Pace<'m> {
    /// A pipeline whose stages all move together. `looks_ahead` says whether the buffer at the end tells one cycle
    /// ahead that they will.
    pub(in crate::core) fn new(m: &'m Builder, looks_ahead: bool) -> Self {
        let advance = m.wire("advance", 1).note("all stages move");
        Self {
            m,
            advance,
            take: advance,
            wait: None,
            looks_ahead,
            is_of_streams: false,
            advance_next: OnceCell::new(),
            of_sequence: Cell::default(),
        }
    }

    /// A pipeline whose first stages can wait while slots that were held back go out.
    pub(in crate::core) fn with_waits(m: &'m Builder, looks_ahead: bool) -> Self {
        let advance = m.wire("advance", 1).note("the slot register and the stages after it move");
        let wait = m.wire("wait_for_slots", 1).note("the stages before the slot register wait");
        let take = (advance & !wait).named("take").note("the stages before the slot register move");
        Self {
            m,
            advance,
            take,
            wait: Some(wait),
            looks_ahead,
            is_of_streams: false,
            advance_next: OnceCell::new(),
            of_sequence: Cell::default(),
        }
    }

    /// The same pipeline, for beats of several streams in any order.
    pub(in crate::core) fn of_streams(self) -> Self {
        Self { is_of_streams: true, ..self }
    }

    /// Whether beats of several streams come in any order, so that the states of sequences are kept outside.
    pub(in crate::core) fn is_of_streams(&self) -> bool {
        self.is_of_streams
    }

    /// The registers of a stage before the slot register.
    pub(in crate::core) fn units(&self) -> Stage<'m> {
        self.m.stage(self.take)
    }

    /// The stage of the slot register, or of registers after it.
    pub(in crate::core) fn slots(&self) -> Stage<'m> {
        self.m.stage(self.advance)
    }

    /// The registers that hold the state of a sequence: they load only when a beat moves into stage 2. `present` says
    /// that there is a beat before stage 1. If the buffer at the end tells a cycle ahead when the stages move, the
    /// enable is a register.
    pub(in crate::core) fn sequence(&self, present: Signal<'m>) -> Stage<'m> {
        let stage = self.sequence_stage(present);
        self.of_sequence.set(Some(stage.enable));
        stage
    }

    fn sequence_stage(&self, present: Signal<'m>) -> Stage<'m> {
        if !self.looks_ahead {
            let in_stage_1 = self.units().flag("present_reg", present);
            return self.m.stage((self.take & in_stage_1).named("load"));
        }
        let advance_next = self.moves_next();
        let in_stage_1 = self.m.reg("present_reg", 1).reset(0).note("a beat is in the registers of stage 1");
        let present_next = self.take.mux(present, in_stage_1.q).named("present_next");
        in_stage_1.next(present_next);
        let load = self.m.reg("load_reg", 1).reset(0);
        load.next(present_next & advance_next);
        self.m.stage(match self.wait {
            None => load.note("the beat in stage 1 moves into stage 2").q,
            Some(wait) => (load.note("the beat in stage 1 moves into stage 2, unless the stages wait").q
                & !wait)
                .named("load"),
        })
    }

    /// All stages will move in the next cycle.
    pub(in crate::core) fn moves_next(&self) -> Signal<'m> {
        let wire = || self.m.wire("advance_next", 1).note("all stages will move in the next cycle");
        *self.advance_next.get_or_init(wire)
    }

    /// The enable of the registers that hold the state of a sequence, if there are any.
    pub(in crate::core) fn of_sequence(&self) -> Option<Signal<'m>> {
        self.of_sequence.get()
    }

    /// The wire that has to be driven with whether all stages move in the next cycle. `None` if no stage reads it.
    pub(in crate::core) fn advance_next(&self) -> Option<Signal<'m>> {
        self.advance_next.get().copied()
    }
}
