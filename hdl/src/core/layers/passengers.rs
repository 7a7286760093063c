//! Passengers: signals of the user's that go with each frame, in a layer around a core.
//!
//! ```text
//!            ┌─ layer ─────────────────────────────────────────────┐
//!  beats ────│──────────────────> core ────────────────────────────│──> beats
//!  tid, ─────│─> FIFO, a frame an entry ── its head, a register ───│──> tid, tdest
//!  tdest     │                                                     │
//!  tuser ────│─> FIFO ── its head, with tlast ── output register ──│──> tuser
//!            └─────────────────────────────────────────────────────┘
//! ```
//!
//! TID and TDEST come in with the first beat of a frame, and go out with all beats of the frame. The bits of TUSER come in with
//! the last beat, and go out with the last beat; in a validator, whose beats go through, each beat has its own. In a decoder of several streams they go through
//! the core itself, since a beat that makes no slot takes its signals with it. The core tells a cycle ahead whether its output will
//! hold the last beat of a frame ([`with_next`]), so that these bits come from a register, too. A beat waits in the core for
//! `latency` cycles, at least two; what is pushed with the beat is at the head of the FIFO in the cycle after that.
//!
//! A core holds at most one frame for each beat that it holds: [`room`] has the bound.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::core::{CoreSpec, Passengers};
use crate::netlist::{Builder, InstanceHandle, Module, Reg, Signal, with_next};
use crate::stream::fifo;

/// Name of the core inside of the layer, as a module and as an instance.
pub(in crate::core) const INNER: &str = "codec";

/// Beats that a core can hold beyond one for each cycle of the latency: those in the core's buffers, with a margin.
const BEATS_OF_BUFFERS: u32 = 8;

/// The ports of a pipeline through which signals of the user's go with each beat: TID, TDEST and the user's bits of TUSER, from the low bits up.
const BEAT_IN: &str = "s_axis_passengers";
pub(in crate::core) const BEAT_OUT: &str = "m_axis_passengers";

/// Declares the input of a pipeline whose slots go out with the signals of their beat.
pub(in crate::core) fn beat_in<'m>(m: &'m Builder, spec: &CoreSpec) -> Signal<'m> {
    let Passengers { tid, tdest, tuser } = spec.passengers;
    m.input(BEAT_IN, tid + tdest + tuser, "signals of the beat that go through")
}

/// Declares the output of such a pipeline.
pub(in crate::core) fn beat_out<'m>(m: &'m Builder, passengers: Signal<'m>) {
    m.output(BEAT_OUT, passengers, "the same of the beat of the slots");
}

/// The most frames that a core of this latency can hold: with credits, one for each beat that may be under way.
fn room(spec: &CoreSpec, latency: u32) -> u32 {
    let of_credits = spec.stall.memory().map_or(0, |_| fifo::most(fifo::words(latency, true)));
    of_credits.max(latency + BEATS_OF_BUFFERS)
}

/// A module called `name` with passengers around `core`.
pub(in crate::core) fn around(name: &str, core: &Arc<Module>, spec: &CoreSpec, latency: u32) -> Arc<Module> {
    assert!(latency >= 2, "what comes in with a beat is at the head of its FIFO in time");
    let Passengers { tid, tdest, tuser } = spec.passengers;
    let core = match tuser > 0 && !spec.has_user_of_beats() {
        false => Arc::clone(core),
        true => with_next(core, &["m_axis_tvalid", "m_axis_tlast"]),
    };
    let names: Vec<String> = spec.passengers.present().map(|(option, _)| option.to_uppercase()).collect();
    let m = Builder::new(name, format!("{}, with {} of the user's", core.summary(), names.join(", ")));
    let layer = Layer::new(&m, &core, spec, room(spec, latency));
    let signal = |name: &str| layer.signal(name);
    let ids = || {
        let ids = [("s_axis_tdest", tdest), ("s_axis_tid", tid)].into_iter().filter(|&(_, bits)| bits > 0);
        m.concat(ids.map(|(name, _)| signal(name)))
    };
    if spec.has_slots_of_streams() {
        // The core carries these passengers through its own pipeline.
        layer.inner.input(BEAT_IN, m.concat(layer.user_in.into_iter().chain([ids()])));
        let given = layer.inner.output(BEAT_OUT);
        let user = (tuser > 0).then(|| given.bits(tid + tdest..tid + tdest + tuser));
        layer.outputs(Some(given.bits(0..tid + tdest)), user);
        return m.built();
    }
    let taken = (signal("s_axis_tvalid") & signal("s_axis_tready")).named("beat_taken");
    // Both FIFOs of several streams read these.
    let of_beats = OnceCell::new();
    let beat_goes_out = || {
        *of_beats.get_or_init(|| {
            let goes_out = signal("s_axis_tkeep").any() | signal("s_axis_tlast");
            let pushed = (taken & goes_out).named("beat_goes_out");
            (pushed, (signal("m_axis_tvalid") & signal("m_axis_tready")).named("beat_given"))
        })
    };
    let frame = (tid + tdest > 0).then(|| {
        if spec.streams > 0 {
            m.section("TID and TDEST: pushed with each beat that goes out, and given with it");
            let (pushed, given) = beat_goes_out();
            return layer.fifo("beat_fifo", pushed, ids(), given);
        }
        m.section(
            "TID and TDEST of a frame: pushed with its first beat, held until its last beat has gone out",
        );
        let begins = m.reg("begins_reg", 1).reset(1).note("the next beat is a frame's first");
        begins.next_when(taken, signal("s_axis_tlast"));
        let given = signal("m_axis_tvalid") & signal("m_axis_tready") & signal("m_axis_tlast");
        layer.fifo("frame_fifo", (taken & begins.q).named("frame_begins"), ids(), given.named("frame_given"))
    });
    let user = (tuser > 0 && spec.has_user_of_beats()).then(|| {
        m.section("The user's bits of TUSER: pushed with each beat that goes out, and given with it");
        let (pushed, given) = beat_goes_out();
        layer.fifo("user_fifo", pushed, layer.user_in.expect("the core takes the user's bits"), given)
    });
    let user = user.or_else(|| (tuser > 0).then(|| {
        m.section("The user's bits of TUSER: pushed with a frame's last beat, and given with the last beat that goes out");
        let ended = (taken & signal("s_axis_tlast")).named("frame_ended");
        let loads = (!signal("m_axis_tvalid") | signal("m_axis_tready")).named("output_loads");
        let ends = signal("m_axis_tvalid_next") & signal("m_axis_tlast_next");
        let ends = ends.named("output_ends_next").note("the next output beat is a frame's last");
        let user = layer.user_in.expect("the core takes the user's bits");
        let head = layer.fifo("user_fifo", ended, user, (loads & ends).named("user_given"));
        let given = m.reg("output_user_reg", tuser).note("the user's bits with tlast, and else 0");
        given.next_when(loads, head.when(ends));
        given.q
    }));
    layer.outputs(frame, user);
    m.built()
}

/// The meanings of the ports.
const OF_FRAME: &str = "of the frame, on all its beats";
const OF_END: &str = "with tlast: the user's bits of the frame";
const OF_STREAM: &str = "the stream of the beat, in the low bits";
const OF_BEAT_ID: &str = "of the beat";
const OF_BEAT: &str = "the user's bits of the beat";

/// The layer that is being built.
struct Layer<'m> {
    m: &'m Builder,
    core: &'m Module,
    inner: InstanceHandle<'m>,
    passengers: Passengers,
    /// Entries of a FIFO.
    room: u32,
    /// The FIFOs by their widths: two of one width are instances of one module.
    fifos: RefCell<BTreeMap<u32, Arc<Module>>>,
    /// TID and TDEST are of each beat.
    is_of_beats: bool,
    /// The meaning of the user's bits.
    of_user: &'static str,
    /// The inputs of the layer.
    inputs: BTreeMap<String, Signal<'m>>,
    /// The user's bits of the input.
    user_in: Option<Signal<'m>>,
}

impl<'m> Layer<'m> {
    /// Declares the inputs, and connects those of the core.
    fn new(m: &'m Builder, core: &'m Arc<Module>, spec: &CoreSpec, room: u32) -> Self {
        let (inner, inputs, passengers) = (m.instance(INNER, core), BTreeMap::new(), spec.passengers);
        let of_user = if spec.has_user_of_beats() { OF_BEAT } else { OF_END };
        let mut layer = Self {
            m,
            core,
            inner,
            passengers,
            room,
            fifos: RefCell::default(),
            is_of_beats: spec.streams > 0,
            of_user,
            inputs,
            user_in: None,
        };
        for port in core.inputs().filter(|port| port.name != BEAT_IN) {
            m.port_group(port.group.as_str());
            if port.name == "s_axis_tid" {
                // The low bits are the number of the stream.
                let outer = m.input(&port.name, passengers.tid, OF_STREAM);
                inner.input(&port.name, outer.bits(0..port.width));
                layer.inputs.insert(port.name.clone(), outer);
                continue;
            }
            let extra = if port.name == "s_axis_tuser" { passengers.tuser } else { 0 };
            let note = if extra > 0 { format!("{}; above, {of_user}", port.note) } else { port.note.clone() };
            let outer = m.input(&port.name, port.width + extra, &note);
            if extra > 0 {
                layer.user_in = Some(outer.bits(port.width..port.width + extra));
                inner.input(&port.name, outer.bits(0..port.width));
            } else {
                if let Some(labels) = &core.node(port.node).labels {
                    outer.labels(labels);
                }
                inner.input(&port.name, outer);
            }
            layer.inputs.insert(port.name.clone(), outer);
        }
        m.port_group(layer.group("s_axis_tlast"));
        let Passengers { tid, tdest, tuser } = passengers;
        for (name, bits) in
            [("s_axis_tid", tid), ("s_axis_tdest", tdest)].into_iter().filter(|&(_, bits)| bits > 0)
        {
            let of = if spec.streams > 0 { OF_BEAT_ID } else { OF_FRAME };
            layer.inputs.entry(name.to_owned()).or_insert_with(|| m.input(name, bits, of));
        }
        if tuser > 0 && layer.user_in.is_none() {
            layer.user_in = Some(m.input("s_axis_tuser", tuser, of_user));
        }
        layer
    }

    /// The heading of the group of one of the core's ports.
    fn group(&self, name: &str) -> &'m str {
        let port = self.core.ports().iter().find(|port| port.name == name);
        port.map_or("", |port| port.group.as_str())
    }

    /// An input of the layer, or an output of the core.
    fn signal(&self, name: &str) -> Signal<'m> {
        self.inputs.get(name).copied().unwrap_or_else(|| self.inner.output(name))
    }

    /// The head of a FIFO.
    fn fifo(&self, name: &str, pushes: Signal<'m>, entry: Signal<'m>, pops: Signal<'m>) -> Signal<'m> {
        let mut fifos = self.fifos.borrow_mut();
        let fifo = fifos.entry(entry.width()).or_insert_with(|| fifo(entry.width(), self.room));
        let fifo = self.m.instance(name, fifo);
        fifo.input("s_push", pushes).input("s_entry", entry).input("m_pop", pops).output("m_entry")
    }

    /// Declares the outputs: those of the core, with the user's bits above TUSER, and TID and TDEST.
    fn outputs(&self, frame: Option<Signal<'m>>, user: Option<Signal<'m>>) {
        let m = self.m;
        for port in self.core.outputs().filter(|port| !port.name.ends_with("_next") && port.name != BEAT_OUT)
        {
            m.port_group(port.group.as_str());
            let inner = self.inner.output(&port.name);
            match user.filter(|_| port.name == "m_axis_tuser") {
                Some(user) => {
                    m.output(
                        &port.name,
                        m.concat([user, inner]),
                        &format!("{}; above, {}", port.note, self.of_user),
                    );
                }
                None => {
                    if let Some(labels) = &self.core.node(port.node).labels {
                        inner.labels(labels);
                    }
                    m.output(&port.name, inner, &port.note);
                }
            }
        }
        let Some(frame) = frame else { return };
        m.port_group(self.group("m_axis_tlast"));
        let Passengers { tid, tdest, .. } = self.passengers;
        for (name, bits, low) in [("m_axis_tid", tid, 0), ("m_axis_tdest", tdest, tid)] {
            if bits > 0 {
                let of = if self.is_of_beats { OF_BEAT_ID } else { OF_FRAME };
                m.output(name, frame.bits(low..low + bits), of);
            }
        }
    }
}

/// A FIFO of `room` entries of `width` bits. The first entry, a register, is the output; entries move down as it is popped.
///
/// Cost: a LUT and a register for each bit of each entry.
fn fifo(width: u32, room: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("frames_w{width}_d{room}"),
        format!(
            "A FIFO of {room} entries, the first of which is the output. An entry that is pushed is valid in the next cycle. Whoever              pushes knows that there is room, and whoever pops that there is an entry."
        ),
    );
    m.port_group("Upstream");
    let pushes = m.input("s_push", 1, "an entry is added");
    let entry = m.input("s_entry", width, "the entry");
    m.port_group("Downstream");
    let pops = m.input("m_pop", 1, "the first entry is removed");
    let held = m.reg("held_reg", room).reset(0).note("a bit for each entry, from the first one on");
    let entries: Vec<Reg> = (0..room).map(|index| m.reg(&format!("entry_{index}_reg"), width)).collect();

    let below = m.concat([held.q.bits(0..room - 1), m.lit(1, 1)]);
    let above = m.concat([m.lit(1, 0), held.q.bits(1..room)]);
    let pushed = pushes.repeat(room as usize).named("pushed");
    held.next(pops.mux(above | (held.q & pushed), held.q | (below & pushed)));
    for (index, register) in entries.iter().enumerate() {
        // An entry that is not held loads whatever may be pushed: only `held_reg` says what counts.
        let index = index as u32;
        let loads = pops | !held.q.bit(index);
        let next =
            entries.get(index as usize + 1).map_or(entry, |above| held.q.bit(index + 1).mux(above.q, entry));
        register.next_when(loads, next);
    }
    m.port_group("Downstream");
    m.output("m_entry", entries[0].q, "the first entry");
    m.built()
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::netlist::evaluator::{Evaluator, Random};

    #[test]
    fn entries_come_out_in_order_and_the_first_one_is_there_a_cycle_later() {
        let (mut random, mut block) = (Random::new(3), Evaluator::new(&fifo(8, 5)));
        block.reset();
        let (mut model, mut full): (VecDeque<u64>, _) = (VecDeque::new(), 0);
        for _ in 0..3000 {
            let pops = !model.is_empty() && random.one_in(2);
            let pushes = (model.len() < 5 || pops) && random.one_in(2);
            let entry = random.below(256);
            for (name, value) in [("s_push", pushes.into()), ("m_pop", pops.into()), ("s_entry", entry)] {
                block.set(name, value);
            }
            if pops {
                assert_eq!(Some(block.get("m_entry")), model.pop_front());
            }
            model.extend(pushes.then_some(entry));
            full += usize::from(model.len() == 5);
            block.clock();
            if let Some(&first) = model.front() {
                assert_eq!(block.get("m_entry"), first);
            }
        }
        assert!(full > 100, "{full}");
    }
}
