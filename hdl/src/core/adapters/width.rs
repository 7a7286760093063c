//! Converters of the number of lanes. Lanes keep their order, and lanes without a unit between others are left as they are.
//!
//! ```text
//!  wider     s_axis ──> skid buffer ──> gather a beat, part by part ──> skid buffer ──> m_axis
//!  narrower  s_axis ──> skid buffer ──> hold a beat, give part by part ──> skid buffer ──> m_axis
//! ```
//!
//! A *part* is the lanes of the narrow side. Parts without a unit take no cycle and no place, but at the end of a frame that has
//! nothing else to give.

use std::sync::Arc;

use super::beat::{Beat, OF_END, Shape};
use crate::netlist::{Builder, Module, Signal};
use crate::stream::{Connected, connect, skid_buffer};

/// Cycles from the beat that completes an output beat to that beat, in a converter to more lanes.
pub(super) const LATENCY_UP: u32 = 2;
/// Cycles from a beat to its first part.
pub(super) const LATENCY_DOWN: u32 = 3;

/// The converter from the lanes of `shape` to `to_lanes`, called `name`.
pub(super) fn width(name: &str, shape: &Shape, to_lanes: u32) -> Arc<Module> {
    let from = shape.lanes;
    let m = Builder::new(
        name,
        format!(
            "Converts beats of {from} lanes to beats of {to_lanes}, of the same units in the same order."
        ),
    );
    let (offered, beat) = shape.inputs(&m, OF_END);
    m.port_group("AXI4-Stream output");
    let m_ready = m.input("m_axis_tready", 1, "the beat is taken");
    m.section(
        "Beats without a unit go no further, but for the ends of frames; lanes without a unit become zero",
    );
    let offered = (offered & (beat.keep.any() | beat.last))
        .named("enters")
        .note("the beat holds something, or ends its frame");
    let beat = shape.masked(&m, beat);
    let payload = beat.packed(&m);
    let taken = m.wire("taken", 1).note("the beat leaves the input buffer");
    let input = connect(m.instance("input_buffer", &skid_buffer(payload.width())), offered, payload, taken);
    let beat = beat.unpacked(input.payload, "held");
    let wide = Shape { lanes: to_lanes, ..*shape };
    let moves = m.wire("moves", 1).note("the output buffer takes a beat");
    let (leaves, valid, out) = match from < to_lanes {
        true => gathered(&m, &wide, from, (input.valid, beat), moves),
        false => split(&m, &wide, from / to_lanes, (input.valid, beat), moves),
    };
    m.drive(taken, leaves);
    let payload = out.packed(&m);
    let Connected { ready, valid, payload } =
        connect(m.instance("output_buffer", &skid_buffer(payload.width())), valid, payload, m_ready);
    m.drive(moves, ready);
    wide.outputs(&m, [input.ready, valid], out.unpacked(payload, "output"), OF_END);
    m.built()
}

/// Bits of part `index` of `signal`, which has `parts`.
fn part(signal: Signal<'_>, index: u32, parts: u32) -> Signal<'_> {
    let bits = signal.width() / parts;
    signal.bits(index * bits..(index + 1) * bits)
}

/// The user's bits on the last beat of a frame, and zero on others.
fn of_end<'m>(user: Option<Signal<'m>>, last: Signal<'m>) -> Option<Signal<'m>> {
    user.map(|user| user & last.repeat(user.width() as usize))
}

/// Gathers beats of `lanes` lanes into one: whether the input's beat is taken, whether there is an output beat, and that beat.
fn gathered<'m>(
    m: &'m Builder,
    wide: &Shape,
    lanes: u32,
    (valid, beat): (Signal<'m>, Beat<'m>),
    moves: Signal<'m>,
) -> (Signal<'m>, Signal<'m>, Beat<'m>) {
    m.section("Parts are gathered until the beat is full, or its frame ends");
    let parts = wide.lanes / lanes;
    let next = m.reg("next_reg", parts).reset(1).note("one bit of all: the part that comes next");
    let held = m.reg("filled_reg", parts - 1).reset(0).note("the parts that are gathered");
    let counts = (valid & moves).named("counts").note("a part is taken");
    let completes =
        (next.q.bit(parts - 1) | beat.last).named("completes").note("the part is the last one of its beat");
    let moved = m.concat([next.q.bits(0..parts - 1), m.lit(1, 0)]);
    next.next_when(counts, completes.mux(m.lit(parts, 1), moved));
    let filled = held.q | next.q.bits(0..parts - 1);
    held.next_when(counts, completes.mux(m.lit(parts - 1, 0), filled));
    let both = m.concat([beat.keep, beat.data]).named("part");
    let bits = both.width();
    let gathered: Vec<Signal> = (0..parts)
        .map(|index| {
            let arriving = both & next.q.bit(index).repeat(bits as usize);
            if index == parts - 1 {
                return arriving;
            }
            let kept = m.reg(&format!("part_{index}_reg"), bits);
            kept.next_when(next.q.bit(index) & moves, both);
            arriving | (kept.q & held.q.bit(index).repeat(bits as usize))
        })
        .collect();
    let data = |signal: &Signal<'m>| signal.bits(0..beat.data.width());
    let keep = |signal: &Signal<'m>| signal.bits(beat.data.width()..bits);
    let out = Beat {
        data: m.concat(gathered.iter().rev().map(data)),
        keep: m.concat(gathered.iter().rev().map(keep)),
        last: beat.last,
        of_frame: beat.of_frame,
        user: of_end(beat.user, beat.last),
    };
    (moves, valid & completes, out)
}

/// Splits a beat into `parts`: whether the input's beat is taken, whether there is an output beat, and that beat.
fn split<'m>(
    m: &'m Builder,
    narrow: &Shape,
    parts: u32,
    (valid, beat): (Signal<'m>, Beat<'m>),
    moves: Signal<'m>,
) -> (Signal<'m>, Signal<'m>, Beat<'m>) {
    m.section("A beat is held until its last part is given");
    let some = m.reg("some_reg", 1).reset(0).note("a beat is held");
    let given = m.reg("given_reg", parts).note("one bit of all: the part that is given");
    let left = m.reg("left_reg", parts).note("the parts that come after it");
    let ends = m.reg("final_reg", 1).note("no part comes after it");
    let load =
        (!some.q | (moves & ends.q)).named("load").note("the next beat is held from the next cycle on");
    let used = m.concat((0..parts).rev().map(|index| part(beat.keep, index, parts).any())).named("used");
    let used =
        used.note("the parts that hold something: none at the end of a frame that has nothing else to give");
    let parts_next = load.mux(used, left.q).named("parts_next").note("the parts to choose from");
    let lowest = (parts_next & (m.lit(parts, 0) - parts_next)).named("lowest");
    let rest = (parts_next & !lowest).named("rest");
    let advances = (load | moves).named("advances");
    some.next(load.mux(valid, some.q));
    given.next_when(advances, lowest);
    left.next_when(advances, rest);
    ends.next_when(advances, !rest.any());
    let keeps = |name: &str, signal: Signal<'m>| {
        let register = m.reg(name, signal.width());
        register.next_when(load, signal);
        register.q
    };
    let (data, keep) = (keeps("data_reg", beat.data), keeps("keep_reg", beat.keep));
    let last = keeps("last_reg", beat.last);
    let of_frame = beat.of_frame.map(|of_frame| keeps("of_frame_reg", of_frame));
    let user = beat.user.map(|user| keeps("user_reg", user));

    m.section("The part that is given");
    let chosen = |signal: Signal<'m>| {
        let masked = |index| {
            let part = part(signal, index, parts);
            part & given.q.bit(index).repeat(part.width() as usize)
        };
        (0..parts).map(masked).reduce(|a, b| a | b).expect("there are parts")
    };
    let last = (last & ends.q).named("part_last");
    debug_assert_eq!(narrow.lanes * parts, beat.keep.width());
    let out = Beat {
        data: chosen(data).named("part_data"),
        keep: chosen(keep).named("part_keep"),
        last,
        of_frame,
        user: of_end(user, last),
    };
    (load, some.q, out)
}
