//! Two registers that cut the handshake both ways.

use std::sync::Arc;

use super::ports::{downstream, upstream};
use crate::netlist::{Builder, Module, RegisterRole};

/// A buffer of two beats of `width` bits that cuts every path, that of ready included: all outputs are registers.
///
/// Since ready is a register, it falls one cycle after a beat has not been taken downstream. The beat that may arrive
/// in that cycle skids into the second register. Module name `skid_buffer_w<width>`.
///
/// # Panics
/// If `width` is 0.
pub fn skid_buffer(width: u32) -> Arc<Module> {
    build(width, Known::None)
}

/// A [`skid_buffer`] that also gives the ready of the next cycle, at `s_ready_next`, for an enable that is to be a
/// register. That output is no register itself, and depends on `s_valid` and `m_ready`. Module name
/// `skid_buffer_ahead_w<width>`.
///
/// # Panics
/// If `width` is 0.
pub fn skid_buffer_ahead(width: u32) -> Arc<Module> {
    build(width, Known::UpstreamAhead)
}

/// A [`skid_buffer`] with the input `m_ready_next` in place of `m_ready`: whether the beat is taken in the next cycle, if one is offered. So the
/// enable of the first register of the payload can be a register, too. In the first cycle after reset, no beat is taken. Module name
/// `skid_buffer_told_w<width>`.
///
/// # Panics
/// If `width` is 0.
pub fn skid_buffer_told(width: u32) -> Arc<Module> {
    build(width, Known::DownstreamAhead)
}

/// Which ready is known a cycle ahead: none, `s_ready`, or `m_ready`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    None,
    UpstreamAhead,
    DownstreamAhead,
}

fn build(width: u32, known: Known) -> Arc<Module> {
    let looks_ahead = known == Known::UpstreamAhead;
    let variant = match known {
        Known::None => "",
        Known::UpstreamAhead => "_ahead",
        Known::DownstreamAhead => "_told",
    };
    let cuts = match looks_ahead {
        false => "every output is a register, so that no path leads through",
        true => "every output but s_ready_next is a register, so that no other path leads through",
    };
    let m = Builder::new(
        format!("skid_buffer{variant}_w{width}"),
        format!(
            "Two registers between valid/ready neighbours: {cuts}. The beat that arrives while ready is still falling \
             skids into the second register. Holds two beats, adds one cycle, never a bubble."
        ),
    );
    let input = upstream(&m, width);
    m.port_group("Downstream");
    let m_ready = match known {
        Known::DownstreamAhead => {
            m.input("m_ready_next", 1, "beat is taken in the next cycle, if one is offered")
        }
        _ => m.input("m_ready", 1, "beat is taken"),
    };

    let ready = m
        .reg("ready_reg", 1)
        .reset(0)
        .note("there is room for a beat: none has skidded")
        .role(RegisterRole::BufferReady);
    let valid = m.reg("valid_reg", 1).reset(0).role(RegisterRole::Buffer);
    let payload = m.reg("payload_reg", width).role(RegisterRole::Buffer);
    let skid_valid = m.reg("skid_valid_reg", 1).reset(0).role(RegisterRole::BufferSkid);
    let skid_payload = m.reg("skid_payload_reg", width).role(RegisterRole::Buffer);

    let accept = (input.valid & ready.q).named("accept");
    let ahead = (known == Known::DownstreamAhead).then(|| m.reg("load_reg", 1).reset(1));
    let load = match &ahead {
        Some(load) => load.q,
        None => (!valid.q | m_ready).named("load"),
    };
    let load = load.note("the first register is empty, or emptied in this cycle");
    let skids = (!load & (skid_valid.q | accept)).named("skids").note("the second register holds a beat");

    let valid_next = !load | skid_valid.q | accept;
    valid.next(valid_next);
    if let Some(load) = ahead {
        load.next(!valid_next.named("valid_next") | m_ready);
    }
    payload.next_when(load, skid_valid.q.mux(skid_payload.q, input.payload));
    skid_valid.next(skids);
    // While the second register is empty, it loads the bus in every cycle; `skid_valid_reg` says whether the data
    // counts. `ready_reg` could be the enable, too, but drives whole pipelines already.
    skid_payload.next_when(!skid_valid.q, input.payload);
    ready.next(!skids);

    m.port_group("Upstream");
    m.output("s_ready", ready.q, "beat is taken");
    if looks_ahead {
        m.output("s_ready_next", !skids, "beat will be taken in the next cycle; no register");
    }
    m.port_group("Downstream");
    downstream(&m, valid.q, payload.q);
    m.built()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    #[test]
    fn a_buffer_that_is_told_a_cycle_ahead_does_what_one_does_that_is_not() {
        let mut random = Random::new(7);
        let (mut plain, mut told) = (Evaluator::new(&skid_buffer(16)), Evaluator::new(&skid_buffer_told(16)));
        plain.reset();
        told.reset();
        let (mut takes, mut given) = (0, 0);
        for cycle in 0..3000 {
            let [valid, payload, takes_next] = [random.below(2), random.below(1 << 16), random.below(2)];
            for block in [&mut plain, &mut told] {
                block.set("s_valid", valid);
                block.set("s_payload", payload);
            }
            plain.set("m_ready", takes);
            told.set("m_ready_next", takes_next);
            let offers = plain.get("m_valid");
            assert_eq!(told.get("m_valid"), offers, "cycle {cycle}");
            assert_eq!(told.get("s_ready"), plain.get("s_ready"), "cycle {cycle}");
            if offers == 1 {
                assert_eq!(told.get("m_payload"), plain.get("m_payload"), "cycle {cycle}");
            }
            given += offers & takes;
            plain.clock();
            told.clock();
            takes = takes_next;
        }
        assert!(given > 1000, "{given} beats");
    }
}
