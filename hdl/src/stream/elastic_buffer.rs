//! Two registers used in turn, which cut the handshake both ways.

use std::sync::Arc;

use super::ports::{downstream, upstream};
use crate::netlist::{Builder, Module};

/// A buffer of two beats of `width` bits. Ready and valid are registers, and the payload comes from registers through
/// a multiplexer.
///
/// It cuts the same paths as a [`skid_buffer`](super::skid_buffer), for the same area. The ready of the sink decides
/// only which register is offered next, so the payload does not depend on it. Module name `elastic_buffer_w<width>`.
///
/// # Panics
/// If `width` is 0.
pub fn elastic_buffer(width: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("elastic_buffer_w{width}"),
        "Two registers used in turn between valid/ready neighbours: ready and valid are registers, and no payload \
         moves when a beat is taken. Holds two beats, adds one cycle, never a bubble.",
    );
    let input = upstream(&m, width);
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let ready = m.reg("ready_reg", 1).reset(0).note("there is room for a beat");
    let valid = m.reg("valid_reg", 1).reset(0).note("there is a beat");
    let second_next =
        m.reg("second_next_reg", 1).reset(0).note("the second register is the next to be taken");
    let first = m.reg("first_reg", width);
    let second = m.reg("second_reg", width);

    valid.next(input.valid & ready.q | valid.q & !(m_ready & ready.q));
    ready.next(!(valid.q & !m_ready & (input.valid | !ready.q)));
    second_next.next(second_next.q ^ (valid.q & m_ready));
    // While there is room, the free register loads the bus in every cycle; `valid_reg` says whether the data counts.
    let fills_first = (ready.q & second_next.q.eq(valid.q)).named("fills_first");
    let fills_second = (ready.q & second_next.q.ne(valid.q)).named("fills_second");
    first.next_when(fills_first, input.payload);
    second.next_when(fills_second, input.payload);

    m.port_group("Upstream");
    m.output("s_ready", ready.q, "beat is taken");
    m.port_group("Downstream");
    downstream(&m, valid.q, second_next.q.mux(second.q, first.q));
    m.built()
}
