//! The counters of frames of several streams: a word of a memory for each stream.
//!
//! ```text
//!            buffer ──> beat ──┬──> register ──> counters ──> status
//!                              │                  │ ^ counters after the beat
//!                              │           before v │
//!                              └─ address ──> memory: a word for each stream
//! ```
//!
//! The beat is in a register while the counters of its stream are read. Two beats of a stream may follow each other at once, since the memory gives what is
//! written at the same edge.

use std::sync::Arc;

use super::tally::{ABOUT, Counted, beat, count};
use crate::netlist::{Builder, Collision, Memory, Module, Read, Signal, states_outside};

/// The streams of a tally.
#[derive(Clone, Copy)]
pub(in crate::core) struct TallyStreams<'m> {
    /// The stream of the beat.
    pub(in crate::core) tid: Signal<'m>,
    /// After reset: counters are cleared, and there is no beat.
    pub(in crate::core) sweeps: Signal<'m>,
}

/// Cycles more than with one stream from a beat that ends its frame to the status of the frame.
pub(in crate::core) const LATENCY_OF_STREAMS: u32 = 1;

/// The module of the counters of streams, whose numbers have `bits` bits, for fields as wide as those of `like`.
pub(super) fn module_of_streams(like: Counted<'_>, bits: u32) -> Arc<Module> {
    with_memory(&counters(like, bits), bits)
}

/// The counters as registers that are [carried](crate::netlist::Reg::carried), and the register of the beat.
fn counters(like: Counted<'_>, bits: u32) -> Arc<Module> {
    let m = Builder::new("counters", ABOUT);
    let (beat, takes, status_tready) = beat(&m, like, Some(bits));
    let tid = beat.tid.expect("a beat of a stream");
    m.section("The beat, while the counters of its stream are read");
    let stage = m.stage(takes).at(1);
    let valid = stage.flag("read_valid_reg", beat.counted.valid);
    let here = stage.data("read_tid_reg", tid);
    let mut fields = beat.counted.fields().into_iter();
    let counted = beat.counted.each(valid, m.lit(1, 0), |name| {
        let (field, signal) = fields.next().expect("a register for each field");
        assert_eq!(field, name, "fields are in order");
        match name {
            _ if signal.is_constant() => signal,
            // Only a beat that is there waits for the status before.
            "last" => stage.data("read_last_reg", signal) & valid,
            _ => stage.data(&format!("read_{name}_reg"), signal),
        }
    });
    let loads = count(&m, counted, takes, status_tready, true);
    let of_status = m.reg("status_tid_reg", bits);
    of_status.next_when(loads, here);
    m.port_group("The stream");
    m.output("status_tid", of_status.q, "the stream of the status");
    m.output("tid", here, "the stream of the beat that is counted");
    m.output("tid_next", takes.mux(tid, here), "that of the beat that is counted in the next cycle");
    m.built()
}

/// The counters of streams, whose numbers have `bits` bits, in a memory of a word for each stream.
fn with_memory(counters: &Module, bits: u32) -> Arc<Module> {
    let (counters, states) = states_outside(counters);
    let m = Builder::new("tally", format!("{ABOUT} The counters of the streams are in a memory."));
    let inner = m.instance("counters", &counters);
    for port in counters.inputs().filter(|port| !port.name.starts_with("state_")) {
        m.port_group(port.group.as_str());
        inner.input(&port.name, m.input(&port.name, port.width, &port.note));
    }
    m.port_group("The stream");
    let sweeps = m.input("sweeps", 1, "after reset: the counters are cleared, and there is no beat");
    m.section("The counters of each stream");
    let swept = m.reg("swept_stream_reg", bits).reset(0).note("the stream whose counters are cleared");
    swept.next_when(sweeps, swept.q + m.lit(bits, 1));
    let width = states.iter().map(|state| state.width).sum();
    let memory = Memory { read: Read::Registered(Collision::New), ..Memory::new(1 << bits, width) };
    let after = m.concat(states.iter().map(|state| inner.output(&state.output()))).named("counters_after");
    let loads = states[0].loads.as_ref().expect("counters have an enable");
    assert!(states.iter().all(|state| state.loads.as_ref() == Some(loads)), "counters are loaded together");
    let memory = m
        .instance("counters_of_streams", &memory.module())
        .input("write", inner.output(loads) | sweeps)
        .input("write_address", sweeps.mux(swept.q, inner.output("tid")))
        .input("write_data", after.when(!sweeps))
        .input("read_address", inner.output("tid_next"));
    let read = memory.output("read_data");
    let mut high = width;
    for state in &states {
        high -= state.width;
        inner.input(&state.input, read.bits(high..high + state.width));
    }
    let of_states = |name: &str| {
        name == "tid"
            || name == "tid_next"
            || name == loads
            || states.iter().any(|state| state.output() == name)
    };
    for port in counters.outputs().filter(|port| !of_states(&port.name)) {
        m.port_group(port.group.as_str());
        m.output(&port.name, inner.output(&port.name), &port.note);
    }
    m.built()
}
