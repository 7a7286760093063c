//! A FIFO at the end of a pipeline that never waits, and the count of beats that keeps the FIFO from overflowing.
//!
//! ```text
//!            ┌──────────── beats under way, at most `most` ────────────┐
//!  s_valid ──┴──> pipeline without enables ──> FIFO ──> register ──> m_valid
//!      ^                                                             │ taken
//!      └── ready, a register ── credits <────────────────────────────┘
//! ```
//!
//! No stage of the pipeline has an enable. A beat is taken while the FIFO has room for all beats that are under way, so a stall of the
//! output reaches the input only through the count. With `most` at least the number of cycles from a beat that is taken to its
//! credit, the count never stops a stream that is taken at once ([`words`]).

use std::sync::Arc;

use super::ports::{downstream, upstream};
use crate::netlist::{Builder, Memory, Module, RegisterRole};

/// Cycles from the beat that is given on the output to the cycle in which its credit counts.
const CYCLES_OF_CREDIT: u32 = 1;

/// The number of words of the FIFO at the end of a pipeline that gives a beat `latency` cycles after it took the beat, the FIFO
/// included.
pub fn words(latency: u32) -> u32 {
    (latency + CYCLES_OF_CREDIT).next_power_of_two().max(2)
}

/// The most beats that can be under way with a FIFO of `words` words: one is in the register after the memory.
pub fn most(words: u32) -> u32 {
    words + 1
}

/// A FIFO of `memory.words` beats and one more, in a register that holds the beat that is offered. The FIFO has no ready: its source knows
/// that there is room. A beat is offered two cycles after it came, or after the beat before it. Module name `fifo_<words>x<width>`.
///
/// # Panics
/// If there is no memory of that shape.
pub fn fifo(memory: Memory, is_ram: bool) -> Arc<Module> {
    let Memory { words, width, .. } = memory;
    let m = Builder::new(
        format!("fifo_{words}x{width}"),
        format!(
            "{words} beats in a memory, and one in a register, which is offered. The source offers a beat only where there is room: \
             there is no ready. Adds two cycles, never a bubble."
        ),
    );
    let input = upstream(&m, width);
    m.port_group("Downstream");
    let m_ready = m.input("m_ready", 1, "beat is taken");

    let bits = memory.address_bits();
    let [write, read] = ["write_address", "read_address"]
        .map(|name| m.reg(&format!("{name}_reg"), bits).reset(0).role(RegisterRole::Buffer));
    let count = m.reg("count_reg", bits + 1).reset(0).role(RegisterRole::Buffer).note("beats in the memory");
    let some = m.reg("some_reg", 1).reset(0).role(RegisterRole::Buffer).note("there is one");
    let valid = m.reg("valid_reg", 1).reset(0).role(RegisterRole::Buffer).note("the register holds a beat");
    let full = m.reg("full_reg", 1).role(RegisterRole::Buffer).note("the same, for the payload alone");
    let payload = m.reg("payload_reg", width).role(RegisterRole::Buffer);

    let stays = (valid.q & !m_ready).named("stays").note("the beat in the register is not taken");
    let moves = (some.q & !stays).named("moves").note("a beat goes from the memory into the register");
    let valid_next = (stays | some.q).named("valid_next");
    valid.next(valid_next);
    // This copy has no reset: synthesis would merge two registers that are equal in everything.
    full.next(valid_next);
    let several = count.q.bits(1..bits + 1).any().named("several").note("more than one is in the memory");
    some.next(input.valid | (some.q & !moves) | several);
    count.next(count.q + input.valid.zext(bits + 1) - moves.zext(bits + 1));
    write.next(write.q + input.valid.zext(bits));
    read.next(read.q + moves.zext(bits));
    let module = if is_ram { memory.module() } else { memory.registers() };
    let beats = m
        .instance("beats", &module)
        .input("write", input.valid)
        .input("write_address", write.q)
        .input("write_data", input.payload)
        .input("read_address", read.q);
    let load = (!full.q | m_ready).named("load").note("the register is empty, or emptied in this cycle");
    payload.next_when(load, beats.output("read_data"));

    m.port_group("Downstream");
    downstream(&m, valid.q, payload.q);
    m.built()
}

/// The count of beats that may still be taken: a beat is taken while fewer than `most` are under way. Module name `credits_<most>`.
///
/// Inputs `left`, a beat is taken from the output, and `gone`, a beat ended inside, give a credit back each.
pub fn credits(most: u32) -> Arc<Module> {
    let m = Builder::new(
        format!("credits_{most}"),
        format!(
            "Takes beats while fewer than {most} are under way, so that there is room for each at the end."
        ),
    );
    let offered = m.input("s_valid", 1, "beat is offered");
    let left = m.input("left", 1, "a beat has left");
    let gone = m.input("gone", 1, "a beat has ended inside");
    let bits = u32::BITS - most.leading_zeros();
    let back = m.reg("back_reg", 2).reset(0).role(RegisterRole::Pace).note("the beats that were counted out");
    let free = m
        .reg("free_reg", bits)
        .reset(most.into())
        .role(RegisterRole::Pace)
        .note("beats that may still be taken");
    let ready = m.reg("ready_reg", 1).reset(0).role(RegisterRole::Ready).note("a beat is taken");
    back.next(m.concat([left & gone, left ^ gone]));
    let takes = (offered & ready.q).named("takes");
    let free_next = (free.q + back.q.zext(bits) - takes.zext(bits)).named("free_next");
    free.next(free_next);
    ready.next(free_next.any());
    m.output("s_ready", ready.q, "beat is taken");
    m.built()
}
