//! A receiver and a transmitter of a serial line with 8 data bits, no parity and 1 stop bit.
//!
//! The line is high while it is idle. All registers hold the complement of the line, so that zero, the value of every register
//! under reset, means an idle line.

use std::sync::Arc;

use utfhdl_hdl::netlist::{Builder, Module};

/// Data bits of a character on the line.
const DATA_BITS: u32 = 8;

/// Bits that hold every value up to `most`.
pub fn bits_for(most: u32) -> u32 {
    (u32::BITS - most.leading_zeros()).max(1)
}

/// A module that reads octets off a serial line of `clocks` cycles a bit.
///
/// A line cannot be held up, so the octet is offered for one cycle, in the middle of its stop bit. A character without stop bit is
/// no octet: `framing_error` is high for a cycle in its place, and the next character begins once the line has been idle.
pub fn receiver(clocks: u32) -> Arc<Module> {
    let m =
        Builder::new("uart_receiver", "Reads octets off a serial line: 8 data bits, no parity, 1 stop bit.");
    let line = m.input("line", 1, "the serial line, of any phase; high while it is idle");

    m.section("The line, in step with the clock");
    let first = m.reg("low_first_reg", 1).reset(0);
    let second = m.reg("low_second_reg", 1).reset(0);
    first.next(!line);
    second.next(first.q);
    let low = second.q.named("low");

    m.section("A character: its start bit, its data bits and its stop bit, each read in its middle");
    let receiving = m.reg("receiving_reg", 1).reset(0).note("within a character");
    let broken = m.reg("broken_reg", 1).reset(0).note("behind a framing error, until the line is high");
    let clock = m.reg("clock_reg", bits_for(clocks - 1)).reset(0).note("cycles to the middle of the bit");
    let bit = m.reg("bit_reg", 4).reset(0).note("0: start bit, 1 to 8: data bits, 9: stop bit");
    let octet = m.reg("octet_reg", DATA_BITS).note("the last data bits, the least significant first");

    let in_middle = (receiving.q & clock.q.is(0)).named("in_middle");
    let is_start = bit.q.is(0).named("is_start");
    let is_stop = bit.q.is(u64::from(DATA_BITS) + 1).named("is_stop");
    // A start bit that is over by its middle was a glitch.
    let ends = in_middle & (is_stop | is_start & !low);
    receiving.next(receiving.q.mux(!ends, low & !broken.q));
    broken.next(low & (broken.q | in_middle & is_stop));
    let count = |cycles: u32| m.lit(clock.q.width(), u64::from(cycles - 1));
    let down = in_middle.mux(count(clocks), clock.q - m.lit(clock.q.width(), 1));
    clock.next(receiving.q.mux(down, count(clocks / 2)));
    bit.next((bit.q + in_middle.zext(4)).when(receiving.q));
    octet.next_when(in_middle & !is_stop, m.concat([!low, octet.q.bits(1..DATA_BITS)]));

    m.output("octet", octet.q, "the octet");
    m.output("octet_valid", in_middle & is_stop & !low, "an octet is offered, for one cycle");
    m.output("framing_error", in_middle & is_stop & low, "a character has no stop bit");
    m.output("receiving", receiving.q, "within a character");
    m.built()
}

/// Cycles by which the last stop bit of [`transmitter`] is shorter than `clocks`, those of a bit: an eighth of a bit, at least one.
pub fn shortening(clocks: u32) -> u32 {
    (clocks / 8).max(1)
}

/// A module that writes octets to a serial line of `clocks` cycles a bit.
///
/// Where an octet follows another at once, the stop bit in between is [a little shorter](shortening). So the transmitter keeps up with
/// a receiver whose source is faster than the transmitter by as much.
pub fn transmitter(clocks: u32) -> Arc<Module> {
    let m = Builder::new(
        "uart_transmitter",
        "Writes octets to a serial line: 8 data bits, no parity, 1 stop bit.",
    );
    m.port_group("Octets");
    let valid = m.input("octet_valid", 1, "an octet is offered");
    let octet = m.input("octet", DATA_BITS, "the octet");

    let low = m
        .reg("low_reg", 1 + DATA_BITS)
        .reset(0)
        .note("the present bit and those behind it, where the line is low");
    let left =
        m.reg("left_reg", 4).reset(0).note("bits that are left, with the present one: 1 is the stop bit");
    let clock = m.reg("clock_reg", bits_for(clocks - 1)).reset(0).note("cycles to the end of the bit");

    let bit_ends = clock.q.is(0).named("bit_ends");
    let ready = (left.q.is(0) | left.q.is(1) & bit_ends).named("ready");
    let starts = (valid & ready).named("starts");
    let moves =
        (starts | left.q.any() & bit_ends).named("moves").note("a bit begins, or the line becomes idle");
    let count = |cycles: u32| m.lit(clock.q.width(), u64::from(cycles - 1));
    let next_bit = left.q.is(2).mux(count(clocks - shortening(clocks)), count(clocks));
    let down = clock.q - m.lit(clock.q.width(), 1);
    clock.next(starts.mux(count(clocks), bit_ends.mux(next_bit, down)));
    left.next_when(moves, starts.mux(m.lit(4, u64::from(DATA_BITS) + 2), left.q - m.lit(4, 1)));
    let next_low = m.concat([m.lit(1, 0), low.q.bits(1..1 + DATA_BITS)]);
    low.next_when(moves, starts.mux(m.concat([!octet, m.lit(1, 1)]), next_low));

    m.output("octet_ready", ready, "the octet is taken");
    m.port_group("Line");
    m.output("line", !low.q.bit(0), "the serial line; high while it is idle");
    m.built()
}
