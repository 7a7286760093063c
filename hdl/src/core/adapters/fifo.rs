//! A FIFO of beats, which can hold a frame back until all of it is there.
//!
//! ```text
//!  s_axis ──> memory ──> skid buffer ──> m_axis
//! ```
//!
//! The memory has a registered read port, so that it can be block RAM. The word at the read address is on that port in every cycle; the
//! address moves on as the buffer takes the word, and the buffer's ready is a register: no path leads from `m_axis_tready` to the
//! memory.

use std::sync::Arc;

use super::beat::{Beat, OF_BEAT, Shape};
use super::{Fifo, Whole};
use crate::core::Storage;
use crate::netlist::{Builder, Collision, Memory, Module, Read, Reg, Signal};
use crate::stream::{connect, skid_buffer};

/// Cycles from a beat to itself on the output: memory, read port, buffer.
pub(super) const LATENCY: u32 = 3;

/// The FIFO, called `name`.
pub(super) fn fifo(name: &str, shape: &Shape, fifo: Fifo) -> Arc<Module> {
    let frames = match fifo.whole {
        None => "",
        Some(Whole::Waits) => ", of whole frames: a frame goes out when all of it is in",
        Some(Whole::Drops) => {
            ", of whole frames: a frame goes out when all of it is in, and is dropped where it has no room"
        }
    };
    let m = Builder::new(
        name,
        format!("A FIFO of {} beats in a memory and two in registers{frames}.", fifo.depth),
    );
    let (offered, beat) = shape.inputs(&m, OF_BEAT);
    m.port_group("AXI4-Stream output");
    let m_ready = m.input("m_axis_tready", 1, "the beat is taken");
    let pointers = Pointers::new(&m, fifo.depth);
    let writing = match fifo.whole {
        None => beats(&m, &pointers, offered),
        Some(whole) => frames_in(&m, &pointers, (offered, beat.last), whole),
    };

    m.section("A word goes from the memory to the output");
    let Pointers { write, read, bits } = pointers;
    let there = m.reg("there_reg", 1).reset(0).note("the word on the read port is one of a beat");
    let payload = beat.packed(&m);
    let memory = Memory {
        words: fifo.depth,
        width: payload.width(),
        read: Read::Registered(Collision::Undefined),
        read_ports: 1,
    };
    let module = if fifo.memory == Storage::Ram { memory.module() } else { memory.registers() };
    let entries = m.instance("entries", &module);
    let buffer = skid_buffer(payload.width());
    let buffered =
        connect(m.instance("output_buffer", &buffer), there.q, entries.output("read_data"), m_ready);
    let moves = (there.q & buffered.ready).named("moves").note("the buffer takes the word");
    let read_next = moves.mux(read.q + m.lit(bits, 1), read.q).named("read_next");
    read.next(read_next);
    there.next(read_next.ne(writing.end));
    entries
        .input("write", writing.writes)
        .input("write_address", write.q.bits(0..bits - 1))
        .input("write_data", payload)
        .input("read_address", read_next.bits(0..bits - 1));

    let out: Beat = beat.unpacked(buffered.payload, "output");
    shape.outputs(&m, [writing.ready, buffered.valid], out, OF_BEAT);
    if let Some(dropped) = writing.dropped {
        m.port_group("Frames");
        m.output("dropped", dropped, "a frame was dropped, the end of which came in the cycle before");
    }
    m.built()
}

/// The addresses of the memory, with a bit above that tells a full memory from an empty one.
struct Pointers<'m> {
    write: Reg<'m>,
    read: Reg<'m>,
    bits: u32,
}

impl<'m> Pointers<'m> {
    fn new(m: &'m Builder, depth: u32) -> Self {
        let bits = depth.ilog2() + 1;
        let pointer = |name: &str, note: &str| m.reg(name, bits).reset(0).note(note);
        let write =
            pointer("write_reg", "where the next beat is written; the high bit changes each time around");
        Self { write, read: pointer("read_reg", "the word on the read port, likewise"), bits }
    }

    /// Whether a memory is full in which `first` is the first word in use, and `next` the next one to be written.
    fn is_full(&self, first: Signal<'m>, next: Signal<'m>) -> Signal<'m> {
        let top = self.bits - 1;
        first.bit(top).ne(next.bit(top)) & first.bits(0..top).eq(next.bits(0..top))
    }
}

/// The side of a FIFO that beats come in.
struct Writing<'m> {
    ready: Signal<'m>,
    /// The beat of the input is written.
    writes: Signal<'m>,
    /// The word after the last one that may go out, as of the cycle before.
    end: Signal<'m>,
    dropped: Option<Signal<'m>>,
}

/// The ready of the next cycle, unless the memory is full then. A word that leaves in this cycle counts in the next.
fn room<'m>(m: &'m Builder, pointers: &Pointers<'m>, writes: Signal<'m>) -> Signal<'m> {
    let (read, write) = (pointers.read.q, pointers.write.q);
    let full = pointers.is_full(read, write).named("full");
    let next = (write + m.lit(pointers.bits, 1)).named("write_after");
    let one_left = pointers.is_full(read, next).named("one_left").note("there is room for one beat");
    !(full | (one_left & writes))
}

/// Beats go out one by one.
fn beats<'m>(m: &'m Builder, pointers: &Pointers<'m>, offered: Signal<'m>) -> Writing<'m> {
    m.section("A beat is written while there is room");
    let ready = m.reg("ready_reg", 1).reset(0).note("there is room for a beat");
    let write = pointers.write;
    let writes = (offered & ready.q).named("writes").note("a beat comes in");
    ready.next(room(m, pointers, writes));
    write.next_when(writes, write.q + m.lit(pointers.bits, 1));
    Writing { ready: ready.q, writes, end: write.q, dropped: None }
}

/// Frames go out when they are whole. The beats of a frame that is dropped are written over.
fn frames_in<'m>(
    m: &'m Builder,
    pointers: &Pointers<'m>,
    (offered, last): (Signal<'m>, Signal<'m>),
    whole: Whole,
) -> Writing<'m> {
    m.section("A beat is written; a frame may go out when it is whole");
    let one = m.lit(pointers.bits, 1);
    let write = pointers.write;
    let end =
        m.reg("end_reg", pointers.bits).reset(0).note("the first beat of the frame that is not whole yet");
    let ready = m.reg("ready_reg", 1).reset(0).note("a beat is taken");
    let skips = m.reg("skips_reg", 1).reset(0).note("the rest of the frame is dropped");
    let dropped = m.reg("dropped_reg", 1).reset(0).note("a dropped frame has ended");
    let taken = (offered & ready.q).named("taken").note("a beat comes in");
    let writes = match whole {
        Whole::Waits => {
            // A frame that fills the memory alone can never be whole.
            let too_long = pointers
                .is_full(end.q, write.q)
                .named("too_long")
                .note("the frame has no room, and never will");
            let writes = (taken & !skips.q).named("writes");
            skips.next(too_long | (skips.q & !(taken & last)));
            ready.next(skips.q | too_long | room(m, pointers, writes));
            write.next_when(writes | too_long, too_long.mux(end.q, write.q + one));
            dropped.next(skips.q & taken & last);
            writes
        }
        Whole::Drops => {
            let full = pointers.is_full(pointers.read.q, write.q).named("full");
            let drops = (skips.q | full).named("drops").note("the beat, and so its frame, has no room");
            let writes = (taken & !drops).named("writes");
            skips.next_when(taken, drops & !last);
            ready.next(m.lit(1, 1));
            write.next_when(taken, drops.mux(end.q, write.q + one));
            dropped.next(taken & last & drops);
            writes
        }
    };
    end.next_when(writes & last, write.q + one);
    Writing { ready: ready.q, writes, end: end.q, dropped: Some(dropped.q) }
}
