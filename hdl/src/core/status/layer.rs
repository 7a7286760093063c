//! The layer around a core and an observer.

use std::sync::Arc;

use super::{status_out, status_ready, status_tid_out};
use crate::core::layers::passengers::BEAT_OUT;
use crate::netlist::{Builder, InstanceHandle, Module, Port, Signal, with_next};
use crate::stream::{Fields, connect, register_slice, skid_buffer};

/// Name of the core inside of the layer, as a module and as an instance.
pub(in crate::core) const INNER: &str = "plain";

/// Name of the observer.
pub(in crate::core) const OBSERVER: &str = "observer";

/// The most frames in a core beyond one for each cycle of latency, with a margin.
const FRAMES_OF_BUFFERS: u32 = 12;

/// The output of a beat, in the order of a payload. The last is there in decoders of several streams.
const BEAT: [&str; 5] = ["m_axis_tlast", "m_axis_tkeep", "m_axis_tuser", "m_axis_tdata", BEAT_OUT];

/// A core or an observer, and its latency.
pub(in crate::core) type Part = (Arc<Module>, u32);

/// A module called `name` around a core and its observer; gives the latency of both together. If `is_buffered`, the input passes a
/// buffer, since it is not known a cycle before when the core takes a beat.
pub(in crate::core) fn around(name: &str, core: Part, observer: Part, is_buffered: bool) -> Part {
    let ((core, core_latency), (observer, status_latency)) = (core, observer);
    let m = Builder::new(name, format!("{}, with a status for each frame", core.summary()));
    let slices = status_latency.saturating_sub(core_latency);
    let latency = core_latency + slices + 1 + u32::from(is_buffered);
    let of_next: &[&str] = if is_buffered { &[] } else { &["s_axis_tready"] };
    let [core, observer] = [core, observer].map(|module| with_next(&module, of_next));
    let [inner, watch] =
        [(INNER, &core), (OBSERVER, &observer)].map(|(name, module)| m.instance(name, module));
    let layer = Layer { m: &m, core: &core };
    layer.take(inner, watch, is_buffered);
    let m_axis_tready = layer.input(port_of(&core, "m_axis_tready"));
    watch.input("status_tready", status_ready(&m));
    layer.gate(inner, watch, m_axis_tready, slices, latency + FRAMES_OF_BUFFERS);
    status_out(&m, watch.output("status_tdata"), watch.output("status_tvalid"));
    if observer.outputs().any(|port| port.name == "status_tid") {
        status_tid_out(&m, watch.output("status_tid"));
    }
    (m.built(), latency)
}

fn port_of<'p>(core: &'p Module, name: &str) -> &'p Port {
    core.ports().iter().find(|port| port.name == name).expect("the ports of a core")
}

/// The layer that is being built.
struct Layer<'m> {
    m: &'m Builder,
    core: &'m Module,
}

impl<'m> Layer<'m> {
    /// Gives the core and the observer each beat in the same cycle.
    fn take(&self, inner: InstanceHandle<'m>, watch: InstanceHandle<'m>, is_buffered: bool) {
        let m = self.m;
        let ports = || self.core.inputs().filter(|port| port.name != "m_axis_tready");
        let mut beat: Vec<Signal> = ports().map(|port| self.input(port)).collect();
        let at_valid = ports().position(|port| port.name == "s_axis_tvalid").expect("a beat is offered");
        let both = |name: &str| inner.output(name) & watch.output(name);
        let ready = if is_buffered {
            m.section("Input: the buffer makes a register of s_axis_tready");
            // The buffer has a valid bit of its own.
            let offered = beat.remove(at_valid);
            let payload = m.concat(beat.iter().copied());
            let takes = both("s_axis_tready").named("both_take");
            let buffer = m.instance("input_skid", &skid_buffer(payload.width()));
            let out = connect(buffer, offered, payload, takes);
            let mut fields = Fields::of(out.payload.named("beat"));
            let named = ports().filter(|port| port.name != "s_axis_tvalid").zip(beat);
            let name = |port: &Port| port.name.replace("s_axis_t", "beat_");
            beat = named.map(|(port, field)| fields.next(field, &name(port))).collect();
            beat.insert(at_valid, (out.valid & takes).named("beat_taken"));
            out.ready
        } else {
            let ready = m.reg("ready_reg", 1).reset(0).note("the core and the observer take a beat");
            ready.next(both("s_axis_tready_next"));
            beat[at_valid] = (beat[at_valid] & ready.q).named("beat_taken");
            ready.q
        };
        for (port, &given) in ports().zip(&beat) {
            inner.input(&port.name, given);
            if watch.module().inputs().any(|other| other.name == port.name) {
                watch.input(&port.name, given);
            }
        }
        let is_in_core = |port: &&Port| self.core.inputs().any(|other| other.name == port.name);
        // Where each unit is a code point or an error, the core has no state of a stream.
        let of_observer = |port: &&Port| port.name.starts_with("s_axis_") && !is_in_core(port);
        for port in watch.module().inputs().filter(of_observer) {
            m.port_group(port.group.as_str());
            watch.input(&port.name, m.input(&port.name, port.width, &port.note));
        }
        let port = port_of(self.core, "s_axis_tready");
        m.port_group(port.group.as_str());
        m.output("s_axis_tready", ready, &port.note);
    }

    /// Declares an input as the core has it.
    fn input(&self, port: &Port) -> Signal<'m> {
        self.m.port_group(port.group.as_str());
        let outer = self.m.input(&port.name, port.width, &port.note);
        self.labelled(port, outer)
    }

    fn labelled(&self, port: &Port, signal: Signal<'m>) -> Signal<'m> {
        match &self.core.node(port.node).labels {
            Some(labels) => signal.labels(labels),
            None => signal,
        }
    }

    /// The output of the core, whose last beats wait until their status has been offered. `room` is the most frames that are in the core
    /// and have one.
    fn gate(
        &self,
        inner: InstanceHandle<'m>,
        watch: InstanceHandle<'m>,
        m_axis_tready: Signal<'m>,
        slices: u32,
        room: u32,
    ) {
        let m = self.m;
        let is_there = |name: &&str| self.core.outputs().any(|port| port.name == *name);
        let names: Vec<&str> = BEAT.into_iter().filter(is_there).collect();
        let outputs: Vec<Signal> = names.iter().map(|name| inner.output(name)).collect();
        let mut payload = m.concat(outputs.iter().copied());
        let mut valid = inner.output("m_axis_tvalid");
        let block = register_slice(payload.width());
        if slices > 0 {
            m.section("The latency of the observer");
        }
        let mut ready = m.wire("core_output_ready", 1);
        inner.input("m_axis_tready", ready);
        for slice in 0..slices {
            let taken = m.wire(&format!("slice_{slice}_ready"), 1);
            let out = connect(m.instance(&format!("slice_{slice}"), &block), valid, payload, taken);
            m.drive(ready, out.ready);
            (valid, payload, ready) = (out.valid, out.payload, taken);
        }

        m.section("The gate: the last beat of a frame passes when its status has been offered");
        let width = u32::BITS - room.leading_zeros();
        let owed = m.reg("frames_reg", width).reset(0).note("frames whose status has been offered");
        let last = payload.bit(payload.width() - 1).named("beat_is_last");
        let opens = (!last | owed.q.any()).named("gate_opens");
        let out = connect(
            m.instance("output_slice", &block),
            (valid & opens).named("passes"),
            payload,
            m_axis_tready,
        );
        m.drive(ready, (out.ready & opens).named("gate_ready"));
        let loads = watch.output("status_loads");
        let leaves = (valid & opens & out.ready & last).named("last_leaves");
        let one = m.lit(width, 1);
        let next = leaves.mux(owed.q - one, owed.q + one);
        owed.next_when(loads ^ leaves, next);

        let mut fields = Fields::of(out.payload.named("output_beat"));
        let name_of = |name: &str| name.replace("m_axis_t", "output_").replace("m_axis_", "output_");
        let beat: Vec<Signal> =
            names.iter().zip(outputs).map(|(name, like)| fields.next(like, &name_of(name))).collect();
        for port in self.core.outputs().filter(|port| !port.name.starts_with("s_axis_")) {
            m.port_group(port.group.as_str());
            let signal = match names.iter().position(|name| *name == port.name) {
                Some(at) => beat[at],
                None => out.valid.named("output_valid"),
            };
            m.output(&port.name, self.labelled(port, signal), &port.note);
        }
    }
}
