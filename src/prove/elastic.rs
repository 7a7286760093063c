//! Stalls: whatever the stalls on both sides are, the same units make the same slots.
//!
//! A decoder runs beside a copy of itself without stalls: the copy runs only in cycles in which the decoder takes a beat, and its
//! output is always taken. Both read the same beats, and the n-th output beat of the decoder must be the n-th of the copy. A
//! *pick*, a free input of the problem, chooses a beat, remembers it when the first of the two puts it out, and compares it with
//! the other's.
//!
//! A run with any stalls is thereby compared with the run without stalls, and any two runs of the same input with each other.
//! Output that the decoder makes after the last input beat would be compared if more input came, and it cannot depend on that
//! input.

use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Signal, holdable};

use super::bench::{Bench, Side};
use super::unary::UnaryRegister;

/// The input that holds the copy.
const RUN: &str = "run";

/// More beats than one can be ahead of the other.
const MOST_AHEAD: u64 = 10;

/// Whether it is about a core.
pub fn is_there(core: &Core) -> bool {
    matches!(core.spec.role, Role::Decoder | Role::Validator(_)) && core.spec.lanes == 1
}

/// The copy: its output beat, the cycles in which it puts one out, and the cycles in which it refuses input.
fn copy<'m>(bench: &Bench<'m>) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
    let (m, input) = (bench.m, &bench.input);
    let copy = m.instance("copy", &holdable(&bench.core.design.top, RUN));
    // In the first cycle after a reset, a core is not ready yet.
    let awake = bench.state("awake_reg", 1, |_| m.lit(1, 1));
    let taken = input.taken();
    let run = (taken | !awake).named("copy_runs");
    let one = m.lit(1, 1);
    copy.input("s_axis_tdata", input.tdata)
        .input("s_axis_tkeep", input.tkeep)
        .input("s_axis_tlast", input.tlast);
    for (name, signal) in input.passengers.into_iter().flatten() {
        copy.input(&format!("s_axis_{name}"), signal);
    }
    if let Some(system) = bench.system {
        copy.input("system", system);
    }
    copy.input("s_axis_tvalid", taken).input("m_axis_tready", one).input(RUN, run);
    let port = |name: &str| copy.output(&format!("m_axis_{name}"));
    let out = Side {
        // The kinds are the low bits of `tuser`, in a core of one lane.
        tuser: bench.output.tuser.map(|own| port("tuser").bits(0..own.width())),
        passengers: bench.output.passengers.map(|passenger| passenger.map(|(name, _)| (name, port(name)))),
        ..Side::of_outputs(|name| copy.output(name), one)
    };
    let refuses = taken & !copy.output("s_axis_tready");
    (out.beat(m), out.tvalid & run, refuses)
}

/// The failure: decoder and copy put out different beats, or the copy refuses a beat that the decoder took.
pub fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    if !is_there(bench.core) {
        return None;
    }
    let (m, output) = (bench.m, &bench.output);
    let (copy_beat, copy_puts, refuses) = copy(bench);
    let (beat, puts) = (output.beat(m), output.taken());

    // The number of beats that the decoder is ahead of the copy, and the copy of the decoder; one of the two is 0.
    let ahead = UnaryRegister::new(m, "ahead_reg", MOST_AHEAD);
    let behind = UnaryRegister::new(m, "behind_reg", MOST_AHEAD);
    let (is_ahead, is_behind) = (!ahead.q.is_zero(), !behind.q.is_zero());
    let (alone, copy_alone) = (puts & !copy_puts, copy_puts & !puts);
    let at_once = !is_ahead & !is_behind & puts & copy_puts;

    let (picked, first) = (m.reg("picked_reg", 1).reset(0), m.reg("picked_of_decoder_reg", 1));
    let before = UnaryRegister::new(m, "before_reg", MOST_AHEAD);
    let word = m.reg("picked_beat_reg", beat.width());
    let wish = m.input("pick", 1, "this beat is picked, if none is") & !picked.q & !at_once;
    let of_decoder = wish & puts & !is_behind;
    let of_copy = wish & copy_puts & !is_ahead;
    let picks = of_decoder | of_copy;
    let second_puts = first.q.mux(copy_puts, puts);
    let second_beat = first.q.mux(copy_beat, beat);
    let due = (picked.q & second_puts & before.q.is_zero()).named("picked_is_due");
    let too_far = ahead.q.is_most() | behind.q.is_most();

    picked.next(picks | picked.q & !due);
    first.next(picks.mux(of_decoder, first.q));
    word.next(picks.mux(of_decoder.mux(beat, copy_beat), word.q));
    let in_front = ahead.q.minus(copy_puts).or(of_decoder, behind.q.minus(puts));
    let left = before.q.minus(second_puts);
    before.next(in_front.or(picks, left));
    let (more, less) = (alone & !is_behind, copy_alone & is_ahead);
    let (falls, catches_up) = (copy_alone & !is_ahead, alone & is_behind);
    ahead.next(ahead.q.plus(more).minus(less));
    behind.next(behind.q.plus(falls).minus(catches_up));
    Some(refuses | at_once & beat.ne(copy_beat) | due & second_beat.ne(word.q) | too_far)
}
