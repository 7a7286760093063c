//! The output buffer: three registers, so that the stages in front of it learn a cycle ahead whether they move.

use std::sync::Arc;

use crate::netlist::{Builder, Module, Reg, Signal};

/// A buffer behind a pipeline that moves or stands still as a whole. `s_moves` says that it moves, so that a beat it offers is taken;
/// [`Room`] says a cycle ahead whether it may. All outputs are registers.
pub(super) fn output_buffer(width: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("output_buffer_w{width}"),
        "Three registers behind a pipeline that learns a cycle ahead whether it moves: every output is a register, so that no path \
         leads through. Holds three beats, adds one cycle, never a bubble.",
    );
    m.port_group("Upstream");
    let offered = m.input("s_valid", 1, "the pipeline offers a beat");
    let arriving = m.input("s_payload", width, "that beat");
    let moves = m.input("s_moves", 1, "the pipeline moves");
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let held = Held::new(&m);
    let payload = m.reg("payload_reg", width);
    let second = m.reg("second_payload_reg", width);
    let third = m.reg("third_payload_reg", width);
    let taken = (offered & moves).named("taken");
    let load =
        (!held.first.q | m_ready).named("load").note("the first register is empty, or emptied in this cycle");
    payload.next_when(load, held.second.q.mux(second.q, arriving));
    // Registers that hold no beat load whatever is on the bus: only flags say what counts.
    second.next_when(m_ready | !held.second.q, held.third.q.mux(third.q, arriving));
    third.next_when(!held.third.q, arriving);
    held.drive(taken, m_ready);
    m.output("m_valid", held.first.q, "beat is offered");
    m.output("m_payload", payload.q, "the beat");
    m.built()
}

/// Which registers of the buffer hold beats.
struct Held<'m> {
    first: Reg<'m>,
    second: Reg<'m>,
    third: Reg<'m>,
}

/// What follows from what is taken and given in a cycle.
struct HeldNext<'m> {
    second: Signal<'m>,
    third: Signal<'m>,
}

impl<'m> Held<'m> {
    fn new(m: &'m Builder) -> Self {
        let flag = |name: &str| m.reg(name, 1).reset(0);
        Self {
            first: flag("valid_reg").note("a beat is offered"),
            second: flag("second_valid_reg").note("one stands behind it"),
            third: flag("third_valid_reg").note("and a third one"),
        }
    }

    /// Takes a beat from upstream, or none, and gives the first one where `m_ready`.
    fn drive(&self, taken: Signal<'m>, m_ready: Signal<'m>) -> HeldNext<'m> {
        let [first, second, third] = [self.first.q, self.second.q, self.third.q];
        let stays = (first & !m_ready).named("stays").note("the first beat is not taken");
        let next = HeldNext {
            second: stays.mux(second | taken, second & (third | taken)).named("second_valid_next"),
            third: (stays & (third | (second & taken))).named("third_valid_next"),
        };
        self.first.next(taken | stays | second);
        self.second.next(next.second);
        self.third.next(next.third);
        next
    }
}

/// Whether the pipeline in front of the buffer moves.
pub(super) struct Room<'m> {
    /// It does, in this cycle. A register.
    pub(super) moves: Signal<'m>,
    /// It will, in the next one. A register.
    pub(super) moves_next: Signal<'m>,
}

impl<'m> Room<'m> {
    /// Follows how many beats the buffer holds. The pipeline offers a beat if `offered`, and will in the next cycle, if it moves in this
    /// one, if `offered_next`.
    pub(super) fn follow(
        m: &'m Builder,
        offered: Signal<'m>,
        offered_next: Signal<'m>,
        m_ready: Signal<'m>,
    ) -> Self {
        let moves = m.reg("moves_reg", 1).reset(1).note("the pipeline moves");
        let ahead = m
            .reg("moves_next_reg", 1)
            .reset(1)
            .note("it will in the next cycle: the buffer has room even then");
        let held = Held::new(m);
        let next = held.drive((offered & moves.q).named("taken_by_buffer"), m_ready);
        let taken_next = (ahead.q & moves.q.mux(offered_next, offered)).named("taken_by_buffer_next");
        ahead.next(!(next.third | (next.second & taken_next)));
        moves.next(ahead.q);
        Self { moves: moves.q, moves_next: ahead.q }
    }
}
