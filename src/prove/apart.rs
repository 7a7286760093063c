//! Streams: what comes out of one stream does not depend on the beats of the others.
//!
//! A core of several streams runs beside a copy of itself. A free input chooses a stream. Both take beats of the same streams at the same
//! time, and the beats of the chosen stream are the same in both. Those of the other streams hold anything, but go out of both
//! or of neither: a beat that holds nothing and ends no frame is left out. The beats of the chosen stream that come out are then the same, at the same time.
//!
//! In a decoder, a beat without slots is left out, and whether there are slots depends on what the beats of the stream hold. A sink that waits would so see when
//! slots of other streams come. The sink of a decoder therefore takes all beats here, and the beats of the chosen stream come at the same time in both.
//! A status is taken at once, too, so that no frame waits for that of another stream.

use utfhdl_hdl::core::{Core, Role};
use utfhdl_hdl::netlist::{Design, InstanceHandle, Signal};

use super::bench::{Bench, Side, contiguous, limited_problem, split};

/// Whether it is about a core.
pub fn is_there(core: &Core) -> bool {
    core.spec.streams > 0
}

/// The chosen stream, the same for ever after a reset.
fn chosen<'m>(bench: &Bench<'m>, bits: u32) -> Signal<'m> {
    let m = bench.m;
    let choice = m.input("stream", bits, "the stream that is chosen, in the first cycle");
    let is_chosen = bench.state("is_chosen_reg", 1, |_| m.lit(1, 1));
    let held = m.reg("stream_reg", bits);
    let stream = is_chosen.mux(held.q, choice).named("chosen_stream");
    held.next(stream);
    stream
}

/// Connects the inputs of the copy: those of the core in beats of the chosen stream (`is_own`), and others in other beats.
fn connect<'m>(bench: &Bench<'m>, copy: InstanceHandle<'m>, is_own: Signal<'m>) {
    let (m, input) = (bench.m, &bench.input);
    let other = |name: &str, like: Signal<'m>| {
        m.input(&format!("other_{name}"), like.width(), "the same of the copy, in beats of other streams")
    };
    let tkeep = contiguous(other("tkeep", input.tkeep), bench.core.spec.lanes);
    let tlast = other("tlast", input.tlast);
    let goes_out = |tkeep: Signal<'m>, tlast: Signal<'m>| tkeep.any() | tlast;
    let is_alike = goes_out(tkeep, tlast).eq(goes_out(input.tkeep, input.tlast));
    let is_same = if bench.is_decoder() { is_own } else { is_own | !is_alike };
    let is_same = is_same.named("ends_and_lanes_are_the_same");
    copy.input("s_axis_tvalid", input.tvalid)
        .input("s_axis_tkeep", is_same.mux(input.tkeep, tkeep))
        .input("s_axis_tlast", is_same.mux(input.tlast, tlast))
        .input("s_axis_tdata", is_own.mux(input.tdata, other("tdata", input.tdata)))
        .input("m_axis_tready", bench.output.tready);
    if let Some(status) = bench.status {
        copy.input("status_tready", status.tready);
    }
    for (name, signal) in input.passengers.into_iter().flatten() {
        // The copy takes beats of the same streams.
        let signal = if name == "tid" { signal } else { is_own.mux(signal, other(name, signal)) };
        copy.input(&format!("s_axis_{name}"), signal);
    }
}

/// The problem, if it is about such a core.
pub fn design(core: &Core) -> Option<Design> {
    limited_problem(
        core,
        |name, signal| match name {
            "s_axis_tkeep" => contiguous(signal, core.spec.lanes),
            "m_axis_tready" if core.spec.role == Role::Decoder => signal | !signal,
            "status_tready" => signal | !signal,
            _ => signal,
        },
        bad,
    )
}

/// The failure: a beat of the chosen stream differs, or the two take or give beats at different times.
fn bad<'m>(bench: &Bench<'m>) -> Option<Signal<'m>> {
    if !is_there(bench.core) {
        return None;
    }
    let (m, bits) = (bench.m, bench.core.spec.streams.ilog2());
    let stream = chosen(bench, bits);
    let tid_of = |side: &Side<'m>| {
        let mut passengers = side.passengers.into_iter().flatten();
        passengers.find(|&(name, _)| name == "tid").expect("a core of several streams has TID").1
    };
    let is_own = |tid: Signal<'m>| tid.bits(0..bits).eq(stream);
    let copy = m.instance("copy", &bench.core.design.top);
    connect(bench, copy, is_own(tid_of(&bench.input)).named("is_of_the_stream"));

    let output = &bench.output;
    let port = |name: &str| copy.output(&format!("m_axis_{name}"));
    let has_port = |name: &str| copy.module().outputs().any(|port| port.name == format!("m_axis_{name}"));
    let (tuser, passengers) =
        split(m, bench.core, bench.is_decoder(), true, |name| has_port(name).then(|| port(name)));
    let of_copy = Side { tuser, passengers, ..Side::of_outputs(|name| copy.output(name), output.tready) };
    let statuses_differ = bench.status.map(|status| {
        let of_copy = |name: &str| copy.output(&format!("status_{name}"));
        let is_own_of = |tvalid: Signal<'m>, tid: Signal<'m>| tvalid & is_own(tid);
        let own = is_own_of(status.tvalid, status.tid.expect("a status of a stream"));
        own.ne(is_own_of(of_copy("tvalid"), of_copy("tid"))) | own & status.tdata.ne(of_copy("tdata"))
    });
    let refuses = bench.input.tready.ne(copy.output("s_axis_tready"));
    let (tid, tid_of_copy) = (tid_of(output), tid_of(&of_copy));
    let beats_differ = output.beat(m).ne(of_copy.beat(m));
    let with_status = |bad: Signal<'m>| Some(statuses_differ.map_or(bad, |differ| bad | differ));
    if bench.is_decoder() {
        let [own, own_of_copy] =
            [(output, tid), (&of_copy, tid_of_copy)].map(|(side, tid)| side.tvalid & is_own(tid));
        return with_status(refuses | own.ne(own_of_copy) | own & beats_differ);
    }
    let times = output.tvalid.ne(of_copy.tvalid) | refuses;
    let of_another = tid.ne(tid_of_copy);
    with_status(times | output.tvalid & (of_another | is_own(tid) & beats_differ))
}
