//! Stalls: whatever the stalls on both sides are, the same units make the same slots.
//!
//! A decoder runs beside a copy of itself that knows no stalls: the copy moves only in cycles in which the decoder takes a beat, so
//! to it beats come one behind the other; and what it offers is always taken. Both get the same beats, and the n-th beat that the
//! one puts out has to be the n-th that the other does. A *pick* chooses any of them, where it comes out first, and compares it
//! where it comes out second.
//!
//! Any stalls are so compared with none, and all runs of the same input with each other. What the decoder puts out behind the last
//! beat of all would still be compared if the input went on, and what it has put out by then can't depend on what follows.

use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Signal, holdable};

use super::bench::{Bench, Side};

/// The input that holds the copy.
const RUN: &str = "run";

/// Bits of the number by which one is ahead of the other, which may be negative, and the greatest that can be.
const AHEAD_BITS: u32 = 5;
const MOST_AHEAD: u64 = 12;

/// Whether it is about a core.
pub fn is_there(core: &Core) -> bool {
    core.spec.role == Role::Decoder && core.spec.lanes == 1
}

/// The copy: what it puts out, and in which cycles.
fn copy<'m>(bench: &Bench<'m>) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
    let (m, input) = (bench.m, &bench.input);
    let copy = m.instance("copy", &holdable(&bench.core.design.top, RUN));
    // In the first cycle behind a reset, a core is not ready yet.
    let awake = bench.state("awake_reg", 1, |_| m.lit(1, 1));
    let taken = input.taken();
    let run = (taken | !awake).named("copy_runs");
    let one = m.lit(1, 1);
    copy.input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tlast", input.tlast);
    copy.input("s_axis_tvalid", taken).input("m_axis_tready", one).input(RUN, run);
    let out = Side {
        tdata: copy.output("m_axis_tdata"),
        tkeep: copy.output("m_axis_tkeep"),
        tuser: Some(copy.output("m_axis_tuser")),
        tvalid: copy.output("m_axis_tvalid"),
        tlast: copy.output("m_axis_tlast"),
        tready: one,
    };
    let refuses = taken & !copy.output("s_axis_tready");
    (out.beat(m), out.tvalid & run, refuses)
}

/// Where both put out different beats, or the copy does not take what the decoder took.
pub fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    if !is_there(bench.core) {
        return None;
    }
    let (m, output) = (bench.m, &bench.output);
    let (copy_beat, copy_puts, refuses) = copy(bench);
    let (beat, puts) = (output.beat(m), output.taken());

    // By how many beats the decoder is ahead of the copy.
    let ahead = m.reg("ahead_reg", AHEAD_BITS).reset(0);
    let number = |bit: Signal<'m>| bit.zext(AHEAD_BITS);
    ahead.next(ahead.q + number(puts) - number(copy_puts));
    let is_behind = ahead.q.bit(AHEAD_BITS - 1);
    let is_even = ahead.q.is(0);
    let at_once = is_even & puts & copy_puts;

    let (picked, first) = (m.reg("picked_reg", 1).reset(0), m.reg("picked_of_decoder_reg", 1));
    let (before, word) = (m.reg("before_reg", AHEAD_BITS), m.reg("picked_beat_reg", beat.width()));
    let wish = m.input("pick", 1, "this beat is picked, if none is") & !picked.q & !at_once;
    let of_decoder = wish & puts & !is_behind;
    let of_copy = wish & copy_puts & (is_behind | is_even);
    let second_puts = first.q.mux(copy_puts, puts);
    let second_beat = first.q.mux(copy_beat, beat);
    let due = (picked.q & second_puts & before.q.is(0)).named("picked_is_due");

    let picks = of_decoder | of_copy;
    let minus_ahead = m.lit(AHEAD_BITS, 0) - ahead.q;
    let picked_before = of_decoder.mux(ahead.q - number(copy_puts), minus_ahead - number(puts));
    picked.next(picks | picked.q & !due);
    first.next(picks.mux(of_decoder, first.q));
    before.next(picks.mux(picked_before, before.q - number(second_puts)));
    word.next(picks.mux(of_decoder.mux(beat, copy_beat), word.q));

    let too_far = m.lit(AHEAD_BITS, MOST_AHEAD).le(ahead.q)
        & ahead.q.le(m.lit(AHEAD_BITS, (1 << AHEAD_BITS) - MOST_AHEAD));
    Some(refuses | at_once & beat.ne(copy_beat) | due & second_beat.ne(word.q) | too_far)
}
