//! Interleaved streams: a layer around the pipeline of a validator, in which beats of several streams come in any order.
//!
//! ```text
//!            ┌─ layer ──────────────────────────────────────────────────────────┐
//!  beats ────│──────────────> stage 1 ──> stage 2 ──> ... ──────────────────────│──> beats
//!            │                          state │ ^ state after the beat          │
//!            │                         before v │                               │
//!  tid ──────│──> stage 1 ── address ──> memory: a word for each stream         │
//!            └──────────────────────────────────────────────────────────────────┘
//! ```
//!
//! A pipeline of one stream carries states from beat to beat in registers. Here, there is a record of them for each stream: see
//! [`states_outside`]. Each stage that has such a record reads and changes it in one cycle. The record of a beat is read
//! from the memory while the beat is in the stage before. A beat of the same stream that is one stage ahead writes at the same edge;
//! the read then gives what is written, so two beats of a stream may follow each other at once.
//!
//! After reset, a counter clears the records one by one. No beat is taken meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::core::CoreSpec;
use crate::netlist::{
    Builder, Collision, InstanceHandle, Memory, Module, Read, RegisterRole, Signal, State, states_outside,
};

/// Name of the pipeline inside of the layer, as a module and as an instance.
pub(in crate::core) const INNER: &str = "pipeline";
/// An input of the pipeline: states are being cleared.
const SWEEPS: &str = "sweeps";
/// An output of the pipeline: the stages move.
const MOVES: &str = "stages_move";
/// Heading of the ports between the pipeline and the layer.
const GROUP: &str = "Streams";

/// Declares the input of a pipeline that is 1 while the states of streams are cleared.
pub(in crate::core) fn sweeps_in(m: &Builder) -> Signal<'_> {
    m.port_group(GROUP);
    m.input(SWEEPS, 1, "after reset: the states of streams are cleared, and no beat is taken")
}

/// Declares the output of a pipeline that says whether its stages move.
pub(in crate::core) fn moves_out<'m>(m: &'m Builder, moves: Signal<'m>) {
    m.port_group(GROUP);
    m.output(MOVES, moves, "the stages move");
}

/// The input with the stream of a beat, which a pipeline has where it reads that itself.
const TID: &str = "s_axis_tid";

/// Declares the input of a pipeline that reads the stream of each beat.
pub(in crate::core) fn tid_in<'m>(m: &'m Builder, spec: &CoreSpec) -> Signal<'m> {
    m.input(TID, spec.streams.ilog2(), OF_BEAT)
}

/// The meaning of the number of a stream.
const OF_BEAT: &str = "the stream of the beat";

/// Whether a port of a pipeline is one of the layer around it.
fn is_of_layer(name: &str) -> bool {
    name.contains("_axis_") || name.starts_with("status_")
}

/// A module called `name` for the streams of `spec` around the pipeline of one stream; and the cycles after reset in which it takes no beat.
pub(in crate::core) fn around(name: &str, pipeline: &Module, spec: &CoreSpec) -> (Arc<Module>, u32) {
    let (pipeline, states) = states_outside(pipeline);
    let (streams, summary) = (spec.streams, pipeline.summary());
    let m = Builder::new(name, format!("{summary}; beats of {streams} streams in any order, by TID"));
    let inner = m.instance(INNER, &pipeline);
    let bits = streams.ilog2();
    let layer = Layer { m: &m, pipeline: &pipeline, inner, bits };
    let (group, tid) = layer.inputs();
    // An observer has states in memories of its own, and the core takes no beat while they are cleared.
    let has_states = !states.is_empty() || spec.status;
    let (sweeps, swept) = layer.sweep(has_states);
    if let Some(swept) = swept.filter(|_| !states.is_empty()) {
        let tid = tid.unwrap_or_else(|| {
            m.port_group(group);
            m.input(TID, bits, OF_BEAT)
        });
        layer.memories(&states, tid, sweeps, swept);
    }
    layer.outputs();
    let cycles = if has_states { streams } else { 1 };
    (m.built_trimmed(), cycles)
}

/// The layer that is being built.
struct Layer<'a, 'm> {
    m: &'m Builder,
    pipeline: &'a Module,
    inner: InstanceHandle<'m>,
    /// Bits of a stream's number.
    bits: u32,
}

impl<'m> Layer<'_, 'm> {
    /// Declares the inputs, and connects those of the pipeline; gives the heading of the ports of a beat, and the stream of a beat if the pipeline reads
    /// that.
    fn inputs(&self) -> (String, Option<Signal<'m>>) {
        let m = self.m;
        let (mut group, mut tid) = (String::new(), None);
        for port in self.pipeline.inputs().filter(|port| is_of_layer(&port.name)) {
            if port.name == "s_axis_tdata" {
                group.clone_from(&port.group);
            }
            m.port_group(port.group.as_str());
            let input = m.input(&port.name, port.width, &port.note);
            self.inner.input(&port.name, input);
            if port.name == TID {
                tid = Some(input);
            }
        }
        (group, tid)
    }

    /// Whether states are cleared, after reset, and the stream whose states are. `None` where no stage has a state, in a system in which
    /// each unit is a code point or an error: the stages of the pipeline are cleared all the same.
    fn sweep(&self, has_states: bool) -> (Signal<'m>, Option<Signal<'m>>) {
        let m = self.m;
        m.section("After reset, the states of all streams are cleared, one in a cycle");
        let sweeps = m.reg("sweeps_reg", 1).reset(1).role(RegisterRole::Flush);
        let sweeps = sweeps.note("states are cleared, and no beat is taken");
        let swept = has_states.then(|| {
            let swept = m.reg("swept_stream_reg", self.bits).reset(0);
            swept.next_when(sweeps.q, swept.q + m.lit(self.bits, 1));
            swept.note("the stream whose states are cleared").q
        });
        sweeps.next(swept.map_or(m.lit(1, 0), |swept| sweeps.q & !swept.all()));
        self.inner.input(SWEEPS, sweeps.q);
        (sweeps.q, swept)
    }

    /// Keeps the states in memories, those of one stage in one.
    fn memories(&self, states: &[State], tid: Signal<'m>, sweeps: Signal<'m>, swept: Signal<'m>) {
        let (m, inner) = (self.m, self.inner);
        let mut records: BTreeMap<u32, Vec<&State>> = BTreeMap::new();
        for state in states {
            records.entry(state.stage).or_default().push(state);
        }
        // A pipeline without enables does not say that it moves.
        let waits = self.pipeline.outputs().any(|port| port.name == MOVES);
        let moves = if waits { inner.output(MOVES) } else { m.lit(1, 1) };
        let last = states.iter().map(|state| state.stage).max().unwrap_or(0);
        m.section("The stream of the beat in each stage");
        let mut tids = vec![tid];
        for stage in 1..=last {
            let tid = m.stage(moves).at(stage).data(&format!("tid_{stage}_reg"), tids[stage as usize - 1]);
            tids.push(tid);
        }
        let mut memories: BTreeMap<u32, Arc<Module>> = BTreeMap::new();
        for (stage, record) in records {
            let loads = &record[0].loads;
            assert!(
                record.iter().all(|state| state.loads == *loads),
                "the states of a stage are loaded together"
            );
            m.stage_section(stage, "the states of the streams");
            assert!(stage > 0, "a state is read while its beat is in the stage before");
            let width = record.iter().map(|state| state.width).sum();
            let memory = memories.entry(width).or_insert_with(|| {
                let read = Read::Registered(Collision::New);
                Memory { read, ..Memory::new(1 << self.bits, width) }.module()
            });
            let [before, now] = [tids[stage as usize - 1], tids[stage as usize]];
            let after = m.concat(record.iter().map(|state| inner.output(&state.output())));
            let after = after.named(&format!("states_after_stage_{stage}"));
            let writes = loads.as_ref().map_or(m.lit(1, 1), |loads| inner.output(loads) | sweeps);
            let memory = m
                .instance(&format!("states_of_stage_{stage}"), memory)
                .input("write", writes)
                .input("write_address", sweeps.mux(swept, now))
                .input("write_data", after.when(!sweeps))
                .input("read_address", if waits { moves.mux(before, now) } else { before });
            let read = memory.output("read_data");
            let mut high = width;
            for state in record {
                high -= state.width;
                inner.input(&state.input, read.bits(high..high + state.width));
            }
        }
    }

    /// Declares the outputs of the pipeline that are ports.
    fn outputs(&self) {
        for port in self.pipeline.outputs().filter(|port| is_of_layer(&port.name)) {
            self.m.port_group(port.group.as_str());
            self.m.output(&port.name, self.inner.output(&port.name), &port.note);
        }
    }
}
